/** Tabs of one browser tell each other what changed, and lend a new tab their session. */

import { type Session, session, signedIn } from "../api/session";

export type News =
  | { kind: "conversation"; id: string }
  | { kind: "approvals" }
  | { kind: "list" }
  /** Invitations and memberships. */
  | { kind: "people" };
type Said = News | { kind: "who" } | { kind: "me"; session: Session };

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

/** A new tab asks the others who is signed in; nobody answers when there is none. */
export function borrowSession(): Promise<void> {
  if (session() || !channel) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      channel.removeEventListener("message", hear);
      clearTimeout(timer);
      resolve();
    };
    const hear = ({ data }: MessageEvent<Said>) => {
      if (data.kind !== "me") return;
      if (!session()) signedIn(data.session);
      done();
    };
    const timer = setTimeout(done, 120);
    channel.addEventListener("message", hear);
    channel.postMessage({ kind: "who" } satisfies Said);
  });
}

channel?.addEventListener("message", ({ data }: MessageEvent<Said>) => {
  if (data.kind === "who") {
    const mine = session();
    if (mine) channel.postMessage({ kind: "me", session: mine } satisfies Said);
  } else if (data.kind !== "me") {
    for (const listener of listeners) listener(data);
  }
});
