/** The keyboard shortcuts of the whole page. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import type { Conversation } from "../api/types";

interface Actions {
  togglePalette: () => void;
  toggleSidebar: () => void;
  showSheet: () => void;
}

export function useShortcuts({ togglePalette, toggleSidebar, showSheet }: Actions): void {
  const [location, navigate] = useLocation();
  const client = useQueryClient();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      const control = (event.ctrlKey || event.metaKey) && !event.altKey;
      const run = (action: () => void) => {
        event.preventDefault();
        action();
      };
      if (control && !event.shiftKey && key === "k") run(togglePalette);
      // A dialog has the keyboard to itself.
      if (document.querySelector("dialog[open]")) return;
      if (control && event.shiftKey && key === "o") run(() => navigate(newChat()));
      if (control && !event.shiftKey && key === "b") run(toggleSidebar);
      if (!control && event.key === "?" && !isTyping(event.target)) run(showSheet);
    };
    /** Where a new chat with the present assistant begins. */
    const newChat = () => {
      const open = /^\/c\/([^/]+)/.exec(location)?.[1];
      const conversation = open && client.getQueryData<Conversation>(["conversation", open]);
      return conversation ? `/a/${conversation.assistant}` : location.startsWith("/a/") ? location : "/";
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [location, navigate, client, togglePalette, toggleSidebar, showSheet]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
