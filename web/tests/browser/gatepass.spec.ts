import type { BrowserContext, Page } from "@playwright/test";
import { ADMIN, ask, expect, HR, input, lastAnswer, PHONE, say, signOut, test, visit } from "./kit";
import { faults } from "./kit/axe";
import { browserSeeing } from "./kit/camera";
import { fitsThumb } from "./kit/layout";
import { gate } from "./kit/model";
import { png } from "./kit/png";
import type { TestServer } from "./kit/server";

const GUARD = /Bilal/;
const PHOTO = { name: "face.png", mimeType: "image/png", buffer: png(320, 240) };

const enter = async (page: Page, server: TestServer, who: RegExp, path: string) => {
  await page.goto(server.url + path);
  await page.getByRole("button", { name: who }).click();
  await expect(page.getByRole("main")).toBeVisible();
};

interface PassRecord {
  status: string;
  status_history: { status: string; changed_by: string }[];
  photos: unknown[];
}

const passOf = async (server: TestServer, number: string, who = "gate"): Promise<PassRecord> =>
  (await server.api(`/gatepass/passes/${number}`, { token: await server.token(who) })) as PassRecord;

test("the board: filter, search, one pass with its history, approve, delete after confirmation", async ({
  page,
  desk,
}) => {
  await enter(page, desk, ADMIN, "/gatepass");
  const list = page.getByRole("region", { name: "Pass board" });
  await list.getByRole("button", { name: /^Pending/ }).click();
  await expect(list.getByRole("row")).toHaveCount(3);
  await list.getByRole("button", { name: /^All/ }).click();
  await list.getByRole("searchbox").fill("Danish");
  await expect(list.getByRole("row")).toHaveCount(2);
  await list.getByRole("button", { name: "GP-2026-0008" }).click();
  await expect(page).toHaveURL(/\?gid=GP-2026-0008$/);
  const pass = page.getByRole("article", { name: "GP-2026-0008" });
  await expect(pass.getByRole("listitem")).toHaveText([/Pending/, /Approved/, /Exited/]);
  await expect(pass.getByRole("img", { name: "On exit" })).toHaveAttribute("src", /^blob:/);
  await expect(pass.getByRole("img", { name: "QR code of GP-2026-0008" })).toBeVisible();
  await pass.getByRole("button", { name: "Print" }).click();
  await expect(pass.locator("canvas[data-drawn=true]")).toBeVisible();

  await list.getByRole("searchbox").fill("GP-2026-0011");
  await list.getByRole("button", { name: "GP-2026-0011" }).click();
  const pending = page.getByRole("article", { name: "GP-2026-0011" });
  await pending.getByRole("button", { name: "Approve" }).click();
  await pending.getByRole("button", { name: "Approve the pass" }).click();
  await expect(pending.getByRole("listitem")).toHaveText([/Pending/, /Approved by Omar Farooq/]);
  await expect(pending.getByRole("button", { name: "Approve" })).toHaveCount(0);

  await pending.getByRole("button", { name: "Delete" }).click();
  const card = pending.getByRole("region", { name: /Confirm/ });
  await expect(card.getByLabel(/Pass number/)).toHaveValue("GP-2026-0011");
  expect(await faults(page), "a pass with a card").toEqual([]);
  await card.getByRole("button", { name: "Delete the pass" }).click();
  await expect(pending.getByRole("alert")).toContainText("There is no pass GP-2026-0011");
});

test("the page behind a scanned code, and HR's notifications", async ({ page, desk }) => {
  await enter(page, desk, HR, "/gatepass?gid=GP-2026-0009");
  const pass = page.getByRole("article", { name: "GP-2026-0009" });
  await expect(pass.getByRole("heading", { level: 2 })).toHaveText("Maria Gonzalez");
  await expect(pass.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await page.getByRole("button", { name: /Notifications, \d+ new/ }).click();
  const news = page.getByRole("dialog", { name: "Notifications" });
  const unread = news.getByRole("button", { name: /^Mark as read/ });
  await expect(unread.first()).toBeVisible();
  const before = await unread.count();
  await unread.first().click();
  await expect(unread).toHaveCount(before - 1);
  await page.keyboard.press("Escape");
  await page.goto(`${desk.url}/gatepass?gid=GP-2026-9999`);
  await expect(page.getByRole("alert")).toContainText("There is no pass GP-2026-9999");
});

test("a guard scans the code with the camera, photographs and confirms, with a thumb", async ({
  page,
  desk,
  problems,
}) => {
  test.slow();
  const answer = await fetch(`${desk.url}/api/v1/gatepass/passes/GP-2026-0009/qr`, {
    headers: { authorization: `Bearer ${await desk.token("gate")}` },
  });
  await page.goto("about:blank");
  const seeing = await browserSeeing(Buffer.from(await answer.arrayBuffer()), page);
  const phone = await visit(seeing, problems, { ...PHONE, reducedMotion: "reduce" });
  await enter(phone, desk, GUARD, "/gate");
  const card = phone.getByRole("region", { name: "GP-2026-0009" });
  await expect(card.getByRole("heading")).toHaveText("Maria Gonzalez");
  expect(await faults(phone), "the card").toEqual([]);
  await card.getByRole("button", { name: "Record exit" }).tap();
  await phone.getByRole("button", { name: "Take photo" }).tap();
  await expect(phone.getByRole("button", { name: "Confirm exit" })).toBeVisible();
  // Every control is as large as a thumb.
  await fitsThumb(phone.locator("main button:visible, main a:visible"), 43.5);
  await phone.getByRole("button", { name: "Confirm exit" }).tap();
  await expect(phone.getByRole("heading", { name: "Exit recorded" })).toBeVisible();
  const told = await passOf(desk, "GP-2026-0009");
  expect(told.status).toBe("exited");
  expect(told.photos).toHaveLength(1);
  await seeing.close();
});

async function lookUp(phone: Page, number: string) {
  await phone.getByPlaceholder("GP-2026-0007").fill(number);
  await phone.getByRole("button", { name: "Look up" }).tap();
}

/** Records a scan while the pass cannot be loaded. */
async function recordExitUnseen(phone: Page, number: string) {
  await lookUp(phone, number);
  await expect(phone.getByRole("alert")).toContainText("No connection");
  await recordExit(phone);
}

async function recordExit(phone: Page) {
  await phone.getByRole("button", { name: "Record exit" }).tap();
  await phone.getByLabel("Choose a photo").setInputFiles(PHOTO);
  await phone.getByRole("button", { name: "Confirm exit" }).tap();
}

/** Disables automatic retries in later pages; tests trigger them. */
const disableAutomaticSending = (context: BrowserContext) =>
  context.addInitScript(() => {
    const real = window.setInterval.bind(window);
    Object.assign(window, {
      setInterval: (run: TimerHandler, wait?: number) => real(run, wait === 10_000 ? 2 ** 30 : wait),
    });
  });

test("without a connection a scan is kept, survives the page, and is sent once", async ({
  visitor,
  desk,
}) => {
  const phone = await visitor(PHONE);
  const context = phone.context();
  await enter(phone, desk, GUARD, "/gate");
  await expect(phone.getByPlaceholder("GP-2026-0007")).toBeVisible();
  await context.setOffline(true);
  await recordExitUnseen(phone, "gp-2026-0010");
  await expect(phone.getByRole("heading", { name: "Saved on this phone" })).toBeVisible();
  await expect(phone.getByText("1 scan is waiting to be sent")).toBeVisible();
  expect((await passOf(desk, "GP-2026-0010")).status).toBe("approved");

  // The page is closed and reopened; the first response is lost.
  const forms: string[] = [];
  await context.route("**/forms", async (route) => {
    forms.push(route.request().headers()["idempotency-key"] ?? "");
    if (forms.length === 1) {
      await route.fetch();
      await route.abort("connectionreset");
    } else await route.continue();
  });
  await disableAutomaticSending(context);
  // Close the page before the connection returns: an open page would start sending at once.
  await phone.goto("about:blank");
  await context.setOffline(false);
  await phone.goto(`${desk.url}/gate`);
  await expect(phone.getByRole("region", { name: "Waiting to be sent" })).toContainText("GP-2026-0010");
  await expect.poll(() => forms.length).toBe(1);
  await phone.getByRole("button", { name: "Send now" }).tap();
  await expect(phone.getByRole("region", { name: "Waiting to be sent" })).toHaveCount(0);
  expect(forms).toHaveLength(2);
  expect(forms[0]).toBe(forms[1]);
  const told = await passOf(desk, "GP-2026-0010");
  expect(told.status_history.filter((each) => each.status === "exited")).toHaveLength(1);
  expect(told.photos).toHaveLength(1);

  // A refused scan stays with its reason until it is removed.
  await lookUp(phone, "GP-2026-0010");
  await expect(phone.getByText("Nothing can be recorded for this pass right now.")).toBeVisible();
});

test("a scan whose conversation is busy is sent in another one", async ({ visitor, desk }) => {
  const phone = await visitor(PHONE);
  await disableAutomaticSending(phone.context());
  const sent: string[] = [];
  await phone.route("**/forms", async (route) => {
    sent.push(route.request().url());
    const busy = { code: "TURN_IN_PROGRESS", message: "One message at a time", request_id: "1" };
    if (sent.length === 1) await route.fulfill({ status: 409, json: { error: busy } });
    else await route.continue();
  });
  await enter(phone, desk, GUARD, "/gate");
  await lookUp(phone, "GP-2026-0010");
  await recordExit(phone);
  await expect.poll(() => sent.length).toBe(1);
  await phone.getByRole("button", { name: "Send now" }).tap();
  await expect(phone.getByRole("region", { name: "Waiting to be sent" })).toHaveCount(0);
  expect(new Set(sent).size).toBe(2);
  expect((await passOf(desk, "GP-2026-0010")).status).toBe("exited");
});

test("a connection that returns while an attempt is failing starts another attempt", async ({
  visitor,
  desk,
}) => {
  const phone = await visitor(PHONE);
  await disableAutomaticSending(phone.context());
  const failing = gate();
  let attempts = 0;
  await phone.route(/\/api\/v1\/conversations$/, async (route) => {
    if (route.request().method() === "POST" && ++attempts === 1) {
      await failing.passed;
      await route.abort("internetdisconnected");
    } else await route.continue();
  });
  await enter(phone, desk, GUARD, "/gate");
  await lookUp(phone, "GP-2026-0010");
  await recordExit(phone);
  await expect.poll(() => attempts).toBe(1);
  await phone.evaluate(() => dispatchEvent(new Event("online")));
  failing.open();
  await expect(phone.getByRole("region", { name: "Waiting to be sent" })).toHaveCount(0);
  expect((await passOf(desk, "GP-2026-0010")).status).toBe("exited");
});

test("two pages of the gate send a scan once", async ({ visitor, desk }) => {
  const first = await visitor(PHONE);
  const context = first.context();
  await enter(first, desk, GUARD, "/gate");
  await expect(first.getByPlaceholder("GP-2026-0007")).toBeVisible();
  await context.setOffline(true);
  await recordExitUnseen(first, "GP-2026-0010");
  await expect(first.getByRole("heading", { name: "Saved on this phone" })).toBeVisible();

  // The first page is about to start a conversation for the scan when the second one opens.
  const beginning = gate();
  let begun = 0;
  await context.route(/\/api\/v1\/conversations$/, async (route) => {
    if (route.request().method() === "POST") {
      begun += 1;
      await beginning.passed;
    }
    await route.continue();
  });
  await context.setOffline(false);
  await expect.poll(() => begun).toBe(1);
  await disableAutomaticSending(context);
  const second = await context.newPage();
  await second.goto(`${desk.url}/gate`);
  await expect(second.getByRole("region", { name: "Waiting to be sent" })).toContainText("GP-2026-0010");
  const again = second.getByRole("button", { name: "Send now" });
  await again.tap();
  await expect(again).toBeEnabled();
  beginning.open();
  await expect(first.getByRole("region", { name: "Waiting to be sent" })).toHaveCount(0);
  await again.tap();
  await expect(second.getByRole("region", { name: "Waiting to be sent" })).toHaveCount(0);
  expect(begun).toBe(1);
  expect((await passOf(desk, "GP-2026-0010")).photos).toHaveLength(1);
});

test("a day at the gate in sentences: ask, approve, leave with a photo, code and print", async ({
  page,
  desk,
}) => {
  test.slow();
  const changeTo = async (who: RegExp) => {
    await signOut(page);
    await enter(page, desk, who, "/a/gatepass");
  };
  const confirm = async (verb: string) => {
    const card = page.getByRole("region", { name: /Confirm/ });
    await card.getByRole("button", { name: verb }).click();
  };
  await enter(page, desk, HR, "/a/gatepass");
  await say(
    page,
    "Create a gate pass for Grace Hopper, she collects a compiler from the Lahore office and comes back",
  );
  await confirm("Create the pass");
  await expect(lastAnswer(page).locator(".tool.done")).toBeVisible();
  await expect(lastAnswer(page)).toContainText("GP-2026-0013");

  await changeTo(ADMIN);
  await ask(page, "Show GP-2026-0013");
  await expect(lastAnswer(page)).toContainText("Grace Hopper");
  await say(page, "Approve GP-2026-0013");
  await confirm("Approve the pass");
  await expect(lastAnswer(page).locator(".tool.done")).toBeVisible();
  await expect(lastAnswer(page)).toContainText("GP-2026-0013");
  expect((await passOf(desk, "GP-2026-0013")).status).toBe("approved");

  await changeTo(GUARD);
  await page.getByTestId("file").setInputFiles(PHOTO);
  await expect(page.locator(".tray")).not.toContainText("Uploading");
  await say(page, "Scan exit for GP-2026-0013, photo attached");
  await confirm("Record the exit");
  await expect(lastAnswer(page).locator(".tool.done")).toBeVisible();
  expect((await passOf(desk, "GP-2026-0013")).status).toBe("exited");
  await ask(page, "Show the QR code of GP-2026-0013");
  await expect(lastAnswer(page).getByRole("img", { name: /GP-2026-0013/ })).toHaveAttribute("src", /^blob:/);

  await changeTo(HR);
  await ask(page, "Print GP-2026-0013");
  await expect(lastAnswer(page).locator("canvas[data-drawn=true]")).toBeVisible();
  await expect(input(page)).toBeEnabled();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing at the gate (${colorScheme})`, async ({ visitor, page, desk }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await enter(page, desk, ADMIN, "/gatepass?gid=GP-2026-0008");
    await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
    expect(await faults(page), "the board").toEqual([]);
    await page.getByRole("button", { name: /Notifications/ }).click();
    await expect(page.getByRole("dialog", { name: "Notifications" })).toBeVisible();
    expect(await faults(page), "the notifications").toEqual([]);
    const phone = await visitor({ ...PHONE, colorScheme, reducedMotion: "reduce", locale: "ru-RU" });
    await enter(phone, desk, GUARD, "/gate");
    await expect(phone.getByText("Или введите номер", { exact: true })).toBeVisible();
    expect(await faults(phone), "the scanner").toEqual([]);
    await phone.getByPlaceholder("GP-2026-0007").fill("nonsense");
    await phone.getByRole("button", { name: "Найти" }).tap();
    await expect(phone.getByRole("alert")).toContainText("Номер выглядит так");
    expect(await faults(phone), "a wrong number").toEqual([]);
  });
}
