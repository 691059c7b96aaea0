/** One turn of an assistant: its steps and its answer. */

import { CircleHelp, FileText, OctagonX, RotateCcw, TriangleAlert } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { Message, Source } from "../api/types";
import { serverSentences, t, useAnswerSentences } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { openDocument } from "../lib/openDocument";
import { toolName } from "../lib/serverNames";
import { clock, full } from "../lib/time";
import { type Cite, Markdown, type Unsupported } from "../markdown/Markdown";
import { panelOf } from "../panels";
import { CopyButton } from "../ui/CopyButton";
import { useNow } from "../ui/useNow";
import { ApprovalCard } from "./ApprovalCard";
import { outcomeWords } from "./cardWords";
import type { Chat } from "./chat";
import { citationsOf, citedNumbers, stripSourceList } from "./citations";
import { displayText } from "./displayText";
import { Files } from "./Files";
import { ObjectCards } from "./ObjectCards";
import type { Failure } from "./outbox";
import { Rating } from "./Rating";
import { Citation, Sources } from "./Sources";
import { withoutShown } from "./shownElsewhere";
import { ToolCard } from "./ToolCard";
import { filesOf, isOver, type Step, type TurnView } from "./turnReducer";
import { useSmoothText } from "./useSmoothText";

const NONE: Source[] = [];

interface Props {
  chat: Chat;
  assistant: string;
  assistantTitle: string;
  turn: string | null;
  question: string;
  message: Message | null;
  view: TurnView | null;
  last: boolean;
  onSay: ((text: string) => void) | null;
  /** Called with the answer's key when its whole text is shown, and with `null` while it is not. */
  onSettled: ((key: string | null) => void) | null;
  /** The server was restarted and has not gone on yet. */
  resuming: boolean;
}

export const Answer = memo(function Answer({
  chat,
  assistant,
  assistantTitle,
  turn,
  question,
  message,
  view,
  last,
  onSay,
  onSettled,
  resuming,
}: Props) {
  const root = useRef<HTMLElement>(null);
  const calls = message?.metadata.tool_calls;
  // Load the steps of past turns when they scroll into view.
  const missing = turn && (!view || view.steps.length === 0) && (message ? (calls?.length ?? 0) > 0 : !last);
  useEffect(() => {
    const element = root.current;
    if (!missing || !element) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      chat.recall(turn);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [missing, chat, turn]);

  const running = view !== null && !isOver(view.phase);
  const [live] = useState(running);
  const panel = panelOf(assistant)?.aside !== undefined;
  const written = view?.text || message?.content || "";
  const sources = view?.sources.length ? view.sources : (message?.metadata.sources ?? NONE);
  const inItsLanguage = useAnswerSentences(question);
  // A language model writes in the person's language, and quotations stay as they are.
  const translated = (words: string) =>
    sources.length === 0 && !message?.metadata.tokens_used ? inItsLanguage(words) : words;
  const whole = translated(view ? withoutShown(written, view, panel) : written);
  const smooth = useSmoothText(whole, live);
  const pickingUp = running && (resuming || view.resumed);
  const streaming = running || smooth.length < whole.length;
  const said = displayText(smooth, streaming);
  const text = sources.length && !streaming ? stripSourceList(said) : said;
  const checked = useMemo(() => (message ? citationsOf(message.metadata) : null), [message]);
  const cite = useMemo<Cite | undefined>(() => {
    if (sources.length === 0) return undefined;
    return (number, claim) => {
      const source = sources[number - 1];
      return source ? <Citation number={number} source={source} claim={claim} /> : null;
    };
  }, [sources]);
  const unsupported = useMemo<Unsupported | undefined>(
    () =>
      checked?.unsupported.length
        ? { sentences: checked.unsupported, label: t("source.unsupported") }
        : undefined,
    [checked],
  );
  const key = turn ?? message?.id;
  useEffect(() => {
    if (key) onSettled?.(streaming || !message ? null : key);
  }, [streaming, message, key, onSettled]);
  const cards = view?.steps.flatMap((step) => step.finished?.cards ?? []) ?? [];
  const steps = view?.steps.length ? view.steps : fromSummaries(message);
  const finished = view ? isOver(view.phase) : true;
  // An answer that changed something is not given twice.
  const changed = steps.some((step) => step.approval !== null) || !chat.mayAnswerAgain();
  const { icon: Icon, tint } = appearanceOf(assistant);

  return (
    <article
      ref={root}
      className="answer"
      aria-busy={streaming}
      data-turn={turn ?? undefined}
      data-message={message?.id}
    >
      <div className="avatar" data-tint={tint} aria-hidden>
        <Icon size={17} />
      </div>
      <div className="answer-body">
        <h2 className="answer-name">{assistantTitle}</h2>
        {steps.length > 0 && (
          <div className="steps">
            {steps.map((step) => (
              <StepView
                key={step.callId}
                step={step}
                chat={chat}
                turn={turn}
                turnOver={finished}
                last={last}
              />
            ))}
          </div>
        )}
        {view && <Files files={filesOf(view)} />}
        {text && <Markdown text={text} open={streaming} cite={cite} unsupported={unsupported} />}
        {view && panel && view.artifacts.length > 0 && <DocumentChips view={view} />}
        {cards.length > 0 && <ObjectCards cards={cards} onSay={onSay} />}
        {!streaming && checked && checked.unsupported.length > 0 && (
          <p className="unsupported-note">
            <CircleHelp aria-hidden size={15} />
            {t("source.unsupportedNote", { count: checked.unsupported.length })}
          </p>
        )}
        {running && !text && view.phase !== "waiting" && !pickingUp && <Typing steps={steps} />}
        {pickingUp && (
          <p className="typing" role="status">
            {t("chat.resuming")}
          </p>
        )}
        {view?.ended && view.phase !== "completed" && turn && (
          <Notice chat={chat} turn={turn} view={view} last={last} />
        )}
        {!view?.ended && message?.metadata.outcome === "cancelled" && (
          <div className="notice calm">
            <OctagonX aria-hidden size={16} />
            <p>{t("chat.stopped")}</p>
          </div>
        )}
        {view?.phase === "completed" && view.ended?.notice && !whole && (
          <p className="muted">{view.ended.notice}</p>
        )}
        {!streaming && <Sources sources={sources} cited={checked?.cited ?? citedNumbers(text, sources)} />}
        {message && !streaming ? (
          <Actions
            message={message}
            text={translated(written)}
            onAgain={last && !changed ? () => chat.again() : null}
          />
        ) : (
          running && view.phase !== "waiting" && <div className="actions-space" aria-hidden />
        )}
      </div>
    </article>
  );
});

/** The documents that the turn saved; each opens in the panel. */
function DocumentChips({ view }: { view: TurnView }) {
  return (
    <p className="document-chips">
      {view.artifacts.map((artifact) => (
        <button
          key={artifact.id}
          type="button"
          className="document-chip"
          aria-label={t("chat.openDocument", { title: artifact.title })}
          onClick={() => openDocument(artifact)}
        >
          <FileText aria-hidden size={16} />
          <span>{artifact.title}</span>
        </button>
      ))}
    </p>
  );
}

function StepView({
  step,
  chat,
  turn,
  turnOver,
  last,
}: {
  step: Step;
  chat: Chat;
  turn: string | null;
  turnOver: boolean;
  last: boolean;
}) {
  const { approval } = step;
  if (approval && !approval.decision && !turnOver && turn) {
    return (
      <ApprovalCard
        card={approval.card}
        conversation={chat.id}
        turn={turn}
        focus={last}
        onDecide={(decision, reason, edited) => chat.decide(turn, step.callId, decision, reason, edited)}
      />
    );
  }
  return (
    <>
      <ToolCard step={step} turnOver={turnOver} />
      {approval?.decision && <Decided approval={approval} />}
    </>
  );
}

function Decided({ approval }: { approval: NonNullable<Step["approval"]> }) {
  return (
    <p className="decided">
      {outcomeWords(approval)}
      {approval.reason && <span> · {t("approval.because", { reason: approval.reason })}</span>}
    </p>
  );
}

/** Shown while a turn runs and has no text yet. */
function Typing({ steps }: { steps: Step[] }) {
  const busy = steps.some((step) => !step.finished);
  if (busy) return null;
  return (
    <p className="typing">
      <span className="dots" aria-hidden>
        <i />
        <i />
        <i />
      </span>
      <span>{t("chat.thinking")}</span>
    </p>
  );
}

/** The notice of a turn that ended without an answer. */
function Notice({ chat, turn, view, last }: { chat: Chat; turn: string; view: TurnView; last: boolean }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [since] = useState(Date.now);
  const wait = view.ended?.outcome.retry_after_seconds;
  const retryAt = failure?.retryAt ?? (wait ? since + wait * 1000 : null);
  const now = useNow(retryAt);
  const left = retryAt ? Math.max(0, Math.ceil((retryAt - now) / 1000)) : 0;
  const stopped = view.phase === "cancelled";
  const text =
    failure?.message ||
    (stopped ? t("chat.stopped") : serverSentences(view.ended?.notice ?? "")) ||
    t("error.server");
  return (
    <div className={stopped ? "notice calm" : "notice"} role={stopped ? undefined : "alert"}>
      {stopped ? <OctagonX aria-hidden size={16} /> : <TriangleAlert aria-hidden size={16} />}
      <p>{text}</p>
      {last && view.phase !== "interrupted" && (
        <button
          type="button"
          className="button small"
          disabled={left > 0}
          onClick={async () => setFailure(await chat.retry(turn))}
        >
          <RotateCcw aria-hidden size={14} />
          {left > 0 ? t("chat.retryIn", { count: left }) : t("chat.retry")}
        </button>
      )}
    </div>
  );
}

interface ActionsProps {
  message: Message;
  text: string;
  /** Asks for another answer, where that is possible. */
  onAgain: (() => Promise<Failure | null>) | null;
}

function Actions({ message, text, onAgain }: ActionsProps) {
  const [refused, setRefused] = useState("");
  return (
    <footer className="actions">
      <CopyButton text={text} />
      {onAgain && (
        <button
          type="button"
          className="icon-button small"
          aria-label={t("chat.again")}
          title={t("chat.again")}
          onClick={async () => setRefused((await onAgain())?.message ?? "")}
        >
          <RotateCcw aria-hidden size={15} />
        </button>
      )}
      <Rating message={message} />
      <time dateTime={message.created_at} title={full(message.created_at)}>
        {clock(message.created_at)}
      </time>
      <span role="status" className="muted">
        {refused}
      </span>
    </footer>
  );
}

/** Steps from the history's summary, until their events are loaded. */
function fromSummaries(message: Message | null): Step[] {
  return (message?.metadata.tool_calls ?? []).map((call) => ({
    callId: call.id,
    name: call.name,
    title: toolName(call.name),
    arguments: null,
    progress: null,
    draft: null,
    approval: null,
    finished: {
      call_id: call.id,
      name: call.name,
      ok: call.ok,
      summary: call.summary,
      told: "",
      duration_ms: 0,
    },
  }));
}
