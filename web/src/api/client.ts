/** Requests to `/api/v1`: the token in the header, errors as one type. */

import { serverSentences } from "../i18n";
import { createSignal, useSignal } from "../lib/signal";
import type { About, ApiTokenCreated, InboxMailStatus, Preview, SharedConversation } from "./schema";
import { expireSession, session } from "./session";
import type {
  ApiToken,
  Artifact,
  ArtifactEdit,
  ArtifactEntry,
  Assistant,
  AssistantChoice,
  Attachment,
  Audience,
  CollectionEntry,
  Company,
  Conversation,
  DocumentEntry,
  Id,
  Inbox,
  Invitation,
  InvitationCreated,
  IssuerOffer,
  Json,
  LineChange,
  Me,
  Member,
  Message,
  Page,
  PendingApproval,
  Persona,
  SearchResults,
  Share,
  SourceText,
  ToolSpec,
  Turn,
} from "./types";

const BASE = "/api/v1";

export class ApiError extends Error {
  constructor(
    /** 0 when there was no response. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfter: number | null = null,
    readonly details: unknown = null,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** A transient failure: the same request may succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, "UNKNOWN", error instanceof Error ? error.message : String(error));
}

export interface Options {
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  token?: string;
  /** Is sent even if the page closes. */
  keepalive?: boolean;
}

const connection = createSignal();
let reachable = true;

function noteConnection(answered: boolean) {
  if (reachable === answered) return;
  reachable = answered;
  connection.emit();
}

/** Whether the server answered the last request. */
export const useReachable = (): boolean => useSignal(connection, () => reachable);

/** Resolves with a successful response; throws `ApiError` otherwise. */
export async function request(path: string, options: Options = {}): Promise<Response> {
  const { method = "GET", body, headers = {}, signal, token = session()?.token, keepalive = false } = options;
  const form = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(BASE + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body !== undefined && !form ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      body: body === undefined ? null : form ? body : JSON.stringify(body),
      signal: signal ?? null,
      cache: "no-store",
      keepalive,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    noteConnection(false);
    throw new ApiError(0, "OFFLINE", "The server cannot be reached");
  }
  noteConnection(true);
  if (response.ok) return response;
  const error = await asError(response);
  if (error.status === 401 && token === session()?.token) expireSession();
  throw error;
}

async function asError(response: Response): Promise<ApiError> {
  const wait = Number(response.headers.get("retry-after"));
  const body = (await response.json().catch(() => null)) as {
    error?: { code?: string; message?: string; details?: unknown };
  } | null;
  return new ApiError(
    response.status,
    body?.error?.code ?? "UNKNOWN",
    serverSentences(body?.error?.message ?? response.statusText),
    Number.isFinite(wait) && wait > 0 ? wait : null,
    body?.error?.details ?? null,
  );
}

async function json<T>(path: string, options?: Options): Promise<T> {
  const response = await request(path, options);
  return (await response.json()) as T;
}

/** The items of a list that fits one page. */
async function list<T>(path: string): Promise<T[]> {
  return (await json<Page<T>>(path)).items;
}

const query = (params: Record<string, string | number | null | undefined>) => {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}` : "";
};

/** A request that creates something is repeated with the same key, and takes effect once. */
const once = () => ({ "idempotency-key": crypto.randomUUID() });

export const api = {
  personas: () => list<Persona>("/demo/personas"),
  signInAs: (persona: string) =>
    json<{ token: string; me: Me }>("/demo/sign-in", { method: "POST", body: { persona } }),
  signInOffer: async () => (await json<{ issuer: IssuerOffer | null }>("/sign-in")).issuer,
  signIn: (body: { code: string; code_verifier: string; redirect_uri: string }) =>
    json<{ token: string; me: Me }>("/sign-in", { method: "POST", body }),
  me: (token?: string) => json<Me>("/me", token ? { token } : {}),

  assistants: () => list<Assistant>("/assistants"),
  /** Tools available now, in a conversation or before its first message. */
  tools: async (assistant: string, conversation?: Id) => {
    const path = `/assistants/${encodeURIComponent(assistant)}/tools`;
    const tools = await list<ToolSpec>(path + query({ conversation_id: conversation }));
    return tools.filter((tool) => tool.usable);
  },

  search: (q: string, signal?: AbortSignal) =>
    json<SearchResults>(`/search${query({ q, limit: 20 })}`, { signal }),

  conversations: (params: {
    cursor?: string | null;
    limit?: number;
    assistant?: string;
    company_id?: Id;
    view?: "current" | "pinned" | "archived";
  }) => json<Page<Conversation>>(`/conversations${query(params)}`),
  conversation: (id: Id) => json<Conversation>(`/conversations/${id}`),
  createConversation: (body: {
    assistant: string;
    title?: string;
    company_id?: Id;
    subject?: string;
    metadata?: { [name: string]: unknown };
  }) => json<Conversation>("/conversations", { method: "POST", body }),
  /** The assistant that a message belongs to; `null` if the message does not say. */
  chooseAssistant: (content: string) =>
    json<AssistantChoice>("/assistants/choose", { method: "POST", body: { content } }),
  /** Titles an untitled conversation; the suggestion serves if no model can write one. */
  title: (id: Id, suggestion: string | null) =>
    json<Conversation>(`/conversations/${id}/title`, {
      method: "POST",
      body: suggestion ? { suggestion } : {},
    }),
  rename: (id: Id, title: string) =>
    json<Conversation>(`/conversations/${id}`, { method: "PATCH", body: { title } }),
  setMetadata: (id: Id, metadata: { [name: string]: unknown }) =>
    json<Conversation>(`/conversations/${id}`, { method: "PATCH", body: { metadata } }),
  announcePresence: (id: Id, present: boolean, asks: boolean) =>
    request(`/conversations/${id}/presence`, {
      method: "POST",
      body: { present, asks },
      keepalive: !present,
    }),
  mark: (id: Id, marks: { pinned: boolean; archived: boolean }) =>
    request(`/conversations/${id}/marks`, { method: "PUT", body: marks }),
  exportConversation: async (id: Id, format: "md" | "pdf") =>
    (await request(`/conversations/${id}/export${query({ format })}`)).blob(),
  shares: (id: Id) => list<Share>(`/conversations/${id}/shares`),
  share: (id: Id, audience: Audience, days: number) =>
    json<Share>(`/conversations/${id}/shares`, { method: "POST", body: { audience, days }, headers: once() }),
  revokeShare: (id: Id, share: Id) => request(`/conversations/${id}/shares/${share}`, { method: "DELETE" }),
  shared: (share: Id) => json<SharedConversation>(`/shared/${encodeURIComponent(share)}`),
  tokens: () => list<ApiToken>("/me/tokens"),
  createToken: (name: string, days: number) =>
    json<ApiTokenCreated>("/me/tokens", { method: "POST", body: { name, days }, headers: once() }),
  revokeToken: (id: Id) => request(`/me/tokens/${id}`, { method: "DELETE" }),
  inboxMail: () => json<InboxMailStatus>("/me/mail"),
  setInboxMail: (on: boolean, language: string) =>
    json<InboxMailStatus>("/me/mail", { method: "PUT", body: { on, language } }),
  about: () => json<About>("/about"),
  remove: (id: Id) => request(`/conversations/${id}`, { method: "DELETE", keepalive: true }),
  reset: (id: Id) => json<Conversation>(`/conversations/${id}/reset`, { method: "POST" }),

  messages: (id: Id, params: { cursor?: string | null; limit?: number; order?: "newest" }) =>
    json<Page<Message>>(`/conversations/${id}/messages${query(params)}`),
  selectVersion: (id: Id, message: Id) =>
    request(`/conversations/${id}/messages/${message}/select`, { method: "POST" }),
  turn: (id: Id, turn: Id, signal?: AbortSignal) =>
    json<Turn>(`/conversations/${id}/turns/${turn}`, { signal }),
  cancel: (id: Id, turn: Id) => request(`/conversations/${id}/turns/${turn}/cancel`, { method: "POST" }),

  inbox: () => json<Inbox>("/inbox"),
  preview: (id: Id, turn: Id, call: string, signal?: AbortSignal) =>
    json<Preview>(`/conversations/${id}/turns/${turn}/approvals/${encodeURIComponent(call)}/preview`, {
      signal,
    }),
  decide: (
    id: Id,
    turn: Id,
    call: string,
    decision: "approve" | "reject",
    reason?: string,
    edited?: { [name: string]: Json },
  ) =>
    json<PendingApproval>(`/conversations/${id}/turns/${turn}/approvals/${encodeURIComponent(call)}`, {
      method: "POST",
      body: { decision, ...(reason ? { reason } : {}), ...(edited ? { arguments: edited } : {}) },
    }),

  artifacts: (id: Id) => list<ArtifactEntry>(`/conversations/${id}/artifacts`),
  artifact: (id: Id, artifact: Id) => json<Artifact>(`/conversations/${id}/artifacts/${artifact}`),
  artifactText: async (id: Id, artifact: Id) => (await api.artifactFile(id, artifact, "md")).text(),
  artifactFile: async (id: Id, artifact: Id, ending: "md" | "docx" | "pdf") =>
    (await request(`/conversations/${id}/artifacts/${artifact}.${ending}`)).blob(),
  /** Saves a new version. Fails with 409 while a turn runs, and when `artifact` is not the newest version. */
  editArtifact: (id: Id, artifact: Id, edit: ArtifactEdit) =>
    json<Artifact>(`/conversations/${id}/artifacts/${artifact}`, { method: "PUT", body: edit }),
  artifactChanges: (id: Id, artifact: Id, since: Id) =>
    list<LineChange>(`/conversations/${id}/artifacts/${artifact}/changes${query({ since })}`),

  collections: () => list<CollectionEntry>("/collections"),
  documents: (name: string) => list<DocumentEntry>(`/collections/${encodeURIComponent(name)}/documents`),
  removeDocument: (name: string, url: string) =>
    request(`/collections/${encodeURIComponent(name)}/documents${query({ url })}`, { method: "DELETE" }),
  source: (name: string, path: string) =>
    json<SourceText>(`/sources/${encodeURIComponent(name)}${query({ path })}`),

  companies: () => list<Company>("/companies"),
  foundCompany: (name: string) => json<Company>("/companies", { method: "POST", body: { name } }),
  members: (company: Id) => list<Member>(`/companies/${company}/members`),
  removeMember: (company: Id, profile: Id) =>
    request(`/companies/${company}/members/${profile}`, { method: "DELETE" }),
  leaveCompany: (company: Id) => request(`/companies/${company}/leave`, { method: "POST" }),
  invited: (company: Id) => list<Invitation>(`/companies/${company}/invitations`),
  invite: (company: Id, email: string, role: "member" | "admin") =>
    json<InvitationCreated>(`/companies/${company}/invitations`, { method: "POST", body: { email, role } }),
  revokeInvitation: (company: Id, id: Id) =>
    request(`/companies/${company}/invitations/${id}`, { method: "DELETE" }),
  acceptByToken: (token: string) =>
    json<Invitation>("/invitations/accept", { method: "POST", body: { token } }),
  invitations: () => list<Invitation>("/invitations"),
  answerInvitation: (id: Id, answer: "accept" | "decline") =>
    request(`/invitations/${id}/${answer}`, { method: "POST" }),

  attachment: async (id: Id) => (await request(`/attachments/${id}`)).blob(),
  attach: (conversation: Id, file: File) => {
    const form = new FormData();
    form.set("conversation_id", conversation);
    form.set("file", file, file.name);
    return json<Attachment>("/attachments", { method: "POST", body: form });
  },
  feedback: (message: Id, rating: "up" | "down" | null, comment = "") =>
    request(
      `/messages/${message}/feedback`,
      rating ? { method: "POST", body: { rating, ...(comment ? { comment } : {}) } } : { method: "DELETE" },
    ),
};
