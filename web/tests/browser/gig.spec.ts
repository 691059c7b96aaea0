import type { Page } from "@playwright/test";
import { expect, PHONE, TABLET, test } from "./kit";
import { faults } from "./kit/axe";
import { fitsSideways } from "./kit/layout";
import type { TestServer } from "./kit/server";

const RUSSIAN = { locale: "ru-RU", timezoneId: "Europe/Moscow" };

/** A recruiter in Russian. */
const enter = async (page: Page, server: TestServer) => {
  await page.goto(`${server.url}/gigs`);
  await page.getByRole("button", { name: /Maria Holm/ }).click();
  await expect(page.getByRole("heading", { name: "Задания" })).toBeVisible();
};

const panel = (page: Page) => page.getByRole("dialog", { name: "AI Помощник" });
const rows = (page: Page) => page.locator("tr[id^=candidate-]");
const answer = (page: Page) => panel(page).locator(".gig-answer").last();

/** A candidate near the end of the large gig with a unique name. */
const farDown = async (server: TestServer): Promise<string> => {
  const token = await server.token("recruiter");
  const { items } = (await server.api("/gigs", { token })) as { items: { id: string; responses: number }[] };
  const large = items.find((gig) => gig.responses === 300)?.id;
  const names: string[] = [];
  for (const cursor of [0, 200]) {
    const page = await server.api(`/gigs/${large}/candidates?limit=200&cursor=${cursor}`, { token });
    names.push(...(page as { items: { name: string }[] }).items.map((each) => each.name));
  }
  expect(names).toHaveLength(300);
  const far = names.findLast((name) => names.filter((each) => each === name).length === 1);
  if (!far) throw new Error("nobody has a name of their own");
  return far;
};

const openGig = async (page: Page, name: RegExp) => {
  await page.getByRole("main").getByRole("link", { name }).click();
  await expect(rows(page).first()).toBeVisible();
};

/** Sends a question as soon as one can be sent. */
const send = async (page: Page, question: string) => {
  const field = panel(page).getByRole("textbox", { name: "Спросите о кандидатах" });
  await field.fill(question);
  await expect(panel(page).getByRole("button", { name: "Отправить", exact: true })).toBeEnabled();
  await field.press("Enter");
};

/** No turn is running. */
const rested = (page: Page) => expect(panel(page).getByRole("log")).toHaveAttribute("aria-busy", "false");

const ask = async (page: Page, question: string) => {
  await rested(page);
  const before = await panel(page).locator(".gig-answer").count();
  await send(page, question);
  await expect(panel(page).locator(".gig-answer")).toHaveCount(before + 1);
  await rested(page);
};

// design: 004 GigAIChatPanel
test("a recruiter reads a gig, asks about its candidates and invites one", async ({ visitor, desk }) => {
  const page = await visitor(RUSSIAN);
  await enter(page, desk);
  await openGig(page, /Лендинг для онлайн-школы/);
  const facts = page.getByRole("region", { name: "Условия" });
  await expect(facts).toContainText("20 000 ₽ – 50 000 ₽");
  await expect(page.getByRole("region", { name: "Требования" })).toContainText("Figma есть у 8");
  await expect(rows(page)).toHaveCount(12);

  // Sorted by the server, both ways; candidates without a price stay last.
  await page.getByRole("button", { name: "Цена" }).click();
  await expect(page.getByRole("columnheader", { name: "Цена" })).toHaveAttribute("aria-sort", "ascending");
  await expect(rows(page).first()).toContainText("18 000 ₽");
  await page.getByRole("button", { name: "Цена" }).click();
  await expect(rows(page).first()).toContainText("54");
  await expect(rows(page).last()).toContainText("не указано");
  await page.getByRole("combobox", { name: "Статус" }).selectOption("NEW");
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole("combobox", { name: "Навыки" }).selectOption("-JavaScript");
  await expect(page.getByRole("button", { name: "Показать всех" })).toBeVisible();
  await page.getByRole("button", { name: "Показать всех" }).click();
  await expect(rows(page)).toHaveCount(12);
  await page.getByRole("button", { name: "№" }).click();
  await expect(rows(page).locator("td.place")).toHaveText(Array.from({ length: 12 }, (_, at) => `${at + 1}`));

  await page.getByRole("button", { name: "AI Помощник" }).click();
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Кто лучший кандидат и почему?" }).click();
  const best = await rows(page).first().getByRole("link").locator("strong").textContent();
  await expect(answer(page)).toContainText(best ?? "?");
  await rested(page);
  // Announced once, outside the log.
  await expect(panel(page).getByRole("log")).toHaveAttribute("aria-live", "off");
  await expect(panel(page).getByRole("status")).toContainText("Ответ готов.");

  // A mentioned candidate leads to their row.
  await answer(page)
    .getByRole("link", { name: new RegExp(best ?? "?") })
    .click();
  await expect(page.locator("tr[aria-current=true]")).toContainText(best ?? "?");
  await expect(page.getByText("Из чего складывается рейтинг")).toBeInViewport();

  // The offered action runs after its approval.
  await ask(page, "Сколько кандидатов в каждом статусе?");
  await expect(answer(page)).toContainText("4");
  await send(page, `Пригласить на интервью: ${best}`);
  await panel(page).locator(".approval-actions .primary").click();
  await expect(page.locator("tr[aria-current=true]")).toContainText("Приглашён");

  // A reload loses nothing; clearing deletes everything.
  await page.reload();
  await page.getByRole("button", { name: "AI Помощник" }).click();
  await expect(panel(page)).toContainText("Сколько кандидатов в каждом статусе?");
  await panel(page).getByRole("button", { name: "Очистить" }).click();
  const question = page.getByRole("dialog", { name: "Очистить беседу?" });
  await question.getByRole("button", { name: "Отмена" }).click();
  await expect(panel(page)).toContainText("Сколько кандидатов в каждом статусе?");
  await panel(page).getByRole("button", { name: "Очистить" }).click();
  await question.getByRole("button", { name: "Очистить" }).click();
  await expect(panel(page).getByRole("button", { name: "Кто лучший кандидат и почему?" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "AI Помощник" })).toBeFocused();
});

test("three hundred candidates: found by name wherever they rank", async ({ visitor, desk }) => {
  const page = await visitor(RUSSIAN);
  await enter(page, desk);
  await openGig(page, /Интернет-магазин/);
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole("button", { name: "Показать ещё" }).click();
  await expect(rows(page)).toHaveCount(100);
  await page.getByRole("searchbox", { name: "Найти по имени" }).fill("Татьяну Белову");
  await expect(rows(page).first()).toContainText("Татьяна Белова");
  await page.getByRole("searchbox", { name: "Найти по имени" }).fill("");
  // A link in an answer shows a candidate far down the list.
  await page.getByRole("button", { name: "AI Помощник" }).click();
  const far = await farDown(desk);
  await ask(page, `Расскажи про кандидата ${far}`);
  await expect(page.getByRole("cell", { name: far })).toHaveCount(0);
  await answer(page).getByRole("link", { name: far }).click();
  await expect(page.locator("tr[aria-current=true]")).toContainText(far);
  await expect(page.locator("tr[aria-current=true]")).toBeInViewport();
});

test("a file of responses is imported on the page, row by row", async ({ visitor, desk }) => {
  // Closed, so that conversations without a gig are not about it.
  const made = await fetch(`${desk.url}/api/v1/gigs`, {
    method: "POST",
    headers: { authorization: `Bearer ${await desk.token("recruiter")}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Импорт из файла", isActive: false }),
  });
  const { id } = (await made.json()) as { id: string };
  const page = await visitor(RUSSIAN);
  await enter(page, desk);
  await page.goto(`${desk.url}/gigs/${id}`);
  const content =
    "candidate_id;candidate_name;proposed_price\nfile-1;Ада Файлова;21000\nfile-2;Борис;дорого\n";
  await page.locator("[data-import]").setInputFiles({
    name: "отклики.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(content),
  });
  const report = page.getByRole("dialog", { name: "Импорт откликов" });
  await expect(report).toContainText("Новых: 1, изменено: 0, без изменений: 0");
  await expect(report).toContainText("Строка 2: `proposed_price`");
  await page.keyboard.press("Escape");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Ада Файлова");
});

// design: 004 page errors
test("a failed answer keeps the question, and trying again asks it once", async ({
  visitor,
  scripted,
  model,
}) => {
  const page = await visitor(RUSSIAN);
  await enter(page, scripted);
  model.replies(
    () => [{ fail: 400 }],
    () => [
      '{"message": "Лучший кандидат — Елена Волкова.", "quickReplies": ["Сравнить с другими"], ',
      '"candidatesMentioned": ["kwork-10006"]}',
    ],
  );
  await openGig(page, /Лендинг/);
  await page.getByRole("button", { name: "AI Помощник" }).click();
  await send(page, "Кто лучший?");
  await expect(panel(page).getByRole("alert")).toBeVisible();
  await expect(panel(page).locator(".bubble")).toHaveText("Кто лучший?");
  await panel(page).getByRole("button", { name: "Повторить" }).click();
  await expect(answer(page)).toContainText("Лучший кандидат — Елена Волкова.");
  await expect(panel(page).locator(".bubble")).toHaveCount(1);
  await expect(answer(page).getByRole("link", { name: /Елена Волкова/ })).toBeVisible();
  // A quick reply is sent at once.
  model.replies(() => ['{"message": "Сравнил."}']);
  await panel(page).getByRole("button", { name: "Сравнить с другими" }).click();
  await expect(answer(page)).toContainText("Сравнил.");
  await expect(panel(page).locator(".bubble").last()).toHaveText("Сравнить с другими");
});

test("on a phone the panel fills the screen and a mention leads back to the row", async ({
  visitor,
  desk,
}) => {
  const page = await visitor({ ...RUSSIAN, ...PHONE });
  await enter(page, desk);
  await openGig(page, /Лендинг/);
  await page.getByRole("button", { name: "AI Помощник" }).tap();
  // It slides in: check its final position.
  await expect
    .poll(async () => {
      const box = await panel(page).boundingBox();
      return [box?.width, box?.height];
    })
    .toEqual([390, 844]);
  const font = await panel(page)
    .getByRole("textbox")
    .evaluate((field) => getComputedStyle(field).fontSize);
  expect(Number.parseFloat(font)).toBeGreaterThanOrEqual(16);
  await panel(page).getByRole("button", { name: "Кто самый дешёвый в рамках бюджета?" }).tap();
  await expect(answer(page).getByRole("link").first()).toBeVisible();
  await rested(page);
  await answer(page).getByRole("link").first().tap();
  await expect(panel(page)).toBeHidden();
  await expect(page.locator("tr[aria-current=true]")).toBeInViewport();
  await fitsSideways(page);
});

/** Colours depend on the scheme and layout on the width, so not every combination is needed. */
const VIEWS = [
  { name: "light, desktop", colorScheme: "light" },
  { name: "dark, phone", colorScheme: "dark", ...PHONE },
  { name: "dark, tablet", colorScheme: "dark", ...TABLET },
] as const;

for (const { name, ...settings } of VIEWS) {
  test(`axe finds nothing on the gig pages, ${name}`, async ({ visitor, desk }) => {
    const page = await visitor({ ...RUSSIAN, ...settings });
    await enter(page, desk);
    await expect(page.getByRole("main").getByRole("link", { name: /Лендинг/ })).toBeVisible();
    expect(await faults(page), "the list").toEqual([]);
    await openGig(page, /Лендинг/);
    await rows(page).first().getByRole("link").click();
    await expect(page.getByText("Из чего складывается рейтинг")).toBeVisible();
    expect(await faults(page), "the gig").toEqual([]);
    await page.getByRole("button", { name: "AI Помощник" }).click();
    await expect(panel(page).getByRole("button", { name: /Кто лучший/ })).toBeVisible();
    expect(await faults(page), "the empty panel").toEqual([]);
    await panel(page)
      .getByRole("button", { name: /Кто лучший/ })
      .click();
    await expect(answer(page).getByRole("link").first()).toBeVisible();
    await rested(page);
    expect(await faults(page), "an answer").toEqual([]);
    await fitsSideways(page);
  });
}
