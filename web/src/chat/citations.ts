/** Citations of an answer, and the cited words within a passage. */

import type { Source } from "../api/types";

/** The server's check of an answer against its sources. */
export interface Citations {
  cited: number[];
  unknown: string[];
  unsupported: string[];
  misquoted: string[];
}

export function citationsOf(metadata: Record<string, unknown>): Citations | null {
  const given = metadata["citations"];
  if (!given || typeof given !== "object") return null;
  const read = given as Record<string, unknown>;
  const strings = (name: string) =>
    Array.isArray(read[name]) ? read[name].filter((each): each is string => typeof each === "string") : [];
  const cited = Array.isArray(read["cited"]) ? read["cited"].filter(Number.isInteger) : [];
  return {
    cited: cited as number[],
    unknown: strings("unknown"),
    unsupported: strings("unsupported"),
    misquoted: strings("misquoted"),
  };
}

/** A source list that the model wrote at the end; the page shows its own. */
const SOURCE_LIST =
  /\n+(?:\*\*|#+ ?)Sources:?(?:\*\*)?:?[ \t]*\n(?:[ \t]*(?:[-*]|\d+\.)?[ \t]*\[\d{1,2}\][^\n]*\n?)+\s*$/;

export const stripSourceList = (text: string): string => text.replace(SOURCE_LIST, "");

/** The source numbers that a text cites, ascending. */
export function citedNumbers(text: string, sources: readonly Source[]): number[] {
  const found = [...text.matchAll(/\[(\d{1,2})\]/g)].map((match) => Number(match[1]));
  return [...new Set(found)].filter((number) => number <= sources.length).sort((a, b) => a - b);
}

const wordsOf = (text: string) =>
  new Set(
    text
      .toLocaleLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2),
  );

/** The sentence of a passage that shares most words with the claim, as offsets. */
export function bestSentence(passage: string, claim: string): { begin: number; end: number } | null {
  const wanted = wordsOf(claim);
  if (wanted.size === 0) return null;
  const bare = claim.replaceAll(/[>"“”«»]/g, "").trim();
  const whole = bare.length > 12 ? passage.indexOf(bare) : -1;
  if (whole >= 0) return { begin: whole, end: whole + bare.length };
  let best: { begin: number; end: number; score: number } | null = null;
  for (const sentence of passage.matchAll(/[^.!?\n]+(?:[.!?]+(?=\s|$)|\n|$)/g)) {
    const own = wordsOf(sentence[0]);
    const shared = [...wanted].filter((word) => own.has(word)).length;
    const score = shared / wanted.size;
    const lead = sentence[0].length - sentence[0].trimStart().length;
    if (shared > 1 && score > (best?.score ?? 0.2)) {
      const begin = sentence.index + lead;
      best = { begin, end: begin + sentence[0].trim().length, score };
    }
  }
  return best && { begin: best.begin, end: best.end };
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/** The path of a document on this server; null for other hosts. */
export function sourcePath(url: string): string | null {
  try {
    const { hostname, host, pathname } = new URL(url, location.origin);
    const own = host === location.host || (isLoopback(hostname) && isLoopback(location.hostname));
    return own && pathname.startsWith("/sources/") ? pathname : null;
  } catch {
    return null;
  }
}

/** The path of a document at the passage with these words. */
export const passagePath = (place: string, words: string): string =>
  `${place}#${encodeURIComponent(words.trim().slice(0, 120))}`;
