/** A conversation that is answered from one text alone. */

import { api } from "../../api/client";
import { w } from "./words";

/** The server keeps no more beside a conversation. */
export const LONGEST_SELECTION = 20_000;

export async function askAbout(selection: string, title: string): Promise<string> {
  const made = await api.createConversation({
    assistant: "docs",
    title: title || w("selectionName"),
    metadata: { selection: selection.slice(0, LONGEST_SELECTION) },
  });
  return made.id;
}
