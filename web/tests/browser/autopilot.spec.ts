import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { ask, expect, input, lastAnswer, PHONE, sender, TABLET, test, WIDE } from "./kit";
import { faults } from "./kit/axe";
import { everSeen, fitsSideways, still } from "./kit/layout";
import { gate } from "./kit/model";
import type { TestServer } from "./kit/server";

test.describe.configure({ timeout: 300_000 });

const aside = (page: Page) => page.getByRole("complementary", { name: "Decision" });
const view = (page: Page, name: string) =>
  aside(page).getByRole("group", { name: "Decision" }).getByRole("button", { name }).click();
const phases = (page: Page) => page.getByRole("region", { name: "Phases" });

const begin = async (page: Page, server: TestServer) => {
  await page.goto(`${server.url}/a/autopilot`);
  await page.getByRole("button", { name: /Bea Carter/ }).click();
  await page.getByRole("button", { name: "Start in Riverside Racquets" }).click();
  await expect(page).toHaveURL(/\/c\//);
};

/** Goes from the first sentence to the figures. */
const toFigures = async (page: Page) => {
  await ask(page, "we run a 6-court pickleball club");
  await expect(phases(page)).toContainText("Still missing");
  await ask(page, "We vacuum for 2 hours a day and spend $3,500 a month");
  await expect(phases(page)).toContainText("Enough for an estimate");
  await ask(page, "go to ROI");
  await expect(phases(page).getByRole("button", { name: "ROI" })).toHaveAttribute("aria-current", "step");
  await ask(page, "calculate the ROI for Pudu CC1 and Avidbots Neo 2W");
  await expect(lastAnswer(page)).toContainText("Avidbots Neo 2W");
};

test("from a pickleball club to a shortlist with a chart, and a colleague who opens it", async ({
  visitor,
  page,
  desk,
}) => {
  await page.setViewportSize(WIDE.viewport);
  await begin(page, desk);
  await ask(page, "we run a 6-court pickleball club");
  // Each fact shows its quote and can be corrected.
  const courts = aside(page).locator(".fact", { hasText: "Courts" });
  await expect(courts).toContainText("6");
  await expect(courts).toContainText("“we run a 6-court pickleball club”");
  await courts.getByRole("button", { name: "Change Courts" }).click();
  const edit = page.getByRole("dialog", { name: "Change: Courts" });
  await edit.getByRole("textbox").fill("8");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(courts).toContainText("before: 6");
  await expect(phases(page)).toContainText("Still missing");

  await ask(page, "We vacuum for 2 hours a day and spend $3,500 a month");
  await expect(phases(page)).toContainText("Enough for an estimate");
  // A request of a later phase moves there, says so, and is answered.
  await ask(page, "calculate the ROI for Pudu CC1 and Avidbots Neo 2W");
  await expect(lastAnswer(page)).toContainText("This belongs to the ROI phase");
  await expect(phases(page).getByRole("button", { name: "ROI" })).toHaveAttribute("aria-current", "step");

  // Losses are shown as such; the server recalculates with other assumptions.
  const figures = aside(page).getByRole("group", { name: "Figures" });
  await expect(figures.getByRole("row", { name: /Pudu CC1/ })).toContainText("$1,645");
  await expect(figures.getByRole("row", { name: /Avidbots/ })).toContainText("-$3,675");
  await expect(aside(page)).toContainText("Avidbots Neo 2W cannot do this work, so it saves nothing.");
  // The formula with its numbers, and the source of each value.
  const steps = aside(page).getByRole("group", { name: "Pudu CC1: calculation" });
  await expect(steps.getByRole("row", { name: /Net a month/ })).toContainText("$2,800 − $1,155");
  await expect(aside(page)).toContainText("Cleaning costs: $3,500 a month (said by Bea Carter)");
  // Hours times rate replaces the spend: 60 h × $32 × 80 % − $1,155.
  await aside(page).getByRole("spinbutton", { name: "Labour, $ per hour" }).fill("32");
  await expect(figures.getByRole("row", { name: /Pudu CC1/ })).toContainText("$381");
  await aside(page).getByRole("button", { name: "Restore my answers" }).click();
  await expect(aside(page).getByRole("img", { name: /Pudu CC1: gain over time/ })).toBeVisible();
  await aside(page).getByRole("spinbutton", { name: "Robot utilisation, %" }).fill("50");
  await expect(figures.getByRole("row", { name: /Pudu CC1/ })).toContainText("$245");
  await aside(page).getByRole("spinbutton", { name: "Robot utilisation, %" }).fill("500");
  await expect(aside(page).getByRole("alert")).toContainText("from 0 to 1");
  await aside(page).getByRole("button", { name: "Restore my answers" }).click();
  await expect(figures.getByRole("row", { name: /Pudu CC1/ })).toContainText("$1,645");

  await view(page, "Shortlist");
  await aside(page)
    .getByRole("button", { name: /to the shortlist/ })
    .first()
    .click();
  const shortlist = aside(page).getByRole("group", { name: "Shortlist" }).last();
  await expect(shortlist.getByRole("columnheader")).toHaveCount(1);
  await expect(shortlist).toContainText("Savings per month");

  await view(page, "Business case");
  await aside(page).getByRole("button", { name: "Create business case" }).click();
  await expect(aside(page).locator(".case-text")).toContainText("What was said");
  await expect(aside(page).getByRole("img", { name: /gain over time/ })).toBeVisible();
  for (const [name, start] of [
    ["PDF", "%PDF-"],
    ["Markdown", "# Business case"],
  ] as const) {
    const coming = page.waitForEvent("download");
    await aside(page).getByRole("button", { name, exact: true }).click();
    const file = readFileSync(await (await coming).path(), "latin1");
    expect(file.startsWith(start), name).toBe(true);
  }
  const address = page.url();

  // After reopening, the panel is beside the conversation at once: no tab flashes first.
  const history = gate();
  await page.route(/\/messages\?/, async (route) => {
    await history.passed;
    await route.continue();
  });
  const flashes = await everSeen(page, ".aside-tab");
  await page.reload();
  await expect(phases(page)).toBeVisible();
  await still(page);
  history.open();
  await expect(aside(page)).toBeVisible();
  expect(await flashes()).toBe(false);

  // A case of an earlier formula says so and can be made again.
  const markdown = /\/artifacts\/[^/]+\.md$/;
  const outdated = { error: { code: "DOCUMENT_OUTDATED", message: "Make the business case again." } };
  await page.route(markdown, (route) => route.fulfill({ status: 409, json: outdated }));
  await page.reload();
  await view(page, "Business case");
  await expect(aside(page)).toContainText("This business case is outdated");
  await expect(aside(page).getByRole("button", { name: "Create it again" })).toBeVisible();
  await expect(aside(page).getByRole("button", { name: "PDF", exact: true })).toHaveCount(0);
  await page.unroute(markdown);
  await page.reload();

  // A colleague joins by an invitation link and finds the conversation.
  await page.getByRole("link", { name: "Company", exact: true }).click();
  const invite = page.getByRole("region", { name: "Invite a colleague" });
  await invite.getByRole("textbox", { name: "E-mail address" }).fill(await email(desk, "reader"));
  await invite.getByRole("button", { name: "Create link" }).click();
  const link = await invite.getByRole("textbox", { name: /Invitation for/ }).inputValue();
  expect(link).toMatch(/\/invitations#.+/);

  const colleague = await visitor(WIDE);
  await colleague.goto(address);
  await colleague.getByRole("button", { name: /Rae Lindqvist/ }).click();
  await expect(
    colleague.getByRole("heading", { name: "You do not have access to this conversation" }),
  ).toBeVisible();
  await colleague.goto(link);
  await expect(
    colleague.getByRole("heading", { name: "You are now a member of Riverside Racquets" }),
  ).toBeVisible();
  await expect(colleague).not.toHaveURL(/#/);
  await colleague.goto(address);
  await view(colleague, "Figures");
  await expect(aside(colleague).getByRole("img", { name: /gain over time/ })).toBeVisible();
  await ask(colleague, "Show the shortlist");
  await expect(lastAnswer(colleague)).toContainText("On the shortlist");
  // The link works once.
  await colleague.goto("about:blank");
  await colleague.goto(link);
  await expect(colleague.getByRole("heading", { name: "You could not join" })).toBeVisible();
  await colleague.close();

  await page.reload();
  await expect(page.getByRole("region", { name: "Members" })).toContainText("Rae Lindqvist");
  await page.getByRole("button", { name: "Remove Rae Lindqvist" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("region", { name: "Members" })).not.toContainText("Rae Lindqvist");
});

const email = async (server: TestServer, persona: string): Promise<string> => {
  const me = await server.api("/me", { token: await server.token(persona) });
  return (me as { email: string }).email;
};

test("an invitation is for one address and can be revoked", async ({ page, desk }) => {
  await page.goto(`${desk.url}/company`);
  await page.getByRole("button", { name: /Bea Carter/ }).click();
  const invite = page.getByRole("region", { name: "Invite a colleague" });
  await invite.getByRole("textbox", { name: "E-mail address" }).fill("somebody@else.example");
  await invite.getByRole("button", { name: "Create link" }).click();
  const link = await invite.getByRole("textbox", { name: /Invitation for/ }).inputValue();
  await expect(invite).toContainText("valid until");
  await invite.getByRole("button", { name: /Withdraw/ }).click();
  await expect(invite.getByRole("button", { name: /Withdraw/ })).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "You could not join" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("bea@riverside.example");
  await page.goto(`${desk.url}/invitations`);
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
});

test("on a phone the decision opens over the conversation", async ({ visitor, desk }) => {
  const page = await visitor(PHONE);
  await begin(page, desk);
  await toFigures(page);
  await page.getByRole("button", { name: "Decision" }).tap();
  await expect(aside(page).getByRole("img", { name: /gain over time/ })).toBeVisible();
  await fitsSideways(page);
  await aside(page).getByRole("button", { name: "Close the panel" }).tap();
  await expect(page.getByRole("log")).toBeVisible();
});

test("text typed while a conversation is created moves along, and nothing is sent meanwhile", async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/a/autopilot`);
  await page.getByRole("button", { name: /Bea Carter/ }).click();
  const made = gate();
  let asked = 0;
  await page.route("**/api/v1/conversations", async (route) => {
    if (route.request().method() === "POST") {
      asked += 1;
      await made.passed;
    }
    await route.continue();
  });
  const offer = page.getByRole("button", { name: "Start in Riverside Racquets" });
  await offer.click();
  await expect(offer).toBeDisabled();
  await input(page).fill("we run a 6-court pickleball club");
  await input(page).press("Enter");
  await expect(sender(page)).toBeDisabled();
  made.open();
  await expect(page).toHaveURL(/\/c\//);
  await expect(page.locator("header").getByText("Shared with your company")).toBeAttached();
  await expect(input(page)).toHaveValue("we run a 6-court pickleball club");
  expect(asked).toBe(1);
  await input(page).press("Enter");
  await expect(lastAnswer(page)).toBeVisible();
  await page.goto(`${desk.url}/a/autopilot`);
  await expect(offer).toBeVisible();
  await expect(input(page)).toHaveValue("");
});

const screens = async (page: Page, server: TestServer) => {
  await page.goto(`${server.url}/a/autopilot`);
  await page.getByRole("button", { name: /Bea Carter/ }).click();
  await expect(page.getByRole("button", { name: /Start in/ })).toBeVisible();
  expect(await faults(page), "the start").toEqual([]);
  await page.getByRole("button", { name: /Start in/ }).click();
  await expect(page).toHaveURL(/\/c\//);
  await toFigures(page);
  // Beside the conversation where there is room, else on top of it after a tap.
  const beside = (page.viewportSize()?.width ?? 0) > 1080;
  if (!beside) await page.getByRole("button", { name: "Decision", exact: true }).click();
  await expect(aside(page).getByRole("img", { name: /gain over time/ })).toBeVisible();
  expect(await faults(page), "figures").toEqual([]);
  for (const [name, mark] of Object.entries({
    Facts: ".fact",
    Shortlist: ".fit",
    "Business case": ".empty",
  })) {
    await view(page, name);
    await expect(aside(page).locator(mark).first()).toBeVisible();
    expect(await faults(page), name).toEqual([]);
  }
  await page.goto(`${server.url}/company`);
  await expect(page.getByRole("region", { name: "Members" })).toContainText("Bea Carter");
  expect(await faults(page), "the company").toEqual([]);
  await fitsSideways(page);
  await page.goto(`${server.url}/invitations`);
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  expect(await faults(page), "an invitation").toEqual([]);
};

/** Colours depend on the scheme and layout on the width, so not every combination is needed. */
const VIEWS = [
  { name: "light, desktop", colorScheme: "light", ...WIDE },
  { name: "dark, phone", colorScheme: "dark", ...PHONE },
  { name: "dark, tablet", colorScheme: "dark", ...TABLET },
] as const;

for (const { name, ...settings } of VIEWS) {
  test(`axe finds nothing around a decision, ${name}`, async ({ visitor, desk }) => {
    await screens(await visitor(settings), desk);
  });
}
