import type { Page } from "@playwright/test";
import { fields } from "../../src/forms/schema";
import en from "../../src/i18n/server/en.json" with { type: "json" };
import sv from "../../src/i18n/server/sv.json" with { type: "json" };
import { ask, expect, HR, lastAnswer, openForm, signIn, test, WIDE } from "./kit";

interface AssistantTexts {
  name: string;
  title: string;
  description: string;
  greeting: string;
}
interface Tool {
  title: string;
  function: { name: string; parameters: Parameters<typeof fields>[0] };
}

test("server keys have texts in every language, and in English the server's own", async ({ desk }) => {
  const own: Record<string, string | undefined> = en;
  const nordic: Record<string, string | undefined> = sv;
  const personas = await desk.list<{ name: string; roles: string[] }>("/demo/personas");
  const missing = new Set<string>();
  const different: string[] = [];
  const need = (key: string, said?: string) => {
    if (own[key] === undefined) missing.add(key);
    // One assistant and its users speak Russian.
    else if (said !== undefined && !/[а-яё]/i.test(said) && own[key] !== said)
      different.push(`${key}: ${said}`);
  };
  const recruiters = new Set<string>();
  for (const { name, roles } of personas) {
    for (const role of roles) need(`role.${role}`);
    const token = await desk.token(name);
    for (const assistant of await desk.list<AssistantTexts>("/assistants", { token })) {
      need(`assistant.${assistant.name}`, assistant.title);
      need(`assistant.${assistant.name}.about`, assistant.description);
      need(`assistant.${assistant.name}.hello`, assistant.greeting.trim());
      for (const tool of await desk.list<Tool>(`/assistants/${assistant.name}/tools`, { token })) {
        const keys = [`tool.${tool.function.name}`];
        need(`tool.${tool.function.name}`, tool.title);
        for (const { name: field, choices } of fields(tool.function.parameters)) {
          need(`field.${field}`);
          keys.push(`field.${field}`);
          if (field === "language") continue;
          for (const choice of choices) {
            need(`choice.${field}.${choice}`);
            keys.push(`choice.${field}.${choice}`);
          }
        }
        if (assistant.name === "tata") for (const key of keys) recruiters.add(key);
      }
    }
  }
  expect([...missing]).toEqual([]);
  expect(different).toEqual([]);
  expect([...recruiters].filter((key) => nordic[key] === undefined)).toEqual([]);
});

/** Visible texts with Latin words; names and messages are excluded. */
const latin = (page: Page, selector: string, but: RegExp, skip = "script") => {
  const asked = { source: but.source, skip };
  return page.locator(selector).evaluate((root, { source, skip }) => {
    const fine = new RegExp(source, "g");
    const found: string[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest(skip)) continue;
      const text = (node.textContent ?? "").replaceAll(fine, " ");
      if (/[A-Za-z]{2}/.test(text)) found.push((node.textContent ?? "").trim());
    }
    for (const element of root.querySelectorAll("[aria-label], [placeholder], [title]")) {
      if (element.closest(skip)) continue;
      for (const name of ["aria-label", "placeholder", "title"]) {
        const text = (element.getAttribute(name) ?? "").replaceAll(fine, " ");
        if (/[A-Za-z]{2}/.test(text)) found.push(`${name}: ${element.getAttribute(name)}`);
      }
    }
    return found;
  }, asked);
};

const RUSSIAN = { locale: "ru-RU", ...WIDE };

test("a decision in Russian: phases, facts, figures, shortlist, business case, company", async ({
  visitor,
  desk,
}) => {
  const page = await visitor(RUSSIAN);
  await page.goto(`${desk.url}/a/autopilot`);
  await page.getByRole("button", { name: /Bea Carter/ }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Подбор роботов" })).toBeVisible();
  await page.getByRole("button", { name: "Начать в Riverside Racquets" }).click();
  await expect(page).toHaveURL(/\/c\//);
  await ask(page, "we run a 6-court pickleball club");
  await ask(page, "We vacuum for 2 hours a day and spend $3,500 a month");

  const panel = page.getByRole("complementary", { name: "Решение" });
  const names =
    /Pudu|CC1|MT1|Vac|Pro|Avidbots|Neo|2W|Keenon|Kleenbot|C\d0|Riverside|Racquets|Bea|Carter|PDF|Markdown|ROI/;
  await expect(page.getByRole("region", { name: "Этапы" })).toContainText("Для оценки достаточно");
  expect(await latin(page, ".phase-bar", names)).toEqual([]);
  await expect(panel.locator(".fact", { hasText: "Корты" })).toContainText("6");
  await expect(panel).toContainText("2 ч в день");
  // Quotes stay as they were written, and so do suggested replies.
  expect(await latin(page, ".decision", names, ".fact-quote, .chips")).toEqual([]);

  await page.getByRole("button", { name: "Перейти: Окупаемость" }).click();
  await expect(page.getByRole("region", { name: "Этапы" }).locator("[aria-current=step]")).toHaveText(
    /Окупаемость/,
  );
  await ask(page, "calculate the ROI for Pudu CC1 and Avidbots Neo 2W");
  await expect(panel.getByRole("img", { name: /выгода по месяцам/ })).toBeVisible();
  await expect(panel).toContainText("Avidbots Neo 2W не умеет делать эту работу и ничего не экономит.");
  await expect(panel).toContainText("Доля работы робота");
  expect(await latin(page, ".decision", names)).toEqual([]);

  const view = (name: string) =>
    panel.getByRole("group", { name: "Решение" }).getByRole("button", { name }).click();
  await view("Список");
  await expect(panel.locator(".fit").first()).toBeVisible();
  await panel
    .getByRole("button", { name: /^Добавить .* в список$/ })
    .first()
    .click();
  await expect(panel.getByRole("columnheader")).toHaveCount(1);
  await expect(panel.getByRole("row", { name: /Уборка/ })).toBeVisible();
  expect(await latin(page, ".decision", names)).toEqual([]);
  await view("Обоснование");
  await expect(panel.getByRole("button", { name: "Подготовить обоснование" })).toBeVisible();
  expect(await latin(page, ".decision", names)).toEqual([]);

  await page.getByRole("link", { name: "Компания", exact: true }).click();
  await expect(page.getByRole("region", { name: "Участники" })).toContainText("Bea Carter");
  const own = /Riverside|Racquets|Bea|Carter|bea@\S+|[Ww]e run a \S+ pickleball club/;
  expect(await latin(page, "#main", own)).toEqual([]);
});

test("a Russian question on an English page is answered in Russian, an English one in English", async ({
  page,
  desk,
}) => {
  await signIn(page, desk, HR);
  await ask(page, "какие пропуска отклонили");
  await expect(lastAnswer(page)).toContainText("Пропусков со статусом «отклонён»: 1.");
  await ask(page, "List the rejected passes");
  await expect(lastAnswer(page)).toContainText("1 rejected gate pass.");
});

test("the shell in Russian: people, assistants, tools and forms have Russian names", async ({
  visitor,
  desk,
}) => {
  const page = await visitor(RUSSIAN);
  await page.goto(desk.url);
  await expect(page.getByRole("button", { name: /Ayesha Siddiqui Кадры/ })).toBeVisible();
  const people =
    /Frontdesk|frontdesk token|Ctrl\+K|Enter|Shift|Ayesha|Siddiqui|Omar|Farooq|Bilal|Ahmed|Maria|Holm|Rae|Reader|Olga|Operator|Bea|Carter|Cole|\b[A-Z]{2}\b|English|Svenska|Dansk|Norsk|Deutsch/;
  const others = (await desk.list<{ display_name: string }>("/demo/personas")).flatMap(({ display_name }) =>
    display_name.split(" "),
  );
  const names = new RegExp(`${people.source}|${others.join("|")}`);
  expect(await latin(page, "main.sign-in", names)).toEqual([]);
  await page.getByRole("button", { name: HR }).click();
  await expect(page.getByRole("heading", { name: "Здравствуйте, Ayesha" })).toBeVisible();
  expect(await latin(page, "#root", names)).toEqual([]);
  await page.goto(`${desk.url}/a/gatepass`);
  await expect(page.getByText("Я слежу за пропусками")).toBeVisible();
  await ask(page, "Which passes are pending?");
  await expect(lastAnswer(page).locator(".tool-title")).toHaveText("Показать пропуска");
  // Also after loading from the history.
  await page.reload();
  await expect(lastAnswer(page).locator(".tool-title")).toHaveText("Показать пропуска");
  // Answers without a language model are the tools' own sentences.
  await ask(page, "Какие пропуска ждут решения?");
  await expect(lastAnswer(page)).toContainText("Пропусков со статусом «ожидает»: 2.");
  await lastAnswer(page).locator(".tool summary").click();
  await expect(lastAnswer(page).getByRole("columnheader", { name: "Вернётся" })).toBeVisible();
  await ask(page, "Есть ли у меня уведомления?");
  await expect(lastAnswer(page)).toContainText(/Уведомлений: \d+, непрочитанных: \d+\./);
  await expect(lastAnswer(page)).toContainText(
    "Omar Farooq: одобрен пропуск GP-2026-0010 для Kamran Yousaf.",
  );
  await openForm(page, "создать");
  const form = page.getByRole("dialog", { name: "Создать пропуск" });
  await expect(form.getByRole("textbox", { name: /Имя человека/ })).toBeVisible();
  await expect(form.getByRole("combobox", { name: /С возвратом/ })).toBeVisible();
  expect(await latin(page, ".form-dialog", /GP-2026-0007/)).toEqual([]);
});
