/** What one can do with a conversation: in the list, and in the header of the open one. */

import { useQueryClient } from "@tanstack/react-query";
import {
  Archive,
  ArchiveRestore,
  FileDown,
  type LucideIcon,
  PencilLine,
  Pin,
  PinOff,
  Share2,
  Trash2,
} from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useSession } from "../api/session";
import type { Conversation } from "../api/types";
import { t } from "../i18n";
import { MenuItem } from "../ui/Menu";
import { archiveWithUndo, deleteWithUndo, exportConversation, markConversation } from "./conversationChanges";

const RenameDialog = lazy(async () => ({ default: (await import("./ConversationDialogs")).RenameDialog }));
const ShareDialog = lazy(() => import("./ShareDialog"));

/** How the list shows the conversation. */
export type Placement = "current" | "pinned" | "archived";

export interface ConversationAction {
  key: string;
  words: string;
  icon: LucideIcon;
  danger?: boolean;
  run: () => void;
}

/** The actions for this person, and the dialog that one of them opened. */
export function useConversationActions(
  conversation: Conversation,
  placement: Placement,
  onGone: () => void,
): { actions: ConversationAction[]; dialog: React.ReactNode } {
  const me = useSession()?.me;
  const client = useQueryClient();
  const [dialog, setDialog] = useState<"rename" | "share" | null>(null);
  const own = conversation.user_id === me?.id;
  const mark = (pinned: boolean, archived: boolean) =>
    void markConversation(client, conversation.id, { pinned, archived });
  const actions: ConversationAction[] = [
    placement === "pinned"
      ? { key: "pin", words: t("nav.unpin"), icon: PinOff, run: () => mark(false, false) }
      : { key: "pin", words: t("nav.pin"), icon: Pin, run: () => mark(true, false) },
    placement === "archived"
      ? { key: "archive", words: t("nav.unarchive"), icon: ArchiveRestore, run: () => mark(false, false) }
      : {
          key: "archive",
          words: t("nav.archive"),
          icon: Archive,
          run: () => void archiveWithUndo(client, conversation),
        },
    {
      key: "export-md",
      words: t("nav.exportMarkdown"),
      icon: FileDown,
      run: () => void exportConversation(conversation, "md"),
    },
    {
      key: "export-pdf",
      words: t("nav.exportPdf"),
      icon: FileDown,
      run: () => void exportConversation(conversation, "pdf"),
    },
    // A conversation about a subject, such as a gig, stays its person's.
    ...(own && conversation.subject === null
      ? [{ key: "share", words: t("nav.share"), icon: Share2, run: () => setDialog("share") }]
      : []),
    ...(own
      ? [
          { key: "rename", words: t("nav.rename"), icon: PencilLine, run: () => setDialog("rename") },
          {
            key: "delete",
            words: t("nav.delete"),
            icon: Trash2,
            danger: true,
            run: () => {
              deleteWithUndo(client, conversation);
              onGone();
            },
          },
        ]
      : []),
  ];
  const close = () => setDialog(null);
  return {
    actions,
    dialog: (
      <>
        <Suspense>
          {dialog === "rename" && <RenameDialog conversation={conversation} onClose={close} />}
          {dialog === "share" && <ShareDialog conversation={conversation} onClose={close} />}
        </Suspense>
      </>
    ),
  };
}

export function ConversationMenuItems({ actions }: { actions: ConversationAction[] }) {
  return actions.map(({ key, words, icon: Icon, danger, run }) => (
    <MenuItem key={key} onSelect={run} {...(danger ? { className: "danger" } : {})}>
      <Icon aria-hidden size={15} />
      {words}
    </MenuItem>
  ));
}
