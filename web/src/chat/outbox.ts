/** Unsent messages and drafts, stored in the browser, so that neither a
 * failure nor a reload loses a word. */

import type { FileRef, Json } from "../api/types";

export interface Outgoing {
  /** Also the idempotency key: sending it again cannot store it twice. */
  key: string;
  content: string;
  attachments: FileRef[];
  form: { tool: string; title: string; arguments: { [name: string]: Json } } | null;
  at: string;
  failure: Failure | null;
}

export interface Failure {
  status: number;
  code: string;
  message: string;
  /** Earliest retry, in milliseconds since 1970. */
  retryAt: number | null;
}

/** The server keeps no message while a card waits: the outbox does, and sends it after the decision. */
export const isQueued = (outgoing: Outgoing): boolean => outgoing.failure?.code === "DECISION_PENDING";

const OUTBOX = "frontdesk.outbox.";
const DRAFT = "frontdesk.draft.";

export function readOutbox(conversation: string): Outgoing[] {
  const kept = read(OUTBOX + conversation);
  try {
    const list = kept ? (JSON.parse(kept) as Outgoing[]) : [];
    // A message that was being sent when the page closed may have arrived; its key makes resending safe.
    return list.map((each) => ({
      ...each,
      failure: each.failure ?? { status: 0, code: "OFFLINE", message: "", retryAt: null },
    }));
  } catch {
    return [];
  }
}

export function saveOutbox(conversation: string, list: Outgoing[]): void {
  write(OUTBOX + conversation, list.length ? JSON.stringify(list) : "");
}

/** Draft keys that were moved, and their targets. */
const forwarded = new Map<string, string>();

export function readDraft(place: string): string {
  forwarded.delete(place);
  return read(DRAFT + place) ?? "";
}

export const saveDraft = (place: string, text: string): void =>
  write(DRAFT + (forwarded.get(place) ?? place), text);

/** Moves a draft to another key, including text that is still typed into the old one. */
export function moveDraft(from: string, to: string, text: string): void {
  write(DRAFT + from, "");
  write(DRAFT + to, text);
  forwarded.set(from, to);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // Storage is full or forbidden; the text is still on screen.
  }
}
