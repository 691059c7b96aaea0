import { defineConfig } from "@playwright/test";
import { BROWSER } from "./tests/browser/kit/browser";

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results",
  fullyParallel: true,
  // Tests also wait for clocks and animations: one more than the processors of a small machine.
  workers: 3,
  // Limits, not measures: a busy machine is many times slower than a quiet one, and what a test measures it says itself.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  retries: 0,
  reporter: process.env["CI"] ? [["line"]] : [["list"]],
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Europe/Stockholm",
    viewport: { width: 1280, height: 800 },
    // A test of the page without a connection allows it; to others it would hide requests.
    serviceWorkers: "block",
    launchOptions: { executablePath: BROWSER, args: ["--no-sandbox", "--disable-dev-shm-usage"] },
    trace: process.env["TRACE"] ? "retain-on-failure" : "off",
  },
});
