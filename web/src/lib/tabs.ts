/** Tabs of one browser tell each other what changed, and lend a new tab their session. */

import { type Session, session, signedIn } from "../api/session";

export type News =
  | { kind: "conversation"; id: string }
  | { kind: "approvals" }
  | { kind: "list" }
  /** Invitations and memberships. */
  | { kind: "people" };
type Said = News | { kind: "who"; asker: string } | { kind: "me"; asker: string; session: Session };

const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("frontdesk");
const listeners = new Set<(news: News) => void>();

export function tell(news: News): void {
  channel?.postMessage(news satisfies Said);
}

/** Tells the other tabs and this one. */
export function announce(news: News): void {
  tell(news);
  for (const listener of listeners) listener(news);
}

export function onNews(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long an empty page waits for another tab. */
const PATIENCE = 120;

/** A new tab asks the others who is signed in; nobody answers when there is none. A tab that is busy answers
 * later: that counts as well, until somebody signs in here. */
export function borrowSession(): Promise<void> {
  if (session() || !channel) return Promise.resolve();
  return new Promise((resolve) => {
    const asker = String(Math.random());
    const hear = ({ data }: MessageEvent<Said>) => {
      if (data.kind !== "me" || data.asker !== asker) return;
      channel.removeEventListener("message", hear);
      if (!session()) signedIn(data.session);
      resolve();
    };
    channel.addEventListener("message", hear);
    channel.postMessage({ kind: "who", asker } satisfies Said);
    setTimeout(resolve, PATIENCE);
  });
}

channel?.addEventListener("message", ({ data }: MessageEvent<Said>) => {
  if (data.kind === "who") {
    const mine = session();
    if (mine) channel.postMessage({ kind: "me", asker: data.asker, session: mine } satisfies Said);
  } else if (data.kind !== "me") {
    for (const listener of listeners) listener(data);
  }
});
