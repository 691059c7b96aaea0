import { Ellipsis, Pin, Users } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { Conversation } from "../api/types";
import { t } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { titleShown } from "../lib/serverNames";
import { Menu } from "../ui/Menu";
import { ConversationMenuItems, type Placement, useConversationActions } from "./ConversationMenu";

export function ConversationLink({
  conversation,
  current,
  placement,
}: {
  conversation: Conversation;
  current: boolean;
  placement: Placement;
}) {
  const [, navigate] = useLocation();
  const title = titleShown(conversation.title);
  const { actions, dialog } = useConversationActions(conversation, placement, () => {
    if (current) navigate(`/a/${conversation.assistant}`);
  });
  return (
    <li className="conversation">
      <Link href={`/c/${conversation.id}`} aria-current={current ? "page" : undefined} title={title}>
        <span className="pip" data-tint={appearanceOf(conversation.assistant).tint} aria-hidden />
        <span className="conversation-title">{title}</span>
        {placement === "pinned" && <Pin aria-hidden size={13} />}
        {conversation.company_id && (
          <>
            <Users aria-hidden size={13} />
            <span className="sr-only">{t("nav.shared")}</span>
          </>
        )}
      </Link>
      <Menu
        triggerClass="icon-button small conversation-menu"
        label={t("nav.actions", { title })}
        trigger={<Ellipsis aria-hidden size={16} />}
      >
        <ConversationMenuItems actions={actions} />
      </Menu>
      {dialog}
    </li>
  );
}
