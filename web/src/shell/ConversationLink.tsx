import { Menu } from "@base-ui/react/menu";
import { Ellipsis, PencilLine, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useSession } from "../api/session";
import type { Conversation } from "../api/types";
import { t } from "../i18n";
import { face } from "../lib/assistants";
import { DeleteDialog, RenameDialog } from "./ConversationDialogs";

export function ConversationLink({ conversation, current }: { conversation: Conversation; current: boolean }) {
  const me = useSession()?.me;
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const [, navigate] = useLocation();
  const close = () => setDialog(null);
  const gone = () => {
    close();
    if (current) navigate(`/a/${conversation.assistant}`);
  };
  return (
    <li className="conversation">
      <Link href={`/c/${conversation.id}`} aria-current={current ? "page" : undefined} title={conversation.title}>
        <span className="pip" data-tint={face(conversation.assistant).tint} aria-hidden />
        <span className="conversation-title">{conversation.title}</span>
        {conversation.company_id && (
          <>
            <Users aria-hidden size={13} />
            <span className="sr-only">{t("nav.shared")}</span>
          </>
        )}
      </Link>
      {conversation.user_id === me?.id && (
        <Menu.Root modal={false}>
          <Menu.Trigger className="icon-button small" aria-label={t("nav.actions", { title: conversation.title })}>
            <Ellipsis aria-hidden size={16} />
          </Menu.Trigger>
          <Menu.Portal>
            <Menu.Positioner sideOffset={4} align="end" className="menu-layer">
              <Menu.Popup className="menu">
                <Menu.Item className="menu-item" onClick={() => setDialog("rename")}>
                  <PencilLine aria-hidden size={15} />
                  {t("nav.rename")}
                </Menu.Item>
                <Menu.Item className="menu-item danger" onClick={() => setDialog("delete")}>
                  <Trash2 aria-hidden size={15} />
                  {t("nav.delete")}
                </Menu.Item>
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
      )}
      {dialog === "rename" && <RenameDialog conversation={conversation} onClose={close} onGone={gone} />}
      {dialog === "delete" && <DeleteDialog conversation={conversation} onClose={close} onGone={gone} />}
    </li>
  );
}
