import { answered, ask, expect, HR, input, lastAnswer, say, signIn, test } from "./kit";
import { faults } from "./kit/axe";

const own = (page: import("@playwright/test").Page) => page.locator("article.mine");

test("a message is edited in place, and both versions with what followed can be shown", async ({
  page,
  scripted,
  model,
}) => {
  model.replies(
    () => ["First answer."],
    () => ["A follow-up answer."],
    () => ["Second answer."],
  );
  await signIn(page, scripted, HR);
  await ask(page, "A quesion");
  await ask(page, "A follow-up");
  await own(page).first().hover();
  await own(page).first().getByRole("button", { name: "Edit" }).click();
  const editor = page.getByRole("textbox", { name: "Edit your message" });
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue("A quesion");
  expect(await faults(page)).toEqual([]);
  await editor.fill("A question");
  await editor.press("Enter");
  await answered(page, 1);
  await expect(own(page).locator(".bubble")).toHaveText(["A question"]);
  await expect(lastAnswer(page)).toContainText("Second answer.");
  // The model was not told what is set aside.
  const told = JSON.stringify(model.asked.at(-1));
  expect(told).not.toContain("First answer.");
  expect(told).not.toContain("follow-up");

  await expect(own(page).first()).toContainText("2/2");
  await own(page).first().getByRole("button", { name: "Previous version" }).click();
  await expect(own(page).locator(".bubble")).toHaveText(["A quesion", "A follow-up"]);
  await expect(lastAnswer(page)).toContainText("A follow-up answer.");
  await page.reload();
  await expect(own(page).locator(".bubble")).toHaveText(["A quesion", "A follow-up"]);
  await own(page).first().getByRole("button", { name: "Next version" }).click();
  await expect(own(page).locator(".bubble")).toHaveText(["A question"]);
  expect(await faults(page)).toEqual([]);
});

test("an answer is given again, and a bad one gets a reason", async ({ page, scripted, model }) => {
  model.replies(
    () => ["A dull answer."],
    () => ["A better answer."],
  );
  await signIn(page, scripted, HR);
  await ask(page, "Tell me");
  const bad = lastAnswer(page).getByRole("button", { name: "Bad answer" });
  await bad.click();
  await page.getByRole("textbox", { name: "What was wrong? (optional)" }).fill("Dull");
  await page.keyboard.press("Enter");
  await expect(lastAnswer(page).getByRole("status").first()).toHaveText("Thank you for your feedback.");
  const message = await lastAnswer(page).getAttribute("data-message");
  const token = await page.evaluate(
    () => JSON.parse(sessionStorage.getItem("frontdesk.session") ?? "{}").token,
  );
  const kept = await scripted.api(`/messages/${message}/feedback`, { token });
  expect(kept).toMatchObject({ rating: "down", comment: "Dull" });
  await lastAnswer(page).getByRole("button", { name: "Answer again" }).click();
  await expect(lastAnswer(page)).toContainText("A better answer.");
  await expect(own(page)).toHaveCount(1);
  await expect(own(page)).toContainText("2/2");
});

test("what was done before an edit stays, is named, and is not done twice", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await say(page, "Create a gate pass for Grace Hopper, she collects a compiler and comes back");
  await page.getByRole("button", { name: "Create the pass" }).click();
  await expect(lastAnswer(page).locator(".actions")).toBeVisible();
  await expect(lastAnswer(page)).toContainText("Grace Hopper");
  await expect(lastAnswer(page).getByRole("button", { name: "Answer again" })).toHaveCount(0);
  const token = await desk.token("hr");
  const passes = async () =>
    ((await desk.api("/gatepass/passes?q=Grace%20Hopper", { token })) as { items: unknown[] }).items.length;
  expect(await passes()).toBe(1);
  await own(page).first().hover();
  await own(page).first().getByRole("button", { name: "Edit" }).click();
  const editor = page.getByRole("textbox", { name: "Edit your message" });
  await editor.fill("Create a gate pass for Grace Hopper, she collects two compilers and comes back");
  await editor.press("Enter");
  await expect(own(page).first()).toContainText(
    "Done before this change and still in effect: Create a gate pass",
  );
  // A person confirms before anything more happens.
  await expect(lastAnswer(page).locator(".approval")).toBeVisible();
  expect(await passes()).toBe(1);
});

test("the keyboard: edit the last message, new chat, sidebar, and a sheet of shortcuts", async ({
  page,
  scripted,
  model,
}) => {
  model.always(() => ["Noted."]);
  await signIn(page, scripted, HR);
  await ask(page, "Something");
  await input(page).focus();
  await page.keyboard.press("ArrowUp");
  const editor = page.getByRole("textbox", { name: "Edit your message" });
  await expect(editor).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(editor).toBeHidden();
  await page.keyboard.press("Control+b");
  await expect(page.getByRole("button", { name: "Open the sidebar" })).toBeVisible();
  await page.keyboard.press("Control+b");
  await expect(page.getByRole("navigation")).toBeVisible();
  await page.locator("#main").focus();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toContainText("Edit your last message");
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("Control+Shift+O");
  await expect(page).toHaveURL(/\/a\/gatepass$/);
  await input(page).fill("is this ?");
  await page.keyboard.press("?");
  await expect(sheet).toBeHidden();
  await expect(input(page)).toHaveValue("is this ??");
});
