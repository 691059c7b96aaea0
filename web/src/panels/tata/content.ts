/** The content of a recruiting document, and its Markdown in parts. */

import type { Artifact } from "../../api/types";

/** Author of a version; `code` if it was computed. */
export type MadeWith = "model" | "fallback" | "code" | "person";

export interface DocumentContent {
  /** None in documents of earlier releases. */
  madeWith: MadeWith | null;
  /** Warnings and omissions for the recruiter; not part of the text. */
  notes: string[];
  fields: { [name: string]: unknown };
}

export function contentOf(document: Artifact | undefined): DocumentContent {
  const { made_with, notes, fields } = (document?.content ?? {}) as {
    made_with?: MadeWith;
    notes?: string[];
    fields?: DocumentContent["fields"];
  };
  return { madeWith: made_with ?? null, notes: notes ?? [], fields: fields ?? {} };
}

export interface Part {
  text: string;
  /** Not for candidates. */
  internal: boolean;
}

/** How the server marks the heading of an internal section. */
const INTERNAL = /^(##.*?) ?(?<!\\)\[internal\]\s*$/;
/** The server's remark below the title; the panel shows it in the reader's language instead. */
const FALLBACK_REMARK = /\n\n>[^\n]*\n/;

/** Splits the Markdown into the head and its sections, internal and public. */
export function partsOf(text: string, madeWith: MadeWith | null): { head: string; parts: Part[] } {
  const [head = "", ...sections] = text.split(/^(?=##(?!#))/m);
  const parts: Part[] = [];
  for (const section of sections) {
    const [heading = "", ...body] = section.split("\n");
    const marked = INTERNAL.exec(heading);
    const part = { text: [marked?.[1] ?? heading, ...body].join("\n"), internal: marked !== null };
    const last = parts.at(-1);
    if (last && !last.internal && !part.internal) last.text += part.text;
    else parts.push(part);
  }
  return { head: madeWith === "fallback" ? head.replace(FALLBACK_REMARK, "\n\n") : head, parts };
}
