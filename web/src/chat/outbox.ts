/** Unsent messages and drafts, stored in the browser, so that neither a
 * failure nor a reload loses a word. */

import type { FileRef, Json } from "../api/types";
import { keep, keepJson, kept, keptJson } from "../lib/storage";

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
  const list = keptJson<Outgoing[]>(OUTBOX + conversation) ?? [];
  // A message that was being sent when the page closed may have arrived; its key makes resending safe.
  return list.map((each) => ({
    ...each,
    failure: each.failure ?? { status: 0, code: "OFFLINE", message: "", retryAt: null },
  }));
}

export const saveOutbox = (conversation: string, list: Outgoing[]): void =>
  keepJson(OUTBOX + conversation, list.length ? list : null);

/** Draft keys that were moved, and their targets. */
const forwarded = new Map<string, string>();

export function readDraft(place: string): string {
  forwarded.delete(place);
  return kept(DRAFT + place) ?? "";
}

export const saveDraft = (place: string, text: string): void =>
  keep(DRAFT + (forwarded.get(place) ?? place), text);

/** Moves a draft to another key, including text that is still typed into the old one. */
export function moveDraft(from: string, to: string, text: string): void {
  keep(DRAFT + from, null);
  keep(DRAFT + to, text);
  forwarded.set(from, to);
}
