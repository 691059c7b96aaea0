/** No screen shows identifiers, names of roles or fields, or templates to a person, in any language; recruiters
 * are greeted and fill in forms in theirs. */

import type { Page } from "@playwright/test";
import { expect, input, lastAnswer, openForm, test } from "./kit";

/** Identifiers of roles, snake_case, UUIDs and placeholders. */
const LEAKS = [
  /\b[A-Z][a-z]+_[A-Z][a-z]+\b/,
  /\b[a-z]+(_[a-z]+)+\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/,
  /[{}]/,
  /\bundefined\b|\bNaN\b|\[object /,
];

async function check(page: Page, where: string): Promise<void> {
  // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
  const text = await page.evaluate(() => document.body.innerText);
  for (const leak of LEAKS) expect(text.match(leak)?.[0], `${where} shows`).toBeUndefined();
}

/** The pages of each person, and what they ask. */
const PEOPLE: [RegExp, string[], [string, string][]][] = [
  [
    /Ayesha/,
    [
      "/",
      "/gatepass",
      "/gatepass?gid=GP-2026-0009",
      "/company",
      "/documents",
      "/approvals",
      "/settings",
      "/nonsense",
    ],
    [
      ["gatepass", "Which passes are pending?"],
      ["gatepass", "Create a gate pass for Ali Khan, bank visit, he will be back"],
      ["gatepass", "Approve GP-2026-0011"],
    ],
  ],
  [
    /Omar/,
    ["/", "/approvals", "/gatepass"],
    [
      ["gatepass", "Delete the gate pass GP-2026-0004"],
      ["gatepass", "Show GP-2026-0011"],
    ],
  ],
  [/Bilal/, ["/gate", "/gatepass"], [["gatepass", "Record an exit"]]],
  [
    /Maria/,
    ["/", "/gigs", "/a/tata", "/a/gig"],
    [
      ["gig", "Who is the best candidate and why?"],
      ["tata", "Review this ad: We seek a sales rockstar."],
    ],
  ],
  // Answers from documents quote them, identifiers included.
  [/Rae/, ["/", "/documents", "/a/docs"], []],
  [/Bea/, ["/", "/a/autopilot"], [["autopilot", "Find robots that can mop and vacuum"]]],
  [/Cole/, ["/", "/company"], []],
  [
    /Olga/,
    [
      "/",
      ...["overview", "turns", "usage", "waiting", "evaluations"].map((view) => `/operator?view=${view}`),
    ],
    [],
  ],
];

/** The recruiters' greeting, a form and one of its fields. */
const RECRUITERS: Record<string, { hello: string; form: string; field: RegExp }> = {
  "sv-SE": { hello: "Vilken tjänst arbetar vi med?", form: "Skapa trattrapporten", field: /Antal tjänster/ },
  "da-DK": {
    hello: "Hvilken stilling arbejder vi med?",
    form: "Opret tragtrapporten",
    field: /Antal stillinger/,
  },
  "nb-NO": {
    hello: "Hvilken stilling jobber vi med?",
    form: "Lag traktrapporten",
    field: /Antall stillinger/,
  },
  "de-DE": {
    hello: "An welcher Stelle arbeiten wir?",
    form: "Trichterbericht erstellen",
    field: /Anzahl der Stellen/,
  },
};

async function checkRecruiter(
  page: Page,
  { hello, form, field }: { hello: string; form: string; field: RegExp },
) {
  await expect(page.getByText(hello)).toBeVisible();
  await openForm(page, form.slice(0, 12));
  await expect(page.getByRole("dialog", { name: form }).getByRole("textbox", { name: field })).toBeVisible();
}

/** Assistants answer in the language of the question, so that two interfaces show all answers. */
const ASKING = ["en-GB", "ru-RU"];

for (const locale of [...ASKING, ...Object.keys(RECRUITERS)])
  test(`screens show words, not identifiers (${locale})`, async ({ desk, visitor }) => {
    test.slow();
    const page = await visitor({ locale });
    await page.goto(desk.url);
    await expect(page.locator(".persona")).toHaveCount(8);
    await check(page, "signing in");
    for (const [who, paths, questions] of PEOPLE) {
      await page.goto(desk.url);
      await page.getByRole("button", { name: who }).click();
      await expect(page.locator("nav#sidebar")).toBeVisible();
      for (const path of paths) {
        await page.goto(desk.url + path);
        await expect(page.locator("main h1").first()).toBeVisible();
        await expect(page.locator(".skeleton, [aria-busy=true]")).toHaveCount(0);
        await check(page, `${who} ${path}`);
        const recruiters = RECRUITERS[locale];
        if (path === "/a/tata" && recruiters) await checkRecruiter(page, recruiters);
      }
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
      await check(page, `${who}, commands`);
      for (const [assistant, question] of ASKING.includes(locale) ? questions : []) {
        await page.goto(`${desk.url}/a/${assistant}`);
        await input(page).fill("/");
        await expect(page.getByRole("option").first()).toBeVisible();
        await check(page, `${who}, forms of ${assistant}`);
        await input(page).fill(question);
        await input(page).press("Enter");
        await expect(lastAnswer(page).locator(".actions, .approval").first()).toBeVisible();
        await check(page, `${who}: ${question}`);
      }
      await page.evaluate(() => sessionStorage.clear());
    }
  });
