/** The conversation, oldest first. Scrolls with new text only while the reader is at the end. */

import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../i18n";
import { dayName } from "../lib/time";
import { Answer } from "./Answer";
import type { Chat } from "./chat";
import type { ChatState } from "./chatState";
import { type Item, items } from "./items";
import { OutgoingMessage, UserMessage } from "./UserMessage";
import { useLinkedMessage } from "./useLinkedMessage";

interface Props {
  chat: Chat;
  state: ChatState;
  assistant: string;
  assistantTitle: string;
  onEdit: (text: string) => void;
  /** Sends the message of a card's button; absent while the assistant answers. */
  onSay: ((text: string) => void) | null;
  /** Called with the last answer's key when its whole text is shown, and with `null` while it is not. */
  onSettled: (key: string | null) => void;
  /** Above the first message. */
  intro: ReactNode;
  /** Below the last message. */
  children: ReactNode;
}

/** Distance from the end, in pixels, that still counts as the end. */
const NEAR = 60;

export function Thread(props: Props) {
  const { chat, state, assistant, assistantTitle, onEdit, onSay, onSettled, intro, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);

  const toEnd = useCallback((smooth = false) => {
    const element = scroller.current;
    if (!element) return;
    stuck.current = true;
    setAway(false);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollTo({ top: element.scrollHeight, behavior: smooth && !still ? "smooth" : "instant" });
  }, []);

  // Keep a reader at the end there, whatever makes the content grow.
  useEffect(() => {
    const inside = content.current;
    if (!inside) return;
    const observer = new ResizeObserver(() => stuck.current && toEnd());
    observer.observe(inside);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [toEnd]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    // Growing content also changes the distance to the end; only upward scrolling is the reader's.
    if (left < NEAR) stuck.current = true;
    else if (element.scrollTop < lastTop.current - 1) stuck.current = false;
    lastTop.current = element.scrollTop;
    setAway(left > NEAR * 3 && !stuck.current);
  };

  // Upward scrolling takes effect at once, even while text streams in.
  const onWheel = (event: React.WheelEvent) => {
    if (event.deltaY < 0) stuck.current = false;
  };

  const outgoing = state.outbox.length;
  useEffect(() => {
    if (outgoing) toEnd();
  }, [outgoing, toEnd]);

  // Prepend older messages without moving the visible ones.
  const first = state.messages[0]?.id;
  const before = useRef({ first, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const kept = before.current;
    if (kept.first && first !== kept.first && !stuck.current) {
      element.scrollTop += element.scrollHeight - kept.height;
    }
    before.current = { first, height: element.scrollHeight };
  });

  useEffect(() => {
    const mark = top.current;
    if (!mark || !state.olderCursor) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && chat.loadOlder(),
      { root: scroller.current, rootMargin: "600px 0px 0px" },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [chat, state.olderCursor]);

  const leaveEnd = useCallback(() => {
    stuck.current = false;
  }, []);
  useLinkedMessage(chat, state, leaveEnd);

  const list = items(state);
  const lastAnswer = list.findLast((item) => item.kind === "answer")?.key;
  return (
    <div className="thread-frame">
      <div
        ref={scroller}
        className="thread"
        onScroll={onScroll}
        onWheel={onWheel}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t("chat.label")}
        aria-busy={state.active !== null}
      >
        <div ref={content} className="thread-content">
          {!state.olderCursor && intro}
          <div ref={top} className="thread-top">
            {state.loadingOlder && <p className="muted">{t("chat.older")}</p>}
          </div>
          {list.map((item) => (
            <Row
              key={item.key}
              item={item}
              last={item.key === lastAnswer}
              busy={state.sending || state.active !== null}
              editing={state.editing}
              chat={chat}
              assistant={assistant}
              assistantTitle={assistantTitle}
              onEdit={onEdit}
              onSay={onSay}
              onSettled={onSettled}
              resuming={state.resuming}
            />
          ))}
          {lastAnswer && <div className="replies-row">{children}</div>}
        </div>
      </div>
      {away && (
        <button type="button" className="jump" onClick={() => toEnd(true)}>
          <ArrowDown aria-hidden size={16} />
          {t("chat.jump")}
        </button>
      )}
    </div>
  );
}

interface RowProps extends Omit<Props, "state" | "intro" | "children"> {
  resuming: boolean;
  item: Item;
  last: boolean;
  busy: boolean;
  /** The message in edit. */
  editing: string | null;
}

function Row({
  item,
  last,
  busy,
  editing,
  chat,
  assistant,
  assistantTitle,
  onEdit,
  onSay,
  onSettled,
  resuming,
}: RowProps) {
  switch (item.kind) {
    case "day":
      return (
        <p className="day">
          <span>{dayName(item.at)}</span>
        </p>
      );
    case "user":
      return (
        <UserMessage message={item.message} chat={chat} editing={editing === item.message.id} busy={busy} />
      );
    case "answer":
      return (
        <Answer
          chat={chat}
          assistant={assistant}
          assistantTitle={assistantTitle}
          turn={item.turn}
          question={item.question}
          message={item.message}
          view={item.view}
          last={last}
          onSay={last ? onSay : null}
          onSettled={last ? onSettled : null}
          resuming={last && resuming}
        />
      );
    case "outgoing":
      return (
        <OutgoingMessage
          outgoing={item.outgoing}
          busy={busy}
          onResend={() => chat.resend(item.key)}
          onWithdraw={() => void chat.stop()}
          onDiscard={() => {
            const gone = chat.discard(item.key);
            if (gone && !gone.form) onEdit(gone.content);
          }}
        />
      );
  }
}
