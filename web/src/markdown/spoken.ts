/** Markdown as a screen reader should say it: words, without pipes and stars. */

import type { Nodes } from "mdast";
import { parse } from "./parse";

export const spoken = (text: string): string =>
  parse(text, false)
    .root.children.map(words)
    .filter(Boolean)
    .map((block) => (/[.!?:]$/.test(block) ? block : `${block}.`))
    .join(" ");

function words(node: Nodes): string {
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "code":
      return node.value;
    case "break":
      return " ";
    case "image":
      return node.alt ?? "";
    case "tableRow":
      return node.children.map(words).filter(Boolean).join(", ");
    case "table":
    case "list":
      return node.children.map(words).join("; ");
    case "blockquote":
    case "listItem":
      return node.children.map(words).join(" ");
    default:
      return "children" in node ? node.children.map(words).join("") : "";
  }
}
