import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Catalogue, type Entry, format, type Key, type Language, match } from "../../src/i18n";
import da from "../../src/i18n/da";
import de from "../../src/i18n/de";
import en from "../../src/i18n/en";
import no from "../../src/i18n/no";
import ru from "../../src/i18n/ru";
import sv from "../../src/i18n/sv";

const all: Record<Language, Catalogue> = { en, ru, sv, da, no, de };
const texts = (entry: Entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).toSorted();

for (const [language, catalogue] of Object.entries(all) as [Language, Catalogue][]) {
  test(`${language} has every key, with the same places for values`, () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const key of Object.keys(en) as Key[]) {
      const wanted = new Set(texts(en[key]).flatMap(holes));
      for (const text of texts(catalogue[key])) {
        expect(text.trim(), `${language} ${key}`).not.toBe("");
        expect(new Set(holes(text)), `${language} ${key}: ${text}`).toEqual(wanted);
      }
    }
  });

  test(`${language} has each plural form that its grammar asks for`, () => {
    const rules = new Intl.PluralRules(language === "no" ? "nb" : language);
    for (const key of Object.keys(en) as Key[]) {
      const entry = catalogue[key];
      if (typeof entry === "string") continue;
      for (const form of rules.resolvedOptions().pluralCategories) expect(entry, key).toHaveProperty(form);
    }
  });
}

test("translations are translated", () => {
  const same = (catalogue: Catalogue) =>
    (Object.keys(en) as Key[]).filter((key) => JSON.stringify(catalogue[key]) === JSON.stringify(en[key]));
  for (const catalogue of [ru, sv, da, no, de]) expect(same(catalogue).length).toBeLessThan(16);
});

test("the catalogue has no unused key", () => {
  const folder = join(import.meta.dirname, "../../src");
  const code = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/^i18n\/(en|ru|sv|da|no|de)\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
  const unused = Object.keys(en).filter((key) => !code.includes(`"${key}"`) && !key.startsWith("settings."));
  expect(unused).toEqual([]);
});

test("plural forms are chosen by the number", () => {
  const say = (count: number) => format(ru, "ru", "approval.waiting", { count });
  expect([1, 2, 5, 21].map(say)).toEqual([
    "1 запрос ждёт вас",
    "2 запроса ждут вас",
    "5 запросов ждут вас",
    "21 запрос ждёт вас",
  ]);
});

test("the browser's preferences choose the language", () => {
  expect(match(["nb-NO", "en"])).toBe("no");
  expect(match(["fr-FR", "sv-SE"])).toBe("sv");
  expect(match(["fr"])).toBe("en");
});
