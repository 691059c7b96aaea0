import { ADMIN, ask, expect, HR, input, lastAnswer, SMALL_PHONE, say, sender, signIn, test } from "./kit";
import { faults } from "./kit/axe";
import { fitsSideways } from "./kit/layout";
import type { TestServer } from "./kit/server";

/** A conversation whose words are in a message and not in its title. */
async function conversation(desk: TestServer, who: string, title: string, words: string) {
  const token = await desk.token(who);
  const made = (await desk.api("/conversations", {
    method: "POST",
    token,
    body: { assistant: "gatepass", title },
  })) as { id: string };
  await desk.api(`/conversations/${made.id}/messages`, { method: "POST", token, body: { content: words } });
  return made.id;
}

test("the sidebar finds words inside messages and opens them there", async ({ page, desk }) => {
  const id = await conversation(desk, "hr", "Thursday", "Which passes mention aubergine crates?");
  await conversation(desk, "admin", "Not for others", "Aubergine crates of somebody else");
  await signIn(page, desk, HR);
  const nav = page.getByRole("navigation");
  await nav.getByRole("searchbox").fill("auber crat");
  const inside = nav.getByRole("region", { name: "In conversations" });
  await expect(inside.getByRole("link")).toHaveCount(1);
  await expect(inside.getByRole("link")).toContainText("mention aubergine crates");
  await expect(inside.locator("mark")).toHaveText(["auber", "crat"]);
  await expect(nav).not.toContainText("somebody else");
  expect(await faults(page)).toEqual([]);
  await inside.getByRole("link").click();
  await expect(page).toHaveURL(`${desk.url}/c/${id}`);
  await expect(page.locator("article.linked")).toContainText("aubergine crates");
  await nav.getByRole("searchbox").fill("nothing of this kind");
  await expect(nav).toContainText("Nothing matches “nothing of this kind”");
});

test("a linked message is found on an older page", async ({ page, scripted, model }) => {
  model.always(() => ["Noted."]);
  const token = await scripted.token("hr");
  const made = (await scripted.api("/conversations", {
    method: "POST",
    token,
    body: { assistant: "gatepass", title: "Long" },
  })) as { id: string };
  // The rate limit allows no fifty messages a minute; the page of messages is small enough for twenty.
  for (let count = 0; count < 8; count += 1) {
    const content =
      count === 0 ? "The needle is in the first message" : `Message ${count}. ${"word ".repeat(400)}`;
    await scripted.api(`/conversations/${made.id}/messages`, { method: "POST", token, body: { content } });
  }
  await signIn(page, scripted, HR);
  await page.getByRole("navigation").getByRole("searchbox").fill("needle");
  await page.getByRole("region", { name: "In conversations" }).getByRole("link").click();
  await expect(page.locator("article.linked")).toContainText("The needle");
  await expect(page.locator("article.linked")).toBeInViewport();
});

test("the palette finds a pass, a text and a document, and offers actions", async ({ page, desk }) => {
  await conversation(desk, "admin", "Thursday", "Who mentioned aubergine crates?");
  await signIn(page, desk, ADMIN);
  await expect(input(page)).toBeVisible();
  const token = await desk.token("admin");
  const passes = (await desk.api("/gatepass/passes?limit=1", { token })) as {
    items: { pass_number: string }[];
  };
  const number = passes.items[0]?.pass_number ?? "";
  const palette = page.getByRole("dialog");
  const look = async (words: string) => {
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill(words);
  };
  await look(number);
  await expect(palette.getByRole("option").filter({ hasText: number }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/gatepass\\?gid=${number}`));
  await look("aubergine");
  await expect(palette.getByRole("option", { name: /Thursday.*aubergine crates/ })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await palette.getByRole("combobox").fill("travel");
  await expect(palette.getByRole("option", { name: /travel/i }).first()).toBeVisible();
  await palette.getByRole("combobox").fill("sign out");
  await expect(palette.getByRole("option")).toHaveCount(1);
  await palette.getByRole("combobox").fill("русский");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation").getByRole("searchbox")).toHaveAttribute(
    "placeholder",
    "Поиск везде",
  );
});

test("in a conversation the palette renames it and opens its forms", async ({ page, desk }) => {
  await signIn(page, desk, HR);
  await ask(page, "Which passes are pending?");
  await expect(lastAnswer(page)).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("create a gate");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Create a gate pass" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("rename");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Title" }).fill("Found by the palette");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Found by the palette");
});

test("on a small phone, search results fit", async ({ visitor, desk }) => {
  await conversation(desk, "hr", "Thursday", `Which pass has ${"a-very-long-word".repeat(12)} in it?`);
  const page = await visitor({ ...SMALL_PHONE, viewport: { width: 320, height: 640 } });
  await page.goto(`${desk.url}/a/gatepass`);
  await page.getByRole("button", { name: HR }).click();
  await page.getByRole("button", { name: "Open the sidebar" }).click();
  await page.getByRole("searchbox").fill("very long");
  await expect(page.getByRole("region", { name: "In conversations" }).getByRole("link")).toBeVisible();
  await fitsSideways(page);
  expect(await faults(page)).toEqual([]);
  await page.getByRole("region", { name: "In conversations" }).getByRole("link").click();
  await expect(sender(page)).toBeVisible();
  await say(page, "Which passes are pending?");
});
