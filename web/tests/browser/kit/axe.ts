/** Accessibility checks with axe, WCAG 2.2 AA. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { still } from "./layout";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The violations that axe finds. */
export async function faults(page: Page): Promise<string[]> {
  // Wait for animations to end first.
  await still(page);
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: put there by the line above
    const { violations } = await (window as any).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.flatMap(
      (found: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }) =>
        found.nodes.map(
          (node) =>
            `${found.id}: ${found.help}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`,
        ),
    );
  });
}
