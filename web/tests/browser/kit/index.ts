/** What every browser test stands on: a server, a model that can be scripted, and a page that is watched for
 * anything the security policy or the promise "no request to any other host" forbids. */

import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { ScriptedModel } from "./model";
import { TestServer } from "./server";

interface Fixtures {
  /** With the offline model. */
  desk: TestServer;
  model: ScriptedModel;
  /** With the model that the test scripts. */
  scripted: TestServer;
  /** Problems that a page reported; a test that expects some removes them. */
  problems: string[];
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  desk: async ({}, use) => {
    const server = await TestServer.start();
    await use(server);
    await server.remove();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  model: async ({}, use) => {
    const model = await ScriptedModel.start();
    await use(model);
    model.stop();
  },
  scripted: async ({ model }, use) => {
    const server = await TestServer.start({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "test-key" });
    await use(server);
    await server.remove();
  },
  problems: [
    async ({ context }, use) => {
      const problems: string[] = [];
      watch(context, problems);
      await use(problems);
      expect(problems, "what the page must never do").toEqual([]);
    },
    { auto: true },
  ],
});

/** Notes every breach of the policy, every fault of the page and every request that leaves. */
export function watch(context: BrowserContext, problems: string[]): void {
  context.on("request", (request) => {
    const url = new URL(request.url());
    const inside = url.protocol === "blob:" || url.protocol === "data:" || url.hostname === "127.0.0.1";
    if (!inside) problems.push(`a request left: ${request.url()}`);
  });
  context.on("weberror", (error) => problems.push(`an error in the page: ${error.error().message}`));
  context.on("console", (message) => {
    const text = message.text();
    const breach = /content security policy|trusted type/i.test(text);
    const fault = message.type() === "error" && !/Failed to load resource|net::ERR_/.test(text);
    if (breach || fault) problems.push(`${message.type()}: ${text}`);
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

export const input = (page: Page) => page.getByRole("textbox", { name: /Message to/ });

export async function say(page: Page, text: string): Promise<void> {
  // While an answer is being made, the button stops it and Enter does nothing.
  await expect(page.locator("button.send.stop")).toHaveCount(0);
  await input(page).fill(text);
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  await input(page).press("Enter");
}

export const answers = (page: Page) => page.locator("article.answer");
export const lastAnswer = (page: Page) => answers(page).last();
