/** Pin, archive and delete with undo. A deletion is carried out when its toast has gone. */

import type { QueryClient } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Conversation, Id } from "../api/types";
import { t } from "../i18n";
import { titleShown } from "../lib/serverNames";
import { createSignal, useSignal } from "../lib/signal";
import { notifyTabs } from "../lib/tabs";
import { saveFile } from "../ui/saveFile";
import { hideToast, showToast } from "../ui/toasts";

/** Conversations that are about to be deleted, each with the toast that offers to undo it. */
const hidden = new Map<Id, number>();
const deletions = createSignal();
let ids: ReadonlySet<Id> = new Set();

function changed() {
  ids = new Set(hidden.keys());
  deletions.emit();
}

// A page that is closed takes the deletion with it.
globalThis.addEventListener?.("pagehide", () => {
  for (const toast of hidden.values()) hideToast(toast);
});

export function deleteWithUndo(client: QueryClient, conversation: Conversation): void {
  const { id } = conversation;
  const toast = showToast(t("toast.deleted", { title: titleShown(conversation.title) }), {
    action: {
      label: t("toast.undo"),
      run: () => {
        hidden.delete(id);
        changed();
      },
    },
    onGone: () => void remove(client, id),
  });
  hidden.set(id, toast);
  changed();
}

async function remove(client: QueryClient, id: Id) {
  try {
    await api.remove(id);
    client.removeQueries({ queryKey: ["conversation", id] });
  } catch {
    showToast(t("toast.notDeleted"));
  }
  // Shown again only if the list still has it.
  await refresh(client);
  hidden.delete(id);
  changed();
}

/** Lists and search show the change in all tabs. */
async function refresh(client: QueryClient) {
  notifyTabs({ kind: "list" });
  await client.invalidateQueries({ queryKey: ["conversations"] });
}

/** Conversations that are about to be deleted. */
export const useHidden = (): ReadonlySet<Id> => useSignal(deletions, () => ids);

export async function markConversation(
  client: QueryClient,
  id: Id,
  marks: { pinned: boolean; archived: boolean },
): Promise<void> {
  try {
    await api.mark(id, marks);
  } catch {
    showToast(t("toast.failed"));
  }
  await refresh(client);
}

export async function archiveWithUndo(client: QueryClient, conversation: Conversation): Promise<void> {
  await markConversation(client, conversation.id, { pinned: false, archived: true });
  showToast(t("toast.archived", { title: titleShown(conversation.title) }), {
    action: {
      label: t("toast.undo"),
      run: () => void markConversation(client, conversation.id, { pinned: false, archived: false }),
    },
  });
}

/** Saves the conversation as a file. */
export const exportConversation = ({ id, title }: Conversation, format: "md" | "pdf"): Promise<void> =>
  saveFile(`${titleShown(title)}.${format}`, () => api.exportConversation(id, format));
