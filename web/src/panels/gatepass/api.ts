/** The gate pass API. Every change goes through the assistant's
 * tools, so permissions, approvals and the audit apply to buttons as well. */

import { ApiError, api, request } from "../../api/client";
import type { ApprovalCard, Json, Message } from "../../api/types";
import { t } from "./strings";

export type Status = "pending" | "approved" | "rejected" | "exited" | "returned";
export const STATUSES: Status[] = ["pending", "approved", "rejected", "exited", "returned"];

export type Action = "approve" | "reject" | "delete" | "scan_exit" | "scan_return" | "print";

export interface Pass {
  id: string;
  pass_number: string;
  person_name: string;
  description: string;
  is_returnable: boolean;
  status: Status;
  created_at: string;
  created_by: string;
  allowed_actions: Action[];
  status_history: { status: Status; changed_at: string; changed_by: string }[];
}

export interface Photo {
  photo_id: string;
  pass_number: string;
  file_url: string;
  type: "exit" | "return";
  media_type: string;
  captured_at: string;
  captured_by: string;
}

export type PassDetail = Pass & { photos: Photo[] };
/** Null if there are more passes than the server reads. */
export type Counts = Record<Status | "total" | "awaiting_return", number | null>;

export interface Notice {
  id: string;
  message: string;
  type: string;
  created_at: string;
  is_read: boolean;
}

interface Listed<T> {
  items: T[];
  cursor: string | null;
  has_more: boolean;
}

async function read<T>(path: string): Promise<T> {
  return (await request(`/gatepass${path}`)).json() as Promise<T>;
}

export const gatepass = {
  list: (params: { status: Status | ""; q: string; cursor: string | null }) => {
    const given = new URLSearchParams({ limit: "25" });
    if (params.status) given.set("status", params.status);
    if (params.q.trim()) given.set("q", params.q.trim());
    if (params.cursor) given.set("cursor", params.cursor);
    return read<Listed<Pass>>(`/passes?${given}`);
  },
  counts: () => read<Counts>("/counts"),
  pass: (number: string) => read<PassDetail>(`/passes/${encodeURIComponent(number)}`),
  notices: (role: "admin" | "hr") =>
    read<Listed<Notice> & { unread: number }>(`/notifications/${role}?limit=20`),
  markRead: (id: string) =>
    request(`/gatepass/notifications/${encodeURIComponent(id)}/read`, { method: "POST" }),
  /** Downloads a file of this server. */
  file: async (path: string) => (await request(path.replace(/^\/api\/v1/, ""))).blob(),
};

/** The result of running a tool. */
export type Outcome =
  | { kind: "done"; summary: string }
  | { kind: "refused"; reason: string }
  /** Needs approval first. */
  | { kind: "waits"; conversation: string; turn: string; card: ApprovalCard };

const KEY = "frontdesk.gatepass.conversation.";

/** The conversation in which this person's button actions run; created on first use. */
export async function actionConversation(person: string, fresh = false): Promise<string> {
  const kept = fresh ? null : localStorage.getItem(KEY + person);
  if (kept) return kept;
  const made = await api.createConversation({ assistant: "gatepass", title: t("board") });
  localStorage.setItem(KEY + person, made.id);
  return made.id;
}

interface Answer {
  agent_message: Message | null;
  turn?: { id: string; approvals: { card?: ApprovalCard }[] | ApprovalCard[] } | null;
}

/** Runs one tool. `key` is the idempotency key. */
export async function runTool(
  conversation: string,
  tool: string,
  args: { [name: string]: Json },
  key: string,
): Promise<Outcome> {
  const response = await request(`/conversations/${conversation}/forms`, {
    method: "POST",
    body: { tool, arguments: args },
    headers: { "idempotency-key": key },
  });
  const answer = (await response.json()) as Answer;
  if (response.status === 202 && answer.turn) {
    const [first] = answer.turn.approvals;
    const card = (first && "card" in first ? first.card : first) as ApprovalCard | undefined;
    if (card) return { kind: "waits", conversation, turn: answer.turn.id, card };
  }
  const call = answer.agent_message?.metadata.tool_calls?.[0];
  const said = call?.summary || answer.agent_message?.content || "";
  return call?.ok ? { kind: "done", summary: said } : { kind: "refused", reason: said };
}

/** Runs a tool for a button; starts a new conversation if the stored one is gone or busy. */
export async function runAction(
  person: string,
  tool: string,
  args: { [name: string]: Json },
): Promise<Outcome> {
  const key = crypto.randomUUID();
  try {
    return await runTool(await actionConversation(person), tool, args, key);
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404, 409].includes(error.status)) throw error;
    return runTool(await actionConversation(person, true), tool, args, key);
  }
}

const NUMBER = /\bGP-\d{4}-\d{4,6}\b/i;

/** The pass number in scanned or typed text. */
export const parsePassNumber = (text: string): string | null => NUMBER.exec(text)?.[0].toUpperCase() ?? null;
