import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { answers, ask, expect, input, lastAnswer, PHONE, test } from "./kit";
import { faults } from "./kit/axe";
import { still } from "./kit/layout";
import type { TestServer } from "./kit/server";

const READER = /Rae Lindqvist/;
const OPERATOR = /Olga Berg/;

const enter = async (page: Page, server: TestServer, who: RegExp, path: string) => {
  await page.goto(server.url + path);
  await page.getByRole("button", { name: who }).click();
  await expect(page.getByRole("navigation")).toBeVisible();
};

test("each citation number leads to its passage", async ({ page, desk }) => {
  await enter(page, desk, READER, "/a/docs");
  await ask(page, "How do approvals work?");
  const number = lastAnswer(page)
    .getByRole("button", { name: /^Source \d/ })
    .first();
  await expect(number).toBeVisible();
  // While the answer moves, another number may come under the pointer.
  await still(page);
  await number.hover();
  const card = page.locator(".citation-card:popover-open");
  await expect(card).toBeVisible();
  // It closes when the pointer leaves, and opens again; the next one replaces it at once.
  await page.mouse.move(1, 1);
  await expect(card).toBeHidden();
  await lastAnswer(page)
    .getByRole("button", { name: /^Source \d/ })
    .last()
    .focus();
  await expect(card).toBeVisible();
  await number.hover();
  await expect(number).toHaveAttribute("aria-expanded", "true");
  await expect(card).toHaveCount(1);
  // The passage highlights the words of the answer.
  const marked = (await card.locator("mark").textContent()) ?? "";
  expect(marked.length).toBeGreaterThan(20);
  await expect(lastAnswer(page)).toContainText(marked.slice(0, 40));
  await card.getByRole("link", { name: "Open the page" }).click();
  await expect(page).toHaveURL(/\/sources\/handbook\/.+#/);
  const passage = page.locator(".source-text .marked");
  await expect(passage.first()).toBeInViewport();
  await expect(page.locator(".source-text")).toContainText(marked.slice(0, 40));
  // The URL works by itself.
  await page.reload();
  await expect(passage.first()).toBeInViewport();
  await page.goBack();
  await expect(lastAnswer(page).getByRole("region", { name: "Sources" })).toBeVisible();
});

test("on a phone a tap previews a citation, and its page opens at the passage", async ({ visitor, desk }) => {
  const page = await visitor(PHONE);
  await page.clock.install();
  await page.goto(`${desk.url}/a/docs`);
  await page.getByRole("button", { name: READER }).tap();
  await ask(page, "How do approvals work?");
  await lastAnswer(page)
    .getByRole("button", { name: /^Source \d/ })
    .first()
    .tap();
  const card = page.locator(".citation-card:popover-open");
  await expect(card.locator("mark")).toBeVisible();
  // The emulated pointer may be anywhere a moment after a touch.
  await page.mouse.move(1, 1);
  await page.clock.fastForward(1000);
  await expect(card).toBeInViewport({ ratio: 1 });
  await card.getByRole("link", { name: "Open the page" }).tap();
  await expect(page.locator(".source-text .marked").first()).toBeInViewport();
  await page.getByRole("button", { name: "Ask about this document" }).tap();
  await expect(page.getByText("Answers come only from your selection")).toBeVisible();
  await ask(page, "Who may decide?");
});

test("answers come only from the selection until it is widened", async ({ page, desk }) => {
  await enter(page, desk, READER, "/documents");
  await page.getByRole("searchbox", { name: "Find a document" }).fill("approvals");
  await page
    .getByRole("main")
    .getByRole("link", { name: /approval/i })
    .first()
    .click();
  const paragraph = page.locator(".source-text p").first();
  await paragraph.selectText();
  await page.getByRole("button", { name: "Answer only from this selection" }).click();
  const banner = page.getByRole("complementary", { name: "Answers come only from your selection" });
  await expect(banner).toBeVisible();
  const selected = (await banner.locator("blockquote").textContent()) ?? "";
  await ask(page, `What does it say about ${selected.split(" ").slice(0, 5).join(" ")}?`);
  await expect(lastAnswer(page).getByRole("region", { name: "Sources" })).toContainText("Your selection");
  await banner.getByRole("button", { name: "Search all documents" }).click();
  await expect(banner).toHaveCount(0);
});

test("a person's own text can be the only source", async ({ page, desk }) => {
  await enter(page, desk, READER, "/a/docs");
  await page.getByRole("button", { name: "Answer only from my own text" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("The office cat is called Blåbär and sleeps in the server room.");
  await dialog.getByRole("button", { name: "Ask about it" }).click();
  // Until then nobody can type below it.
  await expect(dialog).toHaveCount(0);
  await ask(page, "Where does the office cat sleep?");
  await expect(lastAnswer(page)).toContainText("sleeps in the server room");
});

test("sentences that name no source are marked", async ({ page, scripted, model }) => {
  model.replies(
    () => [{ call: "search_docs", arguments: { query: "How do approvals work?" } }],
    () => ["Approvals expire after ten minutes [1]. ", "The moon is made entirely of green cheese."],
  );
  await enter(page, scripted, READER, "/a/docs");
  await ask(page, "How do approvals work?");
  await expect(lastAnswer(page).locator("mark.unsupported")).toContainText("made entirely of green cheese");
  await expect(lastAnswer(page)).toContainText("1 sentence cites no source.");
  await page.reload();
  await expect(lastAnswer(page).locator("mark.unsupported")).toHaveCount(1);
});

test("operators add documents, see progress, and remove them; others only read", async ({
  page,
  visitor,
  serve,
}) => {
  const site = createServer((request, response) => {
    const pages: Record<string, string> = {
      "/": '<h1>Canteen</h1><p>The canteen opens at eleven on weekdays and serves soup, salad and one warm dish until two.</p><a href="/week.html">Menu</a>',
      "/week.html":
        "<h1>Menu</h1><p>On Thursdays there is always pea soup with mustard, followed by pancakes and jam for everyone.</p>",
    };
    const body = pages[request.url ?? ""];
    response.writeHead(body ? 200 : 404, { "content-type": "text/html" });
    response.end(
      body
        ? `<!doctype html><html><head><title>Canteen</title></head><body><main>${body}</main></body></html>`
        : "",
    );
  });
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  const port = (site.address() as AddressInfo).port;
  const server = await serve({ FRONTDESK_SEARCH_ALLOWED_HOSTS: `127.0.0.1:${port},127.0.0.1` });
  await enter(page, server, OPERATOR, "/documents");
  const form = page.getByRole("region", { name: "Add documents" });
  await form.getByRole("textbox", { name: /Address/ }).fill(`http://127.0.0.1:${port}/`);
  await form.getByRole("button", { name: "Add documents" }).click();
  await expect(form.getByRole("status")).toContainText(/added/);
  await form.getByLabel(/text files/).setInputFiles({
    name: "travel.md",
    mimeType: "text/markdown",
    buffer: Buffer.from(
      "# Travel\n\nFlights need the agreement of the manager before anybody books them, trains do not.",
    ),
  });
  await form.getByRole("button", { name: "Add documents" }).click();
  await expect(form.getByRole("status")).toContainText("1 added");
  await expect(page.getByRole("link", { name: /travel\.md/ })).toBeVisible();
  expect(await faults(page), "the documents").toEqual([]);

  await form.getByRole("textbox", { name: /Address/ }).fill("http://10.0.0.1/secret");
  await form.getByRole("button", { name: "Add documents" }).click();
  await expect(form.getByRole("alert")).toContainText("could not be added");

  const reader = await visitor();
  await enter(reader, server, READER, "/a/docs");
  await ask(reader, "Who must agree before somebody books a flight?");
  await expect(lastAnswer(reader)).toContainText("agreement of the manager");
  await reader.goto(`${server.url}/documents`);
  await expect(reader.getByRole("link", { name: /travel\.md/ })).toBeVisible();
  await expect(reader.getByRole("region", { name: "Add documents" })).toHaveCount(0);
  await expect(reader.getByRole("button", { name: /Remove/ })).toHaveCount(0);

  await page.getByRole("button", { name: /Remove Travel/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("link", { name: /travel\.md/ })).toHaveCount(0);
  site.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing where documents are read (${colorScheme})`, async ({ page, desk }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await enter(page, desk, READER, "/a/docs");
    await ask(page, "How do approvals work?");
    await lastAnswer(page)
      .getByRole("button", { name: /^Source/ })
      .first()
      .focus();
    await expect(page.locator(".citation-card:popover-open")).toBeVisible();
    expect(await faults(page), "a cited answer").toEqual([]);
    await page.locator(".citation-card:popover-open").getByRole("link").click();
    await expect(page.locator(".marked").first()).toBeVisible();
    expect(await faults(page), "a source").toEqual([]);
    await page.goto(`${desk.url}/sources/web_documents/nothing.md`);
    await expect(page.getByRole("alert")).toContainText("This document is not available");
    await page.goto(`${desk.url}/documents`);
    await expect(page.getByRole("table")).toBeVisible();
    expect(await faults(page), "the list").toEqual([]);
    await expect(answers(page)).toHaveCount(0);
    await expect(input(page)).toHaveCount(0);
  });
}
