/** Translations. Keys are checked by the compiler; `Intl` selects plural forms. */

import { useEffect } from "react";
import { createSignal, useSignal } from "../lib/signal";
import { keep, kept } from "../lib/storage";
import en from "./en";
import enServerNames from "./server/en.json" with { type: "json" };

export type Key = keyof typeof en;
/** A text, or one for each plural form of `count`. */
export type Entry = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
export type Catalogue = Record<Key, Entry>;
/** Names of roles, assistants, tools and fields by the server's keys; English has all. */
export type ServerNames = Partial<Record<keyof typeof enServerNames, string>>;
export type Language = "en" | "ru" | "sv" | "da" | "no" | "de";

export const LANGUAGES: Record<Language, string> = {
  en: "English",
  ru: "Русский",
  sv: "Svenska",
  da: "Dansk",
  no: "Norsk",
  de: "Deutsch",
};

const LOADERS: Record<
  Language,
  () => Promise<{
    default: Catalogue;
    serverNames: ServerNames;
    hints?: Record<string, string>;
    translateSentences?: (text: string) => string;
  }>
> = {
  en: async () => ({ default: en, serverNames: enServerNames }),
  ru: () => import("./ru"),
  sv: () => import("./sv"),
  da: () => import("./da"),
  no: () => import("./no"),
  de: () => import("./de"),
};

const KEY = "frontdesk.language";

let language: Language = "en";
let catalogue: Catalogue = en;
let names: Record<string, string> = enServerNames;
const sentences: Partial<Record<Language, ((text: string) => string) | undefined>> = {};
const changed = createSignal();

export type Values = Record<string, string | number>;

/** The text of a key in a catalogue. */
export function format(from: Catalogue, inLanguage: Language, key: Key, values: Values = {}): string {
  return fill(from[key] ?? en[key], inLanguage, values);
}

function fill(entry: Entry, inLanguage: Language, values: Values): string {
  const text =
    typeof entry === "string"
      ? entry
      : (entry[new Intl.PluralRules(locale(inLanguage)).select(Number(values["count"] ?? 0))] ?? entry.other);
  const shown = (value: string | number) =>
    typeof value === "number" && !Number.isInteger(value)
      ? new Intl.NumberFormat(locale(inLanguage)).format(value)
      : String(value);
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => shown(values[name] ?? whole));
}

export function t(key: Key, values?: Values): string {
  return format(catalogue, language, key, values);
}

/** The text for the reader among those of a manifest. */
export const localized = (texts: Record<Language, string>): string => texts[language];

/** The translation of a server key, or the server's own text. */
export function serverText(key: string, otherwise: string): string {
  return names[key] ?? otherwise;
}

/** Text of the server, with the sentences that this language has. */
export const serverSentences = (text: string): string => sentences[language]?.(text) ?? text;

/** `serverSentences` for the answer to a question: a Russian one is answered in Russian on every page. */
export function useAnswerSentences(question: string): (text: string) => string {
  const asked = /\p{Script=Cyrillic}/u.test(question) ? "ru" : null;
  const wanted = asked ?? language;
  const known = useSignal(changed, () => sentences[wanted]);
  useEffect(() => {
    if (asked && !known) void loadSentences(asked);
  }, [asked, known]);
  return known ?? unchanged;
}

const unchanged = (text: string) => text;

async function loadSentences(wanted: Language) {
  sentences[wanted] = (await LOADERS[wanted]()).translateSentences;
  changed.emit();
}

/** The `t()` of a part of the page that is loaded on its own. It knows the part's strings and the shared ones; a
 * string that a language lacks is shown in English. */
export function translator<K extends string>(
  tables: { en: Record<K, Entry> } & Partial<Record<Language, Record<K, Entry>>>,
): (key: K | Key, values?: Values) => string {
  const isOwn = (key: K | Key): key is K => Object.hasOwn(tables.en, key);
  return (key, values = {}) => {
    if (!isOwn(key)) return t(key, values);
    const own = tables[language]?.[key];
    return own === undefined ? fill(tables.en[key], "en", values) : fill(own, language, values);
  };
}

export function currentLanguage(): Language {
  return language;
}

/** The BCP 47 tag, with the reader's regional variant if the browser lists one. */
export function locale(of: Language = language): string {
  const base = of === "no" ? "nb" : of;
  return globalThis.navigator?.languages?.find((tag) => tag.startsWith(`${base}-`)) ?? base;
}

/** The first of the wanted languages that is supported. */
export function match(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-")[0] ?? "";
    const known = base === "nb" || base === "nn" ? "no" : base;
    if (known in LANGUAGES) return known as Language;
  }
  return "en";
}

export async function startLanguage(): Promise<void> {
  const chosen = kept(KEY);
  await load(match(chosen ? [chosen] : navigator.languages));
}

export async function chooseLanguage(next: Language): Promise<void> {
  keep(KEY, next);
  await load(next);
}

async function load(next: Language) {
  const loaded = await LOADERS[next]();
  catalogue = loaded.default;
  names = { ...loaded.serverNames, ...loaded.hints };
  sentences[next] = loaded.translateSentences;
  language = next;
  document.documentElement.lang = locale();
  changed.emit();
}

/** Re-renders the component when the language changes. */
export const useLanguage = (): Language => useSignal(changed, currentLanguage);
