import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { answered, answers, expect, input, openForm, PHONE, say, test } from "./kit";
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

/** Runs a tool by its form, which works without a model. */
const make = async (page: Page, title: string, values: Record<string, string> = {}) => {
  const before = await answers(page).count();
  await openForm(page, title.toLowerCase());
  const form = page.getByRole("dialog", { name: title });
  for (const [field, value] of Object.entries(values)) {
    const control = form.locator(`[data-field="${field}"]`);
    if (field === "language") await control.selectOption(value);
    else await control.fill(value);
  }
  await form.getByRole("button", { name: "Send" }).click();
  await answered(page, before + 1);
};

const makeProfile = (page: Page) =>
  make(page, "Create the requirement profile", {
    position_title: "Senior Network Engineer",
    startup_notes: demo("startup-notes.txt"),
    language: "en",
  });

const makeFunnel = (page: Page) =>
  make(page, "Create the funnel report", {
    job_title: "Senior Network Engineer",
    hiring_manager_name: "Anna Berg",
    number_of_positions: "1",
    job_ad_views: "1200",
    apply_clicks: "150",
    applications_received: "60",
    qualified_applications: "20",
    language: "en",
  });

const origin = (page: Page) => document(page).locator(".document-origin");

/** Opens the editor, changes the text and saves it. */
const edit = async (page: Page, change: (text: string) => string, version: number) => {
  await document(page).getByRole("button", { name: "Edit" }).click();
  const area = document(page).getByRole("textbox", { name: /^Edit: / });
  await expect(area).toBeFocused();
  await area.fill(change(await area.inputValue()));
  await document(page)
    .getByRole("button", { name: `Save as version ${version}` })
    .click();
  await expect(origin(page)).toHaveText(`Version ${version} · edited by Maria Holm`);
};

const review = async (page: Page) => {
  await make(page, "Check for inclusive language", { job_ad_text: demo("weak-job-ad.txt"), language: "en" });
  await expect(tab(page, /Inclusive language/)).toHaveAttribute("aria-selected", "true");
};

const confirmProfile = async (page: Page) => {
  await document(page).getByRole("button", { name: "Confirm profile" }).click();
  const card = page.getByRole("region", { name: /Confirm/ });
  await card.locator(".approval-actions .primary").click();
  await expect(origin(page)).toContainText("confirmed by Maria Holm");
};

test("without a model: notes become a profile, a person edits it and confirms it", async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await makeProfile(page);
  await expect(tab(page, /Requirement profile/)).toContainText("Draft");
  await expect(origin(page)).toHaveText("Version 1 · created without a language model");
  await expect(document(page).getByRole("region", { name: "Please note" })).toContainText(
    "only what you provided",
  );

  await edit(page, (text) => `${text}\n## Work permit\n\n* Must be allowed to work in Sweden\n`, 2);
  await expect(document(page).getByRole("heading", { name: "Work permit" })).toBeVisible();
  await document(page).getByRole("button", { name: "Changes" }).click();
  await expect(document(page).locator(".diff li.added").filter({ hasText: "Work permit" })).toBeVisible();
  await document(page).getByRole("button", { name: "Document" }).click();

  await confirmProfile(page);
  await expect(origin(page)).toHaveText("Version 3 · confirmed by Maria Holm");
  await expect(document(page)).toContainText("Must be allowed to work in Sweden");
});

test("text in the editor survives a cancelled Escape, a reload and a refusal", async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await makeProfile(page);
  const area = document(page).getByRole("textbox", { name: /^Edit: / });
  await document(page).getByRole("button", { name: "Edit" }).click();
  const text = `${await area.inputValue()}\n## Remarks [internal]\n\n* Replaces Tom\n`;
  await area.fill(text);

  await area.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(area).toHaveValue(text);

  await page.reload();
  await document(page).getByRole("button", { name: "Edit" }).click();
  await expect(area).toHaveValue(text);
  await expect(document(page)).toContainText("Your unsaved changes have been restored.");

  await page.route(/\/artifacts\/[^/]+$/, (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await area.press("Control+Enter");
  await expect(document(page).getByRole("alert")).toContainText("Your text is safe");
  await page.unroute(/\/artifacts\/[^/]+$/);
  await area.press("Control+Enter");
  await expect(origin(page)).toHaveText("Version 2 · edited by Maria Holm");
  const internal = document(page).locator(".internal", { hasText: "Replaces Tom" });
  await expect(internal).toContainText("Internal – not for candidates");

  await document(page).getByRole("button", { name: "Edit" }).click();
  await area.press("Escape");
  await expect(area).toBeHidden();
});

test("a version that somebody else saved meanwhile is not lost", async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await makeProfile(page);
  await document(page).getByRole("button", { name: "Edit" }).click();
  const area = document(page).getByRole("textbox", { name: /^Edit: / });
  const before = await area.inputValue();
  await area.fill(`${before}\n## Mine\n\n* Mine\n`);

  const [conversation] = page.url().match(/[0-9a-f-]{36}/) ?? [];
  const token = await desk.token("recruiter");
  const path = `/conversations/${conversation}/artifacts`;
  const [first] = await desk.list<{ id: string }>(path, { token });
  await desk.api(`${path}/${first?.id}`, {
    method: "PUT",
    token,
    body: { text: `${before}\n## Theirs\n\n* Theirs\n` },
  });

  await expect(document(page)).toContainText("Version 2 was saved while you were editing");
  await document(page).getByRole("button", { name: "Save as version 3" }).click();
  await expect(document(page).getByRole("heading", { name: "Mine" })).toBeVisible();
  await document(page)
    .getByRole("combobox", { name: "Version" })
    .selectOption({ label: "Version 2 · Draft" });
  await expect(document(page).getByRole("heading", { name: "Theirs" })).toBeVisible();
  await expect(document(page).getByRole("button", { name: "Edit" })).toBeHidden();
});

test("a document grows beside the chat while the model writes it", async ({ page, scripted, model }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  // Text is sent in chunks, so the first half must be longer than one.
  const must = "five years of work with BGP in networks of carriers, with changes at night";
  const notes = `Must have: ${must}. Team of six in Malmö.`;
  const middle = gate();
  const end = gate();
  const point = (text: string, quote: string) => ({ text, based_on: { quote, source: "startup_notes" } });
  const draft = JSON.stringify({
    must_haves: [point("Five years of BGP", must)],
    good_to_haves: [],
    responsibilities: [],
    soft_skills: [],
    team: [point("A team of six in Malmö", "Team of six in Malmö")],
    conditions: [],
    internal: [],
    hiring_manager: [],
  });
  const cut = draft.indexOf('"team"');
  model.replies(
    () => [
      {
        call: "create_requirement_profile",
        arguments: { startup_notes: notes, position_title: "Network Engineer" },
      },
    ],
    async function* () {
      yield draft.slice(0, cut);
      await middle.passed;
      yield draft.slice(cut);
      await end.passed;
    },
    () => ["The profile is ready."],
  );
  await enter(page, scripted);
  await expect(aside(page)).toBeHidden();
  await say(page, `Create the requirement profile for a Network Engineer. ${notes}`);
  await expect(aside(page).getByRole("tab", { name: /^Writing/ })).toHaveAttribute("aria-selected", "true");
  await expect(document(page).getByRole("status")).toHaveText("Writing the requirement profile…");
  await expect(document(page)).toHaveAttribute("aria-busy", "true");
  await expect(document(page)).toContainText("Five years of BGP");
  await expect(document(page)).not.toContainText("Malmö");
  // The saved version replaces the draft: the panel neither closes nor shows another document in between.
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (!window.document.querySelector(".aside .document")) seen.push("closed");
    }).observe(window.document, { subtree: true, childList: true });
  });
  middle.open();
  end.open();
  await expect(origin(page)).toHaveText("Version 1 · requested by Maria Holm");
  await expect(document(page)).toContainText("A team of six in Malmö");
  await expect(aside(page).getByRole("tab")).toHaveCount(1);
  await answered(page, 1);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
});

test("from the notes to the funnel report, with the documents beside the chat", async ({ page, desk }) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await makeProfile(page);
  await confirmProfile(page);

  await make(page, "Write the job ad", { language: "en" });
  await expect(tab(page, /Job ad/)).toHaveAttribute("aria-selected", "true");
  await expect(document(page)).toContainText("Senior Network Engineer");

  await make(page, "Create the TA screening template", { language: "en" });
  await expect(tab(page, /TA screening/)).toHaveAttribute("aria-selected", "true");
  await make(page, "Write headhunting messages", { language: "en" });
  await expect(tab(page, /Outreach messages/)).toHaveAttribute("aria-selected", "true");
  await expect(document(page).getByRole("heading", { name: "Short and direct" })).toBeVisible();

  // The documents can be saved as files.
  await tab(page, /Job ad/).click();
  const saved = page.waitForEvent("download");
  await document(page).getByRole("button", { name: "Download" }).click();
  await page.getByRole("menuitem", { name: "Word (.docx)" }).click();
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
    await make(page, "Create a candidate report", {
      candidate_name: name,
      interview_date: date,
      transcript: demo(file),
      language: "en",
    });
    await expect(tab(page, new RegExp(name))).toHaveAttribute("aria-selected", "true");
  }
  await document(page)
    .getByRole("combobox", { name: "Your recommendation" })
    .selectOption({ label: "Recommended with reservations" });
  await expect(origin(page)).toHaveText("Version 2 · edited by Maria Holm");
  await expect(document(page).locator(".markdown")).toContainText(["", "Recommended with reservations"]);

  await make(page, "Compare the candidates", { language: "en" });
  await expect(tab(page, /Comparison/)).toHaveAttribute("aria-selected", "true");
  const table = document(page).getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveText(["Criterion", "SL", "JE"]);
  await expect(table).toContainText("Recommended with reservations");
  await expect(table).not.toContainText("Sara");
  await expect(table).not.toContainText("Jonas");
  // A changed report makes only the comparison stale.
  await tab(page, /Sara Lind/).click();
  await document(page).getByRole("combobox", { name: "Your recommendation" }).selectOption("recommended");
  await expect(tab(page, /Comparison/)).toContainText("Out of date");
  await expect(tab(page, /Sara Lind/)).not.toContainText("Out of date");

  await makeFunnel(page);
  await expect(tab(page, /Funnel report/)).toHaveAttribute("aria-selected", "true");
  await expect(document(page).locator(".funnel-bar").first()).toBeVisible();
  await expect(document(page)).toContainText("Bottleneck");

  // After a reload everything is beside the chat at once: no tab flashes first.
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

test("an edited profile makes dependent documents stale, and they are rebuilt in order", async ({
  page,
  desk,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await makeProfile(page);
  await confirmProfile(page);
  await make(page, "Write the job ad", { language: "en" });
  await expect(tab(page, /Job ad/)).toHaveAttribute("aria-selected", "true");
  await make(page, "Create the TA screening template", { language: "en" });
  await expect(tab(page, /TA screening/)).toHaveAttribute("aria-selected", "true");

  await tab(page, /Requirement profile/).click();
  await edit(page, (text) => `${text}\n## Work permit\n\n* Must be allowed to work in Sweden\n`, 3);
  await expect(tab(page, /Job ad/)).toContainText("Out of date");
  await expect(tab(page, /TA screening/)).toContainText("Out of date");
  await expect(tab(page, /Requirement profile/)).toContainText("Draft");
  await confirmProfile(page);

  await aside(page).getByRole("button", { name: "Rebuild 2 in order" }).click();
  await expect(tab(page, /Job ad/)).not.toContainText("Out of date");
  await expect(tab(page, /TA screening/)).not.toContainText("Out of date");
  await tab(page, /Job ad/).click();
  await expect(document(page).getByRole("combobox", { name: "Version" })).toContainText("Version 2");
});

test("a review quotes the ad and says what could be written instead", async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk);
  await review(page);
  await expect(document(page).locator("blockquote").first()).toBeVisible();
  await expect(document(page).getByRole("heading", { name: "Findings" })).toBeVisible();
});

test("on a phone: the profile, its editor and the funnel over the chat", async ({ visitor, desk }) => {
  test.slow();
  const page = await visitor(PHONE);
  await enter(page, desk);
  const open = async () => {
    await page.locator(".aside-tab").tap();
    await expect(aside(page)).toBeVisible();
  };
  await makeProfile(page);
  await open();
  await edit(page, (text) => `${text}\n## Work permit\n\n* Must be allowed to work in Sweden\n`, 2);
  await fitsSideways(page);
  await document(page).getByRole("button", { name: "Confirm profile" }).tap();
  // The card is decided in the chat, so the documents close.
  const card = page.getByRole("region", { name: /Confirm/ });
  await card.locator(".approval-actions .primary").tap();
  await expect(page.getByText("Confirmed by")).toBeVisible();
  await makeFunnel(page);
  await open();
  await expect(document(page).locator(".funnel-bar").first()).toBeVisible();
  await expect(document(page)).toContainText("Bottleneck");
  await fitsSideways(page);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing beside the chat (${colorScheme})`, async ({ page, desk }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page, desk);
    await makeProfile(page);
    await edit(page, (text) => `${text}\n## Remarks [internal]\n\n* Replaces Tom\n`, 2);
    expect(await faults(page), "a draft with an internal section").toEqual([]);
    await document(page).getByRole("button", { name: "Edit" }).click();
    expect(await faults(page), "the editor").toEqual([]);
    await page.keyboard.press("Escape");
    await review(page);
    expect(await faults(page), "a review").toEqual([]);
    // On a narrow screen the panel is closed at first and opened by hand.
    await page.setViewportSize(PHONE.viewport);
    await page.reload();
    await page.getByRole("button", { name: /^Documents \d/ }).click();
    await expect(document(page).getByRole("heading", { name: "Findings" })).toBeVisible();
    expect(await faults(page), "on a phone").toEqual([]);
    await aside(page).getByRole("button", { name: "Close the documents" }).click();
    await expect(page.getByRole("button", { name: /^Documents \d/ })).toBeVisible();
    expect(await faults(page), "the chat on a phone").toEqual([]);
  });
}
