import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { answered, answers, ask, expect, input, openForm, PHONE, test } from "./kit";
import { faults } from "./kit/axe";
import { everSeen, fitsSideways, still } from "./kit/layout";
import { gate } from "./kit/model";
import type { TestServer } from "./kit/server";

const RECRUITER = /Maria Holm/;
const DEMO = join(import.meta.dirname, "../../../assistants/tata/demo");
const demo = (name: string) => readFileSync(join(DEMO, name), "utf8");

const enter = async (page: Page, server: TestServer) => {
  await page.goto(`${server.url}/a/tata`);
  await page.getByRole("button", { name: RECRUITER }).click();
  await expect(input(page)).toBeVisible();
};

const aside = (page: Page) => page.getByRole("complementary", { name: "Documents" });
const document = (page: Page) => aside(page).locator(".document");
const tab = (page: Page, name: RegExp) => aside(page).getByRole("tab", { name }).first();

const makeProfile = async (page: Page) => {
  const notes = demo("startup-notes.txt");
  await ask(
    page,
    `Create the requirement profile. Position: Senior Network Engineer. The start-up notes:\n${notes}`,
  );
  await expect(document(page)).toContainText("Senior Network Engineer");
};

const review = async (page: Page) => {
  const before = await answers(page).count();
  await openForm(page, "check for inclusive");
  const form = page.getByRole("dialog", { name: "Check for inclusive language" });
  await form.getByRole("textbox", { name: /Job ad text/ }).fill(demo("weak-job-ad.txt"));
  await form.getByRole("combobox", { name: /Language/ }).selectOption("en");
  await form.getByRole("button", { name: "Send" }).click();
  await answered(page, before + 1);
  await expect(document(page).locator(".flag").first()).toBeVisible();
};

const confirmProfile = async (page: Page) => {
  await document(page).getByRole("button", { name: "Confirm the profile" }).click();
  const card = page.getByRole("region", { name: /Check and confirm/ });
  await card.locator(".approval-actions .primary").click();
  await expect(document(page).getByRole("combobox", { name: "Version" })).toContainText("Confirmed");
};

test("from the notes to the funnel report, with the documents beside the chat", async ({ page, desk }) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await makeProfile(page);
  await expect(tab(page, /Requirement profile/)).toContainText("Draft");
  await confirmProfile(page);

  await ask(page, "Write the job ad.");
  await expect(tab(page, /Job ad/)).toHaveAttribute("aria-selected", "true");
  await expect(document(page)).toContainText("Senior Network Engineer");

  await ask(page, "Create the TA screening template.");
  await expect(tab(page, /TA screening/)).toHaveAttribute("aria-selected", "true");
  await ask(page, "Create the headhunting messages.");
  await expect(tab(page, /Outreach messages/)).toHaveAttribute("aria-selected", "true");
  await expect(document(page)).toContainText("18 texts");
  await expect(document(page).getByRole("article")).toHaveCount(3);
  const english = await document(page).getByRole("article").first().textContent();
  await document(page).getByRole("tab", { name: "Svenska" }).click();
  await expect(document(page).getByRole("article").first()).not.toHaveText(english ?? "");

  // The documents can be taken away.
  await tab(page, /Job ad/).click();
  const saved = page.waitForEvent("download");
  await document(page).getByRole("button", { name: "Word (.docx)" }).click();
  const word = await saved;
  expect(word.suggestedFilename()).toMatch(/\.docx$/);
  expect(
    readFileSync(await word.path())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");

  for (const [name, date, file] of [
    ["Sara Lind", "2026-03-10", "transcript-sara-lind.txt"],
    ["Jonas Ek", "2026-03-11", "transcript-jonas-ek.txt"],
  ] as const) {
    await ask(
      page,
      `Create a candidate report. Candidate: ${name}. Interview date: ${date}. The transcript:\n${demo(file)}`,
    );
  }
  await ask(page, "Compare the candidates.");
  await expect(tab(page, /Comparison/)).toHaveAttribute("aria-selected", "true");
  const table = document(page).getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveText(["Criterion", "SL", "JE"]);
  await expect(table).not.toContainText("Sara");
  await expect(table).not.toContainText("Jonas");

  await ask(
    page,
    "Funnel report for Senior Network Engineer: 1 position, hiring manager Anna Berg, 1200 views, 150 apply clicks, 60 applications, 20 qualified.",
  );
  await expect(tab(page, /Funnel report/)).toHaveAttribute("aria-selected", "true");
  await expect(document(page).locator(".funnel-bar").first()).toBeVisible();
  await expect(document(page)).toContainText("Bottleneck");

  // Everything is there after a reload, beside the chat at once: no tab flashes up before the panel.
  const list = gate();
  await page.route(/\/artifacts$/, async (route) => {
    await list.passed;
    await route.continue();
  });
  const flashes = await everSeen(page, ".aside-tab");
  const wanted = page.waitForRequest(/\/artifacts$/);
  await page.reload();
  await wanted;
  await still(page);
  list.open();
  await expect(aside(page).getByRole("tab")).toHaveCount(8);
  expect(await flashes()).toBe(false);
});

test("a changed profile makes what was built on it stale, and it is built again in order", async ({
  page,
  desk,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await makeProfile(page);
  await confirmProfile(page);
  await ask(page, "Write the job ad.");
  await expect(tab(page, /Job ad/)).toHaveAttribute("aria-selected", "true");
  await ask(page, "Create the TA screening template.");
  await expect(tab(page, /TA screening/)).toHaveAttribute("aria-selected", "true");

  await makeProfile(page);
  await expect(tab(page, /Job ad/)).toContainText("Out of date");
  await expect(tab(page, /TA screening/)).toContainText("Out of date");
  await tab(page, /Requirement profile/).click();
  await confirmProfile(page);
  await document(page).getByRole("button", { name: "Changes" }).click();
  await expect(document(page).locator(".diff li.added, .diff li.removed").first()).toBeVisible();

  await aside(page).getByRole("button", { name: "Build 2 again, in order" }).click();
  await expect(tab(page, /Job ad/)).not.toContainText("Out of date");
  await expect(tab(page, /TA screening/)).not.toContainText("Out of date");
  await tab(page, /Job ad/).click();
  await expect(document(page).getByRole("combobox", { name: "Version" })).toContainText("Version 2");
});

test("flags of a review stand in the text, with what could stand there instead", async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await review(page);
  await expect(tab(page, /Inclusive language/)).toBeVisible();
  await expect(document(page)).toContainText("Instead:");
  const flagged = (await document(page).locator(".flag").first().textContent()) ?? "";
  await expect(document(page).locator(".flags li").first()).toContainText(flagged.replace(/\d+$/, ""));
});

test("on a phone: the profile, the outreach texts and the funnel over the chat", async ({
  visitor,
  desk,
}) => {
  test.slow();
  const page = await visitor(PHONE);
  await enter(page, desk);
  const open = async () => {
    await page.locator(".aside-tab").tap();
    await expect(aside(page)).toBeVisible();
  };
  const notes = demo("startup-notes.txt");
  await ask(
    page,
    `Create the requirement profile. Position: Senior Network Engineer. The start-up notes:\n${notes}`,
  );
  await open();
  await document(page).getByRole("button", { name: "Confirm the profile" }).tap();
  // The card is decided in the chat, so the documents make room for it.
  const card = page.getByRole("region", { name: /Check and confirm/ });
  await card.locator(".approval-actions .primary").tap();
  await expect(page.getByText("Approved by")).toBeVisible();
  await ask(page, "Create the headhunting messages.");
  await open();
  await aside(page).getByRole("tab", { name: "Svenska" }).tap();
  await expect(document(page).locator(".message")).toHaveCount(3);
  await fitsSideways(page);
  await aside(page).getByRole("button", { name: "Close the documents" }).tap();
  await ask(
    page,
    "Funnel report for Senior Network Engineer: 1 position, hiring manager Anna Berg, 1200 views, 150 apply clicks, 60 applications, 20 qualified.",
  );
  await open();
  await expect(document(page).locator(".funnel-bar").first()).toBeVisible();
  await expect(document(page)).toContainText("Bottleneck");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing beside the chat (${colorScheme})`, async ({ page, desk }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page, desk);
    await makeProfile(page);
    expect(await faults(page), "a draft").toEqual([]);
    await review(page);
    expect(await faults(page), "a review").toEqual([]);
    // Where it would cover the chat it is put away, and opened by hand.
    await page.setViewportSize(PHONE.viewport);
    await page.reload();
    await page.getByRole("button", { name: /^Documents \d/ }).click();
    await expect(document(page).locator(".flag").first()).toBeVisible();
    expect(await faults(page), "on a phone").toEqual([]);
    await aside(page).getByRole("button", { name: "Close the documents" }).click();
    await expect(page.getByRole("button", { name: /^Documents \d/ })).toBeVisible();
    expect(await faults(page), "the chat on a phone").toEqual([]);
  });
}
