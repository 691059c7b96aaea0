/** Follows the event stream of a turn to its end, across lost connections, sleep and server restarts. */

import { ApiError, api, request } from "../api/client";
import { events } from "../api/sse";
import type { Id, TurnEvent, TurnState } from "../api/types";
import { pause } from "./retry";
import { isOver, type TurnReducer } from "./turnReducer";

export interface Watcher {
  /** An event was applied. */
  changed: () => void;
  /** Called with `true` when the connection is lost, `false` when it is back. */
  reconnecting: (lost: boolean) => void;
  signal: AbortSignal;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5_000;
/** Poll interval while an approval is pending, in milliseconds. */
const DECISION_POLL = 2_000;

/** Applies the events of a response. Returns when the response ends, whether the turn is over or not. */
export async function applyEvents(response: Response, reducer: TurnReducer, watcher: Watcher): Promise<void> {
  for await (const event of events(response)) {
    if (watcher.signal.aborted) return;
    if (event.event === "shutdown") return;
    const taken = parse(event.event, event.id, event.data);
    if (!taken) continue;
    reducer.apply(taken);
    watcher.changed();
  }
}

export function parse(name: string, id: string, data: string): TurnEvent | null {
  const position = Number(id);
  if (!Number.isSafeInteger(position)) return null;
  try {
    return { position, name, data: JSON.parse(data) } as TurnEvent;
  } catch {
    return null;
  }
}

/** Follows a turn until it is over or the signal fires. Rejects only on permanent errors. */
export async function followTurn(
  conversation: Id,
  turn: Id,
  reducer: TurnReducer,
  watcher: Watcher,
): Promise<void> {
  let wait = FIRST_WAIT;
  while (!isOver(reducer.current.phase) && !watcher.signal.aborted) {
    const before = reducer.position;
    try {
      const response = await request(`/conversations/${conversation}/turns/${turn}/events`, {
        headers: { accept: "text/event-stream", "last-event-id": String(reducer.position) },
        signal: watcher.signal,
      });
      watcher.reconnecting(false);
      await applyEvents(response, reducer, watcher);
      if (isOver(reducer.current.phase)) return;
      if (reducer.position > before) wait = FIRST_WAIT;
      const state = await restingState(conversation, turn, watcher.signal);
      if (state === "awaiting_approval") await pause(DECISION_POLL, watcher.signal);
      else if (reducer.position === before) await pause(wait, watcher.signal);
    } catch (error) {
      if (watcher.signal.aborted) return;
      if (error instanceof ApiError && !error.passing && error.status !== 429) throw error;
      watcher.reconnecting(true);
      await pause(wait, watcher.signal);
      wait = Math.min(wait * 1.6, LONGEST_WAIT);
    }
  }
}

async function restingState(conversation: Id, turn: Id, signal: AbortSignal): Promise<TurnState> {
  return (await api.turn(conversation, turn, signal)).state;
}
