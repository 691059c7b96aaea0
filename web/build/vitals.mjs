// Measures the first load on a slow phone: node build/vitals.mjs
// FRONTDESK_URL is where a server with demo data runs, CHROMIUM the browser, RUNS how often (the median counts).
// Network: 1.6 Mbit/s down, 750 kbit/s up, 150 ms (slow 4G of Lighthouse); processor: a quarter of this one.
import { chromium } from "@playwright/test";

const url = process.env.FRONTDESK_URL ?? "http://127.0.0.1:8080";
const runs = Number(process.env.RUNS ?? 5);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

async function session() {
  const page = await browser.newPage({ locale: "en-GB" });
  await page.goto(url);
  await page.getByRole("button", { name: /Ayesha/ }).click();
  await page.locator("textarea").waitFor();
  const kept = await page.evaluate(() => sessionStorage.getItem("frontdesk.session"));
  await page.goto(`${url}/a/gatepass`);
  await page.locator("textarea").fill("Which passes are pending?");
  await page.locator("textarea").press("Enter");
  await page.locator("article.answer .actions").waitFor();
  const conversation = new URL(page.url()).pathname;
  await page.close();
  return { kept, conversation };
}

async function load(path, kept) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    locale: "en-GB",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.addInitScript((session) => {
    if (session) sessionStorage.setItem("frontdesk.session", session);
    window.vitals = { lcp: 0, cls: 0, what: "" };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        window.vitals.lcp = entry.startTime;
        window.vitals.what = entry.element?.className || entry.element?.tagName || "";
      }
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.vitals.cls += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  }, kept);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  let bytes = 0;
  devtools.on("Network.loadingFinished", (event) => {
    bytes += event.encodedDataLength;
  });
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 93_750,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(url + path, { waitUntil: "networkidle" }).catch(() => {});
  await page.waitForTimeout(1_500);
  const { lcp, cls, what } = await page.evaluate(() => window.vitals);
  const fcp = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  );
  await context.close();
  return { lcp, cls, fcp, bytes, what };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const { kept, conversation } = await session();
for (const [name, path, signedIn] of [
  ["sign-in", "/", null],
  ["home", "/", kept],
  ["conversation", conversation, kept],
]) {
  const found = [];
  for (let run = 0; run < runs; run++) found.push(await load(path, signedIn));
  const of = (key) => median(found.map((one) => one[key]));
  console.log(
    `${name}: FCP ${(of("fcp") / 1000).toFixed(2)} s, LCP ${(of("lcp") / 1000).toFixed(2)} s (${found.map((one) => one.what).join(", ")}), ` +
      `CLS ${of("cls").toFixed(3)}, ${Math.round(of("bytes") / 1000)} KB`,
  );
}
await browser.close();
