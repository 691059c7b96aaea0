/** The session of this tab. The token is kept in sessionStorage, so it ends with the tab. */

import { createSignal, useSignal } from "../lib/signal";
import { keepJson, keptJson } from "../lib/storage";
import type { Me } from "./types";

const KEY = "frontdesk.session";

export interface Session {
  token: string;
  me: Me;
}

const inTab = () => sessionStorage;
let current = keptJson<Session>(KEY, inTab);
let expired = false;
const changed = createSignal();

function change(next: Session | null) {
  current = next;
  keepJson(KEY, next, inTab);
  changed.emit();
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

export function useSession(): Session | null {
  return useSignal(changed, session);
}

export function useSessionExpired(): boolean {
  return useSignal(changed, () => expired);
}
