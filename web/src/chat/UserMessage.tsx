/** What the person wrote, exactly as it was written. */

import { Check, Copy, Pencil, RotateCcw, TriangleAlert } from "lucide-react";
import { memo } from "react";
import type { FileRef, Message } from "../api/types";
import { t } from "../i18n";
import { clock, full } from "../lib/time";
import { useCopy } from "../ui/useCopy";
import { useNow } from "../ui/useNow";
import { Files } from "./Files";
import type { Failure, Outgoing } from "./outbox";

interface Props {
  message: Message;
  onEdit: (text: string) => void;
}

export const UserMessage = memo(function UserMessage({ message, onEdit }: Props) {
  const { copied, copy } = useCopy();
  return (
    <article className="mine">
      <h2 className="sr-only">{t("chat.you")}</h2>
      <Files files={filesIn(message)} />
      <p className="bubble">{message.content}</p>
      <footer className="actions">
        <time dateTime={message.created_at} title={full(message.created_at)}>
          {clock(message.created_at)}
        </time>
        <button
          type="button"
          className="icon-button small"
          aria-label={copied ? t("chat.copied") : t("chat.copy")}
          title={t("chat.copy")}
          onClick={() => copy(message.content)}
        >
          {copied ? <Check aria-hidden size={15} /> : <Copy aria-hidden size={15} />}
        </button>
        <button
          type="button"
          className="icon-button small"
          aria-label={t("chat.edit")}
          title={t("chat.edit")}
          onClick={() => onEdit(message.content)}
        >
          <Pencil aria-hidden size={15} />
        </button>
      </footer>
    </article>
  );
});

function filesIn(message: Message): FileRef[] {
  const files = message.metadata["attachments"];
  if (!Array.isArray(files)) return [];
  return files.filter(
    (file): file is FileRef => typeof file === "object" && file !== null && "media_type" in file,
  );
}

interface OutgoingProps {
  outgoing: Outgoing;
  busy: boolean;
  onResend: () => void;
  onDiscard: () => void;
}

/** A message that the server has not taken yet. Nothing of it is lost, whatever happens. */
export function OutgoingMessage({ outgoing, busy, onResend, onDiscard }: OutgoingProps) {
  const { failure } = outgoing;
  return (
    <article className={failure ? "mine failed" : "mine sending"}>
      <h2 className="sr-only">{t("chat.you")}</h2>
      <Files files={outgoing.attachments} />
      <p className="bubble">{outgoing.content}</p>
      {failure ? (
        <Failed failure={failure} busy={busy} onResend={onResend} onDiscard={onDiscard} />
      ) : (
        <footer className="actions shown">{t("chat.sending")}</footer>
      )}
    </article>
  );
}

function Failed({
  failure,
  busy,
  onResend,
  onDiscard,
}: {
  failure: Failure;
  busy: boolean;
  onResend: () => void;
  onDiscard: () => void;
}) {
  const now = useNow(failure.retryAt);
  const left = failure.retryAt ? Math.max(0, Math.ceil((failure.retryAt - now) / 1000)) : 0;
  return (
    <div className="not-sent" role="alert">
      <TriangleAlert aria-hidden size={16} />
      <p>
        <strong>{t("chat.notSent")}</strong> {reason(failure)}
      </p>
      <button type="button" className="button small" disabled={left > 0 || busy} onClick={onResend}>
        <RotateCcw aria-hidden size={14} />
        {left > 0 ? t("chat.sendAgainIn", { count: left }) : t("chat.sendAgain")}
      </button>
      <button type="button" className="button small" onClick={onDiscard}>
        <Pencil aria-hidden size={14} />
        {t("chat.discard")}
      </button>
    </div>
  );
}

function reason(failure: Failure): string {
  if (failure.status === 0) return t("error.offline");
  if (failure.status === 401) return t("error.expired");
  if (failure.status === 429) return t("error.rateLimited");
  if (failure.code === "TURN_IN_PROGRESS") return t("error.busy");
  if (failure.status >= 500) return t("error.server");
  return failure.message;
}
