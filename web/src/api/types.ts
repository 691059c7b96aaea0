/** The shapes of `/api/v1`, as far as the page uses them. */

export type Id = string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Me {
  id: Id;
  name: string;
  email: string | null;
  roles: string[];
  companies: Membership[];
}

export interface Membership {
  company: Id;
  name?: string;
  standing: "owner" | "admin" | "member";
}

export interface Persona {
  name: string;
  display_name: string;
  roles: string[];
}

export interface Assistant {
  name: string;
  title: string;
  description: string;
  greeting: string;
  suggestions: string[];
  phases: string[];
  message_limit: number;
}

export interface Conversation {
  id: Id;
  user_id: Id;
  company_id: Id | null;
  assistant: string;
  subject: string | null;
  title: string;
  phase: string;
  metadata: { [key: string]: Json };
  message_count: number;
  last_message_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface Page<T> {
  items: T[];
  cursor: string | null;
  has_more: boolean;
}

export interface CallSummary {
  id: string;
  name: string;
  ok: boolean;
  summary: string;
}

export interface Source {
  title: string;
  url: string;
  score: number;
  text: string;
}

export interface MessageMetadata {
  turn_id?: Id;
  outcome?: string;
  latency_ms?: number;
  tokens_used?: number;
  tool_calls?: CallSummary[];
  sources?: Source[];
  quick_replies?: string[];
  [key: string]: unknown;
}

export interface Message {
  id: Id;
  conversation_id: Id;
  role: "user" | "assistant";
  content: string;
  metadata: MessageMetadata;
  created_at: string;
}

export type TurnState = "running" | "awaiting_approval" | "completed" | "failed" | "cancelled" | "interrupted";

export interface ApprovalCard {
  call_id: string;
  tool: string;
  title: string;
  arguments: Json;
  requested_by: Id;
  requester: string;
  approvers: string[];
  expires_at: string;
  /** What happens when it is approved, in words. */
  consequence?: string;
}

export interface PendingApproval {
  conversation_id: Id;
  turn_id: Id;
  assistant: string;
  card: ApprovalCard;
}

export interface Turn {
  id: Id;
  conversation_id: Id;
  state: TurnState;
  outcome?: string;
  approvals: ApprovalCard[];
  position: number;
  started_at: string;
  ended_at: string | null;
}

export interface Outcome {
  outcome: string;
  kind?: string;
  retry_after_seconds?: number;
}

export interface FileRef {
  id: Id;
  name: string;
  media_type: string;
}

export interface Attachment extends FileRef {
  bytes: number;
}

export interface Ended {
  outcome: Outcome;
  message: Id | null;
  notice: string | null;
  quick_replies?: string[];
}

export interface Finished {
  call_id: string;
  name: string;
  ok: boolean;
  summary: string;
  result?: Json;
  files?: FileRef[];
  refused?: string;
  error?: string;
  duration_ms: number;
}

/** What a stream of a turn carries, by the name of the event. */
export interface TurnEvents {
  "turn.started": { turn: Id; conversation: Id; message: Id; assistant: string };
  "text.delta": { text: string };
  "text.reset": { after: number };
  "tool.started": { call_id: string; name: string; title: string; arguments: Json; effect: string };
  "tool.progress": { call_id: string; text: string };
  "tool.finished": Finished;
  "approval.requested": { card: ApprovalCard };
  "approval.decided": {
    call_id: string;
    decision: "approved" | "rejected" | "expired";
    by: string | null;
    reason: string | null;
  };
  "artifact.saved": { id: Id; mark: { kind: string; version: number }; title: string };
  "phase.changed": { from: string; to: string; reason: string };
  "source.cited": { source: Source };
  "turn.completed": Ended;
  "turn.failed": Ended;
  "turn.cancelled": Ended;
  "turn.interrupted": Ended;
}

export type TurnEvent = {
  [Name in keyof TurnEvents]: { position: number; name: Name; data: TurnEvents[Name] };
}[keyof TurnEvents];

export interface ToolSpec {
  type: "function";
  function: { name: string; title?: string; description: string; parameters: Schema };
}

/** The part of JSON Schema that tools use. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: Json[];
  const?: Json;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  default?: Json;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  [key: string]: unknown;
}
