/** Messages between tabs: changes, and the session for a new tab. */

import { type Session, session, startSession } from "../api/session";

export type Change =
  | { kind: "conversation"; id: string }
  | { kind: "approvals" }
  | { kind: "list" }
  /** A colleague opened or closed a shared conversation. */
  | { kind: "presence"; id: string; person: string; present: boolean; asks: boolean }
  /** Invitations and memberships. */
  | { kind: "people" };
type TabMessage = Change | { kind: "who"; asker: string } | { kind: "me"; asker: string; session: Session };

const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("frontdesk");
const listeners = new Set<(change: Change) => void>();

export function notifyTabs(change: Change): void {
  channel?.postMessage(change satisfies TabMessage);
}

/** Notifies the other tabs and this one. */
export function publishChange(change: Change): void {
  notifyTabs(change);
  for (const listener of listeners) listener(change);
}

export function subscribeToChanges(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long a new tab waits for a session, in milliseconds. */
const SESSION_WAIT = 120;

/** Asks the other tabs for their session. A busy tab may answer after the wait;
 * a late answer is used unless somebody has signed in here. */
export function adoptSession(): Promise<void> {
  if (session() || !channel) return Promise.resolve();
  return new Promise((resolve) => {
    const asker = String(Math.random());
    const receive = ({ data }: MessageEvent<TabMessage>) => {
      if (data.kind !== "me" || data.asker !== asker) return;
      channel.removeEventListener("message", receive);
      if (!session()) startSession(data.session);
      resolve();
    };
    channel.addEventListener("message", receive);
    channel.postMessage({ kind: "who", asker } satisfies TabMessage);
    setTimeout(resolve, SESSION_WAIT);
  });
}

channel?.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
  if (data.kind === "who") {
    const mine = session();
    if (mine) channel.postMessage({ kind: "me", asker: data.asker, session: mine } satisfies TabMessage);
  } else if (data.kind !== "me") {
    for (const listener of listeners) listener(data);
  }
});
