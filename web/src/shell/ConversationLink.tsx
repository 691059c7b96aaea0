import { Ellipsis, PencilLine, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useSession } from "../api/session";
import type { Conversation } from "../api/types";
import { t } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { titleShown } from "../lib/serverNames";
import { Menu, MenuItem } from "../ui/Menu";
import { DeleteDialog, RenameDialog } from "./ConversationDialogs";

export function ConversationLink({
  conversation,
  current,
}: {
  conversation: Conversation;
  current: boolean;
}) {
  const me = useSession()?.me;
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const [, navigate] = useLocation();
  const title = titleShown(conversation.title);
  const close = () => setDialog(null);
  const gone = () => {
    close();
    if (current) navigate(`/a/${conversation.assistant}`);
  };
  return (
    <li className="conversation">
      <Link href={`/c/${conversation.id}`} aria-current={current ? "page" : undefined} title={title}>
        <span className="pip" data-tint={appearanceOf(conversation.assistant).tint} aria-hidden />
        <span className="conversation-title">{title}</span>
        {conversation.company_id && (
          <>
            <Users aria-hidden size={13} />
            <span className="sr-only">{t("nav.shared")}</span>
          </>
        )}
      </Link>
      {conversation.user_id === me?.id && (
        <Menu
          triggerClass="icon-button small conversation-menu"
          label={t("nav.actions", { title })}
          trigger={<Ellipsis aria-hidden size={16} />}
        >
          <MenuItem onSelect={() => setDialog("rename")}>
            <PencilLine aria-hidden size={15} />
            {t("nav.rename")}
          </MenuItem>
          <MenuItem className="danger" onSelect={() => setDialog("delete")}>
            <Trash2 aria-hidden size={15} />
            {t("nav.delete")}
          </MenuItem>
        </Menu>
      )}
      {dialog === "rename" && <RenameDialog conversation={conversation} onClose={close} onGone={gone} />}
      {dialog === "delete" && <DeleteDialog conversation={conversation} onClose={close} onGone={gone} />}
    </li>
  );
}
