/** What does not fit: anything wider than the screen, cut off, or out of reach. */

import type { Page } from "@playwright/test";

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
