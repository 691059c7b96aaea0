/** Debian's headless build of Chromium: the same engine without a window.
 * A window would make every test a fifth slower. Nothing is downloaded. */
export const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";
