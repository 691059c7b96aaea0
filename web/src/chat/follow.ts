/** Watching a turn to its end, through lost connections, sleep and server restarts. */

import { ApiError, api, request } from "../api/client";
import { events } from "../api/sse";
import type { Id, TurnEvent, TurnState } from "../api/types";
import { over, type TurnFold } from "./fold";

export interface Watcher {
  /** The fold grew. */
  changed: () => void;
  /** Whether the connection is lost at the moment. */
  reconnecting: (lost: boolean) => void;
  signal: AbortSignal;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5_000;
/** How often we ask whether somebody decided. */
const DECISION_POLL = 2_000;

/** Feeds a response into a fold. Ends when the response does, whether the turn is over or not. */
export async function feed(response: Response, fold: TurnFold, watcher: Watcher): Promise<void> {
  for await (const event of events(response)) {
    if (watcher.signal.aborted) return;
    if (event.event === "shutdown") return;
    const taken = parse(event.event, event.id, event.data);
    if (!taken) continue;
    fold.apply(taken);
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

/** Follows a turn until it is over or the signal fires. Rejects only where trying again cannot help. */
export async function follow(conversation: Id, turn: Id, fold: TurnFold, watcher: Watcher): Promise<void> {
  let wait = FIRST_WAIT;
  while (!over(fold.current.phase) && !watcher.signal.aborted) {
    const before = fold.position;
    try {
      const response = await request(`/conversations/${conversation}/turns/${turn}/events`, {
        headers: { accept: "text/event-stream", "last-event-id": String(fold.position) },
        signal: watcher.signal,
      });
      watcher.reconnecting(false);
      await feed(response, fold, watcher);
      if (over(fold.current.phase)) return;
      if (fold.position > before) wait = FIRST_WAIT;
      const state = await restingState(conversation, turn, watcher.signal);
      if (state === "awaiting_approval") await pause(DECISION_POLL, watcher.signal);
      else if (fold.position === before) await pause(wait, watcher.signal);
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

const wake = new EventTarget();

/** Whoever waits looks again at once. */
export function lookAgain(): void {
  wake.dispatchEvent(new Event("look"));
}

/** Resolves after a while, at once when the network or the tab comes back, or when aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      wake.removeEventListener("look", done);
      removeEventListener("online", done);
      document.removeEventListener("visibilitychange", seen);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const seen = () => document.visibilityState === "visible" && done();
    const timer = setTimeout(done, milliseconds);
    wake.addEventListener("look", done);
    addEventListener("online", done);
    document.addEventListener("visibilitychange", seen);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
