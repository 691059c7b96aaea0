/** Starts a conversation with its first message or files, and goes there. */

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { useLocation } from "wouter";
import { api, asApiError } from "../api/client";
import type { ChatInputHandle } from "../chat/ChatInput";
import type { Draft } from "../chat/chatState";
import { t } from "../i18n";
import { loadChatPage } from "./chatChunk";
import { putPendingDraft, putPendingFiles } from "./pendingDrafts";

export function useFirstMessage(input: RefObject<ChatInputHandle | null>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const preload = () => void loadChatPage();

  // Created once, by the first file or the first message.
  const created = useRef<Promise<string>>(null);
  const conversation = (assistant: string): Promise<string> => {
    created.current ??= api.createConversation({ assistant }).then(
      (made) => {
        // The conversation's page opens without a wait, so that the input keeps the focus.
        client.setQueryData(["conversation", made.id], made);
        return made.id;
      },
      (error) => {
        created.current = null;
        throw error;
      },
    );
    return created.current;
  };

  const open = async (assistant: string, hand: (id: string) => void, undo: () => void) => {
    setBusy(true);
    setProblem(null);
    try {
      const id = await conversation(assistant);
      hand(id);
      navigate(`/c/${id}`);
    } catch (error) {
      const { status, message } = asApiError(error);
      setProblem(status === 0 ? t("error.offline") : message);
      undo();
      setBusy(false);
    }
  };
  const send = (assistant: string, draft: Draft) =>
    open(
      assistant,
      (id) => putPendingDraft(id, draft),
      () => !draft.form && input.current?.fill(draft.content),
    );
  const addFiles = (assistant: string, files: File[]) =>
    open(
      assistant,
      (id) => putPendingFiles(id, files, input.current?.take() ?? ""),
      () => {},
    );
  return { busy, problem, conversation, send, addFiles, preload };
}
