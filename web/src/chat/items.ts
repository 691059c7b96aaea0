/** The items of a thread in order: history, running turn, outbox. */

import type { Message } from "../api/types";
import { daysAgo } from "../lib/time";
import type { ChatState } from "./chatState";
import type { Outgoing } from "./outbox";
import type { TurnView } from "./turnReducer";

export type Item =
  | { kind: "day"; key: string; at: string }
  | { kind: "user"; key: string; message: Message }
  /** An answer, or a turn without one. `question` is the person's message before it. */
  | {
      kind: "answer";
      key: string;
      turn: string | null;
      question: string;
      message: Message | null;
      view: TurnView | null;
    }
  | { kind: "outgoing"; key: string; outgoing: Outgoing };

export function items(state: Pick<ChatState, "messages" | "turns" | "outbox">): Item[] {
  const list: Item[] = [];
  const answered = new Set(
    state.messages.filter((each) => each.role === "assistant").map((each) => each.metadata.turn_id),
  );
  let day: number | null = null;
  let question = "";
  for (const message of state.messages) {
    const thatDay = daysAgo(message.created_at);
    if (thatDay !== day) {
      day = thatDay;
      list.push({ kind: "day", key: `day-${message.id}`, at: message.created_at });
    }
    const turn = message.metadata.turn_id ?? null;
    if (message.role === "assistant") {
      list.push({
        kind: "answer",
        key: turn ?? message.id,
        turn,
        question,
        message,
        view: view(state, turn),
      });
      continue;
    }
    question = message.content;
    list.push({ kind: "user", key: message.id, message });
    if (turn && !answered.has(turn)) {
      list.push({ kind: "answer", key: turn, turn, question, message: null, view: view(state, turn) });
    }
  }
  for (const outgoing of state.outbox) list.push({ kind: "outgoing", key: outgoing.key, outgoing });
  return list;
}

const view = (state: Pick<ChatState, "turns">, turn: string | null) =>
  (turn && state.turns.get(turn)) || null;
