/** Scans on their way. Each is kept on the phone, photo and all, before anything is sent, and leaves only when the
 * server has it; the key that it was given when it was made keeps it from being recorded twice. */

import { useSyncExternalStore } from "react";
import { ApiError, api } from "../../api/client";
import { session } from "../../api/session";
import { desk, run } from "./api";

export interface Scan {
  /** Also the idempotency key. */
  key: string;
  person: string;
  number: string;
  tool: "scan_exit" | "scan_return";
  photo: Blob;
  at: string;
  /** Where it was begun to be sent: the key counts there. */
  conversation: string | null;
  attachment: string | null;
  /** Why the server refused it for good. */
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
    // It is kept only when the transaction is through.
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

interface State {
  scans: Scan[];
  sending: boolean;
  /** How many left since the page was opened. */
  sent: number;
}

let state: State = { scans: [], sending: false, sent: 0 };
const listeners = new Set<() => void>();

function set(change: Partial<State>) {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useQueue = (): State => useSyncExternalStore(subscribe, () => state);

async function reload() {
  const all = await stored("readonly", (store) => store.getAll() as IDBRequest<Scan[]>);
  const mine = all.filter((scan) => scan.person === session()?.me.id);
  set({ scans: mine.sort((a, b) => a.at.localeCompare(b.at)) });
}

async function keep(scan: Scan) {
  await stored("readwrite", (store) => store.put(scan));
  await reload();
}

export async function forget(key: string): Promise<void> {
  await stored("readwrite", (store) => store.delete(key));
  await reload();
}

/** Keeps a scan and begins to send it. Resolves when it is safe on the phone. */
export async function record(number: string, tool: Scan["tool"], photo: Blob): Promise<string> {
  const key = crypto.randomUUID();
  await keep({
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
  void send();
  return key;
}

/** Sends what waits, the oldest first; what cannot be sent now stays. One page at a time: two would begin a
 * conversation each for the same scan, and its key counts in each of them. */
export async function send(): Promise<void> {
  if (state.sending) return;
  set({ sending: true });
  try {
    // Browsers have no locks where the address is not a safe one.
    if (navigator.locks) await navigator.locks.request(DATABASE, { ifAvailable: true }, deliverIfFree);
    else await deliverAll();
  } finally {
    set({ sending: false });
  }
}

const deliverIfFree = (free: Lock | null) => (free ? deliverAll() : reload());

async function deliverAll() {
  await reload();
  for (const scan of state.scans) {
    if (scan.refused) continue;
    if (!(await deliver(scan))) break;
  }
}

/** Whether it left. Each step that worked is kept, so that the next attempt goes on from there. */
async function deliver(scan: Scan): Promise<boolean> {
  let current = scan;
  try {
    if (!current.conversation) {
      current = { ...current, conversation: await desk(current.person) };
      await keep(current);
    }
    const conversation = current.conversation ?? "";
    if (!current.attachment) {
      const ending = current.photo.type === "image/png" ? "png" : "jpg";
      const file = new File([current.photo], `${current.number}.${ending}`, { type: current.photo.type });
      current = { ...current, attachment: (await api.attach(conversation, file)).id };
      await keep(current);
    }
    const args = { pass_number: current.number, photo: current.attachment ?? "" };
    const outcome = await run(conversation, current.tool, args, current.key);
    if (outcome.kind === "done") {
      await forget(current.key);
      set({ sent: state.sent + 1 });
    } else {
      await keep({ ...current, refused: outcome.kind === "refused" ? outcome.reason : "approval" });
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
    // The conversation is gone or busy, and nothing was done in it: another one is begun.
    if (scan.conversation && error.status !== 403) {
      await desk(scan.person, true);
      await keep({ ...scan, conversation: null, attachment: null });
      return false;
    }
  }
  await keep({ ...scan, refused: error.message });
  return true;
}

const AGAIN = 10_000;

/** Sends whenever there is a chance, while a page of the gate is open. */
export function keepSending(): () => void {
  void send();
  const timer = setInterval(() => state.scans.some((scan) => !scan.refused) && void send(), AGAIN);
  const now = () => void send();
  addEventListener("online", now);
  return () => {
    clearInterval(timer);
    removeEventListener("online", now);
  };
}
