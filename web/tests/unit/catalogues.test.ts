/** Checks that every catalogue is complete in its languages, and that no text bypasses the catalogues. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { describe, expect, test } from "vitest";
import type { Entry, Language } from "../../src/i18n";
import { translateText } from "../../src/i18n/sentences";
import da from "../../src/i18n/server/da.json" with { type: "json" };
import de from "../../src/i18n/server/de.json" with { type: "json" };
import enServerNames from "../../src/i18n/server/en.json" with { type: "json" };
import daHints from "../../src/i18n/server/hints.da";
import deHints from "../../src/i18n/server/hints.de";
import noHints from "../../src/i18n/server/hints.no";
import ruHints from "../../src/i18n/server/hints.ru";
import svHints from "../../src/i18n/server/hints.sv";
import no from "../../src/i18n/server/no.json" with { type: "json" };
import ruServerNames from "../../src/i18n/server/ru.json" with { type: "json" };
import ruSentences from "../../src/i18n/server/sentences.ru";
import sv from "../../src/i18n/server/sv.json" with { type: "json" };
import {
  translateFigures,
  translateNames,
  translateSentence,
} from "../../src/panels/autopilot/serverSentences";

type Table = Record<string, Entry>;

/** Parts of the page that recruiters and companies see are in all six languages, the others in English and Russian. */
const ALL_LANGUAGES = ["company", "tata"];

const PANELS = Object.entries(
  import.meta.glob<{ tables: Partial<Record<Language, Table>> }>("../../src/panels/*/strings.ts", {
    eager: true,
  }),
).map(([path, { tables }]) => {
  const panel = path.split("/").at(-2) ?? "";
  const languages: Language[] = ALL_LANGUAGES.includes(panel)
    ? ["en", "ru", "sv", "da", "no", "de"]
    : ["en", "ru"];
  return { panel, tables, languages };
});

const FOLDER = join(import.meta.dirname, "../../src");
const files = (ending: RegExp) =>
  readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => ending.test(name));

const texts = (entry: Entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const holes = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]));
const plurals = (language: Language) =>
  new Intl.PluralRules(language === "no" ? "nb" : language).resolvedOptions().pluralCategories;

describe.each(PANELS)("$panel", ({ panel, tables, languages }) => {
  const en = tables.en ?? {};

  test.each(languages)(
    "%s has every key, with the same places for values and its plural forms",
    (language) => {
      const table = tables[language] ?? {};
      expect(Object.keys(table).toSorted()).toEqual(Object.keys(en).toSorted());
      for (const [key, entry] of Object.entries(table)) {
        const wanted = new Set(texts(en[key] ?? "").flatMap((text) => [...holes(text)]));
        for (const text of texts(entry)) {
          expect(text.trim(), key).not.toBe("");
          // The singular may omit its number.
          if (typeof entry === "string" || text !== entry.one)
            expect(holes(text), `${key}: ${text}`).toEqual(wanted);
        }
        if (typeof entry !== "string")
          for (const form of plurals(language)) expect(entry, key).toHaveProperty(form);
      }
    },
  );

  test("Russian is Russian", () => {
    const latin = Object.entries(tables.ru ?? {}).filter(([, entry]) =>
      texts(entry).some((text) => /\p{L}{3}/u.test(text.replaceAll(/\{\w+\}/g, "")) && !/[а-яё]/i.test(text)),
    );
    // Format names, placeholders, and texts that are the same everywhere.
    expect(latin.map(([, entry]) => texts(entry)[0]).filter((text) => !SAME.has(text ?? ""))).toEqual([]);
  });

  test("has no unused string", () => {
    const code = files(new RegExp(`^panels/${panel}/.*\\.tsx?$`))
      .filter((name) => !name.endsWith("strings.ts"))
      .map((name) => readFileSync(join(FOLDER, name), "utf8"))
      .join("\n");
    const own = readFileSync(join(FOLDER, "panels", panel, "strings.ts"), "utf8");
    const built = [...`${code}\n${own}`.matchAll(/`(\w+_)\$\{/g)].map((found) => found[1] ?? "");
    const byCode = BY_CODE[panel] ?? [];
    const unused = Object.keys(en).filter(
      (key) =>
        !code.includes(`"${key}"`) &&
        !own.includes(`t("${key}"`) &&
        !built.some((start) => key.startsWith(start)) &&
        !byCode.some((pattern) => pattern.test(key)),
    );
    expect(unused).toEqual([]);
  });
});

const SAME = new Set(["PDF", "Markdown", "Word (.docx)", "p50 / p95"]);

/** Keys that are server codes, looked up dynamically. */
const BY_CODE: Record<string, RegExp[]> = {
  autopilot: [
    /^(Company|Facility|Operations|Economics|Context)$/,
    /^(high|medium|low)$/,
    /^[A-Z_]+$/,
    /^(contact_sales|schedule_demo|share_internally)$/,
  ],
  company: [/^(owner|admin|member|pending|accepted|declined|expired)$/],
  gatepass: [/^(pending|approved|rejected|exited|returned|approve|reject|delete)$/, /scan_(exit|return)$/],
  gig: [/^[A-Z_]+$/],
  operator: [
    /^(person|call|result)$/,
    /^(running|awaiting_approval|completed|failed|cancelled|interrupted)$/,
    /^(executed|denied|approved|rejected|expired|unknown|erased|declined|stopped)$/,
    /^(model|tool|approval_requested|approval_decided)$/,
    /^(out_of_rounds|out_of_budget|timed_out|empty_answer|cut_off|model_failed|rate_limited|context_too_long)$/,
    /^(unavailable|unreachable|malformed|unauthorized|unknown_tool|role|phase|needs|invalid_arguments|limit)$/,
  ],
  tata: [/_(profile|ad|template|messages|reports|comparison|report|review|invite)$/, /^(draft|confirmed)$/],
};

describe("names for server keys", () => {
  test("Russian has all of it", () => {
    expect(Object.keys(ruServerNames).toSorted()).toEqual(Object.keys(enServerNames).toSorted());
    expect(Object.entries(ruServerNames).filter(([, text]) => !/[а-яё]/i.test(text))).toEqual([]);
  });

  test("the languages of the recruiters have the same part of it", () => {
    const keys = Object.keys(sv).toSorted();
    for (const table of [da, no, de]) expect(Object.keys(table).toSorted()).toEqual(keys);
    expect(keys.filter((key) => !(key in enServerNames))).toEqual([]);
    const tools = Object.keys(enServerNames).filter((key) =>
      /^tool\.(create|review|revise|confirm|add)_/.test(key),
    );
    expect(tools.filter((key) => !key.includes("gate_pass") && !keys.includes(key))).toEqual([]);
  });
});

describe("descriptions of forms", () => {
  test("exist for every tool in Russian, and for the recruiters' tools in all languages", () => {
    const tools = Object.keys(enServerNames)
      .filter((key) => key.startsWith("tool."))
      .map((key) => key.replace("tool.", "about."));
    expect(tools.filter((key) => !(key in ruHints))).toEqual([]);
    const recruiters = tools.filter((key) =>
      /about\.(create|review|revise|confirm|add|compare)_(?!gate_pass)/.test(key),
    );
    expect(recruiters).toHaveLength(14);
    const keys = Object.keys(svHints).toSorted();
    expect(recruiters.filter((key) => !keys.includes(key))).toEqual([]);
    for (const table of [daHints, noHints, deHints]) expect(Object.keys(table).toSorted()).toEqual(keys);
    expect(keys.filter((key) => !(key in ruHints))).toEqual([]);
  });
});

describe("texts of tools", () => {
  const say = (text: string) => translateText(text, ruSentences);

  test("are translated line by line, with numbers, names and states", () => {
    const list =
      "2 pending gate passes.\n\n| Number | Person | Comes back | Status |\n|---|---|---|---|\n| GP-2026-0011 | Sara \\| Khan | yes | pending |";
    expect(say(list)).toBe(
      "Пропусков со статусом «ожидает»: 2.\n\n| Номер | Человек | Вернётся | Статус |\n|---|---|---|---|\n| GP-2026-0011 | Sara \\| Khan | да | ожидает |",
    );
    expect(say("Approved gate pass **GP-2026-0011**.\n\n- Purpose: Bank visit\n- Comes back: no")).toBe(
      "Пропуск **GP-2026-0011** одобрен.\n\n- Цель: Bank visit\n- Вернётся: нет",
    );
    expect(say("Это не получилось: There is no gate pass GP-2026-9999.")).toBe(
      "Это не получилось: Пропуска GP-2026-9999 нет.",
    );
  });

  test("are unchanged where they are unknown or somebody's own words", () => {
    const own = "The driver said: 3 gate passes were lost. See *page* 4.";
    expect(say(own)).toBe(own);
    expect(say("Какие пропуска ждут решения?")).toBe("Какие пропуска ждут решения?");
  });
});

describe("sentences of the server", () => {
  test("are translated to Russian with their values", () => {
    const say = (text: string) => translateSentence(text, "ru");
    expect(say("It takes over 80 % of the work.")).toBe("Берёт на себя 80 % работы.");
    const fast = "One is enough: it cleans about 600 m²/h.";
    expect(translateFigures(say(fast), "ru")).toBe("Одного достаточно: около 600 м²/ч.");
    expect(say("It cannot mop.")).toBe("Не умеет: влажная уборка.");
    expect(translateFigures("1,002 m² × 30 × (1 ÷ 250 m²/h)", "ru")).toBe("1,002 м² × 30 × (1 ÷ 250 м²/ч)");
    expect(translateFigures("8 to 14.2 months", "ru")).toBe("8 – 14.2 мес.");
    expect(say("up to 1,400 m²/h")).toBe("до 1,400 м²/ч");
    expect(translateNames("scrub, vacuum", "ru")).toBe("мойка щётками, пылесос");
  });

  test("are unchanged if they are unknown", () => {
    expect(translateSentence("A robot of the future.", "ru")).toBe("A robot of the future.");
    expect(translateSentence("It cannot mop.", "en")).toBe("It cannot mop.");
    expect(translateNames("Sky Cleaner", "ru")).toBe("Sky Cleaner");
  });

  test("every sentence of the server's recommendations is known", () => {
    const source = readFileSync(join(FOLDER, "../../assistants/autopilot/domain/recommend.rs"), "utf8");
    const sentences = [...source.matchAll(/"((?:[^"\\]|\\.)*\.)"/g)]
      .map((found) => found[1] ?? "")
      .filter((text) => /\s/.test(text));
    expect(sentences.length).toBeGreaterThan(6);
    const whole = (text: string) => text.replaceAll(/\{[^}]*\}/g, "7");
    expect(sentences.filter((text) => translateSentence(whole(text), "ru") === whole(text))).toEqual([]);
  });
});

/** Attributes that are visible or read by screen readers. */
const SPOKEN = new Set([
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "aria-valuetext",
  "title",
  "placeholder",
  "alt",
  "label",
]);
/** The product's name, a key and a sample number: the same in every language. */
const LITERAL = new Set(["Frontdesk", "Ctrl+K", "(Ctrl+K)", "GP-2026-0007"]);

interface Node {
  type: string;
  start: number;
  [name: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** String literals that an expression can evaluate to. */
function literals(node: unknown): { start: number; text: string }[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [{ start: node.start, text: node["value"] }] : [];
    case "TemplateLiteral":
      return (node["quasis"] as { start: number; value: { cooked: string } }[]).map((part) => ({
        start: part.start,
        text: part.value.cooked,
      }));
    case "ConditionalExpression":
      return [...literals(node["consequent"]), ...literals(node["alternate"])];
    case "LogicalExpression":
    case "BinaryExpression":
      return node["operator"] === "===" || node["operator"] === "!=="
        ? []
        : [...literals(node["left"]), ...literals(node["right"])];
    case "JSXExpressionContainer":
      return literals(node["expression"]);
    case "JSXText":
      return [{ start: node.start, text: String(node["value"]) }];
    default:
      return [];
  }
}

function shown(node: unknown): { start: number; text: string }[] {
  if (Array.isArray(node)) return node.flatMap(shown);
  if (!isNode(node)) return [];
  const own =
    node.type === "JSXElement" || node.type === "JSXFragment"
      ? (node["children"] as unknown[]).flatMap(literals)
      : node.type === "JSXAttribute" && SPOKEN.has((node["name"] as { name: string }).name)
        ? literals(node["value"])
        : [];
  return [...own, ...Object.values(node).flatMap((each) => (typeof each === "object" ? shown(each) : []))];
}

function literalTexts(name: string, source: string): string[] {
  const { program, errors } = parseSync(name, source);
  expect(errors, name).toEqual([]);
  return shown(program)
    .map(({ start, text }) => ({ text: text.trim(), line: source.slice(0, start).split("\n").length }))
    .filter(({ text }) => /\p{L}{2}/u.test(text) && !LITERAL.has(text))
    .map(({ text, line }) => `${name}:${line}: ${text}`);
}

describe("no text is hard-coded in an element", () => {
  test("of the page", () => {
    const found = files(/\.tsx$/).flatMap((name) =>
      literalTexts(name, readFileSync(join(FOLDER, name), "utf8")),
    );
    expect(found).toEqual([]);
  });

  test("and hard-coded text is detected", () => {
    const source = `const a = <p title="Some title">Hello {open ? "yes" : t("no")} {\`\${n} things\`}</p>;`;
    expect(literalTexts("a.tsx", source).map((each) => each.split(": ")[1])).toEqual(
      expect.arrayContaining(["Some title", "Hello", "yes", "things"]),
    );
    expect(literalTexts("b.tsx", `<p className="muted" data-x="one">{t("app.close")}</p>`)).toEqual([]);
  });
});
