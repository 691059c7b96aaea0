/** The messages, oldest first. Scrolls with new text while the reader is at the end. */

import { type ReactNode, useEffect, useRef } from "react";
import { clock } from "../../lib/time";
import { Markdown } from "../../markdown/Markdown";
import type { ChatMessage } from "./session";
import { t } from "./strings";

interface ChatMessageListProps {
  messages: ChatMessage[];
  isLoading: boolean;
  /** The running step, if known. */
  working?: string | null;
  /** Above the first message. */
  before?: ReactNode;
  /** Below an answer. */
  after?: (message: ChatMessage) => ReactNode;
  /** Below the last message. */
  children?: ReactNode;
}

/** Distance from the end, in pixels, that still counts as the end. */
const NEAR = 60;

export function ChatMessageList(props: ChatMessageListProps) {
  const { messages, isLoading, working, before, after, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const mine = messages.findLast((message) => message.role === "user")?.id;

  // Scroll to the end after sending.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question is what counts
  useEffect(() => {
    stuck.current = true;
  }, [mine]);

  useEffect(() => {
    const inside = content.current;
    if (!inside || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      const element = scroller.current;
      if (element && stuck.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(inside);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    stuck.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
  };

  return (
    <div
      ref={scroller}
      className="gig-log"
      role="log"
      aria-live="off"
      aria-label={t("log")}
      aria-busy={isLoading}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <div ref={content} className="gig-log-content">
        {before}
        {messages.map((message, index) => (
          <article key={message.id} className={message.role === "user" ? "gig-mine" : "gig-answer"}>
            <h3 className="sr-only">{message.role === "user" ? t("you") : t("assistant")}</h3>
            {message.role === "user" ? (
              <p className="bubble">{message.content}</p>
            ) : (
              <Markdown text={message.content} open={isLoading && index === messages.length - 1} />
            )}
            {message.role === "assistant" && after?.(message)}
            <time className="sr-only" dateTime={message.createdAt.toISOString()}>
              {clock(message.createdAt.toISOString())}
            </time>
          </article>
        ))}
        {isLoading && messages.at(-1)?.role === "user" && (
          <p className="typing">
            <span className="dots" aria-hidden>
              <i />
              <i />
              <i />
            </span>
            <span>{working ? t("working", { what: working }) : t("typing")}</span>
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
