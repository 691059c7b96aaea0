/** Words in the reader's language. Keys are checked by the compiler, plural forms by `Intl`. */

import { useSyncExternalStore } from "react";
import en from "./en";
import enGiven, { type Given } from "./given/en";

export type Key = keyof typeof en;
/** A text, or one for each plural form of `count`. */
export type Entry = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);
export type Catalogue = Record<Key, Entry>;
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
  () => Promise<{ default: Catalogue; given: Given; hints?: Record<string, string> }>
> = {
  en: async () => ({ default: en, given: enGiven }),
  ru: () => import("./ru"),
  sv: () => import("./sv"),
  da: () => import("./da"),
  no: () => import("./no"),
  de: () => import("./de"),
};

const KEY = "frontdesk.language";

let language: Language = "en";
let catalogue: Catalogue = en;
let names: Record<string, string> = enGiven;
const listeners = new Set<() => void>();

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

/** What something is called that the server names by a key; in the server's own words where we have none. */
export function given(key: string, otherwise: string): string {
  return names[key] ?? otherwise;
}

/** The words of a part of the page that is loaded on its own; what a language lacks is said in English. */
export function words<K extends string>(
  tables: { en: Record<K, Entry> } & Partial<Record<Language, Record<K, Entry>>>,
): (key: K, values?: Values) => string {
  return (key, values = {}) => {
    const own = tables[language]?.[key];
    return own === undefined ? fill(tables.en[key], "en", values) : fill(own, language, values);
  };
}

export function currentLanguage(): Language {
  return language;
}

/** The tag that browsers know; the reader's own variant of the language where there is one. */
export function locale(of: Language = language): string {
  const base = of === "no" ? "nb" : of;
  return globalThis.navigator?.languages?.find((tag) => tag.startsWith(`${base}-`)) ?? base;
}

/** The first language that both the reader and we know. */
export function match(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-")[0] ?? "";
    const known = base === "nb" || base === "nn" ? "no" : base;
    if (known in LANGUAGES) return known as Language;
  }
  return "en";
}

export async function startLanguage(): Promise<void> {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(KEY);
  } catch {
    // Then the browser's own choice is taken.
  }
  await load(match(chosen ? [chosen] : navigator.languages));
}

export async function chooseLanguage(next: Language): Promise<void> {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It holds until the page is closed.
  }
  await load(next);
}

async function load(next: Language) {
  const loaded = await LOADERS[next]();
  catalogue = loaded.default;
  names = { ...loaded.given, ...loaded.hints };
  language = next;
  document.documentElement.lang = locale();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Draws the component again when the language changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage);
}
