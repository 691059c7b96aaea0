/** A person's message, verbatim: one's own or, in a company's conversation, a colleague's. */

import { Clock, Pencil, RotateCcw, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { useSession } from "../api/session";
import type { Author, FileRef, Message } from "../api/types";
import { t } from "../i18n";
import { authorName, toolName } from "../lib/serverNames";
import { clock, full } from "../lib/time";
import { Initials } from "../shell/AccountMenu";
import { CopyButton } from "../ui/CopyButton";
import { useNow } from "../ui/useNow";
import type { Chat } from "./chat";
import { EditMessage } from "./EditMessage";
import { Files } from "./Files";
import { isEditable } from "./messages";
import { type Failure, isQueued, type Outgoing } from "./outbox";
import { VersionSwitch } from "./VersionSwitch";

interface Props {
  message: Message;
  chat: Chat;
  editing: boolean;
  busy: boolean;
}

export const UserMessage = memo(function UserMessage({ message, chat, editing, busy }: Props) {
  const me = useSession()?.me.id;
  const other = message.author && message.author.id !== me ? message.author : null;
  const versions = message.versions ?? [];
  return (
    <article className={other ? "theirs" : "mine"} data-message={message.id}>
      {other ? <AuthorName author={other} /> : <h2 className="sr-only">{t("chat.you")}</h2>}
      <Files files={filesIn(message)} />
      {editing ? (
        <EditMessage
          text={message.content}
          onSave={(text) => chat.revise(message.id, text)}
          onClose={() => chat.edit(null)}
        />
      ) : (
        <p className="bubble">{message.content}</p>
      )}
      <Kept message={message} />
      <footer className="actions">
        {versions.length > 1 && (
          <VersionSwitch
            current={message.id}
            versions={versions}
            busy={busy}
            onSelect={(version) => void chat.selectVersion(version)}
          />
        )}
        <time dateTime={message.created_at} title={full(message.created_at)}>
          {clock(message.created_at)}
        </time>
        <CopyButton text={message.content} />
        {!other && !editing && isEditable(message) && (
          <button
            type="button"
            className="icon-button small"
            aria-label={t("chat.edit")}
            title={t("chat.edit")}
            disabled={busy}
            onClick={() => chat.edit(message.id)}
          >
            <Pencil aria-hidden size={15} />
          </button>
        )}
      </footer>
    </article>
  );
});

/** Effects of an earlier version of the message, which stay. */
function Kept({ message }: { message: Message }) {
  const kept = message.metadata["kept_effects"];
  if (!Array.isArray(kept) || kept.length === 0) return null;
  const list = kept.map(({ tool, target }: { tool: string; target?: string | null }) =>
    target ? `${toolName(tool)} (${target})` : toolName(tool),
  );
  return <p className="kept muted">{t("chat.kept", { list: list.join(", ") })}</p>;
}

function AuthorName({ author }: { author: Author }) {
  const name = authorName(author);
  return (
    <header className="author">
      <Initials name={name} />
      <h2>{name}</h2>
    </header>
  );
}

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
  onWithdraw: () => void;
}

/** A message that the server has not accepted yet; it stays in the outbox. */
export function OutgoingMessage({ outgoing, busy, onResend, onDiscard, onWithdraw }: OutgoingProps) {
  const queued = isQueued(outgoing);
  const failure = queued ? null : outgoing.failure;
  return (
    <article className={failure ? "mine failed" : "mine sending"}>
      <h2 className="sr-only">{t("chat.you")}</h2>
      <Files files={outgoing.attachments} />
      <p className="bubble">{outgoing.content}</p>
      {failure ? (
        <Failed failure={failure} busy={busy} onResend={onResend} onDiscard={onDiscard} />
      ) : queued ? (
        <Queued onWithdraw={onWithdraw} onDiscard={onDiscard} />
      ) : (
        <footer className="actions shown">{t("chat.sending")}</footer>
      )}
    </article>
  );
}

function Queued({ onWithdraw, onDiscard }: { onWithdraw: () => void; onDiscard: () => void }) {
  return (
    <div className="not-sent calm" role="status">
      <Clock aria-hidden size={16} />
      <p>{t("chat.queued")}</p>
      <button type="button" className="button small" onClick={onWithdraw}>
        {t("chat.withdraw")}
      </button>
      <button type="button" className="button small" onClick={onDiscard}>
        <Pencil aria-hidden size={14} />
        {t("chat.discard")}
      </button>
    </div>
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
