/** Chromium as Debian builds it for machines without a screen: the same engine without windows around it, which
 * would cost every test a fifth more. Nothing is downloaded. */
export const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";
