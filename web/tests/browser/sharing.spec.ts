/** Share, export, pin, archive; and the settings page. */

import { readFileSync } from "node:fs";
import { ask, expect, HR, lastAnswer, SMALL_PHONE, signIn, test } from "./kit";
import { faults } from "./kit/axe";
import { fitsSideways } from "./kit/layout";

const BUYER = /Bea/;
const COLLEAGUE = /Cole/;

test("a conversation is shared later, read by a colleague, and revoked", async ({ page, visitor, desk }) => {
  await signIn(page, desk, BUYER);
  await page.goto(`${desk.url}/a/docs`);
  await ask(page, "How do approvals work?");
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Share by link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(
    dialog.getByRole("list", { name: "Links to this conversation" }).getByRole("listitem"),
  ).toHaveCount(1);
  expect(await faults(page)).toEqual([]);
  const token = await desk.token("buyer");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const shares = (await desk.api(`/conversations/${id}/shares`, { token })) as { items: { id: string }[] };
  const [share] = shares.items;
  const link = `${desk.url}/shared/${share?.id}`;

  const colleague = await visitor();
  await colleague.goto(link);
  await colleague.getByRole("button", { name: COLLEAGUE }).click();
  await expect(colleague.getByRole("note")).toContainText(/Shared by Bea/);
  await expect(colleague.getByRole("heading", { level: 1 })).toHaveText(title ?? "");
  await expect(colleague.locator(".bubble")).toHaveText("How do approvals work?");
  expect(await faults(colleague)).toEqual([]);

  const stranger = await visitor({ ...SMALL_PHONE, viewport: { width: 320, height: 640 } });
  await stranger.goto(link);
  await stranger.getByRole("button", { name: HR }).click();
  await expect(stranger.getByRole("alert")).toContainText("This link does not work");
  await fitsSideways(stranger);

  await dialog.getByRole("button", { name: /^Revoke/ }).click();
  await expect(dialog.getByRole("list", { name: "Links to this conversation" })).toHaveCount(0);
  await colleague.reload();
  await expect(colleague.getByRole("alert")).toContainText("This link does not work");
});

test("a conversation is downloaded as Markdown and as PDF", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await ask(page, "Which passes are pending?");
  await expect(lastAnswer(page)).toContainText("pending");
  const download = async (name: string) => {
    await page
      .getByRole("main")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name }).click(),
    ]);
    return readFileSync(await file.path());
  };
  const markdown = (await download("Download as Markdown")).toString();
  expect(markdown).toContain("> Which passes are pending?");
  expect(markdown).toContain("pending");
  const pdf = await download("Download as PDF");
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
});

test("conversations are pinned and archived, with undo", async ({ page, desk }) => {
  const token = await desk.token("hr");
  for (const title of ["Alpha", "Beta", "Gamma"])
    await desk.api("/conversations", { method: "POST", token, body: { assistant: "gatepass", title } });
  await signIn(page, desk, HR);
  const nav = page.getByRole("navigation");
  const act = async (title: string, name: string) => {
    await nav.getByRole("button", { name: `Actions for “${title}”` }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await act("Alpha", "Pin");
  await expect(nav.getByRole("region", { name: "Pinned" }).getByRole("link")).toHaveText(["Alpha"]);
  await act("Beta", "Archive");
  await expect(nav.getByRole("link", { name: "Beta" })).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(nav.getByRole("link", { name: "Beta" })).toBeVisible();
  await act("Beta", "Archive");
  await nav.getByRole("button", { name: "Archive", exact: true }).click();
  await expect(nav.getByRole("link", { name: "Beta" })).toBeVisible();
  await expect(nav.getByRole("link", { name: "Alpha" })).toBeHidden();
  expect(await faults(page)).toEqual([]);
  await act("Beta", "Take out of the archive");
  await nav.getByRole("button", { name: "Back to all conversations" }).click();
  await expect(nav.getByRole("link", { name: "Beta" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`settings: language, theme, mail, tokens, about (${colorScheme})`, async ({ visitor, serve }) => {
    // Nothing waits for this person, so nothing is sent.
    const mail = colorScheme === "dark";
    const desk = await serve(mail ? { SMTP_URL: "smtp://127.0.0.1:9" } : {});
    const page = await visitor({ colorScheme, viewport: { width: 320, height: 720 } });
    await page.goto(`${desk.url}/settings`);
    await page.getByRole("button", { name: HR }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
    await expect(page.getByText("The built-in offline model answers here.")).toBeVisible();
    // Without a mail server, only notifications of the browser are offered.
    await expect(page.getByRole("checkbox")).toHaveCount(mail ? 2 : 1);
    if (mail) {
      await expect(page.getByText(/One mail to \S+@\S+ with the number/)).toBeVisible();
      await page.getByRole("checkbox", { name: "Send me a mail when something waits for me" }).check();
      await page.reload();
      await expect(page.getByRole("checkbox", { name: /Send me a mail/ })).toBeChecked();
    }
    await fitsSideways(page);
    expect(await faults(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Purpose" }).fill("Nightly report");
    await page.getByRole("button", { name: "Create token" }).click();
    const secret = (await page.locator("code.new-token").textContent()) ?? "";
    expect(secret).toMatch(/^fdt_/);
    expect(await faults(page)).toEqual([]);
    const me = (await desk.api("/me", { token: secret })) as { name: string };
    expect(me.name).toBe("Ayesha Siddiqui");
    await page.getByRole("button", { name: "Revoke: Nightly report" }).click();
    await expect(page.getByRole("list", { name: "API tokens" })).toHaveCount(0);
    await expect(desk.api("/me", { token: secret })).rejects.toThrow();
    const changed = mail
      ? page.waitForRequest((request) => request.method() === "PUT" && request.url().endsWith("/me/mail"))
      : null;
    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Einstellungen");
    // Mails are in the language of the page.
    if (changed) expect((await changed).postDataJSON()).toEqual({ on: true, language: "de" });
  });
}

test("a notification tells that something waits, once it is turned on, and only while nobody looks", async ({
  page,
  context,
  desk,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    class Fake {
      static permission = "granted";
      onclick = null;
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`);
      }
    }
    Object.assign(window, { Notification: Fake });
  });
  await page.clock.install();
  await page.goto(`${desk.url}/settings`);
  await page.getByRole("button", { name: /Omar/ }).click();
  await page.getByRole("checkbox", { name: /Notify me/ }).check();
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  await expect(
    page
      .getByRole("navigation")
      .getByText(/waiting|waits/i)
      .first(),
  ).toBeAttached();
  await page.evaluate(() =>
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true }),
  );
  const token = await desk.token("hr");
  const made = (await desk.api("/conversations", {
    method: "POST",
    token,
    body: { assistant: "gatepass" },
  })) as {
    id: string;
  };
  const form = {
    tool: "create_gate_pass",
    arguments: { person_name: "Grace Hopper", description: "Collects a compiler", is_returnable: true },
  };
  await desk.api(`/conversations/${made.id}/forms`, { method: "POST", token, body: form });
  // Reported work has no event: the page asks for it every half minute.
  await expect
    .poll(async () => {
      await page.clock.fastForward(30_000);
      return shown();
    })
    .not.toEqual([]);
  expect((await shown())[0]).not.toContain("Grace");
});
