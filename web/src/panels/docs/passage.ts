/** Locates a cited passage in a document. */

import type { SourceText } from "../../api/types";

export interface Range {
  begin: number;
  end: number;
}

/** Converts the server's byte offsets to UTF-16 offsets. */
export function toUtf16Range(text: string, bytes: { begin: number; end: number }): Range {
  const encoded = new TextEncoder().encode(text);
  const units = (at: number) => new TextDecoder().decode(encoded.subarray(0, at)).length;
  return { begin: units(bytes.begin), end: units(bytes.end) };
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The range of the cited words, or of the passage that contains them. */
export function findPassage(document: SourceText, words: string): Range | null {
  const wanted = squeeze(words);
  if (!wanted) return null;
  const direct = document.text.indexOf(words.trim());
  if (direct >= 0) return { begin: direct, end: direct + words.trim().length };
  const ranges = document.passages.map((passage) => toUtf16Range(document.text, passage));
  return ranges.find(({ begin, end }) => squeeze(document.text.slice(begin, end)).includes(wanted)) ?? null;
}
