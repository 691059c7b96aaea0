/** The page after the network was cut: the server is killed, so nothing but the service worker can answer. */

import type { Page } from "@playwright/test";
import { ADMIN, expect, HR, PHONE, test, visit } from "./kit";
import { faults } from "./kit/axe";
import { browserSeeing } from "./kit/camera";
import { png } from "./kit/png";
import type { TestServer } from "./kit/server";

const NUMBER = "GP-2026-0010";
const PHOTO = { name: "face.png", mimeType: "image/png", buffer: png(320, 240) };
const OFFLINE_READY = { ...PHONE, serviceWorkers: "allow" as const };

/** Signs in, and waits until everything is kept that the page needs without a connection. */
async function visitOnce(page: Page, desk: TestServer, who: RegExp, path: string) {
  await page.goto(desk.url + path);
  await page.getByRole("button", { name: who }).click();
  await expect(page.getByRole("main")).toBeVisible();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    if (registration.active?.state !== "activated")
      await new Promise((done) => registration.active?.addEventListener("statechange", done));
  });
}

const stateOf = async (desk: TestServer) => {
  const token = await desk.token("gate");
  return (await desk.api(`/gatepass/passes/${NUMBER}`, { token })) as { status: string; photos: unknown[] };
};

test("at the gate without a network: open the page, scan the code, photograph, queue; sent later", async ({
  page,
  problems,
  desk,
}) => {
  const token = await desk.token("gate");
  const code = await fetch(`${desk.url}/api/v1/gatepass/passes/${NUMBER}/qr`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const seeing = await browserSeeing(Buffer.from(await code.arrayBuffer()), page);
  const phone = await visit(seeing, problems, { ...OFFLINE_READY, permissions: ["camera"] });
  await visitOnce(phone, desk, /Bilal/, "/gate");
  await desk.kill();
  await phone.reload();
  // The camera reads the code on the phone.
  await expect(phone.getByText(NUMBER).first()).toBeVisible();
  await expect(phone.getByRole("alert")).toContainText("No connection");
  await phone.getByRole("button", { name: "Record exit" }).tap();
  await phone.getByLabel("Choose a photo").setInputFiles(PHOTO);
  await phone.getByRole("button", { name: "Confirm exit" }).tap();
  await expect(phone.getByRole("heading", { name: "Saved on this phone" })).toBeVisible();
  expect(await faults(phone)).toEqual([]);
  await phone.reload();
  await expect(phone.getByRole("region", { name: "Waiting to be sent" })).toContainText(NUMBER);

  await desk.run();
  await phone.getByRole("button", { name: "Send now" }).tap();
  await expect(phone.getByRole("region", { name: "Waiting to be sent" })).toHaveCount(0);
  expect(await stateOf(desk)).toMatchObject({ status: "exited", photos: [{}] });
  await seeing.close();
});

test("any page opens without a network and says what is wrong", async ({ visitor, desk }) => {
  const page = await visitor(OFFLINE_READY);
  await visitOnce(page, desk, HR, "/");
  await desk.kill();
  await page.goto(`${desk.url}/gatepass`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await desk.run();
});

test("the start page says that the server is away, and when it is back", async ({ page, desk }) => {
  await page.goto(desk.url);
  await page.getByRole("button", { name: ADMIN }).click();
  await expect(page.locator(".assistant-card").first()).toBeVisible();
  await desk.kill();
  const away = page.getByText("Connection lost. Reconnecting…");
  await expect(away).toBeVisible();
  expect(await faults(page), "without a server").toEqual([]);
  await desk.run();
  await expect(away).toBeHidden();
});

test("the app can be installed: a manifest with a name and icons of the right sizes", async ({
  page,
  desk,
}) => {
  await page.goto(desk.url);
  const address = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await fetch(desk.url + address);
  expect(answer.headers.get("content-type")).toContain("application/manifest+json");
  const manifest = (await answer.json()) as {
    name: string;
    display: string;
    start_url: string;
    icons: { src: string; sizes: string; type: string }[];
  };
  expect(manifest).toMatchObject({ name: "Frontdesk", display: "standalone", start_url: "/" });
  for (const icon of manifest.icons.filter(({ type }) => type === "image/png")) {
    const size = await page.evaluate(async (src) => {
      const image = await createImageBitmap(await (await fetch(src)).blob());
      return `${image.width}x${image.height}`;
    }, icon.src);
    expect(size).toBe(icon.sizes);
  }
  const worker = await fetch(`${desk.url}/sw.js`);
  expect(worker.headers.get("content-type")).toContain("text/javascript");
  expect(worker.headers.get("cache-control")).toBe("no-cache");
});

test("a page whose script cannot be loaded says so, and offers to try again", async ({ page, desk }) => {
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(desk.url);
  await expect(page.getByText("The server cannot be reached.")).toBeVisible();
  await page.unroute("**/assets/*.js");
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.locator(".persona").first()).toBeVisible();
  await expect(page.getByText("The server cannot be reached.")).toHaveCount(0);
});
