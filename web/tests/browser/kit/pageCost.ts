/** Measures the work of a page in main thread time, which excludes other load on the machine. */

import type { Page } from "@playwright/test";

export interface PageCost {
  layouts: number;
  /** Seconds of layout and style. */
  layout: number;
  /** Seconds of everything. */
  all: number;
}

/** Returns a function that gives the work since this call. */
export async function measurePageCost(page: Page): Promise<() => Promise<PageCost>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async (): Promise<PageCost> => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    const of = (name: string) => {
      const found = metrics.find((each) => each.name === name);
      if (!found) throw new Error(`${name} is not measured`);
      return found.value;
    };
    return {
      layouts: of("LayoutCount"),
      layout: of("LayoutDuration") + of("RecalcStyleDuration"),
      all: of("TaskDuration"),
    };
  };
  const begin = await read();
  return async () => {
    const now = await read();
    return {
      layouts: now.layouts - begin.layouts,
      layout: now.layout - begin.layout,
      all: now.all - begin.all,
    };
  };
}
