/** The installation's own name, logo and accent colour. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, HR, input, test, visit } from "./kit";
import { faults } from "./kit/axe";

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#a30"/></svg>';

for (const colorScheme of ["light", "dark"] as const)
  test(`name, logo and accent colour are the installation's own (${colorScheme})`, async ({
    browser,
    problems,
    serve,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-brand-"));
    const logo = join(folder, "logo.svg");
    writeFileSync(logo, LOGO);
    const desk = await serve({
      FRONTDESK_BRAND_NAME: "Acme & Sons",
      FRONTDESK_BRAND_LOGO: logo,
      FRONTDESK_BRAND_ACCENT: "#ffcc00",
    });
    rmSync(folder, { recursive: true });
    const page = await visit(browser, problems, { colorScheme });
    await page.goto(desk.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome to Acme & Sons");
    await expect(page).toHaveTitle("Acme & Sons");
    const mark = page.locator("img.brand-mark");
    await expect
      .poll(() => mark.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(await faults(page), "signing in").toEqual([]);
    await page.getByRole("button", { name: HR }).click();
    await expect(page.getByRole("navigation").getByRole("link", { name: "Acme & Sons" })).toBeVisible();
    expect(await faults(page), "the start").toEqual([]);
    await page.goto(`${desk.url}/a/gatepass`);
    await input(page).fill("x");
    // Yellow is unreadable below white letters; its shade is not.
    const ground = await page
      .locator("button.send")
      .evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(ground).not.toBe("rgb(13, 107, 93)");
    expect(await faults(page), "a conversation").toEqual([]);
    const manifest = (await (await fetch(`${desk.url}/manifest.webmanifest`)).json()) as { name: string };
    expect(manifest.name).toBe("Acme & Sons");
    await page.context().close();
  });
