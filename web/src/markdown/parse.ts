/** Markdown into a tree. No HTML is ever made of it: the tree becomes elements of our own choice. */

import type { Definition, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import remend from "remend";

export interface Parsed {
  root: Root;
  source: string;
  /** Where reference links lead. */
  definitions: Map<string, string>;
}

/** `open` text is still being written: what is begun at its end (a fence, bold) is closed for now. */
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

type Tree = { type: string; children?: Tree[] };

function collect(node: Tree, into: Map<string, string>) {
  if (node.type === "definition") {
    const { identifier, url } = node as unknown as Definition;
    if (!into.has(identifier)) into.set(identifier, url);
  }
  for (const child of node.children ?? []) collect(child, into);
}

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** An address that may be offered, or nothing. Addresses of our own stay within the page. */
export function safeUrl(url: string): URL | null {
  // Browsers drop control characters and spaces from schemes; so do we before we look.
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
