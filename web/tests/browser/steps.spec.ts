import type { Page } from "@playwright/test";
import { ADMIN, answered, ask, expect, HR, lastAnswer, openForm, say, signIn, signOut, test } from "./kit";
import { faults } from "./kit/axe";
import { still } from "./kit/layout";
import { gate } from "./kit/model";
import { png } from "./kit/png";
import { FaultProxy } from "./kit/proxy";
import type { TestServer } from "./kit/server";

const GUARD = /Bilal/;
const RECRUITER = /Maria Holm/;
const PHOTO = { name: "photo.png", mimeType: "image/png", buffer: png(320, 240) };

test("another person approves: the requester waits, the approver decides, both see it", async ({
  page,
  visitor,
  serve,
}) => {
  const server = await serve({ FRONTDESK_GATEPASS_DELETE_APPROVER: "HR_User" });
  await signIn(page, server, ADMIN);
  await say(page, "Delete the gate pass GP-2026-0004");
  const waiting = page.getByRole("region", { name: /Approval needed/ });
  await expect(waiting).toContainText("Waiting for someone with the role HR");
  await expect(waiting.getByRole("button")).toHaveCount(0);
  await expect(page.locator(".replies")).toHaveCount(0);

  const approver = await visitor();
  await signIn(approver, server, HR);
  const inbox = approver.getByRole("link", { name: /Waiting for you/ });
  await expect(inbox).toContainText("1");
  await inbox.click();
  const card = approver.getByRole("region", { name: /Approval needed/ });
  await expect(card).toContainText("Omar Farooq asks for this");
  await expect(card).toContainText("GP-2026-0004");
  // The approver reads the pass with their own rights.
  await expect(card).toContainText("Requested by");
  await card.getByRole("button", { name: "Delete the pass" }).dblclick();
  await expect(approver.getByText("Nothing is waiting for you")).toBeVisible();
  await expect(lastAnswer(page)).toContainText("Approved by Ayesha Siddiqui");
  await expect(lastAnswer(page).locator(".tool.done")).toBeVisible();

  // The next request is refused, with a reason that the requester can read.
  await say(page, "Delete the gate pass GP-2026-0003");
  await expect(inbox).toContainText("1");
  await expect(card).toContainText("GP-2026-0003");
  await card.getByLabel("Reason (optional)").fill("Still needed");
  await card.getByRole("button", { name: "Don't delete" }).click();
  await expect(lastAnswer(page)).toContainText("Cancelled by Ayesha Siddiqui. GP-2026-0003 is still");
  await expect(lastAnswer(page)).toContainText("Reason: Still needed");
});

test("a rejection shows whose pass it is, and not rejecting leaves it pending", async ({ page, desk }) => {
  await signIn(page, desk, ADMIN);
  await say(page, "Reject GP-2026-0012");
  const card = page.getByRole("region", { name: /Confirm/ });
  const pass = (await desk.api("/gatepass/passes/GP-2026-0012", { token: await desk.token("admin") })) as {
    person_name: string;
    description: string;
  };
  await expect(card.getByRole("heading")).toHaveText(`Reject gate pass GP-2026-0012 for ${pass.person_name}`);
  await expect(card.getByRole("definition")).toContainText([pass.person_name, pass.description, "pending"]);
  await expect(card).toContainText("The person may not leave the site on this pass.");
  await expect(card.getByRole("button", { name: "Reject the pass" })).not.toHaveClass(/danger/);
  expect(await faults(page), "a card with its object").toEqual([]);
  await card.getByRole("button", { name: "Don't reject" }).click();
  await expect(lastAnswer(page)).toContainText("Cancelled by Omar Farooq. GP-2026-0012 is still pending.");
  await expect(lastAnswer(page)).not.toContainText("Rejected");
  await page.reload();
  await expect(lastAnswer(page)).toContainText("GP-2026-0012 is still pending.");
});

test("while a card waits, other messages are queued and yes or no decides it", async ({ page, desk }) => {
  await signIn(page, desk, ADMIN);
  await say(page, "Delete the gate pass GP-2026-0004");
  const card = page.getByRole("region", { name: /Confirm|Approval needed/ });
  await expect(card).toBeVisible();
  await say(page, "Which passes are pending?");
  const queued = page.locator(".mine", { hasText: "Which passes are pending?" });
  await expect(queued.getByRole("status")).toHaveText(/will be sent when the card above is decided/);
  await expect(page.getByText("still answering")).toHaveCount(0);

  // A reload loses nothing.
  await page.reload();
  await expect(queued).toBeVisible();
  await say(page, "no");
  await expect(card).toBeHidden();
  // The queued message is sent and answered automatically.
  await answered(page, 2);
  await expect(lastAnswer(page).locator(".objects")).toContainText("GP-2026-0012");

  // Withdrawing the card sends the queued message.
  await say(page, "Delete the gate pass GP-2026-0003");
  await expect(card).toBeVisible();
  await say(page, "Which passes are pending?");
  await page.getByRole("button", { name: "Withdraw the card and send this" }).click();
  await answered(page, 4);
  await expect(lastAnswer(page).locator(".objects")).toContainText("GP-2026-0012");
});

test("a retried step shows its retries, then its result", async ({ page, serve }) => {
  const proxy = await FaultProxy.start();
  const server = await serve({ API_BASE_URL: proxy.url, API_TIMEOUT: "120" });
  proxy.to = `${server.url}/services/gatepass`;
  // Each attempt waits until its earlier events have been read.
  const lost = gate();
  const busy = gate();
  proxy.next.push(
    async () => "cut",
    () => lost.passed.then(() => ({ busy: 1 })),
    () => busy.passed.then(() => "through" as const),
  );
  await signIn(page, server, HR);
  await say(page, "Which passes are pending?");
  const card = lastAnswer(page).locator(".tool");
  await expect(card).toContainText("List gate passes");
  await expect(card).toContainText("The gate pass system does not answer; trying again in 2 s (1 of 3)");
  lost.open();
  await expect(card).toContainText("The gate pass system is busy; trying again in 1 s (2 of 3)");
  await expect(card).toHaveClass(/running/);
  // Also for a reader who joins meanwhile.
  await page.reload();
  await expect(card).toContainText("trying again in 1 s (2 of 3)");
  await expect(card).toHaveClass(/running/);
  busy.open();
  await answered(page, 1);
  await expect(card).toHaveClass(/done/);
  await expect(card).not.toContainText("trying again");
  await expect(lastAnswer(page).locator(".objects")).toContainText("GP-2026-0012");
  await page.reload();
  await answered(page, 1);
  await expect(card).toHaveClass(/done/);
  await expect(card).not.toContainText("trying again");
  proxy.stop();
});

test("a printed pass is shown as it will look", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await say(page, "Print GP-2026-0009");
  const sheet = lastAnswer(page).getByRole("img", { name: /GP-2026-0009.*|Page 1 of/ });
  await expect(sheet).toHaveAttribute("data-drawn", "true");
  // The page is not blank.
  const dark = await sheet.evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 80) count += 1;
    return count;
  });
  expect(dark).toBeGreaterThan(2_000);
  await expect(lastAnswer(page).getByRole("link", { name: "Download" })).toBeVisible();
});

test("quick replies are sent at once", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await ask(page, "Show GP-2026-0009");
  const replies = page.getByRole("list", { name: "Suggested replies" }).getByRole("button");
  await expect(replies.first()).toBeVisible();
  expect(await replies.count()).toBeLessThanOrEqual(4);
  const words = (await replies.first().textContent()) ?? "";
  await replies.first().click();
  await expect(page.locator("article.mine").last()).toContainText(words);
  await answered(page, 2);

  await signOut(page);
  await page.goto(`${desk.url}/a/tata`);
  await page.getByRole("button", { name: RECRUITER }).click();
  await ask(page, "Hello");
  await expect(replies.first()).toBeVisible();
  expect(await replies.count()).toBeLessThanOrEqual(5);
  const chip = (await replies.first().textContent()) ?? "";
  await replies.first().click();
  await expect(page.locator("article.mine").last()).toContainText(chip.trim());
  await answered(page, 2);
});

test("a structured reply never shows its braces, half written or whole", async ({
  page,
  scripted,
  model,
}) => {
  const more = gate();
  const rest = gate();
  model.replies(async function* () {
    yield '{"rep';
    await more.passed;
    yield 'ly": "All **good**';
    await rest.passed;
    yield '.", "quick_replies": ["Thanks"]}';
  });
  await signIn(page, scripted, HR);
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() =>
      seen.push(document.querySelector("article.answer")?.textContent ?? ""),
    ).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await say(page, "Answer in a structure");
  await expect(lastAnswer(page).locator(".typing")).toBeVisible();
  more.open();
  await streamed(page, scripted, "**good**");
  await still(page);
  await expect(lastAnswer(page).locator(".typing")).toBeVisible();
  rest.open();
  await expect(lastAnswer(page)).toContainText("All good.");
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.filter((text) => /[{}]|quick_replies/.test(text))).toEqual([]);
});

/** Waits until these words have reached every reader of the answer. */
const streamed = async (page: Page, server: TestServer, words: string) => {
  const [conversation] = page.url().match(/[0-9a-f-]{36}/) ?? [];
  const turn = await lastAnswer(page).getAttribute("data-turn");
  const response = await fetch(`${server.url}/api/v1/conversations/${conversation}/turns/${turn}/events`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${await server.token("hr")}` },
  });
  const decoder = new TextDecoder();
  let heard = "";
  for await (const part of response.body ?? []) {
    heard += decoder.decode(part, { stream: true });
    if (heard.includes(words)) return;
  }
  throw new Error(`“${words}” was never streamed:\n${heard}`);
};

test("a form sends a photo", async ({ page, desk }) => {
  await signIn(page, desk, GUARD);
  await openForm(page, "record an exit");
  const form = page.getByRole("dialog", { name: "Record an exit" });
  await form.getByRole("textbox", { name: /Pass number/ }).fill("GP-2026-0009");
  await form.getByLabel(/Photo/).setInputFiles(PHOTO);
  await expect(form.getByRole("status")).toContainText("photo");
  await form.getByRole("button", { name: "Send" }).click();
  await expect(lastAnswer(page).locator(".tool.done")).toBeVisible();
  await expect(lastAnswer(page)).toContainText("GP-2026-0009");
});
