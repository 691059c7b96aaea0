/** The texts of a card in the reader's language. The server's English text is the fallback, for readers of English
 * only. */

import type { Fact, OriginSource, Preview } from "../api/schema";
import type { ApprovalCard, Json } from "../api/types";
import { currentLanguage, serverText, t } from "../i18n";
import { choiceName, fieldName, toolName } from "../lib/serverNames";
import type { Approval } from "./turnReducer";

/** The title of the decision, with its object and the person it concerns. */
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

/** The origin of a value. */
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

/** The result of a card: who decided, and the state of its object if nothing was done. */
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

/** The server's text is English. */
const own = (words: string | undefined): string => (currentLanguage() === "en" ? (words ?? "") : "");

/** A template with the arguments filled in; null if one is missing. */
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
