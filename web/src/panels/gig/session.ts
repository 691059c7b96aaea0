/** The chat about a gig in its panel, derived from the open conversation. */

import type { ApiError } from "../../api/client";
import type { Outcome } from "../../api/types";
import type { ChatState } from "../../chat/chatState";
import { displayText } from "../../chat/displayText";
import { items } from "../../chat/items";
import { isOver, type Step, type TurnView } from "../../chat/turnReducer";
import { displayedReplies } from "../../lib/assistants";
import { t } from "./strings";

export interface ChatMessage {
  id: string;
  role: "user" | "assistant";
  content: string;
  quickReplies?: string[];
  createdAt: Date;
  /** Ids of the candidates that an answer names. */
  candidates?: string[];
}

export interface ChatSessionState {
  sessionId: string | null;
  messages: ChatMessage[];
  isLoading: boolean;
  error: string | null;
  hasMore: boolean;
}

/** How to retry the message that failed; its text stays in the thread. */
export type Failure =
  | { kind: "outgoing"; key: string; retryAt: number | null }
  | { kind: "turn"; turn: string; retryAfter: number | null };

export const EMPTY: ChatSessionState = {
  sessionId: null,
  messages: [],
  isLoading: true,
  error: null,
  hasMore: false,
};

export function sessionState(sessionId: string, state: ChatState): ChatSessionState {
  const running = state.active ? state.turns.get(state.active) : undefined;
  return {
    sessionId,
    messages: messages(state),
    isLoading: state.loading || state.sending || (state.active !== null && running?.phase !== "waiting"),
    error: problem(state),
    hasMore: state.olderCursor !== null,
  };
}

function messages(state: ChatState): ChatMessage[] {
  const list: ChatMessage[] = [];
  for (const item of items(state)) {
    if (item.kind === "user") {
      const { id, content, created_at } = item.message;
      list.push({ id, role: "user", content, createdAt: new Date(created_at) });
    }
    if (item.kind === "outgoing") {
      const { key, content, at } = item.outgoing;
      list.push({ id: key, role: "user", content, createdAt: new Date(at) });
    }
    if (item.kind === "answer") {
      const { message, view } = item;
      const running = view !== null && !isOver(view.phase);
      const content = displayText(view?.text || message?.content || "", running);
      if (!content) continue;
      const replies = displayedReplies("gig", message?.metadata.quick_replies);
      const named = message?.metadata["candidatesMentioned"];
      list.push({
        id: item.key,
        role: "assistant",
        content,
        createdAt: new Date(message?.created_at ?? Date.now()),
        ...(replies.length ? { quickReplies: replies } : {}),
        ...(Array.isArray(named) ? { candidates: named.map(String) } : {}),
      });
    }
  }
  return list;
}

/** The last message, if it failed. */
export function failed(state: ChatState): Failure | null {
  const outgoing = state.outbox.findLast((each) => each.failure);
  if (outgoing?.failure) return { kind: "outgoing", key: outgoing.key, retryAt: outgoing.failure.retryAt };
  const view = lastView(state);
  if (view?.phase !== "failed") return null;
  return { kind: "turn", turn: view.id, retryAfter: view.ended?.outcome.retry_after_seconds ?? null };
}

function lastView(state: ChatState): TurnView | undefined {
  const turn = state.messages.at(-1)?.metadata.turn_id;
  return turn ? state.turns.get(turn) : undefined;
}

function problem(state: ChatState): string | null {
  if (state.error) return state.error.message;
  const what = failed(state);
  if (!what) {
    // The outcome is unknown, so a retry could repeat the effect.
    const view = lastView(state);
    return view?.phase === "interrupted" ? (view.ended?.notice ?? t("answerFailed")) : null;
  }
  if (what.kind === "turn") return turnProblem(state.turns.get(what.turn)?.ended?.outcome);
  const failure = state.outbox.find((each) => each.key === what.key)?.failure;
  return failure ? reason(failure) : null;
}

/** The sentence for a turn without an answer, in the reader's language. */
function turnProblem(outcome: Outcome | undefined): string {
  return outcome?.outcome === "timed_out" ? t("timedOut") : t("answerFailed");
}

export function reason(failure: Pick<ApiError, "status" | "code" | "message">): string {
  if (failure.status === 0) return t("error.offline");
  if (failure.status === 401) return t("signIn");
  if (failure.status === 403) return t("forbidden");
  if (failure.status === 404) return t("notFound");
  if (failure.status === 429) return t("rateLimited");
  if (failure.code === "TURN_IN_PROGRESS") return t("error.busy");
  if (failure.status >= 500) return t("answerFailed");
  return failure.message;
}

/** A step that waits for a decision. */
export function pendingApproval(state: ChatState): { turn: string; step: Step } | null {
  const view = state.active ? state.turns.get(state.active) : undefined;
  const step = view?.steps.find((each) => each.approval && !each.approval.decision);
  return view && step ? { turn: view.id, step } : null;
}
