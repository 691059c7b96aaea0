/** What was written but not taken by the server yet, and drafts. Kept in the browser, so that neither a
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
  /** When it may be tried again, in milliseconds since 1970. */
  retryAt: number | null;
}

const OUTBOX = "frontdesk.outbox.";
const DRAFT = "frontdesk.draft.";

export function readOutbox(conversation: string): Outgoing[] {
  const kept = read(OUTBOX + conversation);
  try {
    const list = kept ? (JSON.parse(kept) as Outgoing[]) : [];
    // What was on its way when the page went away may have arrived; its key makes it safe to ask.
    return list.map((each) => ({
      ...each,
      failure: each.failure ?? { status: 0, code: "OFFLINE", message: "", retryAt: null },
    }));
  } catch {
    return [];
  }
}

export function keepOutbox(conversation: string, list: Outgoing[]): void {
  write(OUTBOX + conversation, list.length ? JSON.stringify(list) : "");
}

/** Places that are being left, and where what is still written there belongs. */
const forwarded = new Map<string, string>();

export function readDraft(place: string): string {
  forwarded.delete(place);
  return read(DRAFT + place) ?? "";
}

export const keepDraft = (place: string, text: string): void =>
  write(DRAFT + (forwarded.get(place) ?? place), text);

/** What was written in one place goes to another, and so does what is added until the first one is gone. */
export function forwardDraft(from: string, to: string, text: string): void {
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
    // Full or forbidden: what is on the screen is still there.
  }
}
