import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
// @ts-expect-error: a plain script
import { typesOf } from "../../build/api-types.mjs";
import {
  ADMIN,
  answered,
  expect,
  HR,
  input,
  lastAnswer,
  SMALL_PHONE,
  say,
  sender,
  signIn,
  test,
} from "./kit";
import { faults } from "./kit/axe";
import { fitsSideways, fitsThumb, still } from "./kit/layout";
import { gate } from "./kit/model";
import { measurePageCost } from "./kit/pageCost";

test("conversations are found, renamed and deleted, and deep links work", async ({ page, desk }) => {
  const token = await desk.token("hr");
  for (const title of ["Alpha visit", "Beta visit", "Gamma tools"]) {
    await desk.api("/conversations", { method: "POST", token, body: { assistant: "gatepass", title } });
  }
  await signIn(page, desk, HR);
  const nav = page.getByRole("navigation");
  await nav.getByRole("searchbox").fill("visit");
  await expect(nav.getByRole("link", { name: "Alpha visit" })).toBeVisible();
  await expect(nav.getByRole("link", { name: "Gamma tools" })).toBeHidden();
  await nav.getByRole("searchbox").fill("zzz");
  await expect(nav).toContainText("Nothing matches “zzz”");
  await nav.getByRole("searchbox").fill("");

  await nav.getByRole("button", { name: "Actions for “Alpha visit”" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Renamed visit");
  await page.getByRole("button", { name: "Save" }).click();
  await nav.getByRole("link", { name: "Renamed visit" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Renamed visit");

  const link = page.url();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Renamed visit");

  await nav.getByRole("button", { name: "Actions for “Renamed visit”" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(nav.getByRole("link", { name: "Renamed visit" })).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(nav.getByRole("link", { name: "Renamed visit" })).toBeVisible();
  await nav.getByRole("button", { name: "Actions for “Renamed visit”" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("status").filter({ hasText: "“Renamed visit” was deleted." })).toBeVisible();
  // Leaving the page does not undo it.
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("This conversation does not exist");
  await page.getByRole("link", { name: "Back to your conversations" }).click();
  await expect(page).toHaveURL(/\/(a\/gatepass)?$/);
});

test("an address without a page, and another person's conversation, are refused with a sentence", async ({
  page,
  desk,
}) => {
  const token = await desk.token("hr");
  const made = (await desk.api("/conversations", {
    method: "POST",
    token,
    body: { assistant: "gatepass" },
  })) as { id: string };
  await signIn(page, desk, ADMIN);
  for (const path of ["/nonsense", "/a/nonsense"]) {
    await page.goto(desk.url + path);
    await expect(page.getByRole("alert")).toContainText("There is nothing at this address");
  }
  await page.goto(`${desk.url}/c/${made.id}`);
  await expect(page.getByRole("alert")).toContainText("You do not have access to this conversation");
});

test("a session that ended asks to sign in and keeps what was written", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await input(page).fill("Written before it ended");
  await page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem("frontdesk.session") ?? "{}");
    sessionStorage.setItem("frontdesk.session", JSON.stringify({ ...kept, token: `${kept.token}x` }));
  });
  await page.reload();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: HR }).click();
  await expect(dialog).toBeHidden();
  await expect(input(page)).toHaveValue("Written before it ended");
});

test("signing in with a token", async ({ page, desk }) => {
  const token = await desk.token("admin");
  await page.goto(`${desk.url}/a/gatepass`);
  await page.getByText("Sign in with a token").click();
  await page.getByLabel("Access token").fill("nonsense");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("This token was not accepted");
  await page.getByLabel("Access token").fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("button", { name: /Omar Farooq/ })).toBeVisible();
  // The token stays in this tab.
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(token);
});

test("forms: slash, schema, checks, result", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await input(page).fill("/create");
  await expect(page.getByRole("option", { name: /Create a gate pass/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await input(page).press("Enter");
  const form = page.getByRole("dialog", { name: "Create a gate pass" });
  await expect(form.getByRole("textbox", { name: /Person/ })).toBeFocused();
  await form.getByRole("button", { name: "Send" }).click();
  await expect(form.getByRole("alert")).toContainText("3 fields need your attention");
  await expect(form.getByRole("textbox", { name: /Person/ })).toBeFocused();
  await form.getByRole("textbox", { name: /Person/ }).fill("Grace Hopper");
  await form.getByRole("textbox", { name: /Description/ }).fill("Collects a compiler");
  await form.getByRole("combobox", { name: /Will return/ }).selectOption("yes");
  await form.getByRole("button", { name: "Send" }).click();
  await expect(lastAnswer(page)).toContainText("Grace Hopper");
  await expect(lastAnswer(page).locator(".tool.done")).toHaveCount(1);
});

test("a QR code is shown in the answer", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await say(page, "Show the QR code of GP-2026-0009");
  const picture = lastAnswer(page).getByRole("img", { name: /GP-2026-0009/ });
  await expect(picture).toHaveAttribute("src", /^blob:/);
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(50);
  // The history shows it too.
  await page.reload();
  await expect(lastAnswer(page).getByRole("img", { name: /GP-2026-0009/ })).toBeVisible();
});

test("an approval shows exactly what will be done, and is decided once", async ({ page, desk }) => {
  await signIn(page, desk, ADMIN);
  await say(page, "Delete the gate pass GP-2026-0004");
  const card = page.getByRole("region", { name: /Confirm/ });
  await expect(card.getByLabel(/Pass number/)).toHaveValue("GP-2026-0004");
  await expect(card.getByRole("button", { name: "Don't delete" })).toBeFocused();
  await expect(page.locator(".replies")).toHaveCount(0);
  await expect(page.getByRole("navigation")).toContainText("Waiting for you");
  // The card survives a reload.
  await page.reload();
  await expect(card.getByLabel(/Pass number/)).toHaveValue("GP-2026-0004");
  await card.getByLabel(/Pass number/).press("Enter");
  await expect(card).toBeVisible();
  await card.getByRole("button", { name: "Don't delete" }).dblclick();
  await expect(lastAnswer(page)).toContainText("Cancelled by Omar Farooq. GP-2026-0004 is still");
});

test("a card is edited before it is confirmed, and the edited call runs", async ({ page, desk }) => {
  await signIn(page, desk, ADMIN);
  await say(page, "Delete the gate pass GP-2026-0004");
  const card = page.getByRole("region", { name: /Confirm/ });
  const number = card.getByLabel(/Pass number/);
  await number.fill("");
  await card.getByRole("button", { name: "Delete the pass" }).click();
  await expect(card.getByRole("alert")).toHaveText("Some fields still need your attention.");
  await number.fill("everything");
  await card.getByRole("button", { name: "Delete the pass" }).click();
  await expect(card).toContainText("This does not have the right form.");
  expect(await faults(page), "a card with a problem").toEqual([]);
  await number.fill("GP-2026-0012");
  await card.getByRole("button", { name: "Delete the pass" }).click();
  await expect(lastAnswer(page)).toContainText("Confirmed by Omar Farooq");
  await expect(lastAnswer(page)).toContainText("GP-2026-0012");
});

test("the menu appears only when it is complete, so that nothing moves", async ({ page, desk }) => {
  const token = await desk.token("admin");
  const body = { assistant: "gatepass", title: "Alpha visit" };
  await desk.api("/conversations", { method: "POST", token, body });
  const list = gate();
  await page.route(/\/api\/v1\/assistants$/, async (route) => {
    await list.passed;
    await route.continue();
  });
  const conversations = page.waitForResponse(/\/api\/v1\/conversations\?/);
  await signIn(page, desk, ADMIN);
  await conversations;
  await still(page);
  const menu = page.getByRole("navigation");
  await expect(menu.getByRole("link", { name: /Waiting for you|Company|Alpha visit/ })).toHaveCount(0);
  list.open();
  await expect(menu.getByRole("link", { name: /Gate passes|Waiting for you|Alpha visit/ })).toHaveCount(3);
});

test("an approval decided elsewhere continues here", async ({ page, visitor, desk }) => {
  await signIn(page, desk, ADMIN);
  await say(page, "Delete the gate pass GP-2026-0004");
  await expect(page.getByRole("region", { name: /Confirm/ })).toBeVisible();
  const inbox = await visitor();
  await signIn(inbox, desk, ADMIN);
  await inbox.getByRole("link", { name: /Waiting for you/ }).click();
  const card = inbox.getByRole("region", { name: /Confirm/ });
  await expect(card.getByLabel(/Pass number/)).toHaveValue("GP-2026-0004");
  await card.getByRole("button", { name: "Delete the pass" }).click();
  await expect(inbox.getByRole("region", { name: "Decided in the last 14 days" })).toContainText(
    "Confirmed by Omar Farooq",
  );
  await expect(lastAnswer(page)).toContainText("Confirmed by Omar Farooq");
  await expect(lastAnswer(page).locator(".tool.done")).toBeVisible();
});

test("an invitation arrives live, and joining adds the company's conversations", async ({ page, desk }) => {
  await signIn(page, desk, ADMIN);
  await expect(input(page)).toBeVisible();
  const token = await desk.token("hr");
  const company = (await desk.api("/companies", { method: "POST", token, body: { name: "Acme" } })) as {
    id: string;
  };
  const shared = { assistant: "gatepass", title: "Shared plans", company_id: company.id };
  await desk.api("/conversations", { method: "POST", token, body: shared });
  const me = (await desk.api("/me", { token: await desk.token("admin") })) as { email: string };
  await desk.api(`/companies/${company.id}/invitations`, {
    method: "POST",
    token,
    body: { email: me.email },
  });
  await expect(page.getByText("You are invited to Acme")).toBeVisible();
  await page.getByRole("button", { name: "Join" }).click();
  const link = page.getByRole("navigation").getByRole("link", { name: /Shared plans/ });
  await expect(link).toContainText("Shared with your company");
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Shared plans");
  // Another person's conversation can be read and answered, not renamed.
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await expect(page.getByRole("menuitem", { name: "Pin" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Rename" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByText("You are invited to Acme")).toHaveCount(0);
});

test("the types of the page are those of the server", async ({ desk }) => {
  const document = await (await fetch(`${desk.url}/openapi.json`)).json();
  const kept = readFileSync(join(import.meta.dirname, "../../src/api/schema.ts"), "utf8");
  const parts = (text: string) => text.split("\n\n").map((part) => part.trim());
  // Additional types of the server are fine; different ones are not.
  const known = new Set(parts(typesOf(document)));
  const stale = parts(kept).filter((part) => !known.has(part));
  expect(stale, "run: frontdesk openapi | node build/api-types.mjs > src/api/schema.ts").toEqual([]);
});

test("Russian, chosen by the browser and by hand", async ({ visitor, desk }) => {
  const page = await visitor({ locale: "ru-RU" });
  await page.goto(`${desk.url}/a/gatepass`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Добро пожаловать в Frontdesk");
  await expect(page.locator("html")).toHaveAttribute("lang", /^ru/);
  await page.getByRole("button", { name: HR }).click();
  await expect(page.getByRole("searchbox", { name: "Поиск везде" })).toBeVisible();
  await page.getByRole("button", { name: /Учётная запись/ }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await expect(page.getByRole("searchbox", { name: "Search everything" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Search everything" })).toBeVisible();
});

test("dark, following the system and by hand", async ({ page, desk }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await signIn(page, desk, HR);
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.querySelector("main") as Element).backgroundColor);
  const dark = await ground();
  await page.getByRole("button", { name: /Account and settings/ }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  await expect.poll(ground).not.toBe(dark);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("on a phone: drawer, targets, nothing wider than the screen", async ({ visitor, desk }) => {
  const page = await visitor(SMALL_PHONE);
  await page.goto(`${desk.url}/a/gatepass`);
  await page.getByRole("button", { name: HR }).tap();
  await page.getByRole("button", { name: "Which passes are pending?" }).tap();
  await answered(page, 1);
  await expect(lastAnswer(page).locator(".objects")).toBeVisible();
  await expect(page.getByRole("navigation")).toBeHidden();
  await fitsSideways(page);
  await fitsThumb(page.getByRole("button").filter({ visible: true }), 40);
  await page.getByRole("button", { name: "Open the sidebar" }).tap();
  await expect(page.getByRole("navigation")).toBeVisible();
  await page.getByRole("link", { name: /Waiting for you/ }).tap();
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
});

test("by keyboard alone: sign in, ask, open a step, use the palette", async ({ page, desk }) => {
  await page.goto(`${desk.url}/a/gatepass`);
  await expect(page.getByRole("button", { name: HR })).toBeVisible();
  const press = async (key: string, until: () => Promise<boolean>) => {
    for (let count = 0; count < 40; count += 1) {
      await page.keyboard.press(key);
      if (await until()) return;
    }
    throw new Error("never got there by keyboard");
  };
  const focused = (pattern: RegExp) => () =>
    page.evaluate((source) => {
      const element = document.activeElement;
      const words = `${element?.getAttribute("aria-label") ?? ""} ${element?.textContent ?? ""}`;
      return new RegExp(source).test(words);
    }, pattern.source);
  await press("Tab", focused(/Ayesha/));
  await page.keyboard.press("Enter");
  await expect(input(page)).toBeFocused();
  await page.keyboard.type("Which passes are pending?");
  await expect(sender(page)).toBeEnabled();
  await page.keyboard.press("Enter");
  await answered(page, 1);
  await expect(lastAnswer(page).locator(".objects")).toBeVisible();
  await press("Shift+Tab", () => page.evaluate(() => document.activeElement?.tagName === "SUMMARY"));
  await page.keyboard.press("Enter");
  await expect(lastAnswer(page).locator(".tool-body")).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("waiting for");
  await expect(palette.getByRole("option", { name: /Waiting for you/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/approvals$/);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("a thousand messages load upwards and stay smooth", async ({ page, scripted, model }) => {
  test.slow();
  model.always(() => ["An answer with **some** words and `code`."]);
  await signIn(page, scripted, HR);
  // The browser's network layer serves the history: creating it for real would take an hour of quota.
  const id = (
    (await scripted.api("/conversations", {
      method: "POST",
      token: await scripted.token("hr"),
      body: { assistant: "gatepass", title: "Long" },
    })) as { id: string }
  ).id;
  const all = Array.from({ length: 1000 }, (_, number) => ({
    id: `m${number}`,
    conversation_id: id,
    role: number % 2 ? "assistant" : "user",
    content:
      number % 2
        ? `Answer **${number}**\n\n- one\n- two\n\n| a | b |\n|---|---|\n| ${number} | x |`
        : `Question ${number}`,
    metadata: { turn_id: `t${number - (number % 2)}`, outcome: "answered" },
    created_at: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
  }));
  await page.route(`**/conversations/${id}/messages?*`, (route) => {
    const cursor = Number(new URL(route.request().url()).searchParams.get("cursor") ?? all.length);
    const from = Math.max(0, cursor - 50);
    const body = {
      items: all.slice(from, cursor),
      cursor: from > 0 ? String(from) : null,
      has_more: from > 0,
    };
    return route.fulfill({ json: body });
  });
  await page.goto(`${scripted.url}/c/${id}`);
  await expect(page.getByText("Answer 999")).toBeVisible();
  const log = page.getByRole("log");
  await log.hover();
  const mine = page.locator("article.mine");
  for (let shown = await mine.count(); shown < 500; shown = await mine.count()) {
    await expect
      .poll(async () => {
        await log.evaluate((element) => element.scrollTo({ top: 0 }));
        return mine.count();
      })
      .toBeGreaterThan(shown);
  }
  await expect(mine).toHaveCount(500);
  await expect(page.getByText("Question 0", { exact: true })).toHaveCount(1);
  // The long history does not slow typing down.
  await input(page).focus();
  const took = await measurePageCost(page);
  await page.keyboard.type("x".repeat(20));
  await expect(input(page)).toHaveValue("x".repeat(20));
  expect(((await took()).all / 20) * 1000, "milliseconds a keystroke").toBeLessThan(100);
});

test("the first chat screen is at most 350 kB compressed", async ({ page, desk }) => {
  const dist = join(import.meta.dirname, "../../dist");
  const loaded = new Set<string>();
  page.on("request", (request) => loaded.add(new URL(request.url()).pathname));
  await signIn(page, desk, HR);
  await say(page, "Which passes are pending?");
  await expect(lastAnswer(page).locator(".objects")).toBeVisible();
  let total = 0;
  for (const path of loaded) {
    const file =
      path.startsWith("/assets/") || /\.(js|svg)$/.test(path)
        ? path.slice(1)
        : path === "/"
          ? "index.html"
          : null;
    if (!file) continue;
    const bytes = readFileSync(join(dist, file));
    total += file.endsWith(".woff2") ? statSync(join(dist, file)).size : gzipSync(bytes).length;
  }
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(350_000);
});
