/** Who is signed in. The token lives in this tab alone and dies with it. */

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
    // Without storage one signs in again after a reload.
  }
  for (const listener of listeners) listener();
}

export function session(): Session | null {
  return current;
}

export function signedIn(next: Session) {
  expired = false;
  change(next);
}

export function signOut() {
  expired = false;
  change(null);
}

/** The server no longer takes our token. What is on the screen stays until somebody signs in again. */
export function sessionExpired() {
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
