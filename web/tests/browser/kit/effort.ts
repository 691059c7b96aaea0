/** How much a page computes. Counted in the time of its own main thread: what else the machine does is not in it. */

import type { Page } from "@playwright/test";

export interface Effort {
  layouts: number;
  /** Seconds of layout and style. */
  layout: number;
  /** Seconds of everything. */
  all: number;
}

/** Gives what was computed from here on, each time it is asked. */
export async function effort(page: Page): Promise<() => Promise<Effort>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async (): Promise<Effort> => {
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
