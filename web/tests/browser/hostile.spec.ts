import { PAYLOADS } from "./hostilePayloads";
import { expect, HR, lastAnswer, say, signIn, test } from "./kit";

/** Elements that an answer may contain. Anything else is a vulnerability. */
const ALLOWED = new Set(
  "ARTICLE DIV H2 H3 H4 H5 H6 P EM STRONG DEL CODE PRE FIGURE FIGCAPTION SPAN BUTTON SVG PATH RECT LINE CIRCLE POLYLINE BLOCKQUOTE UL OL LI INPUT TABLE THEAD TBODY TR TH TD HR BR A SUP ASIDE FOOTER TIME".split(
    " ",
  ),
);

test("no answer runs a script, loads anything or hides a link target", async ({ page, scripted, model }) => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
  model.always(() => PAYLOADS.map((payload) => `${payload}\n\nafter\n\n`));
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    dialog.dismiss();
  });
  await signIn(page, scripted, HR);
  const beside = await page.evaluate(() => document.scripts.length);
  await say(page, "Attack");
  await expect(page.getByRole("button", { name: "Good answer" })).toBeAttached();
  const found = await lastAnswer(page).evaluate((article) =>
    [...article.querySelectorAll("*")].map((element) => ({
      tag: element.tagName.toUpperCase(),
      attributes: [...element.attributes].map(({ name, value }) => [name, value] as const),
    })),
  );
  expect(found.length).toBeGreaterThan(100);
  for (const { tag, attributes } of found) {
    expect(ALLOWED, `<${tag}>`).toContain(tag);
    for (const [name, value] of attributes) {
      expect(name, `${name}=${value}`).not.toMatch(/^on|^src|^style$|^action$|^formaction$/);
      if (name === "href") expect(value).toMatch(/^(https?|mailto):|^\//);
    }
  }
  for (const link of await lastAnswer(page).locator("a[target=_blank]").all()) {
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  }
  expect(await page.evaluate(() => document.scripts.length)).toBe(beside);
  expect(dialogs).toBe(0);
});

test("each payload is harmless wherever the stream cuts it off", async ({ page, scripted, model }) => {
  await signIn(page, scripted, HR);
  model.always(async function* () {
    for (const payload of PAYLOADS) {
      for (const piece of payload.match(/[\s\S]{1,3}/g) ?? []) yield piece;
      yield "\n\n";
    }
  });
  await say(page, "Attack slowly");
  await expect(page.getByRole("button", { name: "Good answer" })).toBeAttached();
  await expect(
    lastAnswer(page).locator("img, iframe, script, style, form, object, embed, video, audio"),
  ).toHaveCount(0);
});

test("an external link shows its full address first", async ({ page, scripted, model }) => {
  const url = `https://evil.example/collect?d=${"secret".repeat(20)}`;
  model.always(() => [`[Your payslip](${url})`]);
  await signIn(page, scripted, HR);
  await say(page, "Link");
  const link = lastAnswer(page).getByRole("link", { name: /Your payslip/ });
  await expect(link).toContainText("evil.example");
  await link.click();
  const dialog = page.getByRole("dialog", { name: "Leave Frontdesk?" });
  await expect(dialog.locator(".address")).toHaveText(url);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("markup in titles, replies and own messages is shown as text", async ({ page, scripted, model }) => {
  model.always(() => ["ok"]);
  const token = await scripted.token("hr");
  const title = `<img src=x onerror=alert(1)>`;
  const made = (await scripted.api("/conversations", {
    method: "POST",
    token,
    body: { assistant: "gatepass", title },
  })) as { id: string };
  await signIn(page, scripted, HR);
  await expect(page.getByRole("navigation").getByRole("link", { name: title })).toBeVisible();
  await page.goto(`${scripted.url}/c/${made.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect.poll(() => page.title()).toContain(title);
  await say(page, title);
  await expect(page.locator("article.mine .bubble")).toHaveText(title);
  await expect(page.locator("main img")).toHaveCount(0);
});

test("every kind of response has the security headers", async ({ scripted }) => {
  for (const path of [
    "/",
    "/c/00000000-0000-4000-8000-000000000000",
    "/theme.js",
    "/api/v1/me",
    "/api/v1/nothing",
    "/assets/none.js",
  ]) {
    const { headers, status } = await fetch(scripted.url + path, { headers: { accept: "text/html" } });
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("referrer-policy"), path).toBe("no-referrer");
    expect(headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
    if (path.startsWith("/api/") || path.startsWith("/assets/")) expect(status).toBeGreaterThanOrEqual(400);
    else expect(headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'");
  }
});
