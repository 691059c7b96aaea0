/** Deletes an untitled conversation in which nothing was said or written when its page is left. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../api/client";
import type { Conversation } from "../api/types";
import type { ChatState } from "../chat/chatState";
import { readDraft, readOutbox } from "../chat/outbox";
import { isUntitled } from "../lib/serverNames";

export function useDiscardEmpty(conversation: Conversation, own: boolean, state: ChatState): void {
  const client = useQueryClient();
  const { id, company_id, subject, title } = conversation;
  const empty =
    own &&
    company_id === null &&
    subject === null &&
    isUntitled(title) &&
    !state.loading &&
    !state.sending &&
    state.messages.length === 0 &&
    state.outbox.length === 0;
  const now = useRef(empty);
  useEffect(() => {
    now.current = empty;
  }, [empty]);
  useEffect(
    () => () => {
      if (!now.current || readDraft(id) || readOutbox(id).length > 0) return;
      api.remove(id).then(
        () => client.invalidateQueries({ queryKey: ["conversations"] }),
        () => {
          // Then it stays in the list, where it can be deleted.
        },
      );
    },
    [client, id],
  );
}
