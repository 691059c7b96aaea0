/** Layout checks: overflow, clipping and target sizes, once animations have ended. */

import { expect, type Locator, type Page } from "@playwright/test";

/** Waits until all finite animations in view have ended. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const LONGEST = 20_000;
    const frame = () => new Promise(requestAnimationFrame);
    // Animations out of view are not rendered and never end.
    const isDrawn = ({ effect }: Animation) =>
      effect instanceof KeyframeEffect &&
      effect.target?.checkVisibility({ contentVisibilityAuto: true }) === true;
    const isMoving = (each: Animation) =>
      each.playState === "running" &&
      Number(each.effect?.getComputedTiming().endTime ?? 0) < Infinity &&
      isDrawn(each);
    // Animations of the last action start with the next frame.
    await frame();
    await frame();
    const end = performance.now() + LONGEST;
    while (document.getAnimations().some(isMoving) && performance.now() < end) await frame();
  });

/** Watches later pages for an element that must not flash; reports whether it ever appeared. */
export async function everSeen(page: Page, selector: string): Promise<() => Promise<boolean>> {
  await page.addInitScript((what) => {
    const seen = { once: false };
    Object.assign(window, { seen });
    new MutationObserver(() => {
      seen.once ||= document.querySelector(what) !== null;
    }).observe(document, { subtree: true, childList: true, attributes: true });
  }, selector);
  return () => page.evaluate(() => (window as unknown as { seen: { once: boolean } }).seen.once);
}

/** Nothing is wider than the screen, once animations have ended. */
export const fitsSideways = (page: Page, what = "nothing sticks out sideways"): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: what })
    .toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);

/** Each element has at least this size, once animations have ended. */
export const fitsThumb = (targets: Locator, size: number): Promise<void> =>
  expect
    .poll(() =>
      targets.evaluateAll(
        (list, least) =>
          list
            .map((each) => ({ box: each.getBoundingClientRect(), words: each.textContent }))
            .filter(({ box }) => Math.min(box.height, box.width) < least)
            .map(({ words }) => words),
        size,
      ),
    )
    .toEqual([]);

/** Elements that overflow the screen, are cut off, or are out of reach. */
export const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const name = (element: Element) => {
      const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 50);
      return `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${words}”`;
    };
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) found.push(`the page is ${over} px too wide`);
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const reachable = "a[href], button, input, select, textarea, summary";
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(".sr-only, svg, [inert]")) continue;
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1) continue;
      const style = getComputedStyle(element);
      if (element.matches(reachable) && !scrolls(element.parentElement)) {
        if (box.left < -1 || box.right > innerWidth + 1) found.push(`out of reach: ${name(element)}`);
      }
      if (element.matches("input, textarea, video, canvas, img") || !element.textContent?.trim()) continue;
      // A title that ends in an ellipsis is meant to be cut.
      const shortened =
        style.textOverflow === "ellipsis" || style.getPropertyValue("-webkit-line-clamp") !== "none";
      if (shortened) continue;
      if (/hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1)
        found.push(`cut at its side: ${name(element)}`);
      if (/hidden|clip/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 2)
        found.push(`cut at its foot: ${name(element)}`);
    }
    return found;
  });
