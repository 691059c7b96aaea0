/** Requests to `/api/v1`: the token in the header, errors as one type. */

import type { Preview } from "./schema";
import { expireSession, session } from "./session";
import type {
  Artifact,
  ArtifactEdit,
  ArtifactEntry,
  Assistant,
  Attachment,
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

export interface Options {
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  token?: string;
}

/** Resolves with a successful response; throws `ApiError` otherwise. */
export async function request(path: string, options: Options = {}): Promise<Response> {
  const { method = "GET", body, headers = {}, signal, token = session()?.token } = options;
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
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, "OFFLINE", "The server cannot be reached");
  }
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
    body?.error?.message ?? response.statusText,
    Number.isFinite(wait) && wait > 0 ? wait : null,
    body?.error?.details ?? null,
  );
}

async function json<T>(path: string, options?: Options): Promise<T> {
  const response = await request(path, options);
  return (await response.json()) as T;
}

const query = (params: Record<string, string | number | null | undefined>) => {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}` : "";
};

export const api = {
  personas: () => json<Persona[]>("/demo/personas"),
  signInAs: (persona: string) =>
    json<{ token: string; me: Me }>("/demo/sign-in", { method: "POST", body: { persona } }),
  signInOffer: async () => (await json<{ issuer: IssuerOffer | null }>("/sign-in")).issuer,
  signIn: (body: { code: string; code_verifier: string; redirect_uri: string }) =>
    json<{ token: string; me: Me }>("/sign-in", { method: "POST", body }),
  me: (token?: string) => json<Me>("/me", token ? { token } : {}),

  assistants: () => json<Assistant[]>("/assistants"),
  /** Tools available now, in a conversation or before its first message. */
  tools: async (assistant: string, conversation?: Id) => {
    const path = `/assistants/${encodeURIComponent(assistant)}/tools`;
    const tools = await json<ToolSpec[]>(path + query({ conversation_id: conversation }));
    return tools.filter((tool) => tool.usable);
  },

  conversations: (params: { cursor?: string | null; limit?: number; assistant?: string; company_id?: Id }) =>
    json<Page<Conversation>>(`/conversations${query(params)}`),
  conversation: (id: Id) => json<Conversation>(`/conversations/${id}`),
  createConversation: (body: {
    assistant: string;
    title?: string;
    company_id?: Id;
    subject?: string;
    metadata?: { [name: string]: unknown };
  }) => json<Conversation>("/conversations", { method: "POST", body }),
  rename: (id: Id, title: string) =>
    json<Conversation>(`/conversations/${id}`, { method: "PATCH", body: { title } }),
  setMetadata: (id: Id, metadata: { [name: string]: unknown }) =>
    json<Conversation>(`/conversations/${id}`, { method: "PATCH", body: { metadata } }),
  remove: (id: Id) => request(`/conversations/${id}`, { method: "DELETE" }),
  reset: (id: Id) => json<Conversation>(`/conversations/${id}/reset`, { method: "POST" }),

  messages: (id: Id, params: { cursor?: string | null; limit?: number; order?: "newest" }) =>
    json<Page<Message>>(`/conversations/${id}/messages${query(params)}`),
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

  artifacts: (id: Id) => json<ArtifactEntry[]>(`/conversations/${id}/artifacts`),
  artifact: (id: Id, artifact: Id) => json<Artifact>(`/conversations/${id}/artifacts/${artifact}`),
  artifactText: async (id: Id, artifact: Id) =>
    (await request(`/conversations/${id}/artifacts/${artifact}.md`)).text(),
  /** Saves a new version. Fails with 409 while a turn runs, and when `artifact` is not the newest version. */
  editArtifact: (id: Id, artifact: Id, edit: ArtifactEdit) =>
    json<Artifact>(`/conversations/${id}/artifacts/${artifact}`, { method: "PUT", body: edit }),
  artifactChanges: (id: Id, artifact: Id, since: Id) =>
    json<LineChange[]>(`/conversations/${id}/artifacts/${artifact}/changes${query({ since })}`),

  collections: () => json<CollectionEntry[]>("/collections"),
  documents: (name: string) => json<DocumentEntry[]>(`/collections/${encodeURIComponent(name)}/documents`),
  removeDocument: (name: string, url: string) =>
    request(`/collections/${encodeURIComponent(name)}/documents${query({ url })}`, { method: "DELETE" }),
  source: (name: string, path: string) =>
    json<SourceText>(`/sources/${encodeURIComponent(name)}${query({ path })}`),

  companies: () => json<Company[]>("/companies"),
  foundCompany: (name: string) => json<Company>("/companies", { method: "POST", body: { name } }),
  members: (company: Id) => json<Member[]>(`/companies/${company}/members`),
  removeMember: (company: Id, profile: Id) =>
    request(`/companies/${company}/members/${profile}`, { method: "DELETE" }),
  leaveCompany: (company: Id) => request(`/companies/${company}/leave`, { method: "POST" }),
  invited: (company: Id) => json<Invitation[]>(`/companies/${company}/invitations`),
  invite: (company: Id, email: string, role: "member" | "admin") =>
    json<InvitationCreated>(`/companies/${company}/invitations`, { method: "POST", body: { email, role } }),
  revokeInvitation: (company: Id, id: Id) =>
    request(`/companies/${company}/invitations/${id}`, { method: "DELETE" }),
  acceptByToken: (token: string) =>
    json<Invitation>("/invitations/accept", { method: "POST", body: { token } }),
  invitations: () => json<Invitation[]>("/invitations"),
  answerInvitation: (id: Id, answer: "accept" | "decline") =>
    request(`/invitations/${id}/${answer}`, { method: "POST" }),

  attachment: async (id: Id) => (await request(`/attachments/${id}`)).blob(),
  attach: (conversation: Id, file: File) => {
    const form = new FormData();
    form.set("conversation_id", conversation);
    form.set("file", file, file.name);
    return json<Attachment>("/attachments", { method: "POST", body: form });
  },
  feedback: (message: Id, rating: "up" | "down" | null) =>
    request(
      `/messages/${message}/feedback`,
      rating ? { method: "POST", body: { rating } } : { method: "DELETE" },
    ),
};
