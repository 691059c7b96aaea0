import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
// @ts-expect-error: a plain script
import { offline } from "./build/offline.mjs";

const server = process.env["FRONTDESK_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), offline()],
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    // The strict policy allows no inline script or data: address.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/services", "/openapi.json", "/healthz"].map((path) => [path, server]),
    ),
  },
});
