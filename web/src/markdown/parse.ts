/** Parses Markdown into a tree. It never becomes HTML: `Markdown.tsx` renders the tree with a fixed set of elements. */

import type { Definition, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import remend from "remend";

export interface Parsed {
  root: Root;
  source: string;
  /** Targets of reference links. */
  definitions: Map<string, string>;
}

/** `open`: the text is still streaming, so an unfinished construct at its end (a fence, bold) is closed provisionally. */
export function parse(text: string, open: boolean): Parsed {
  const source = open ? remend(text, { links: true, linkMode: "text-only" }) : text;
  const root = fromMarkdown(source, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const definitions = new Map<string, string>();
  collect(root, definitions);
  return { root, source, definitions };
}

const FENCE = /^\s*(```|~~~)/;
const ITEM = /^\s*([-*+]|\d+[.)])\s/;
const SENTENCE = /^[\p{Lu}“«"]/u;

/** Ends a list before a line that begins a sentence at the margin. CommonMark would make that line part of the last
 * item, which writers of answers rarely mean. */
export function endLists(text: string): string {
  let fenced = false;
  let before = "";
  const lines = text.split("\n").flatMap((line) => {
    if (FENCE.test(line)) fenced = !fenced;
    const ends = !fenced && ITEM.test(before) && SENTENCE.test(line);
    before = line;
    return ends ? ["", line] : [line];
  });
  return lines.join("\n");
}

type Tree = { type: string; children?: Tree[] };

function collect(node: Tree, into: Map<string, string>) {
  if (node.type === "definition") {
    const { identifier, url } = node as unknown as Definition;
    if (!into.has(identifier)) into.set(identifier, url);
  }
  for (const child of node.children ?? []) collect(child, into);
}

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address if it is safe to link to, else null. Addresses of this server stay relative. */
export function safeUrl(url: string): URL | null {
  // Browsers drop control characters and spaces from schemes, so drop them before checking.
  const cleaned = [...url].filter((char) => char > "\u0020" && char !== "\u007f").join("");
  if (!cleaned) return null;
  try {
    const parsed = new URL(cleaned, globalThis.location?.origin ?? "http://localhost");
    if (!SCHEMES.has(parsed.protocol) || parsed.username || parsed.password) return null;
    return parsed;
  } catch {
    return null;
  }
}
