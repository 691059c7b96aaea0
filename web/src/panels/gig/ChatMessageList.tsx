/** What was asked and answered, oldest first. It follows new text while the reader is at its end. */

import { type ReactNode, useEffect, useRef } from "react";
import { clock } from "../../lib/time";
import { Markdown } from "../../markdown/Markdown";
import type { ChatMessage } from "./session";
import { w } from "./words";

interface ChatMessageListProps {
  messages: ChatMessage[];
  isLoading: boolean;
  /** What is being done, where that is known. */
  working?: string | null;
  /** Stands above the first message. */
  before?: ReactNode;
  /** Stands below an answer. */
  after?: (message: ChatMessage) => ReactNode;
  /** Stands below everything. */
  children?: ReactNode;
}

/** This near to the end still counts as there. */
const NEAR = 60;

export function ChatMessageList(props: ChatMessageListProps) {
  const { messages, isLoading, working, before, after, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const mine = messages.findLast((message) => message.role === "user")?.id;

  // Whoever has just asked wants to see what comes.
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
      aria-label={w("log")}
      aria-busy={isLoading}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <div ref={content} className="gig-log-content">
        {before}
        {messages.map((message, index) => (
          <article key={message.id} className={message.role === "user" ? "gig-mine" : "gig-answer"}>
            <h3 className="sr-only">{message.role === "user" ? w("you") : w("assistant")}</h3>
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
            <span>{working ? w("working", { what: working }) : w("typing")}</span>
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
