/** Starts a conversation that is answered from one text only. */

import { api } from "../../api/client";
import { t } from "./strings";

/** Limit of a conversation's metadata, in characters. */
export const LONGEST_SELECTION = 20_000;

export async function askAbout(selection: string, title: string): Promise<string> {
  const made = await api.createConversation({
    assistant: "docs",
    title: title || t("selectionName"),
    metadata: { selection: selection.slice(0, LONGEST_SELECTION) },
  });
  return made.id;
}
