import { t } from "../i18n";

interface QuickRepliesProps {
  replies: string[];
  onSelect: (reply: string) => void;
  disabled: boolean;
}

/** Suggested replies as buttons. Their content is plain text. */
export function QuickReplies({ replies, onSelect, disabled }: QuickRepliesProps) {
  if (replies.length === 0) return null;
  return (
    <ul className="replies" aria-label={t("chat.replies")}>
      {replies.map((reply) => (
        <li key={reply}>
          <button type="button" className="reply" disabled={disabled} onClick={() => onSelect(reply)}>
            {reply}
          </button>
        </li>
      ))}
    </ul>
  );
}
