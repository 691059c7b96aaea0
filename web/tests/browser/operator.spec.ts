import type { Page } from "@playwright/test";
import { expect, PHONE, TABLET, test } from "./kit";
import { faults } from "./kit/axe";
import { fitsSideways } from "./kit/layout";
import type { TestServer } from "./kit/server";

/** Sends a message as a demo persona; returns the turn. */
const say = async (server: TestServer, persona: string, assistant: string, content: string) => {
  const token = await server.token(persona);
  const made = await server.api("/conversations", { method: "POST", body: { assistant }, token });
  const { id } = made as { id: string };
  const said = await server.api(`/conversations/${id}/messages`, {
    method: "POST",
    body: { content },
    token,
  });
  return said as { user_message: { metadata: { turn_id: string } } };
};

/** A working day: an answer, a write that is refused, and something that waits for approval. */
const work = async (server: TestServer) => {
  await say(server, "reader", "docs", "How do approvals work?");
  await say(server, "hr", "gatepass", "Which passes are pending?");
  await say(server, "admin", "gatepass", "Delete the gate pass GP-2026-0004");
};

const enter = async (page: Page, server: TestServer, path: string) => {
  await page.goto(server.url + path);
  await page.getByRole("button", { name: /Olga/ }).click();
  await expect(page.getByRole("heading", { name: /Operations|Мониторинг/ })).toBeVisible();
};

const view = (page: Page, name: string) =>
  page.getByRole("group", { name: "Views" }).getByRole("button", { name }).click();
const table = (page: Page) => page.getByRole("main").getByRole("table");

test("the operator sees the steps of a turn but not its text", async ({ page, desk }) => {
  await work(desk);
  await enter(page, desk, "/operator?view=turns");
  await expect(table(page).getByRole("row")).toHaveCount(4);
  await expect(table(page)).toContainText("Omar Farooq");
  await expect(table(page)).toContainText("waiting for approval");
  await page.getByRole("combobox", { name: "Status" }).selectOption("completed");
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await page.getByRole("combobox", { name: "Assistant" }).selectOption("gatepass");
  await expect(table(page).getByRole("row")).toHaveCount(2);
  await expect(table(page)).toContainText("Ayesha Siddiqui");

  await table(page)
    .getByRole("button", { name: /Show steps/ })
    .click();
  const steps = page.getByRole("region", { name: /Steps of the turn/ }).getByRole("listitem");
  await expect(steps.first()).toContainText("Model");
  await expect(steps.nth(1)).toContainText("Tool: list_gate_passes");
  // A step starts where the previous one ended.
  const bars = page.locator(".waterfall-bar");
  await expect
    .poll(async () => {
      const [first, second] = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()));
      return (second?.left ?? 0) - (first?.right ?? Number.POSITIVE_INFINITY);
    })
    .toBeGreaterThanOrEqual(-4);
  await expect(page.getByRole("main")).not.toContainText("pending?");
});

test("usage, waiting turns, the audit and its link to the turn", async ({ page, desk }) => {
  await work(desk);
  await enter(page, desk, "/operator?view=usage");
  // A waiting turn has used nothing yet.
  await expect(page.getByRole("definition").first()).toHaveText("2");
  const total = (await desk.api("/usage", { token: await desk.token("operator") })) as {
    total: { input_tokens: number };
  };
  const input = new Intl.NumberFormat("en-GB").format(total.total.input_tokens);
  await expect(page.getByRole("definition").nth(1)).toHaveText(input);
  await expect(page.getByRole("figure", { name: "By assistant" })).toContainText("Documents");
  await expect(page.getByRole("figure", { name: "By company" })).toContainText("No company");
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await expect(page.locator(".day-bars li")).toHaveCount(7);

  await view(page, "Waiting");
  await expect(page.getByRole("main")).toContainText("1 turn is waiting for a decision");
  await expect(page.getByRole("main")).toContainText("Omar Farooq needs approval for Delete a gate pass");

  await view(page, "Audit");
  await expect(table(page)).toContainText("Approval requested");
  await page.getByRole("combobox", { name: "Outcome" }).selectOption("executed");
  await expect(page.getByText("No entries found")).toBeVisible();
  await page.getByRole("combobox", { name: "Outcome" }).selectOption("");
  await page.getByRole("link", { name: "Show steps" }).first().click();
  await expect(page.getByRole("region", { name: /Steps of the turn/ })).toContainText("Approval requested");
});

test("the overview: model, limits, storage, assistants, and the people who were here", async ({
  page,
  desk,
}) => {
  await work(desk);
  await enter(page, desk, "/operator");
  const main = page.getByRole("main");
  await expect(main).toContainText("The built-in offline model answers.");
  await expect(page.getByRole("region", { name: "Limits" })).toContainText("1,000,000");
  const storage = page.getByRole("region", { name: "Storage" });
  await expect(storage.getByRole("definition").first()).toHaveText(/^\d.* (kB|MB|byte)/);
  const assistants = page.getByRole("region", { name: "Assistants" }).getByRole("row");
  await expect(assistants.filter({ hasText: "Gate passes" })).toContainText("HR");
  const people = page.getByRole("region", { name: "People" }).getByRole("row");
  await expect(people.filter({ hasText: "Olga Berg" })).toContainText("Operator");
  await expect(people.filter({ hasText: "Omar Farooq" })).toHaveCount(1);
  // Someone who was not here is not listed.
  await expect(people.filter({ hasText: "Bilal" })).toHaveCount(0);
  await expect(main).not.toContainText(/[0-9a-f]{8}-[0-9a-f]{4}/);
});

test("the overview says when the language model cannot be used", async ({ page, serve }) => {
  const server = await serve({ OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "test-key" });
  await enter(page, server, "/operator");
  await expect(page.getByRole("main")).toContainText("The endpoint does not answer.");
  await expect(page.getByRole("main")).not.toContainText("test-key");
});

test("evaluations over time, and the failures of one", async ({ page, desk }) => {
  desk.put("data/evals/20261115T093000000-notes.json", evaluation("20261115T093000000-notes", 100));
  desk.put("data/evals/20261116T093000000-notes.json", evaluation("20261116T093000000-notes", 50));
  await enter(page, desk, "/operator?view=evaluations");
  await expect(table(page).getByRole("row")).toHaveCount(3);
  await expect(page.locator(".history li")).toHaveCount(2);
  await table(page).getByRole("button").first().click();
  const cases = page.getByRole("region", { name: "Cases" });
  await cases.locator("summary").click();
  await expect(cases).toContainText("list_passes was not called");
});

test("nobody else finds the page or gets its data", async ({ page, desk }) => {
  await page.goto(`${desk.url}/operator`);
  await page.getByRole("button", { name: /Ayesha/ }).click();
  await expect(page.getByRole("navigation")).toBeVisible();
  await expect(page.getByRole("link", { name: "Operations" })).toHaveCount(0);
  await expect(table(page)).toHaveCount(0);
});

const evaluation = (id: string, rate: number) =>
  JSON.stringify({
    id,
    suite: "notes/requests",
    model: "offline",
    at: `${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}T09:30:00Z`,
    summary: {
      cases: 2,
      passed: rate / 50,
      repeats: 1,
      pass_rate: rate,
      threshold: 95,
      pass_hat: [rate],
      messages: 2,
      like_examples: 0,
      right_tools: 1,
      with_calls: 1,
      right_arguments: 1,
      wrong_writes: 0,
      wrong_calls: 1,
      input_tokens: 410,
      output_tokens: 29,
      cached_tokens: 0,
      estimated: true,
      cost: null,
      seconds_p50: 0.01,
      seconds_p95: 0.05,
    },
    cases: [
      {
        name: "what waits?",
        as: "reader",
        runs: [
          {
            passed: rate === 100,
            problems: rate === 100 ? [] : ["list_passes was not called"],
            seconds: 0.1,
            usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: true },
            transcript: [{ who: "person", text: "what waits?" }],
          },
        ],
      },
    ],
  });

const screens = async (page: Page, desk: TestServer) => {
  await work(desk);
  desk.put("data/evals/20261116T093000000-notes.json", evaluation("20261116T093000000-notes", 50));
  await enter(page, desk, "/operator?view=turns");
  await table(page)
    .getByRole("button", { name: /Show steps/ })
    .first()
    .click();
  await expect(page.locator(".waterfall-bar").first()).toBeAttached();
  expect(await faults(page), "turns").toEqual([]);
  const marks = {
    Overview: ".figures-grid",
    Usage: ".day-bars",
    Waiting: ".waiting-cards .card",
    Audit: "td",
    Evaluations: ".history",
  };
  for (const [name, mark] of Object.entries(marks)) {
    await view(page, name);
    await expect(page.locator(mark).first()).toBeVisible();
    expect(await faults(page), name).toEqual([]);
    await fitsSideways(page, `${name}: nothing sticks out sideways`);
  }
};

/** Colours depend on the scheme and layout on the width, so not every combination is needed. */
const VIEWS = [
  { name: "light, desktop", colorScheme: "light" },
  { name: "dark, phone", colorScheme: "dark", ...PHONE },
  { name: "dark, tablet", colorScheme: "dark", ...TABLET },
] as const;

for (const { name, ...settings } of VIEWS) {
  test(`axe finds nothing in the operator's view, ${name}`, async ({ visitor, desk }) => {
    await screens(await visitor(settings), desk);
  });
}
