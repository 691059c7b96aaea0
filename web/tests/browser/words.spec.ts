/** No screen shows identifiers, names of roles or fields, or templates to a person. */

import type { Page } from "@playwright/test";
import { expect, input, lastAnswer, test } from "./kit";

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
    ["/", "/gatepass", "/gatepass?gid=GP-2026-0009", "/company", "/documents", "/approvals"],
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
];

for (const locale of ["en-GB", "ru-RU"])
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
      }
      for (const [assistant, question] of questions) {
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
