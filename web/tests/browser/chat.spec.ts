import { answered, answers, ask, expect, HR, input, lastAnswer, say, sender, signIn, test } from "./kit";
import { still } from "./kit/layout";
import { gate } from "./kit/model";

test("the first answer comes from the offline model, with its step", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await page.getByRole("button", { name: "Which passes are pending?" }).click();
  await expect(page).toHaveURL(/\/c\//);
  await expect(page.locator("article.mine .bubble")).toHaveText("Which passes are pending?");
  await expect(lastAnswer(page).locator(".objects")).toContainText("GP-2026-0012");
  // The text does not repeat the objects.
  await expect(lastAnswer(page).getByRole("table")).toHaveCount(0);
  const card = lastAnswer(page).locator(".tool");
  await expect(card).toContainText("List gate passes");
  await card.locator("summary").click();
  await expect(card.locator(".arguments")).toContainText("pending");
  // The conversation is named after its first message and is in the list.
  await expect(page.getByRole("navigation").getByRole("link", { name: /Which passes/ })).toBeVisible();
});

test("text streams, can be stopped, and its first part stays", async ({ page, scripted, model }) => {
  const more = gate();
  model.replies(async function* () {
    yield "One, ";
    yield "two, ";
    await more.passed;
    yield "three.";
  });
  await signIn(page, scripted, HR);
  await say(page, "Count");
  await expect(lastAnswer(page)).toContainText("One, two,");
  await expect(lastAnswer(page)).toHaveAttribute("aria-busy", "true");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(lastAnswer(page)).toContainText("Stopped.");
  await expect(lastAnswer(page)).toContainText("One, two,");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
  more.open();
  await page.reload();
  await expect(lastAnswer(page)).toContainText("One, two,");
  await expect(lastAnswer(page)).toContainText("Stopped.");
});

test("a reload during an answer resumes it", async ({ page, scripted, model }) => {
  const more = gate();
  model.replies(async function* () {
    yield "The beginning";
    await more.passed;
    yield " and the end.";
  });
  await signIn(page, scripted, HR);
  await say(page, "Tell me");
  await expect(lastAnswer(page)).toContainText("The beginning");
  await page.reload();
  await expect(lastAnswer(page)).toContainText("The beginning");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  more.open();
  await expect(lastAnswer(page)).toContainText("The beginning and the end.");
  await expect(answers(page)).toHaveCount(1);
  await expect(page.locator("article.mine")).toHaveCount(1);
});

test("a second tab shows the same answer as it streams", async ({ page, context, scripted, model }) => {
  const more = gate();
  model.replies(async function* () {
    yield "Shared ";
    await more.passed;
    yield "with both.";
  });
  await signIn(page, scripted, HR);
  await say(page, "Share");
  await expect(lastAnswer(page)).toContainText("Shared");
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(lastAnswer(second)).toContainText("Shared");
  more.open();
  await expect(lastAnswer(second)).toContainText("Shared with both.");
  await expect(lastAnswer(page)).toContainText("Shared with both.");
  // Conversely, a message from the second tab appears in the first.
  model.replies(() => ["Heard you."]);
  await say(second, "From the second tab");
  await expect(lastAnswer(page)).toContainText("Heard you.");
  await expect(page.locator("article.mine").last()).toContainText("From the second tab");
});

test("a late history response removes nothing", async ({ page, scripted, model }) => {
  await signIn(page, scripted, HR);
  const token = await scripted.token("hr");
  const body = { assistant: "gatepass", title: "Nothing yet" };
  const made = (await scripted.api("/conversations", { method: "POST", token, body })) as { id: string };
  const loaded = page.waitForResponse(/\/messages\?/);
  await page.goto(`${scripted.url}/c/${made.id}`);
  await loaded;
  await expect(input(page)).toBeVisible();
  const late = gate();
  let looks = 0;
  await page.route(/\/messages\?/, async (route) => {
    looks += 1;
    const response = await route.fetch();
    await late.passed;
    await route.fulfill({ response });
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  // Also the server's own news of the conversation may have it read again.
  await expect.poll(() => looks).toBeGreaterThan(0);
  model.always(() => [{ fail: 400 }]);
  await say(page, "Fail");
  const failed = lastAnswer(page).getByRole("alert");
  await expect(failed).toBeVisible();
  const before = looks;
  late.open();
  await expect.poll(() => looks).toBeGreaterThan(before);
  await expect(failed).toBeVisible();
  await expect(page.locator("article.mine")).toHaveText(/Fail/);
  // A request that is still on its way would fail when the server stops.
  await page.unrouteAll({ behavior: "wait" });
});

test("a server killed during an answer loses nothing", async ({ page, scripted, model }) => {
  test.slow();
  const [never, later] = [gate(), gate()];
  model.replies(
    async function* () {
      yield "Before the crash";
      await never.passed;
    },
    async function* () {
      await later.passed;
      yield "After the crash.";
    },
  );
  await signIn(page, scripted, HR);
  await say(page, "Survive");
  await expect(lastAnswer(page)).toContainText("Before the crash");
  await scripted.kill();
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeVisible();
  await scripted.run();
  // The restarted server owns its folder alone: it does not wait until the lost worker's lease expires.
  const asked = () => model.asked.length;
  await expect.poll(asked, { timeout: 5_000 }).toBe(2);
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeHidden();
  await expect(page.getByText("Picking up where the server stopped…")).toBeVisible({ timeout: 1_000 });
  later.open();
  // The lost worker's text is void; the answer starts again.
  await expect(lastAnswer(page)).toContainText("After the crash.");
  await expect(page.getByText("Picking up where the server stopped…")).toBeHidden();
  await expect(lastAnswer(page)).not.toContainText("Before the crash");
  await expect(page.getByText("Connection lost. Reconnecting…")).toBeHidden();
  await expect(page.locator("article.mine")).toHaveCount(1);
});

test("a failing model keeps the message and offers a retry", async ({ page, scripted, model }) => {
  model.always(() => [{ fail: 400 }]);
  await signIn(page, scripted, HR);
  await say(page, "Please answer");
  const alert = lastAnswer(page).getByRole("alert");
  await expect(alert).toContainText("Unable to generate response");
  await page.reload();
  await expect(lastAnswer(page).getByRole("alert")).toContainText("Unable to generate response");
  model.always(() => ["Here it is."]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(lastAnswer(page)).toContainText("Here it is.");
  await expect(page.locator("article.mine")).toHaveCount(1);
  await page.reload();
  await expect(lastAnswer(page)).toContainText("Here it is.");
});

// design: 004 page errors
test("the 21st message in a minute is kept with a countdown", async ({ page, scripted, model }) => {
  model.always(() => ["ok"]);
  await signIn(page, scripted, HR);
  const token = await scripted.token("hr");
  const made = (await scripted.api("/conversations", {
    method: "POST",
    token,
    body: { assistant: "gatepass" },
  })) as { id: string };
  for (let count = 0; count < 20; count += 1) {
    await scripted.api(`/conversations/${made.id}/messages`, {
      method: "POST",
      token,
      body: { content: `${count}` },
    });
  }
  await say(page, "One too many");
  const kept = page.locator("article.mine.failed");
  await expect(kept).toContainText("One too many");
  await expect(kept).toContainText("Too many requests");
  const again = kept.getByRole("button", { name: /Send again in \d+ s/ });
  await expect(again).toBeDisabled();
  const before = await again.textContent();
  await expect(again).not.toHaveText(before ?? "");
  // Neither a reload nor the wait loses it.
  await page.reload();
  await expect(page.locator("article.mine.failed")).toContainText("One too many");
});

test("without a connection the message is kept and sent again once", async ({
  page,
  scripted,
  model,
  context,
}) => {
  model.always(() => ["Got it."]);
  await signIn(page, scripted, HR);
  await ask(page, "First");
  await context.setOffline(true);
  const lost = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/messages"));
  await say(page, "While offline");
  await lost;
  await context.setOffline(false);
  await expect(page.locator("article.mine").last()).toContainText("While offline");
  await answered(page, 2);
  await expect(lastAnswer(page)).toContainText("Got it.");
  await page.reload();
  await expect(page.locator("article.mine")).toHaveCount(2);
});

test("writing: Enter, Shift+Enter, blanks, input methods, exact pastes, drafts", async ({
  page,
  scripted,
  model,
}) => {
  model.always(() => ["ok"]);
  await signIn(page, scripted, HR);
  const box = input(page);
  await box.fill("   \n ");
  await box.press("Enter");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await expect(page).toHaveURL(/\/a\/gatepass/);
  // During IME composition, Enter chooses a character.
  await box.fill("にほん");
  await box.dispatchEvent("keydown", { key: "Enter", keyCode: 229, isComposing: true });
  await expect(page).toHaveURL(/\/a\/gatepass/);
  // A draft survives a reload.
  await box.fill("A draft");
  await page.reload();
  await expect(box).toHaveValue("A draft");
  await box.press("Shift+Enter");
  await expect(box).toHaveValue("A draft\n");
  const pasted = "  indented\n\n\ttab\tand  two spaces\n<b>not bold</b> **stars**  \n  end  ";
  await box.fill(pasted);
  await expect(sender(page)).toBeEnabled();
  await box.press("Enter");
  await expect(page.locator("article.mine .bubble")).toHaveText(pasted, { useInnerText: true });
  expect(await page.locator("article.mine .bubble").textContent()).toBe(pasted);
  await expect(page.locator("article.mine b")).toHaveCount(0);
  await expect(box).toHaveValue("");
  // The editor has the exact text.
  await page.locator("article.mine").hover();
  await page.locator("article.mine").getByRole("button", { name: "Edit" }).click();
  await expect(page.getByRole("textbox", { name: "Edit your message" })).toHaveValue(pasted);
});

test("a reader who scrolled up keeps their position", async ({ page, scripted, model }) => {
  const more = gate();
  const long = Array.from({ length: 80 }, (_, line) => `Line ${line}\n\n`);
  model.replies(async function* () {
    yield* long;
    await more.passed;
    yield* long;
    yield "The very end.";
  });
  await signIn(page, scripted, HR);
  await say(page, "At length");
  const log = page.getByRole("log");
  await expect(lastAnswer(page)).toContainText("Line 79");
  const fromEnd = () =>
    log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await expect.poll(fromEnd).toBeLessThan(60);
  await log.hover();
  await page.mouse.wheel(0, -900);
  await expect(page.getByRole("button", { name: "Jump to the latest" })).toBeVisible();
  // Wheel scrolling continues for a moment.
  const at = () => log.evaluate((element) => element.scrollTop);
  await expect
    .poll(async () => {
      const before = await at();
      await still(page);
      return (await at()) - before;
    })
    .toBe(0);
  const top = await at();
  more.open();
  await expect(lastAnswer(page)).toContainText("The very end.");
  expect(Math.abs((await at()) - top)).toBeLessThan(80);
  await page.getByRole("button", { name: "Jump to the latest" }).click();
  await expect.poll(fromEnd).toBeLessThan(60);
});
