/** The words of a card in the reader's language. The server's own stand where a table has none and the
 * reader reads English. */

import type { Fact, OriginSource, Preview } from "../api/schema";
import type { ApprovalCard, Json } from "../api/types";
import { currentLanguage, serverText, t } from "../i18n";
import { choiceName, fieldName, toolName } from "../lib/serverNames";
import type { Approval } from "./turnReducer";

/** What the decision is about, with its object and the person that it is for. */
export function cardTitle(card: ApprovalCard, preview: Preview | null): string {
  const title =
    filled(serverText(`card.${card.tool}`, ""), card.arguments) ?? serverText(`tool.${card.tool}`, "");
  // The server's title names the drafts already.
  if (!title) return preview?.title || card.title || toolName(card.tool);
  if (preview?.subject) return t("approval.for", { title, subject: preview.subject });
  const drafts = (card.confirms ?? []).map(({ kind, words }) => serverText(`artifact.${kind}`, words));
  return drafts.length > 0 ? t("approval.confirms", { drafts: drafts.join(", "), title }) : title;
}

export const confirmWords = (card: ApprovalCard): string =>
  serverText(`confirm.${card.tool}`, own(card.confirm)) ||
  toolName(card.tool, card.confirm || t("approval.approve"));

export const declineWords = (card: ApprovalCard): string =>
  serverText(`decline.${card.tool}`, own(card.decline)) || t("approval.decline");

export const consequenceWords = (card: ApprovalCard): string =>
  serverText(`consequence.${card.tool}`, own(card.consequence));

export const factLabel = ({ name, label }: Fact): string => serverText(`field.${name}`, label);

export const factValue = ({ name, value }: Fact): string => serverText(`choice.${name}.${value}`, value);

/** Where a value came from. */
export function originWords(source: OriginSource): string {
  switch (source.kind) {
    case "earlier_message":
      return t("approval.fromMessage");
    case "text":
      return t("approval.fromText");
    case "result":
      return source.field && source.of
        ? t("approval.fromField", { field: fieldInSentence(source.field), object: source.of })
        : t("approval.fromResult", { tool: toolName(source.tool, source.title) });
    case "model":
      return t("approval.fromModel");
  }
}

/** English puts the name of a field into the sentence; other languages quote it. */
function fieldInSentence(field: string): string {
  const name = fieldName(field);
  return currentLanguage() === "en" ? name.toLowerCase() : name;
}

/** What came of a card: who decided, and how its object stands when nothing was done. */
export function outcomeWords({ card, decision, by, state }: Approval): string {
  if (decision === "expired") return t("approval.nobody");
  if (decision === "approved") {
    const name = by ?? "";
    return t(name === card.requester ? "approval.confirmedBy" : "approval.approvedBy", { name });
  }
  const who = by ? t("approval.cancelledBy", { name: by }) : t("approval.cancelled");
  const object = card.preview ? card.target?.value : undefined;
  if (!object) return `${who} ${t("approval.nothing")}`;
  const stands = state
    ? t("approval.still", { object, state: choiceName("status", state).toLowerCase() })
    : t("approval.unchanged", { object });
  return `${who} ${stands}`;
}

/** The server writes English. */
const own = (words: string | undefined): string => (currentLanguage() === "en" ? (words ?? "") : "");

/** A template with the arguments in it; none while one of them is missing. */
function filled(template: string, values: Json): string | null {
  if (!template || values === null || typeof values !== "object" || Array.isArray(values)) return null;
  let whole = true;
  const text = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== "string" && typeof value !== "number") whole = false;
    return String(value);
  });
  return whole ? text : null;
}
