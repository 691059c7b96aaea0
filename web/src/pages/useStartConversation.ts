/** Starts another conversation from this page. Sending is disabled until it exists, because a message sent here
 * would start its own; text typed meanwhile moves along. */

import { type RefObject, useState } from "react";
import { useLocation } from "wouter";
import type { ChatInputHandle } from "../chat/ChatInput";

export interface StartConversation {
  busy: boolean;
  /** Navigates to the conversation that `make` creates; rejects if it does. */
  start: (make: () => Promise<string>) => Promise<void>;
}

export function useStartConversation(input: RefObject<ChatInputHandle | null>): StartConversation {
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const start = async (make: () => Promise<string>) => {
    setBusy(true);
    try {
      const id = await make();
      input.current?.forward(id);
      navigate(`/c/${id}`);
    } finally {
      setBusy(false);
    }
  };
  return { busy, start };
}
