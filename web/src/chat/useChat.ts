import { useEffect, useState, useSyncExternalStore } from "react";
import type { Id } from "../api/types";
import { Chat } from "./chat";

/** The open conversation. Unmounting ends its stream, not the turn. */
export function useChat(id: Id) {
  const [chat, setChat] = useState<Chat | null>(null);
  useEffect(() => {
    const opened = new Chat(id);
    setChat(opened);
    return () => opened.close();
  }, [id]);
  const current = chat?.id === id ? chat : null;
  const state = useSyncExternalStore(current?.subscribe ?? nothing, current?.snapshot ?? none);
  return { chat: current, state };
}

const nothing = () => () => {};
const none = () => null;
