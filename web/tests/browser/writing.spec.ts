/** Input: paste, IME, camera, copy, quick replies; and pages that slept or are very long. */

import {
  answered,
  answers,
  ask,
  expect,
  HR,
  input,
  lastAnswer,
  PHONE,
  say,
  sender,
  signIn,
  test,
} from "./kit";
import { gate } from "./kit/model";
import { measurePageCost } from "./kit/pageCost";
import { png } from "./kit/png";

test("a paste arrives exactly as it was copied, and an answer is copied as it was written", async ({
  page,
  context,
  scripted,
  model,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const answer = "Some **bold** words\n\n| a | b |\n|---|---|\n| 1 | 2 |";
  model.always(() => [answer]);
  await signIn(page, scripted, HR);
  const table = Array.from(
    { length: 60 },
    (_, row) => `\t${row}  two  spaces\u00a0and “quotes” <i>${row}</i>`,
  );
  const copied = `  first line\n\n${table.join("\n")}\n\n  last 👩‍🏫 line  \n`;
  await page.evaluate((text) => navigator.clipboard.writeText(text), copied);
  await input(page).focus();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(input(page)).toHaveValue(copied);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await answered(page, 1);
  await expect(lastAnswer(page)).toContainText("bold");
  expect(await page.locator("article.mine .bubble").textContent()).toBe(copied);
  const [conversation] = page.url().match(/[0-9a-f-]{36}/) ?? [];
  const kept = (await scripted.api(`/conversations/${conversation}/messages`, {
    token: await scripted.token("hr"),
  })) as { items: { role: string; content: string }[] };
  expect(kept.items.find((each) => each.role === "user")?.content).toBe(copied);

  await lastAnswer(page).hover();
  await lastAnswer(page).getByRole("button", { name: "Copy", exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(answer);
});

test("while an input method composes, Enter chooses; afterwards it sends", async ({
  page,
  scripted,
  model,
}) => {
  model.always(() => ["ok"]);
  await signIn(page, scripted, HR);
  await input(page).focus();
  const devtools = await page.context().newCDPSession(page);
  const composing = { selectionStart: 2, selectionEnd: 2 };
  await devtools.send("Input.imeSetComposition", { text: "にほ", ...composing });
  await expect(input(page)).toHaveValue("にほ");
  await devtools.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    windowsVirtualKeyCode: 229,
    key: "Process",
    code: "Enter",
  });
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/a\/gatepass/);
  await expect(page.locator("article.mine")).toHaveCount(0);
  await input(page).fill("にほん");
  await expect(sender(page)).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.locator("article.mine .bubble")).toHaveText("にほん");
});

test("a message that is too long marks the input, says by how much, and is kept", async ({
  page,
  scripted,
}) => {
  await signIn(page, scripted, HR);
  const { message_limit: limit } = (
    await scripted.list<{ name: string; message_limit: number }>("/assistants", {
      token: await scripted.token("hr"),
    })
  ).find((each) => each.name === "gatepass") ?? { message_limit: 0 };
  const text = "x".repeat(limit + 7);
  await input(page).fill(text);
  await expect(input(page)).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText(`This is 7 characters too long (at most ${limit}).`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await input(page).press("Enter");
  await expect(input(page)).toHaveValue(text);
  await input(page).fill(text.slice(0, limit));
  await expect(input(page)).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
});

test("on a phone a photo is taken with the camera, previewed and sent", async ({
  visitor,
  scripted,
  model,
}) => {
  model.always(() => ["I see it."]);
  const page = await visitor(PHONE);
  await page.goto(`${scripted.url}/a/gatepass`);
  await page.getByRole("button", { name: HR }).tap();
  const asked = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Take a photo" }).tap();
  const chooser = await asked;
  expect(await chooser.element().getAttribute("capture")).toBe("environment");
  expect(await chooser.element().getAttribute("accept")).toBe("image/*");
  await chooser.setFiles({ name: "IMG_0001.png", mimeType: "image/png", buffer: png(640, 480) });
  await expect(page.getByRole("img", { name: "Preview of IMG_0001.png" })).toBeVisible();
  await expect(page.locator(".tray")).not.toContainText("Uploading");
  await input(page).fill("Here is the photo");
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await expect(page.locator("article.mine").getByRole("img", { name: /IMG_0001/ })).toBeVisible();
  await expect(lastAnswer(page)).toContainText("I see it.");
});

test("quick replies: a gig sends one of at most four at once; a decision offers at most six", async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/gigs`);
  await page.getByRole("button", { name: /Maria Holm/ }).click();
  await page.locator("#main a[href^='/gigs/']").first().click();
  await page.getByRole("button", { name: "AI assistant" }).click();
  await page.getByRole("button", { name: "Who is the best candidate and why?" }).click();
  const replies = page.getByRole("list", { name: "Suggested replies" }).getByRole("button");
  await expect(replies.first()).toBeEnabled();
  expect(await replies.count()).toBeLessThanOrEqual(4);
  const chip = (await replies.last().textContent())?.trim() ?? "";
  await replies.last().click();
  await expect(page.getByRole("log").getByText(chip, { exact: true })).toBeVisible();

  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${desk.url}/a/autopilot`);
  await page.getByRole("button", { name: /Bea Carter/ }).click();
  await ask(page, "we run a 6-court pickleball club");
  await expect(replies.first()).toBeEnabled();
  const count = await replies.count();
  expect(count).toBeGreaterThan(1);
  expect(count).toBeLessThanOrEqual(6);
  await replies.filter({ hasText: "Vacuum" }).click();
  await expect(page.locator("article.mine").last()).toContainText("Vacuum");
  await expect(page.locator(".fact", { hasText: "Cleaning method" })).toContainText("Vacuum");
});

test("suggestions are whole sentences that lead to a result", async ({ page, desk }) => {
  await page.goto(`${desk.url}/a/tata`);
  await page.getByRole("button", { name: /Maria Holm/ }).click();
  const suggestions = page.locator(".suggestions button");
  await expect(suggestions.first()).toBeVisible();
  expect(await suggestions.count()).toBeLessThanOrEqual(5);
  expect((await suggestions.allTextContents()).join()).not.toContain("[");
  await suggestions.first().click();
  await answered(page, 1);
  await expect(page.getByRole("complementary", { name: "Documents" }).getByRole("tab")).toHaveCount(1);
});

test("a page that slept during an answer has all of it when it wakes", async ({ page, scripted, model }) => {
  const asleep = gate();
  model.replies(async function* () {
    yield "The beginning ";
    await asleep.passed;
    yield "and the end.";
  });
  await signIn(page, scripted, HR);
  await say(page, "Answer slowly");
  await expect(lastAnswer(page)).toContainText("The beginning");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  asleep.open();
  const [conversation] = page.url().match(/[0-9a-f-]{36}/) ?? [];
  const token = await scripted.token("hr");
  await expect
    .poll(async () =>
      JSON.stringify(await scripted.api(`/conversations/${conversation}/messages`, { token })),
    )
    .toContain("and the end.");
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await expect(lastAnswer(page)).toContainText("The beginning and the end.");
  await expect(answers(page)).toHaveCount(1);
});

test("a refusal is explained in words", async ({ page, scripted, model }) => {
  model.replies(
    () => [{ call: "approve_gate_pass", arguments: { pass_number: "GP-2026-0011" } }],
    () => ["That is not for you."],
  );
  await signIn(page, scripted, HR);
  await say(page, "Approve GP-2026-0011");
  const card = lastAnswer(page).locator(".tool.refused");
  await expect(card).toContainText("Approve a gate pass");
  await expect(card).toContainText("Not allowed");
  await expect(card).toContainText("Your role does not allow this.");
  await card.locator("summary").click();
  await expect(card).not.toContainText(/_/);
  await expect(lastAnswer(page)).toContainText("That is not for you.");
});

test("of a thousand messages only visible ones are laid out, and typing moves none", async ({
  page,
  desk,
}) => {
  test.slow();
  await signIn(page, desk, HR);
  const { id } = (await desk.api("/conversations", {
    method: "POST",
    token: await desk.token("hr"),
    body: { assistant: "gatepass", title: "Long" },
  })) as { id: string };
  const all = Array.from({ length: 1000 }, (_, number) => ({
    id: `m${number}`,
    conversation_id: id,
    role: number % 2 ? "assistant" : "user",
    content:
      number % 2 ? `Answer **${number}**\n\n| a | b |\n|---|---|\n| ${number} | x |` : `Question ${number}`,
    metadata: { turn_id: `t${number - (number % 2)}`, outcome: "answered" },
    created_at: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
  }));
  await page.route(`**/conversations/${id}/messages?*`, (route) =>
    route.fulfill({ json: { items: all, cursor: null, has_more: false } }),
  );
  await page.goto(`${desk.url}/c/${id}`);
  // A thousand messages at once, which no real page loads: the measurement starts afterwards.
  await expect(page.getByText("Answer 999")).toBeVisible({ timeout: 180_000 });
  await expect(page.locator("article.mine")).toHaveCount(500);
  const drawn = () =>
    page
      .locator("article.mine > *, article.answer > *")
      .evaluateAll(
        (parts) => parts.filter((part) => part.checkVisibility({ contentVisibilityAuto: true })).length,
      );
  await expect.poll(drawn).toBeLessThan(150);
  const log = page.getByRole("log");
  await log.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }));
  await expect.poll(drawn).toBeLessThan(150);

  // Each keystroke lays out the input, not the history.
  await input(page).focus();
  await page.keyboard.type("warm");
  const cost = await measurePageCost(page);
  await page.keyboard.type("a sentence of forty letters, give or take");
  await expect(input(page)).toHaveValue(/give or take$/);
  const { layouts, layout } = await cost();
  expect(layouts, "layouts for forty letters").toBeLessThan(41 * 6);
  expect(layout / 41, "seconds of layout for a letter").toBeLessThan(0.02);
});
