/** Another conversation that is begun from this page. Until it is there nothing is sent from here, where it would
 * become one of its own; what was written meanwhile goes along. */

import { type RefObject, useState } from "react";
import { useLocation } from "wouter";
import type { ChatInputHandle } from "../chat/ChatInput";

export interface Beginning {
  busy: boolean;
  /** Goes to the conversation that `make` makes; fails as it does. */
  begin: (make: () => Promise<string>) => Promise<void>;
}

export function useBeginning(input: RefObject<ChatInputHandle | null>): Beginning {
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const begin = async (make: () => Promise<string>) => {
    setBusy(true);
    try {
      const id = await make();
      input.current?.forward(id);
      navigate(`/c/${id}`);
    } finally {
      setBusy(false);
    }
  };
  return { busy, begin };
}
