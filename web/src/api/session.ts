/** The session of this tab. The token is kept in sessionStorage, so it ends with the tab. */

import { useSyncExternalStore } from "react";
import type { Me } from "./types";

const KEY = "frontdesk.session";

export interface Session {
  token: string;
  me: Me;
}

let current: Session | null = read();
let expired = false;
const listeners = new Set<() => void>();

function read(): Session | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    return kept ? (JSON.parse(kept) as Session) : null;
  } catch {
    return null;
  }
}

function change(next: Session | null) {
  current = next;
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage, a reload requires signing in again.
  }
  for (const listener of listeners) listener();
}

export function session(): Session | null {
  return current;
}

export function startSession(next: Session) {
  expired = false;
  change(next);
}

export function signOut() {
  expired = false;
  change(null);
}

/** The server rejects the token. The screen stays as it is until somebody signs in again. */
export function expireSession() {
  if (!current || expired) return;
  expired = true;
  change(current);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, session);
}

export function useSessionExpired(): boolean {
  return useSyncExternalStore(subscribe, () => expired);
}
