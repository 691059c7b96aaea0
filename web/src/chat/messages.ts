/** Messages of a thread that the page makes or compares itself. */

import { session } from "../api/session";
import type { Author, Id, Message } from "../api/types";
import type { TurnView } from "./turnReducer";

/** The answer of a finished turn, from its events. */
export function answerOf(conversation: Id, view: TurnView, id: Id): Message {
  const calls = view.steps.flatMap(({ finished }) =>
    finished
      ? [{ id: finished.call_id, name: finished.name, ok: finished.ok, summary: finished.summary }]
      : [],
  );
  return {
    id,
    conversation_id: conversation,
    role: "assistant",
    author: null,
    content: view.text,
    metadata: {
      turn_id: view.id,
      outcome: view.ended?.outcome.outcome ?? "answered",
      ...(calls.length ? { tool_calls: calls } : {}),
      ...(view.sources.length ? { sources: view.sources } : {}),
      ...(view.ended?.quick_replies?.length ? { quick_replies: view.ended.quick_replies } : {}),
    },
    created_at: new Date().toISOString(),
  };
}

/** A form's message is its tool and arguments, not words to be edited. */
export const isEditable = (message: Message): boolean => !message.content.startsWith("/");

/** Whether something that is shown is no longer among the newest messages of the server. */
export function isRewritten(shown: Message[], newest: Message[]): boolean {
  const from = newest[0]?.created_at;
  if (from === undefined) return false;
  const ids = new Set(newest.map((message) => message.id));
  return shown.some((message) => message.created_at >= from && !ids.has(message.id));
}

export function ownAuthor(): Author | null {
  const me = session()?.me;
  return me ? { id: me.id, name: me.name } : null;
}
