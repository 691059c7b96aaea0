/** Adds the service worker with the list of files that the app needs without a connection. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The viewer of PDFs is large, and its files need a connection anyway. */
const LEFT_OUT = /PdfView|pdf\.worker/;
/** Scripts of the reader; other alphabets load when they are needed. */
const FONTS = /inter-(latin|cyrillic)-wght-normal.*\.woff2$/;
const PUBLIC = ["/favicon.svg", "/theme.js", "/manifest.webmanifest", "/icon-192.png", "/icon-512.png"];

export function offline() {
  return {
    name: "offline",
    apply: "build",
    generateBundle(_, bundle) {
      const isKept = (name) => (/\.(js|css)$/.test(name) && !LEFT_OUT.test(name)) || FONTS.test(name);
      const files = Object.keys(bundle).filter(isKept).sort();
      const list = [...files.map((name) => `/${name}`), ...PUBLIC];
      const template = readFileSync(new URL("./worker.js", import.meta.url), "utf8");
      const content = template.replace("__FILES__", JSON.stringify(list));
      const version = createHash("sha256").update(content).digest("hex").slice(0, 16);
      this.emitFile({
        type: "asset",
        fileName: "sw.js",
        source: content.replace("__VERSION__", `frontdesk-${version}`),
      });
    },
  };
}
