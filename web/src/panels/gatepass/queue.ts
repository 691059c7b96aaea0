/** The offline queue of scans. Each scan is stored on the phone with its photo before it is sent, and removed once the
 * server has it; its idempotency key prevents a second record. */

import { ApiError, api } from "../../api/client";
import { session } from "../../api/session";
import { createSignal, useSignal } from "../../lib/signal";
import { actionConversation, runTool } from "./api";

export interface Scan {
  /** Also the idempotency key. */
  key: string;
  person: string;
  number: string;
  tool: "scan_exit" | "scan_return";
  photo: Blob;
  at: string;
  /** The conversation it was first sent in; the key is scoped to it. */
  conversation: string | null;
  attachment: string | null;
  /** Reason of a permanent refusal. */
  refused: string | null;
}

const DATABASE = "frontdesk.gate";
const STORE = "scans";

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "key" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return opened;
}

async function stored<T>(
  mode: IDBTransactionMode,
  what: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const asked = what(transaction.objectStore(STORE));
    // Durable only once the transaction completes.
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

interface State {
  scans: Scan[];
  sending: boolean;
  /** Number sent since the page was opened. */
  sent: number;
}

let state: State = { scans: [], sending: false, sent: 0 };
const changed = createSignal();

function set(change: Partial<State>) {
  state = { ...state, ...change };
  changed.emit();
}

export const useQueue = (): State => useSignal(changed, () => state);

async function reload() {
  const all = await stored("readonly", (store) => store.getAll() as IDBRequest<Scan[]>);
  const mine = all.filter((scan) => scan.person === session()?.me.id);
  set({ scans: mine.sort((a, b) => a.at.localeCompare(b.at)) });
}

async function saveScan(scan: Scan) {
  await stored("readwrite", (store) => store.put(scan));
  await reload();
}

export async function deleteScan(key: string): Promise<void> {
  await stored("readwrite", (store) => store.delete(key));
  await reload();
}

/** Stores a scan and starts sending it. Resolves once it is stored on the phone. */
export async function recordScan(number: string, tool: Scan["tool"], photo: Blob): Promise<string> {
  const key = crypto.randomUUID();
  await saveScan({
    key,
    person: session()?.me.id ?? "",
    number,
    tool,
    photo,
    at: new Date().toISOString(),
    conversation: null,
    attachment: null,
    refused: null,
  });
  void sendScans();
  return key;
}

/** A request to send that came while an attempt was running. The connection may have returned just before that attempt
 * failed, so there is another one. */
let requestedAgain = false;

/** Sends queued scans, oldest first; failed ones stay queued. */
export async function sendScans(): Promise<void> {
  if (state.sending) {
    requestedAgain = true;
    return;
  }
  set({ sending: true });
  try {
    do {
      requestedAgain = false;
      await sendOnce();
    } while (requestedAgain);
  } finally {
    set({ sending: false });
  }
}

/** A lock admits one page at a time: two would start a conversation each for the same scan, and the key is scoped to a
 * conversation. */
async function sendOnce(): Promise<void> {
  // The Web Locks API needs a secure context.
  if (navigator.locks) await navigator.locks.request(DATABASE, { ifAvailable: true }, deliverIfFree);
  else await deliverAll();
}

const deliverIfFree = (free: Lock | null) => (free ? deliverAll() : reload());

async function deliverAll() {
  await reload();
  for (const scan of state.scans) {
    if (scan.refused) continue;
    if (!(await deliver(scan))) break;
  }
}

/** Returns whether the scan was sent. Each completed step is stored, so the next attempt resumes from there. */
async function deliver(scan: Scan): Promise<boolean> {
  let current = scan;
  try {
    if (!current.conversation) {
      current = { ...current, conversation: await actionConversation(current.person) };
      await saveScan(current);
    }
    const conversation = current.conversation ?? "";
    if (!current.attachment) {
      const ending = current.photo.type === "image/png" ? "png" : "jpg";
      const file = new File([current.photo], `${current.number}.${ending}`, { type: current.photo.type });
      current = { ...current, attachment: (await api.attach(conversation, file)).id };
      await saveScan(current);
    }
    const args = { pass_number: current.number, photo: current.attachment ?? "" };
    const outcome = await runTool(conversation, current.tool, args, current.key);
    if (outcome.kind === "done") {
      await deleteScan(current.key);
      set({ sent: state.sent + 1 });
    } else {
      await saveScan({ ...current, refused: outcome.kind === "refused" ? outcome.reason : "approval" });
    }
    return true;
  } catch (error) {
    return mishap(current, error);
  }
}

async function mishap(scan: Scan, error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.passing || error.status === 401 || error.status === 429) {
    return false;
  }
  if (error.status === 403 || error.status === 404 || error.status === 409) {
    // The conversation is gone or busy and nothing ran in it: start another one.
    if (scan.conversation && error.status !== 403) {
      await actionConversation(scan.person, true);
      await saveScan({ ...scan, conversation: null, attachment: null });
      return false;
    }
  }
  await saveScan({ ...scan, refused: error.message });
  return true;
}

const AGAIN = 10_000;

/** Retries sending while a gate page is open. */
export function startSending(): () => void {
  void sendScans();
  const timer = setInterval(() => state.scans.some((scan) => !scan.refused) && void sendScans(), AGAIN);
  const now = () => void sendScans();
  addEventListener("online", now);
  return () => {
    clearInterval(timer);
    removeEventListener("online", now);
  };
}
