/** The chat about a gig, in a panel that slides over its page. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Eraser, RotateCcw, Sparkles, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { asApiError } from "../../api/client";
import { Announcer } from "../../chat/Announcer";
import { ApprovalCard } from "../../chat/ApprovalCard";
import { ChatInput, type ChatInputHandle } from "../../chat/ChatInput";
import type { Chat } from "../../chat/chat";
import type { ChatState } from "../../chat/chatState";
import { QuickReplies } from "../../chat/QuickReplies";
import { useChat } from "../../chat/useChat";
import { toolName } from "../../lib/serverNames";
import { Dialog } from "../../ui/Dialog";
import { Problem } from "../../ui/Problem";
import { useNow } from "../../ui/useNow";
import { gigs } from "./api";
import { ChatMessageList } from "./ChatMessageList";
import { type ChatMessage, failed, pendingApproval, sessionState } from "./session";
import { t } from "./strings";

interface GigAIChatPanelProps {
  gigId: string;
  isOpen: boolean;
  onClose: () => void;
  /** A question to send as soon as the panel is open. */
  question?: string | null;
  onAsked?: () => void;
}

const LONGEST = 2_000;
/** Below this width the panel is modal: it covers the page. */
const NARROW = "(max-width: 860px)";

export function GigAIChatPanel(props: GigAIChatPanelProps) {
  const { gigId, isOpen, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element) return;
    const before = document.activeElement;
    if (matchMedia(NARROW).matches) element.showModal();
    else element.show();
    // Also when nothing has focus, as after a button that was disabled.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && document.activeElement === document.body) onClose();
    };
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOpen, onClose]);
  const opened = useQuery({
    queryKey: ["gig", gigId, "chat"],
    queryFn: () => gigs.openChat(gigId),
    enabled: isOpen,
    // There is exactly one per gig and person.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!isOpen) return null;
  return (
    <dialog
      ref={dialog}
      className="slide-over"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // A dialog above this one closes alone.
        const here = event.target instanceof Element && event.target.closest("dialog") === dialog.current;
        if (event.key === "Escape" && here && !event.defaultPrevented) onClose();
      }}
    >
      {opened.data ? (
        <Session {...props} sessionId={opened.data.sessionId} heading={heading} />
      ) : (
        <>
          <Head heading={heading} onClose={onClose} />
          {opened.error ? (
            <div className="notice" role="alert">
              <TriangleAlert aria-hidden size={16} />
              <p>{asApiError(opened.error).message}</p>
            </div>
          ) : (
            <p className="typing pad">{t("app.loading")}</p>
          )}
        </>
      )}
    </dialog>
  );
}

function Head(props: { heading: string; onClose: () => void; children?: ReactNode }) {
  return (
    <header className="slide-over-head">
      <Sparkles aria-hidden size={18} />
      <h2 id={props.heading}>{t("assistant")}</h2>
      {props.children}
      <button type="button" className="icon-button" aria-label={t("closeChat")} onClick={props.onClose}>
        <X aria-hidden size={18} />
      </button>
    </header>
  );
}

interface SessionProps extends GigAIChatPanelProps {
  sessionId: string;
  heading: string;
}

function Session({ sessionId, ...props }: SessionProps) {
  const { chat, state } = useChat(sessionId);
  if (!chat || !state) return <Head heading={props.heading} onClose={props.onClose} />;
  return <Open {...props} chat={chat} state={state} />;
}

type OpenProps = Omit<SessionProps, "sessionId"> & { chat: Chat; state: ChatState };

function Open({ gigId, onClose, question, onAsked, chat, state, heading }: OpenProps) {
  const client = useQueryClient();
  const input = useRef<ChatInputHandle>(null);
  const [clearing, setClearing] = useState(false);
  const session = sessionState(chat.id, state);
  const { messages, isLoading, error, hasMore } = session;
  const running = state.active ? (state.turns.get(state.active) ?? null) : null;
  const last = state.messages.at(-1);
  const view = running ?? (last?.metadata.turn_id ? (state.turns.get(last.metadata.turn_id) ?? null) : null);
  const idle = !state.active && !state.sending && state.outbox.length === 0;

  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) input.current?.focus();
  }, []);

  const loading = state.loading;
  useEffect(() => {
    if (!question || loading || !idle) return;
    chat.send({ content: question });
    onAsked?.();
  }, [question, loading, idle, chat, onAsked]);

  // Only the server knows which candidates an answer names, and a decision may have changed the table.
  const answered = last?.role === "assistant" && last.metadata.latency_ms === undefined ? last.id : null;
  useEffect(() => {
    if (!answered) return;
    void chat.reread(answered);
    client.invalidateQueries({ queryKey: ["gig", gigId, "data"] });
  }, [answered, chat, client, gigId]);

  const send = (content: string) => chat.send({ content });
  const replies = idle && last?.role === "assistant" ? (messages.at(-1)?.quickReplies ?? []) : [];
  const waiting = pendingApproval(state);
  const step = running?.steps.findLast((each) => !each.finished);

  return (
    <>
      <Head heading={heading} onClose={onClose}>
        <button
          type="button"
          className="button small"
          disabled={messages.length === 0 || !idle}
          onClick={() => setClearing(true)}
        >
          <Eraser aria-hidden size={15} />
          {t("clear")}
        </button>
      </Head>
      <ChatMessageList
        messages={messages}
        isLoading={isLoading}
        working={step ? toolName(step.name, step.title) : null}
        before={
          <>
            {hasMore && (
              <button
                type="button"
                className="button small"
                disabled={state.loadingOlder}
                onClick={() => chat.loadOlder()}
              >
                {t("older")}
              </button>
            )}
            {messages.length === 0 && !state.loading && <Examples gigId={gigId} onSelect={send} />}
          </>
        }
        after={(message) => <Mentioned gigId={gigId} message={message} onClose={onClose} />}
      >
        {waiting?.step.approval && (
          <ApprovalCard
            card={waiting.step.approval.card}
            conversation={chat.id}
            turn={waiting.turn}
            focus
            onDecide={(decision, why, edited) =>
              chat.decide(waiting.turn, waiting.step.callId, decision, why, edited)
            }
          />
        )}
        <QuickReplies replies={replies} onSelect={send} disabled={!idle} />
      </ChatMessageList>
      <div className="slide-over-foot">
        {error && <ErrorBar error={error} chat={chat} state={state} />}
        <ChatInput
          handle={input}
          place={chat.id}
          limit={LONGEST}
          tooLongNote={t("tooLong")}
          label={t("ask")}
          placeholder={isLoading ? t("wait") : t("ask")}
          onSend={send}
          disabled={state.sending || state.loading}
          running={state.active !== null && running?.phase !== "waiting"}
          stopping={state.stopping}
          onStop={() => chat.stop()}
        />
      </div>
      <Announcer active={state.active} messages={state.messages} view={view} />
      {clearing && (
        <ClearDialog
          onClose={() => setClearing(false)}
          onClear={async () => {
            await gigs.clearChat(gigId);
            await chat.forget();
            // The button that opened this is now disabled.
            setTimeout(() => input.current?.focus());
          }}
        />
      )}
    </>
  );
}

/** Examples in an empty conversation. */
function Examples({ gigId, onSelect }: { gigId: string; onSelect: (question: string) => void }) {
  const { data } = useQuery({ queryKey: ["gig", gigId, "data"], queryFn: () => gigs.one(gigId) });
  const skill = data?.requirements?.required_skills?.[0];
  const examples = [
    t("example1"),
    t("example2"),
    t("example3"),
    ...(skill ? [t("example4", { skill })] : []),
  ];
  return (
    <section className="gig-hello">
      <h3>{t("hello")}</h3>
      <p className="muted">{t("helloHint")}</p>
      <ul className="suggestions" aria-label={t("examples")}>
        {examples.map((example) => (
          <li key={example}>
            <button type="button" onClick={() => onSelect(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The candidates that an answer names, as links to their rows. */
function Mentioned(props: { gigId: string; message: ChatMessage; onClose: () => void }) {
  const { gigId, message, onClose } = props;
  const ids = message.candidates ?? [];
  const { data } = useQuery({
    queryKey: ["gig", gigId, "data", "some", ids.join()],
    queryFn: () => gigs.some(gigId, ids),
    enabled: ids.length > 0,
  });
  if (!data?.length) return null;
  return (
    <ul className="gig-mentioned" aria-label={t("mentioned")}>
      {data.map((each) => (
        <li key={each.id}>
          <Link
            href={`/gigs/${gigId}?candidate=${each.id}`}
            className="filter"
            // On a phone the panel covers the row.
            onClick={() => matchMedia(NARROW).matches && onClose()}
          >
            {each.name}
            {each.compositeScore !== null && <span className="muted"> {each.compositeScore}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Why there is no answer. The question stays in the thread and is sent again unchanged. */
function ErrorBar({ error, chat, state }: { error: string; chat: Chat; state: ChatState }) {
  const what = failed(state);
  const [since] = useState(Date.now);
  const [later, setLater] = useState<number | null>(null);
  const asked = what?.kind === "outgoing" ? what.retryAt : null;
  const wait = what?.kind === "turn" && what.retryAfter ? since + what.retryAfter * 1000 : null;
  const retryAt = later ?? asked ?? wait;
  const now = useNow(retryAt);
  const left = retryAt ? Math.max(0, Math.ceil((retryAt - now) / 1000)) : 0;
  const retry = async () => {
    if (what?.kind === "outgoing") chat.resend(what.key);
    if (what?.kind === "turn") setLater((await chat.retry(what.turn))?.retryAt ?? null);
  };
  return (
    <div className="notice" role="alert">
      <TriangleAlert aria-hidden size={16} />
      <p>{error}</p>
      {what && (
        <button type="button" className="button small" disabled={left > 0 || state.sending} onClick={retry}>
          <RotateCcw aria-hidden size={14} />
          {left > 0 ? t("retryIn", { count: left }) : t("retry")}
        </button>
      )}
    </div>
  );
}

function ClearDialog({ onClose, onClear }: { onClose: () => void; onClear: () => Promise<void> }) {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Dialog title={t("clearTitle")} onClose={onClose}>
      <p>{t("clearBody")}</p>
      <Problem>{problem}</Problem>
      <div className="dialog-actions">
        <button type="button" className="button" data-autofocus onClick={onClose}>
          {t("app.cancel")}
        </button>
        <button
          type="button"
          className="button danger"
          onClick={() => onClear().then(onClose, (error) => setProblem(asApiError(error).message))}
        >
          {t("clearConfirm")}
        </button>
      </div>
    </Dialog>
  );
}
