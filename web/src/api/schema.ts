// Made by build/api-types.mjs from the server's OpenAPI document. Do not edit.

export type ApprovalCard = {
  approvers: (Role)[];
  arguments: unknown;
  call_id: string;
  expires_at: string;
  requested_by: string;
  requester: string;
  seal: Seal;
  title: string;
  tool: string;
};

export type Artifact = {
  built_from: (BuiltFrom)[];
  content: unknown;
  conversation: string;
  created_at: string;
  id: string;
  key: string;
  kind: string;
  status: ArtifactStatus;
  title: string;
  version: number;
};

export type ArtifactEntry = { id: string; key: string; kind: string; status: ArtifactStatus; version: number; };

export type ArtifactMark = { key: string; kind: string; status: ArtifactStatus; version: number; };

export type ArtifactStatus = "draft" | "confirmed";

export type AssistantEntry = {
  description: string;
  greeting: string;
  message_limit: number;
  name: string;
  phases: (string)[];
  suggestions: (string)[];
  title: string;
};

export type Attachment = {
  bytes: number;
  conversation_id: string;
  created_at: string;
  id: string;
  media_type: string;
  name: string;
};

export type AuditOutcome = ("executed" | "denied" | "approval_requested" | "approved" | "rejected" | "expired" | "failed" | "unknown" | "erased");

export type AuditRow = {
  approver: string | null;
  arguments_hash: string;
  at: string;
  call_id: string;
  conversation: string | null;
  id: number;
  outcome: AuditOutcome;
  profile: string;
  tool: string;
  turn: string | null;
};

export type AuditRowListResponse = { cursor: string | null; has_more: boolean; items: (AuditRow)[]; };

export type BuiltFrom = { key: string; kind: string; version: number; };

export type Cancelling = { cancelling: boolean; };

export type ChangeKind = "same" | "added" | "removed";

export type CodeGrant = { code: string; code_verifier: string; redirect_uri: string; };

export type CollectionEntry = { chunks: number; documents: number; name: string; };

export type Company = { created_at: string; id: string; name: string; owner_id: string; role: Standing; };

export type CompanyCreate = { name: string; };

export type ConversationCreate = {
  assistant?: string | null;
  company_id?: string | null;
  metadata?: { [key: string]: unknown } | null;
  subject?: string | null;
  title?: string | null;
};

export type ConversationListResponse = { cursor: string | null; has_more: boolean; items: (ConversationResponse)[]; };

export type ConversationResponse = {
  assistant: string;
  company_id: string | null;
  created_at: string;
  id: string;
  last_message_at: string | null;
  message_count: number;
  metadata: { [key: string]: unknown };
  phase: string;
  subject: string | null;
  title: string;
  updated_at: string;
  user_id: string;
};

export type ConversationUpdate = {
  metadata?: { [key: string]: unknown } | null;
  phase?: string | null;
  title?: string | null;
};

export type Decision = ("approved" | "rejected" | "expired");

export type DecisionCreate = { decision: Wish; reason?: string | null; };

export type DocumentCreate = {
  company_id?: string | null;
  name?: string | null;
  text?: string | null;
  url?: string | null;
};

export type DocumentEntry = { chunks: number; taken_in: string; title: string; url: string; };

export type Effect = ("read" | "idempotent" | "transactional" | "at_most_once");

export type Ended = {
  message: string | null;
  notice: string | null;
  outcome: Outcome;
  quick_replies?: (string)[];
  usage: Usage;
};

export type Error = { error: { code: string; details?: unknown; message: string; request_id: string; }; };

export type FeedbackCreate = { comment?: string | null; rating: Rating; };

export type FileRef = { id: string; media_type: string; name: string; };

export type Finished = {
  call_id: string;
  duration_ms: number;
  error?: (ToolErrorKind | null);
  files?: (FileRef)[];
  name: string;
  ok: boolean;
  refused?: (RefusalReason | null);
  result?: unknown;
  summary: string;
  told: string;
};

export type FormCreate = { arguments?: { [key: string]: unknown }; tool: string; };

export type Health = { status: string; };

export type Invitation = {
  company_id: string;
  company_name: string;
  created_at: string;
  email: string;
  expires_at: string;
  id: string;
  invited_by: string;
  role: Standing;
  status: InvitationStatus;
};

export type InvitationCreate = { email: string; role?: InvitedAs; };

export type InvitationCreated = {
  company_id: string;
  company_name: string;
  created_at: string;
  email: string;
  expires_at: string;
  id: string;
  invited_by: string;
  role: Standing;
  status: InvitationStatus;
  token: string;
};

export type InvitationStatus = "pending" | "accepted" | "declined" | "expired";

export type InvitedAs = "admin" | "member";

export type IssuerOffer = { authorization_endpoint: string; client_id: string; issuer: string; scope: string; };

export type LineChange = { kind: ChangeKind; new_line: number | null; old_line: number | null; text: string; };

export type Me = {
  companies: (Membership)[];
  email: string | null;
  expires_at: string | null;
  id: string;
  name: string;
  roles: (Role)[];
};

export type Member = {
  avatar_url: string | null;
  display_name: string;
  email: string | null;
  joined_at: string;
  profile_id: string;
  role: Standing;
};

export type Membership = { company: string; standing: Standing; };

export type MessageCreate = {
  attachments?: (string)[];
  content: string;
  metadata?: { [key: string]: unknown } | null;
};

export type MessageListResponse = { cursor: string | null; has_more: boolean; items: (MessageResponse)[]; };

export type MessageResponse = {
  content: string;
  conversation_id: string;
  created_at: string;
  id: string;
  metadata: { [key: string]: unknown };
  role: Speaker;
};

export type MessageWithAgentResponse = {
  agent_message: (MessageResponse | null);
  turn?: (TurnResponse | null);
  user_message: MessageResponse;
};

export type ModelErrorKind = ("rate_limited" | "timed_out" | "context_too_long" | "unavailable" | "unreachable" | "interrupted" | "malformed" | "unauthorized" | "rejected");

export type OfferedTool = { function: unknown; handles: { [key: string]: string }; title: string; type: string; };

export type Opinion = {
  comment: string | null;
  created_at: string;
  message_id: string;
  rating: Rating;
  updated_at: string;
};

export type Order = "oldest" | "newest";

export type Outcome = ({ outcome: "answered"; } | { outcome: "refused"; } | { outcome: "out_of_rounds"; } | { outcome: "out_of_budget"; } | { outcome: "timed_out"; } | { outcome: "empty_answer"; } | { kind: ModelErrorKind; outcome: "model_failed"; retry_after_seconds?: number | null; } | { outcome: "cancelled"; } | { outcome: "interrupted"; });

export type Passage = { begin: number; chunk_id: string; end: number; };

export type PendingApproval = { assistant: string; card: ApprovalCard; conversation_id: string; turn_id: string; };

export type PersonaEntry = { display_name: string; name: string; roles: (Role)[]; };

export type Phase = string;

export type PhaseChange = { from: Phase; reason: string; to: Phase; };

export type ProfileResponse = {
  avatar_url: string | null;
  created_at: string;
  display_name: string;
  email: string | null;
  id: string;
  updated_at: string;
};

export type ProfileUpdate = { avatar_url?: string | null; display_name?: string | null; };

export type Rating = "up" | "down";

export type RefusalReason = ("unknown_tool" | "role" | "phase" | "needs" | "invalid_arguments" | "declined" | "expired" | "limit" | "stopped");

export type Role = "HR_User" | "Admin_User" | "Gate_User" | "Recruiter" | "Buyer" | "Reader" | "Operator";

export type Seal = string;

export type SignIn = { persona: string; };

export type SignInOffer = { issuer: (IssuerOffer | null); };

export type SignedIn = { me: Me; token: string; };

export type Source = { score: number; text: string; title: string; url: string; };

export type SourceText = { collection: string; passages: (Passage)[]; text: string; title: string; url: string; };

export type Speaker = "user" | "assistant";

export type Standing = "owner" | "admin" | "member";

export type TakenIn = {
  failed: (string)[];
  skipped: number;
  success: number;
  total_chunks: number;
  unchanged: number;
};

export type TokenAccept = { token: string; };

export type ToolErrorKind = ("refused" | "invalid" | "failed" | "unknown");

export type TurnEvent = ({
  data: { assistant: string; conversation: string; message: string; turn: string; };
  event: "turn.started";
} | { data: { text: string; }; event: "text.delta"; } | { data: { after: number; }; event: "text.reset"; } | {
  data: { arguments: unknown; call_id: string; effect: Effect; name: string; title: string; };
  event: "tool.started";
} | { data: { call_id: string; text: string; }; event: "tool.progress"; } | { data: Finished; event: "tool.finished"; } | { data: { card: ApprovalCard; }; event: "approval.requested"; } | {
  data: { by: string | null; call_id: string; decision: Decision; reason: string | null; };
  event: "approval.decided";
} | { data: { id: string; mark: ArtifactMark; title: string; }; event: "artifact.saved"; } | { data: PhaseChange; event: "phase.changed"; } | { data: { source: Source; }; event: "source.cited"; } | { data: Ended; event: "turn.completed"; } | { data: Ended; event: "turn.failed"; } | { data: Ended; event: "turn.cancelled"; } | { data: Ended; event: "turn.interrupted"; });

export type TurnResponse = (({ outcome: "answered"; } | { outcome: "refused"; } | { outcome: "out_of_rounds"; } | { outcome: "out_of_budget"; } | { outcome: "timed_out"; } | { outcome: "empty_answer"; } | { kind: ModelErrorKind; outcome: "model_failed"; retry_after_seconds?: number | null; } | { outcome: "cancelled"; } | { outcome: "interrupted"; }) | unknown) & {
  approvals: (ApprovalCard)[];
  conversation_id: string;
  ended_at: string | null;
  id: string;
  position: number;
  started_at: string;
  state: TurnState;
};

export type TurnState = "running" | "awaiting_approval" | "completed" | "failed" | "cancelled" | "interrupted";

export type Usage = {
  cached_tokens: number;
  estimated: boolean;
  input_tokens: number;
  output_tokens: number;
};

export type UsageResponse = { from: string; items: (UsageRow)[]; to: string; total: UsageTotal; };

export type UsageRow = {
  assistant: string;
  cached_tokens: number;
  company_id: string | null;
  day: string;
  input_tokens: number;
  output_tokens: number;
  profile_id: string;
  turns: number;
};

export type UsageTotal = { cached_tokens: number; input_tokens: number; output_tokens: number; turns: number; };

export type Wish = "approve" | "reject";
