/** Every main screen on a phone, two tablets and a desktop: nothing overflows or is cut off, and the main control
 * is clickable. */

import type { Locator, Page } from "@playwright/test";
import { ADMIN, ask, expect, HR, lastAnswer, sender, test } from "./kit";
import { misfits, still } from "./kit/layout";
import type { TestServer } from "./kit/server";

test.describe.configure({ timeout: 600_000 });

/** From this width the aside is beside the conversation; below, a tab opens it on top. */
const ROOM_BESIDE = 1081;
const WIDTHS = { 390: 844, 768: 1024, 1024: 768, 1440: 900 };

interface Screen {
  path: string;
  /** Visible once the screen is ready. */
  ready: (page: Page) => Locator;
  /** The main control; default: the composer. */
  primary?: (page: Page) => Locator;
  /** Opens the screen before the check. */
  open?: (page: Page, width: number) => Promise<void>;
}

const composer = (page: Page) => page.locator(".dock textarea, .gig-panel textarea").last();

async function everywhere(page: Page, server: TestServer, screens: Record<string, Screen>) {
  const wrong: string[] = [];
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: Number(width), height });
    for (const [name, { path, ready, primary, open }] of Object.entries(screens)) {
      await page.goto(server.url + path);
      await open?.(page, Number(width));
      await expect(ready(page).first(), `${name} at ${width}`).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      await still(page);
      for (const each of await misfits(page)) wrong.push(`${name} at ${width}: ${each}`);
      const action = (primary ?? composer)(page).first();
      await expect(action, `${name} at ${width}`).toBeVisible();
      await expect(action, `${name} at ${width}: without scrolling`).toBeInViewport({ ratio: 0.9 });
      await action.click({ trial: true });
      if (!primary) {
        await action.fill("x");
        await expect(sender(page), `${name} at ${width}: sending`).toBeInViewport({ ratio: 1 });
        await sender(page).click({ trial: true });
        await action.fill("");
      }
    }
  }
  expect(wrong).toEqual([]);
}

const enter = async (page: Page, server: TestServer, who: RegExp, path: string) => {
  await page.goto(server.url + path);
  await page.getByRole("button", { name: who }).click();
  await expect(page.locator("#main")).toBeVisible();
};

/** Opens the aside where it is not beside the conversation. */
const openAside = async (page: Page, width: number) => {
  if (width < ROOM_BESIDE) await page.locator(".aside-tab").click();
  await expect(page.locator(".aside")).toBeVisible();
  await expect(page.locator(".aside-tab")).toHaveCount(0);
};

const here = (page: Page) => new URL(page.url()).pathname;

test("signing in, the start, a conversation, its approval and the inbox", async ({ page, desk }) => {
  await everywhere(page, desk, {
    "signing in": {
      path: "/",
      ready: (at) => at.getByRole("button", { name: HR }),
      primary: (at) => at.getByRole("button", { name: HR }),
    },
  });
  await enter(page, desk, ADMIN, "/a/gatepass");
  await ask(page, "Which passes are approved?");
  const talk = here(page);
  await page.goto(`${desk.url}/a/gatepass`);
  await ask(page, "Delete the gate pass GP-2026-0004");
  const asked = here(page);
  await everywhere(page, desk, {
    "the start": {
      path: "/",
      ready: (at) => at.locator(".assistant-card"),
      primary: (at) => at.locator(".home textarea"),
    },
    "a new conversation": { path: "/a/gatepass", ready: (at) => at.locator(".suggestions") },
    "an answer": { path: talk, ready: (at) => lastAnswer(at).locator(".objects") },
    "an approval": {
      path: asked,
      ready: (at) => at.locator(".approval"),
      primary: (at) => at.getByRole("button", { name: "Don't delete" }),
    },
    "the inbox": {
      path: "/approvals",
      ready: (at) => at.locator(".approval"),
      primary: (at) => at.getByRole("button", { name: "Don't delete" }),
    },
    "the palette": {
      path: "/",
      open: async (at) => {
        await expect(at.locator(".assistant-card").first()).toBeVisible();
        await at.keyboard.press("Control+k");
      },
      ready: (at) => at.getByRole("dialog"),
      primary: (at) => at.getByRole("dialog").getByRole("option"),
    },
    "a form": {
      path: "/a/gatepass",
      open: async (at) => {
        await at.getByRole("button", { name: "Forms" }).click();
        await at.getByRole("option").first().click();
      },
      ready: (at) => at.getByRole("dialog"),
      primary: (at) => at.getByRole("dialog").getByRole("button", { name: "Send" }),
    },
    "the pass board": {
      path: "/gatepass",
      ready: (at) => at.locator("td"),
      primary: (at) => at.getByRole("button", { name: /GP-2026/ }),
    },
    "one pass": {
      path: "/gatepass?gid=GP-2026-0011",
      ready: (at) => at.getByRole("button", { name: "Approve" }),
      primary: (at) => at.getByRole("button", { name: "Approve" }),
    },
  });
});

test("gigs and the recruiter's documents", async ({ page, desk }) => {
  await enter(page, desk, /Maria Holm/, "/gigs");
  const gig = await page.locator("#main a[href^='/gigs/']").first().getAttribute("href");
  await page.goto(`${desk.url}/a/tata`);
  await ask(
    page,
    "Funnel report for Senior Network Engineer: 1 position, hiring manager Anna Berg, 1200 views, 150 apply clicks, 60 applications, 20 qualified.",
  );
  const project = here(page);
  await everywhere(page, desk, {
    "the gigs": {
      path: "/gigs",
      ready: (at) => at.locator("#main a[href^='/gigs/']"),
      primary: (at) => at.locator("#main a[href^='/gigs/']"),
    },
    "a gig": {
      path: gig ?? "",
      ready: (at) => at.locator("tr[id^=candidate-]"),
      primary: (at) => at.getByRole("button", { name: "AI assistant" }),
    },
    "the panel of a gig": {
      path: gig ?? "",
      open: async (at) => at.getByRole("button", { name: "AI assistant" }).click(),
      ready: (at) => at.getByRole("button", { name: "Who is the best candidate and why?" }),
      primary: (at) => at.getByRole("textbox", { name: /Ask about/ }),
    },
    "the recruiter's start": { path: "/a/tata", ready: (at) => at.locator(".suggestions, .intro") },
    "the recruiter's conversation": { path: project, ready: (at) => at.locator("article.answer") },
    "the recruiter's documents": {
      path: project,
      open: openAside,
      ready: (at) => at.locator(".funnel-bar"),
      primary: (at) => at.locator(".aside").getByRole("button", { name: "Copy" }),
    },
  });
});

test("a decision and its company", async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enter(page, desk, /Bea Carter/, "/a/autopilot");
  await page.getByRole("button", { name: /Start in/ }).click();
  await expect(page).toHaveURL(/\/c\//);
  await ask(page, "we run a 6-court pickleball club");
  await ask(page, "We vacuum for 2 hours a day and spend $3,500 a month");
  await ask(page, "go to ROI");
  await ask(page, "calculate the ROI for Pudu CC1 and Avidbots Neo 2W");
  const views = page.locator(".decision-views");
  await views.getByRole("button", { name: "Shortlist" }).click();
  await page
    .getByRole("button", { name: /to the shortlist/ })
    .first()
    .click();
  await expect(page.getByRole("button", { name: /^Remove / })).toBeEnabled();
  await views.getByRole("button", { name: "Business case" }).click();
  await page.getByRole("button", { name: "Create business case" }).first().click();
  await expect(page.locator(".case-text table").first()).toBeVisible();
  const talk = here(page);
  const decision = (name: string) => async (at: Page, width: number) => {
    await openAside(at, width);
    await at.locator(".decision-views").getByRole("button", { name }).click();
  };
  const view = (name: string, mark: string, primary: (at: Page) => Locator): Screen => ({
    path: talk,
    open: decision(name),
    ready: (at) => at.locator(`.decision ${mark}`),
    primary,
  });
  const panel = (at: Page) => at.locator(".decision");
  await everywhere(page, desk, {
    "the buyer's start": {
      path: "/a/autopilot",
      ready: (at) => at.getByRole("button", { name: /Start in/ }),
    },
    "the buyer's conversation": { path: talk, ready: (at) => at.locator(".phase-bar") },
    facts: view("Facts", ".fact", (at) => panel(at).getByRole("button", { name: /^Change/ })),
    figures: view("Figures", ".roi-chart", (at) => panel(at).getByRole("spinbutton")),
    "the shortlist": view("Shortlist", ".fit", (at) => panel(at).getByRole("button", { name: /^Remove/ })),
    "the business case": view("Business case", ".case-text table", (at) =>
      panel(at).getByRole("button", { name: "PDF" }),
    ),
    "the company": {
      path: "/company",
      ready: (at) => at.getByRole("region", { name: "Members" }),
      primary: (at) => at.getByRole("textbox", { name: "E-mail address" }),
    },
    "an invitation": {
      path: "/invitations",
      ready: (at) => at.getByRole("heading", { name: "This link is incomplete" }),
      primary: (at) => at.getByRole("button", { name: /sidebar/ }),
    },
  });
});

test("documents, the operator's view and the gate", async ({ page, desk }) => {
  await enter(page, desk, /Olga/, "/a/docs");
  await ask(page, "How do approvals work?");
  const talk = here(page);
  const source = await page.locator(".sources a").first().getAttribute("href");
  const watching = (view: string, mark: string): Screen => ({
    path: `/operator?view=${view}`,
    ready: (at) => at.locator(mark),
    primary: (at) => at.getByRole("button", { name: "Usage" }),
  });
  await everywhere(page, desk, {
    "an answer with sources": { path: talk, ready: (at) => at.locator(".sources") },
    "the documents' start": { path: "/a/docs", ready: (at) => at.locator(".suggestions") },
    "a source": {
      path: source ?? "",
      ready: (at) => at.locator(".marked"),
      primary: (at) => at.getByRole("button", { name: "Ask about this document" }),
    },
    "the library": {
      path: "/documents",
      ready: (at) => at.locator("td"),
      primary: (at) => at.getByRole("textbox", { name: /Address of a page/ }),
    },
    turns: watching("turns", ".operator-view td"),
    usage: watching("usage", ".day-bars"),
    waiting: watching("waiting", ".empty"),
    audit: watching("audit", ".operator-view"),
    evaluations: watching("evaluations", ".empty"),
  });
  await page.evaluate(() => sessionStorage.clear());
  await enter(page, desk, /Bilal/, "/gate");
  await everywhere(page, desk, {
    "the gate": {
      path: "/gate",
      ready: (at) => at.getByPlaceholder("GP-2026-0007"),
      primary: (at) => at.getByRole("button", { name: "Look up" }),
    },
    "a pass at the gate": {
      path: "/gate",
      open: async (at) => {
        await at.getByPlaceholder("GP-2026-0007").fill("GP-2026-0009");
        await at.getByRole("button", { name: "Look up" }).click();
      },
      ready: (at) => at.getByRole("button", { name: "Record exit" }),
      primary: (at) => at.getByRole("button", { name: "Record exit" }),
    },
  });
});
