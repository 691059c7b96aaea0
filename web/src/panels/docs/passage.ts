/** Where in a document a cited passage stands. */

import type { SourceText } from "../../api/types";

export interface Range {
  begin: number;
  end: number;
}

/** The server counts bytes, the browser counts UTF-16 units. */
export function inUnits(text: string, bytes: { begin: number; end: number }): Range {
  const encoded = new TextEncoder().encode(text);
  const units = (at: number) => new TextDecoder().decode(encoded.subarray(0, at)).length;
  return { begin: units(bytes.begin), end: units(bytes.end) };
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The words that were cited, or else the passage that has them. */
export function find(document: SourceText, words: string): Range | null {
  const wanted = squeeze(words);
  if (!wanted) return null;
  const direct = document.text.indexOf(words.trim());
  if (direct >= 0) return { begin: direct, end: direct + words.trim().length };
  const ranges = document.passages.map((passage) => inUnits(document.text, passage));
  return ranges.find(({ begin, end }) => squeeze(document.text.slice(begin, end)).includes(wanted)) ?? null;
}
