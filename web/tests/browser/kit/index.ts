/** Fixtures of all browser tests: a server, a scriptable model, and a page that is monitored for
 * violations of the security policy and requests to other hosts. */

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import { ScriptedModel } from "./model";
import { TestServer } from "./server";

interface Fixtures {
  /** Starts a server with its own settings; it ends with the test, even if the test fails. */
  serve: (settings: Record<string, string>) => Promise<TestServer>;
  /** With the offline model. */
  desk: TestServer;
  model: ScriptedModel;
  /** With a model that the test scripts. */
  scripted: TestServer;
  /** Problems that a page reported; a test that expects some removes them. */
  problems: string[];
  /** A page in a separate context, for another person or device, monitored like the test's own page. */
  visitor: (settings?: BrowserContextOptions) => Promise<Page>;
}

const touched = (width: number, height: number) => ({
  viewport: { width, height },
  hasTouch: true,
  isMobile: true,
});
export const PHONE = touched(390, 844);
export const SMALL_PHONE = touched(360, 740);
export const TABLET = touched(834, 1112);
export const WIDE = { viewport: { width: 1440, height: 900 } };

export const test = base.extend<Fixtures>({
  serve: async ({ problems }, use) => {
    const servers: TestServer[] = [];
    await use(async (settings) => {
      const server = await TestServer.start(settings);
      servers.push(server);
      return server;
    });
    seal(problems);
    for (const server of servers) await server.remove();
  },
  desk: async ({ serve }, use) => use(await serve({})),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  model: async ({}, use) => {
    const model = await ScriptedModel.start();
    await use(model);
    model.stop();
  },
  scripted: async ({ model, serve }, use) =>
    use(await serve({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "test-key" })),
  problems: [
    async ({ context }, use) => {
      const problems: string[] = [];
      watch(context, problems);
      await use(problems);
      expect(problems, "what the page must never do").toEqual([]);
    },
    { auto: true },
  ],
  visitor: async ({ browser, problems }, use) => {
    const open: Page[] = [];
    await use(async (settings) => {
      const page = await visit(browser, problems, settings);
      open.push(page);
      return page;
    });
    for (const page of open) await page.context().close();
  },
});

/** A page in its own context, in any browser. */
export async function visit(
  browser: Browser,
  problems: string[],
  settings: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "Europe/Stockholm",
    serviceWorkers: "block",
    ...settings,
  });
  watch(context, problems);
  return context.newPage();
}

const sealed = new WeakSet<string[]>();
/** Ends the test's list: what the pages report while their servers stop is not the test's. */
const seal = (problems: string[]) => sealed.add(problems);

/** Records policy violations, page errors and requests to other hosts. */
function watch(context: BrowserContext, problems: string[]): void {
  const report = (problem: string) => {
    if (!sealed.has(problems)) problems.push(problem);
  };
  context.on("request", (request) => {
    const url = new URL(request.url());
    const inside = url.protocol === "blob:" || url.protocol === "data:" || url.hostname === "127.0.0.1";
    if (!inside) report(`a request left: ${request.url()}`);
  });
  context.on("weberror", (error) => report(`an error in the page: ${error.error().message}`));
  context.on("console", (message) => {
    const text = message.text();
    const breach = /content security policy|trusted type/i.test(text);
    const fault = message.type() === "error" && !/Failed to load resource|net::ERR_/.test(text);
    if (breach || fault) report(`${message.type()}: ${text}`);
  });
}

export { expect };

export async function signIn(page: Page, server: TestServer, name: RegExp | string): Promise<void> {
  await page.goto(`${server.url}/a/gatepass`);
  await page.getByRole("button", { name }).click();
  await expect(page.getByRole("navigation")).toBeVisible();
}

export const HR = /Ayesha/;
export const ADMIN = /Omar/;

export const input = (page: Page) => page.locator(".dock textarea");
/** The send button; while a turn runs it is a stop button. */
export const sender = (page: Page) => page.locator(".dock button.send:not(.stop)");

/** Sends a message, as soon as one can be sent. */
export async function say(page: Page, text: string): Promise<void> {
  await expect(sender(page)).toBeVisible();
  await input(page).fill(text);
  await expect(sender(page)).toBeEnabled();
  await input(page).press("Enter");
}

export const answers = (page: Page) => page.locator("article.answer");
export const lastAnswer = (page: Page) => answers(page).last();

/** Sends a message and waits until the answer is complete or needs a decision. */
export async function ask(page: Page, text: string): Promise<void> {
  await expect(sender(page)).toBeVisible();
  const count = await answers(page).count();
  await say(page, text);
  await answered(page, count + 1);
}

/** Waits for that many answers, the last one complete or waiting for a decision. */
export async function answered(page: Page, count: number): Promise<void> {
  await expect(answers(page)).toHaveCount(count);
  await expect(lastAnswer(page).locator(".actions, .approval").first()).toBeVisible();
}

/** Opens the first form that `/` and these words find. */
export async function openForm(page: Page, words: string): Promise<void> {
  await input(page).fill(`/${words}`);
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await input(page).press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Account and settings/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.locator("main.sign-in")).toBeVisible();
}
