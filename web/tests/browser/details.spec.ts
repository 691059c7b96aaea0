/** Details: texts on cards, times, recovery after failures, and which forms each role gets. */

import type { Page } from "@playwright/test";
import {
  ADMIN,
  answered,
  ask,
  expect,
  HR,
  input,
  lastAnswer,
  say,
  sender,
  signIn,
  signOut,
  test,
} from "./kit";

const mine = (page: Page) => page.locator("article.mine");

test("a step is one line that opens; messages show their time", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await ask(page, "Which passes are pending?");
  const card = lastAnswer(page).locator(".tool");
  await expect(card).toHaveText("List gate passes · Done");
  await card.locator("summary").click();
  await expect(card.locator(".tool-body")).toContainText("pending");
  for (const message of [mine(page), lastAnswer(page)]) {
    const time = message.locator("time");
    await expect(time).toHaveText(/^\d\d:\d\d$/);
    const at = Date.parse((await time.getAttribute("datetime")) ?? "");
    expect(Math.abs(Date.now() - at)).toBeLessThan(600_000);
  }
  await expect(page.locator(".day")).toHaveText("Today");
});

test("code has its own block and is copied without its fence", async ({ page, context, scripted, model }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  model.always(() => ["Run this:\n\n```sh\nls -l | wc -l\n```\n\nor `ls` alone."]);
  await signIn(page, scripted, HR);
  await ask(page, "How?");
  const code = lastAnswer(page).locator("figure.code");
  await expect(code.locator("figcaption")).toContainText("sh");
  await expect(code.locator("pre")).toHaveText("ls -l | wc -l");
  await expect(lastAnswer(page).locator("p code")).toHaveText("ls");
  await code.getByRole("button", { name: "Copy code" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("ls -l | wc -l");
});

test("a message to an unreachable server is kept, can be edited, and is sent once by a button", async ({
  page,
  scripted,
  model,
}) => {
  model.always(() => ["Here again."]);
  await signIn(page, scripted, HR);
  await ask(page, "First");
  await scripted.kill();
  await say(page, "Nobody is there");
  const kept = page.locator("article.mine.failed");
  await expect(kept).toContainText("Not sent");
  await expect(kept).toContainText("The server cannot be reached. Your message is saved here.");
  // It can be moved back into the input, and is then shown only once.
  await kept.getByRole("button", { name: "Edit" }).click();
  await expect(kept).toHaveCount(0);
  await expect(input(page)).toHaveValue("Nobody is there");
  await expect(sender(page)).toBeEnabled();
  await input(page).press("Enter");
  await expect(kept.locator(".bubble")).toHaveText("Nobody is there");
  await scripted.run();
  await kept.getByRole("button", { name: "Send again" }).click();
  await answered(page, 2);
  await expect(mine(page)).toHaveCount(2);
  await page.reload();
  await answered(page, 2);
  await expect(mine(page)).toHaveCount(2);
});

test("an approval shows its consequence, its deadline and its expiry", async ({ page, desk }) => {
  await page.clock.install();
  await signIn(page, desk, ADMIN);
  await ask(page, "Delete the gate pass GP-2026-0004");
  const card = page.getByRole("region", { name: /Confirm/ });
  await expect(card).toContainText("It runs exactly as shown, once, and cannot be undone here.");
  const left = card.locator(".approval-time");
  await expect(left).toHaveText(/Expires in \d+:\d\d/);
  const before = await left.textContent();
  await page.clock.fastForward(5_000);
  await expect(left).not.toHaveText(before ?? "");
  await page.clock.fastForward("24:00:00");
  await expect(card).toContainText("This request has expired. Ask for it again.");
  await expect(card.getByRole("button")).toHaveCount(0);
});

test("a double click decides once", async ({ page, desk }) => {
  await signIn(page, desk, ADMIN);
  await ask(page, "Delete the gate pass GP-2026-0004");
  const decisions: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/approvals?\//.test(request.url())) decisions.push(request.url());
  });
  await page
    .getByRole("region", { name: /Confirm/ })
    .getByRole("button", { name: "Delete the pass" })
    .dblclick();
  await expect(lastAnswer(page)).toContainText("Confirmed by Omar Farooq");
  await expect(lastAnswer(page).locator(".tool.done")).toBeVisible();
  expect(decisions).toHaveLength(1);
});

test("a slash offers each person only the forms of their own tools", async ({ page, desk }) => {
  const offered: Record<string, string[]> = {};
  for (const who of ["Ayesha", "Omar", "Bilal"]) {
    await signIn(page, desk, new RegExp(who));
    await input(page).fill("/");
    await expect(page.getByRole("option").first()).toBeVisible();
    offered[who] = await page.getByRole("option").locator("strong").allTextContents();
    await input(page).fill("");
    await signOut(page);
  }
  expect(offered["Ayesha"]).toContain("Create a gate pass");
  expect(offered["Ayesha"]).not.toContain("Approve a gate pass");
  expect(offered["Ayesha"]).not.toContain("Record an exit");
  expect(offered["Omar"]).toContain("Approve a gate pass");
  expect(offered["Omar"]).toContain("Delete a gate pass");
  expect(offered["Omar"]).not.toContain("Record an exit");
  expect(offered["Bilal"]).toContain("Record an exit");
  expect(offered["Bilal"]).not.toContain("Create a gate pass");
});

test("a slash offers the forms of every phase, and a form of a later phase moves there", async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/a/autopilot`);
  await page.getByRole("button", { name: /Bea Carter/ }).click();
  await ask(page, "we run a 6-court pickleball club");
  await input(page).fill("/");
  await expect(page.getByRole("option", { name: /Calculate the ROI/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /Make the business case/ })).toBeVisible();
  await input(page).fill("");
  await ask(page, "Calculate the ROI");
  const phases = page.getByRole("region", { name: "Phases" });
  await expect(phases.locator("[aria-current=step]")).toContainText("ROI");
});

test("suggested replies are always plain text", async ({ page, scripted, model }) => {
  const words = "<img src=x onerror=alert(1)> **bold** [a](https://evil.example)";
  model.always(() => [JSON.stringify({ message: "Choose.", quickReplies: [words, "Two"] })]);
  await page.goto(`${scripted.url}/gigs`);
  await page.getByRole("button", { name: /Maria Holm/ }).click();
  await page.locator("#main a[href^='/gigs/']").first().click();
  await page.getByRole("button", { name: "AI assistant" }).click();
  await page.getByRole("button", { name: "Who is the best candidate and why?" }).click();
  const replies = page.getByRole("list", { name: "Suggested replies" });
  await expect(replies.getByRole("button").first()).toHaveText(words);
  await expect(replies.locator("img, strong, a")).toHaveCount(0);
});

test("the palette finds a conversation and goes there, by keyboard", async ({ page, desk }) => {
  const token = await desk.token("hr");
  const body = { assistant: "gatepass", title: "Keys of the west gate" };
  const { id } = (await desk.api("/conversations", { method: "POST", token, body })) as { id: string };
  await signIn(page, desk, HR);
  await expect(
    page.getByRole("navigation").getByRole("link", { name: "Keys of the west gate" }),
  ).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("west keys");
  await expect(palette.getByRole("option")).toHaveText(["Keys of the west gate"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${desk.url}/c/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Keys of the west gate");
});

test("each assistant keeps its own draft", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  const list = page.getByRole("list", { name: "Assistants" });
  await input(page).fill("For the gate");
  await list.getByRole("link", { name: /^Documents\b.*New chat/ }).click();
  await expect(page).toHaveURL(/\/a\/docs$/);
  await expect(page.getByRole("heading", { level: 2, name: "Documents" })).toBeVisible();
  await expect(input(page)).toHaveValue("");
  await list.getByRole("link", { name: /^Gate passes\b.*New chat/ }).click();
  await expect(input(page)).toHaveValue("For the gate");
});
