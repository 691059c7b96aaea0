import { useEffect, useRef } from "react";
import type { ChatState } from "../../chat/chatState";
import { draftingStep, isOver, type Step } from "../../chat/turnReducer";

/** Key of the tab for the document that is being written. */
export const DRAFT = "draft";

/** The step that is writing a document. It is kept until the list has the saved version, so that the panel does
 * not briefly show another document or close. */
export function useDraft(state: ChatState, list: { count: number; loading: boolean }): Step | null {
  const seen = useRef<{ turn: string; step: Step; count: number } | null>(null);
  const turn = state.active ? state.turns.get(state.active) : undefined;
  const live = turn && draftingStep(turn);
  useEffect(() => {
    if (turn && live) seen.current = { turn: turn.id, step: live, count: list.count };
  });
  if (live) return live;
  const last = seen.current;
  const view = last && state.turns.get(last.turn);
  if (!last || !view || list.count > last.count || (isOver(view.phase) && !list.loading)) return null;
  const step = view.steps.find(({ callId }) => callId === last.step.callId);
  return step?.finished?.ok ? last.step : null;
}
