/** The words of an answer without what is beside them: objects as cards, and documents in the panel. */

import type { Step, TurnView } from "./turnReducer";

const LISTED = /^(\||[-*] |\d+\. |> )/;

/** The sentences of a summary, without its tables and lists. */
export function proseOf(summary: string): string {
  const lines = summary.split("\n").filter((line) => !LISTED.test(line.trim()));
  // A title line such as "**GP-2026-0001** · Ali Khan" is the title of the card.
  const words = /^\*\*[^*]+\*\* · /.test(lines[0] ?? "") ? lines.slice(1) : lines;
  return words.join("\n").trim();
}

/** Whether the step's result is a document that the turn saved. */
const isDocument = (step: Step, view: TurnView) =>
  view.artifacts.length > 0 && (step.finished?.summary ?? "").startsWith("# ");

/** `panel`: whether documents appear in a panel beside the conversation. */
export function withoutShown(text: string, view: TurnView, panel: boolean): string {
  let left = text;
  for (const step of view.steps) {
    const summary = step.finished?.summary?.trim();
    if (!step.finished?.ok || !summary || !left.includes(summary)) continue;
    if (panel && isDocument(step, view)) left = left.replace(summary, () => "");
    else if (step.finished.cards?.length) left = left.replace(summary, () => proseOf(summary));
  }
  return left.trim();
}
