/** Scrolls to the message that the address names (`?m=`), loading older pages until it is there. */

import { useEffect } from "react";
import { useSearchParams } from "wouter";
import type { Chat } from "./chat";
import type { ChatState } from "./chatState";

/** A missing message ends the search after this many pages. */
const MOST_PAGES = 40;

export function useLinkedMessage(chat: Chat, state: ChatState, leaveEnd: () => void): void {
  const [params, setParams] = useSearchParams();
  const wanted = params.get("m");
  const { loading, loadingOlder, olderCursor, messages } = state;
  const here = messages.some((message) => message.id === wanted);
  const pages = messages.length / 50;
  useEffect(() => {
    if (!wanted || loading || loadingOlder) return;
    if (!here && olderCursor && pages < MOST_PAGES) {
      void chat.loadOlder();
      return;
    }
    const forget = () => setParams((before) => without(before), { replace: true });
    // After the thread has scrolled to its end.
    leaveEnd();
    const frame = requestAnimationFrame(() => {
      const element = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(wanted)}"]`);
      element?.scrollIntoView({ block: "center" });
      element?.classList.add("linked");
      forget();
    });
    return () => cancelAnimationFrame(frame);
  }, [chat, wanted, loading, loadingOlder, olderCursor, here, pages, setParams, leaveEnd]);
}

function without(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete("m");
  return rest;
}
