// Made by build/api-types.mjs from the server's OpenAPI document. Do not edit.

export type ApprovalCard = {
  approvers: (Role)[];
  arguments: unknown;
  call_id: string;
  confirm: string;
  editable: boolean;
  expires_at: string;
  form: (FormField)[];
  requested_by: string;
  requester: string;
  seal: Seal;
  title: string;
  tool: string;
};

export type Artifact = {
  author?: (Author | null);
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

export type ArtifactEditRequest = { fields?: { [key: string]: unknown } | null; text?: string | null; };

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

export type Author = { id: string; name: string; };

export type BuiltFrom = { key: string; kind: string; version: number; };

export type Cancelling = { cancelling: boolean; };

export type CandidatePage = { cursor: string | null; has_more: boolean; items: (CandidateRow)[]; total: number; };

export type CandidateRow = {
  candidateId: string;
  candidateName: string | null;
  compositeScore: number | null;
  coverLetter: string | null;
  criteria: (CriterionScore)[];
  experience: string | null;
  hrSelectionStatus: (GigHrSelectionStatus | null);
  id: string;
  interview: number | null;
  interviewAnalysis: string | null;
  interviewDetailedScore: number | null;
  interviewScore: number | null;
  missingSkills: (string)[];
  name: string;
  place: number | null;
  proposedCurrency: string;
  proposedDeliveryDays: number | null;
  proposedPrice: number | null;
  rating: string | null;
  recommendation: (GigRecommendation | null);
  screening: number | null;
  screeningAnalysis: string | null;
  screeningDetailedScore: number | null;
  screeningScore: number | null;
  skills: (string)[] | null;
  status: GigResponseStatus;
  strengths: (string)[] | null;
  weaknesses: (string)[] | null;
  withinBudget: boolean | null;
};

export type CaseReport = { as: string; name: string; runs: (RunReport)[]; };

export type ChangeKind = "same" | "added" | "removed";

export type ChatMessage = {
  content: string;
  createdAt: string;
  id: string;
  metadata: { [key: string]: unknown };
  quickReplies?: (string)[];
  role: Speaker;
};

export type CleaningMode = "scrub" | "vacuum" | "sweep" | "mop";

export type Cleared = { success: boolean; };

export type CodeGrant = { code: string; code_verifier: string; redirect_uri: string; };

export type CollectionEntry = { chunks: number; documents: number; name: string; };

export type Column = ("name" | "price" | "delivery" | "screening" | "interview" | "score" | "status" | "place");

export type Company = { created_at: string; id: string; name: string; owner_id: string; role: Standing; };

export type CompanyCreate = { name: string; };

export type ComparedRobot = {
  aisle_cm: number;
  area: string;
  category: string;
  estimated_monthly_savings: number;
  modes: string;
  monthly_lease: number;
  payback: string;
  purchase_price: number;
  robot: string;
  runtime: string;
  sku: string;
  surfaces: string;
};

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

export type CriterionScore = { criterion: string; score: number | null; weight: number; };

export type Decision = ("approved" | "rejected" | "expired");

export type DecisionCreate = { arguments?: { [key: string]: unknown } | null; decision: Wish; reason?: string | null; };

export type Direction = "asc" | "desc";

export type DiscoveryFact = {
  at: string;
  confidence: RoiConfidence;
  earlier?: (EarlierFact)[];
  group: DiscoveryGroup;
  key: DiscoveryKey;
  label: string;
  question_id: string;
  quote: string;
  value: string;
};

export type DiscoveryFacts = { facts: (DiscoveryFact)[]; group: DiscoveryGroup; };

export type DiscoveryFigures = {
  labor_rate: number | null;
  manual_monthly_hours: number | null;
  manual_monthly_spend: number | null;
};

export type DiscoveryGroup = "Company" | "Facility" | "Operations" | "Economics" | "Context";

export type DiscoveryKey = "company_name" | "company_type" | "priorities" | "stakeholders" | "background" | "fnb" | "courts_count" | "surfaces" | "sqft" | "lifecycle" | "method" | "responsibility" | "frequency" | "timing" | "duration" | "challenges" | "failure_impact" | "budget_exists" | "monthly_spend" | "opportunity_cost" | "feedback" | "confidence" | "past_attempts" | "ideal_timeline" | "upcoming_events" | "business_challenges";

export type DiscoveryQuestion = {
  chips: (string)[];
  group: DiscoveryGroup;
  key: DiscoveryKey;
  label: string;
  question: string;
};

export type DiscoveryQuestions = { items: (DiscoveryQuestion)[]; };

export type DiscoveryState = {
  answered_keys: (DiscoveryKey)[];
  figures: DiscoveryFigures;
  missing_keys: (DiscoveryKey)[];
  progress_percent: number;
  ready_for_roi: boolean;
};

export type DiscoveryView = {
  conversation_id: string;
  discovery_state: DiscoveryState;
  groups: (DiscoveryFacts)[];
  next_questions: (DiscoveryQuestion)[];
  phase: Phase;
  roi: LastRoi;
  shortlist: RobotShortlist;
};

export type DocumentCreate = {
  company_id?: string | null;
  name?: string | null;
  text?: string | null;
  url?: string | null;
};

export type DocumentEntry = { chunks: number; taken_in: string; title: string; url: string; };

export type EarlierFact = { at: string; quote: string; value: string; };

export type Effect = ("read" | "idempotent" | "transactional" | "at_most_once");

export type Ended = {
  message: string | null;
  notice: string | null;
  outcome: Outcome;
  quick_replies?: (string)[];
  usage: Usage;
};

export type Error = { error: { code: string; details?: unknown; message: string; request_id: string; }; };

export type EvaluationResponse = { cases: (CaseReport)[]; evaluation: Shelved; };

export type FeedbackCreate = { comment?: string | null; rating: Rating; };

export type Figures = {
  frequentSkills: (SkillCount)[];
  interviewsHeld: number;
  maxPrice: number | null;
  medianPrice: number | null;
  minPrice: number | null;
  missingSkills: (string)[];
  requiredSkills: (SkillCount)[];
  withinBudget: number | null;
  withoutPrice: number;
};

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
  usage?: (Usage | null);
};

export type FloorSurface = "tile" | "concrete" | "epoxy" | "vinyl" | "wood" | "marble" | "carpet" | "hard";

export type FormCreate = { arguments?: { [key: string]: unknown }; tool: string; };

export type FormField = {
  default?: unknown;
  help: string;
  input: FormInput;
  label: string;
  name: string;
  required: boolean;
};

export type FormInput = ({ kind: "text"; } | { kind: "long_text"; } | { kind: "file"; } | { kind: "integer"; } | { kind: "number"; } | { kind: "yes_no"; } | { kind: "choice"; of: (unknown)[]; } | { kind: "date"; } | { kind: "time"; } | { kind: "date_time"; } | { kind: "list"; of: FormInput; } | { kind: "json"; });

export type GatePass = {
  allowed_actions: (string)[];
  approved_at: string | null;
  approved_by: string | null;
  created_at: string;
  created_by: string;
  description: string;
  exit_time: string | null;
  id: string;
  is_returnable: boolean;
  pass_number: string;
  person_name: string;
  photos?: (PassPhoto)[];
  qr_code_url: string | null;
  return_time: string | null;
  status: PassStatus;
  status_history: (StatusChange)[];
};

export type GatePassCounts = {
  approved: number;
  awaiting_return: number;
  exited: number;
  pending: number;
  rejected: number;
  returned: number;
  total: number;
};

export type GatePassList = { cursor: string | null; has_more: boolean; items: (GatePass)[]; };

export type GatePassNotification = {
  created_at: string;
  id: string;
  is_read: boolean;
  message: string;
  related_pass_id: string | null;
  type: string;
};

export type GatePassNotificationList = {
  cursor: string | null;
  has_more: boolean;
  items: (GatePassNotification)[];
  unread: number;
};

export type GigCard = {
  createdAt: string;
  id: string;
  isActive: boolean;
  newResponses: number;
  responses: number;
  title: string;
  type: string;
  workspaceId: string;
};

export type GigChat = { gigId: string; sessionId: string; };

export type GigDetail = {
  budgetCurrency: string;
  budgetMax: number | null;
  budgetMin: number | null;
  customBotInstructions: string | null;
  deadline: string | null;
  description: string | null;
  estimatedDuration: string | null;
  figures: Figures;
  id: string;
  plots: Plots;
  promptTokens: number;
  requirements: (GigRequirements | null);
  stats: Statistics;
  title: string;
  type: GigType;
  workspaceId: string;
};

export type GigHrSelectionStatus = "INVITE" | "RECOMMENDED" | "NOT_RECOMMENDED" | "REJECTED" | "SELECTED" | "CONTRACT_SENT" | "IN_PROGRESS" | "DONE";

export type GigList = { items: (GigCard)[]; };

export type GigMessage = { message: string; };

export type GigRecommendation = "HIGHLY_RECOMMENDED" | "RECOMMENDED" | "NEUTRAL" | "NOT_RECOMMENDED";

export type GigRequirements = {
  deliverables: (string)[];
  experience_level: string;
  keywords_for_matching: (string)[];
  languages: (LanguageLevel)[];
  nice_to_have_skills: (string)[];
  required_skills: (string)[];
  summary: string;
  tech_stack: (string)[];
  title: string;
};

export type GigResponseStatus = "NEW" | "EVALUATED" | "INTERVIEW" | "NEGOTIATION" | "COMPLETED" | "SKIPPED";

export type GigType = "DEVELOPMENT" | "DESIGN" | "COPYWRITING" | "MARKETING" | "TRANSLATION" | "VIDEO" | "AUDIO" | "DATA_ENTRY" | "RESEARCH" | "CONSULTING" | "OTHER";

export type Health = { status: string; };

export type History = { hasMore: boolean; messages: (ChatMessage)[]; sessionId: string | null; };

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
  link: string;
  mailed?: boolean | null;
  role: Standing;
  status: InvitationStatus;
  token: string;
};

export type InvitationStatus = "pending" | "accepted" | "declined" | "expired";

export type InvitedAs = "admin" | "member";

export type IssuerOffer = { authorization_endpoint: string; client_id: string; issuer: string; scope: string; };

export type LanguageLevel = { language: string; level: string; };

export type LastRoi = { edits: RoiEdits; robots: (string)[]; };

export type Line = { text: string; who: Speaker2; };

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
  rating?: (Rating | null);
  role: Speaker;
};

export type MessageWithAgentResponse = {
  agent_message: (MessageResponse | null);
  turn?: (TurnResponse | null);
  user_message: MessageResponse;
};

export type ModelErrorKind = ("rate_limited" | "timed_out" | "context_too_long" | "unavailable" | "unreachable" | "interrupted" | "malformed" | "unauthorized" | "rejected");

export type OfferedTool = {
  function: unknown;
  handles: { [key: string]: string };
  title: string;
  type: string;
  usable: boolean;
};

export type Opinion = {
  comment: string | null;
  created_at: string;
  message_id: string;
  rating: Rating;
  updated_at: string;
};

export type Order = "oldest" | "newest";

export type Outcome = ({ outcome: "answered"; } | { outcome: "refused"; } | { outcome: "out_of_rounds"; } | { outcome: "out_of_budget"; } | { outcome: "timed_out"; } | { outcome: "empty_answer"; } | { kind: ModelErrorKind; outcome: "model_failed"; retry_after_seconds?: number | null; } | { outcome: "cancelled"; } | { outcome: "interrupted"; });

export type PassPhoto = {
  captured_at: string;
  captured_by: string;
  file_url: string;
  gatepass_id: string;
  media_type: string;
  pass_number: string;
  photo_id: string;
  type: string;
};

export type PassStatus = "pending" | "approved" | "rejected" | "exited" | "returned";

export type Passage = { begin: number; chunk_id: string; end: number; };

export type PendingApproval = { assistant: string; card: ApprovalCard; conversation_id: string; turn_id: string; };

export type PersonaEntry = { display_name: string; name: string; roles: (Role)[]; };

export type Phase = string;

export type PhaseChange = { from: Phase; reason: string; to: Phase; };

export type PlacedStep = {
  began_ms: number;
  duration_ms: number;
  input_tokens: number;
  kind: StepKind;
  name: string | null;
  ok: boolean;
  output_tokens: number;
  problem: string | null;
};

export type Plots = { points: (Point)[]; pointsLeftOut: number; prices: (PriceBar)[]; scores: (ScoreBar)[]; };

export type Point = {
  id: string;
  name: string;
  price: number;
  recommendation: (GigRecommendation | null);
  score: number;
};

export type PriceBar = { from: number; people: number; to: number; withinBudget: number | null; };

export type Product = {
  aisle_cm: number;
  area_m2_h: (unknown)[];
  best_for: string;
  built_in: boolean;
  category: string;
  key_reasons: (string)[];
  manufacturer: string;
  modes: (CleaningMode)[];
  monthly_lease: number;
  name: string;
  purchase_price: number;
  runtime_h: (unknown)[];
  sku: string;
  surfaces: (FloorSurface)[];
  time_efficiency: number;
};

export type ProductCreate = Robot;

export type ProductFound = {
  aisle_cm: number;
  area_m2_h: (unknown)[];
  best_for: string;
  built_in: boolean;
  category: string;
  key_reasons: (string)[];
  manufacturer: string;
  modes: (CleaningMode)[];
  monthly_lease: number;
  name: string;
  purchase_price: number;
  runtime_h: (unknown)[];
  score: number;
  sku: string;
  surfaces: (FloorSurface)[];
  time_efficiency: number;
};

export type ProductList = { items: (Product)[]; prices: string; };

export type ProductSearch = {
  aisle_width_cm?: number | null;
  category?: string | null;
  max_monthly_lease?: number | null;
  mode?: (CleaningMode | null);
  query: string;
  surface?: (FloorSurface | null);
  top_k?: number | null;
};

export type ProductsFound = { items: (ProductFound)[]; prices: string; };

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

export type RecommendationLabel = "RECOMMENDED" | "BEST VALUE" | "UPGRADE" | "ALTERNATIVE";

export type RecommendationReason = { explanation: string; factor: string; score_impact: number; };

export type RecommendationRequest = {
  assumptions?: RoiEdits;
  conversation_id?: string | null;
  monthly_budget?: number | null;
  top_k?: number | null;
};

export type RefusalReason = ("unknown_tool" | "role" | "phase" | "needs" | "invalid_arguments" | "declined" | "expired" | "limit" | "stopped");

export type Robot = {
  aisle_cm: number;
  area_m2_h: (unknown)[];
  best_for: string;
  category: string;
  key_reasons?: (string)[];
  manufacturer: string;
  modes: (CleaningMode)[];
  monthly_lease: number;
  name: string;
  purchase_price: number;
  runtime_h: (unknown)[];
  sku: string;
  surfaces: (FloorSurface)[];
  time_efficiency: number;
};

export type RobotNextStep = ("contact_sales" | "schedule_demo" | "share_internally");

export type RobotRecommendation = {
  category: string;
  estimated_monthly_savings: number;
  label: RecommendationLabel;
  monthly_lease: number;
  payback_months: number | null;
  purchase_price: number;
  reasons: (RecommendationReason)[];
  robot: string;
  roi_percent: number;
  score: number;
  sku: string;
  within_budget: boolean | null;
};

export type RobotRecommendations = { notes: (string)[]; recommendations: (RobotRecommendation)[]; };

export type RobotShortlist = { next_step: (RobotNextStep | null); robots: (string)[]; stakeholders: (string)[]; };

export type RobotsRecommended = RobotRecommendations;

export type RoiAssumed = "manual_monthly_spend" | "manual_monthly_hours";

export type RoiAssumptions = {
  assumed: (RoiAssumed)[];
  labor_rate: number;
  maintenance_factor: number;
  manual_monthly_hours: number;
  manual_monthly_spend: number;
  utilization: number;
};

export type RoiCalculated = {
  assumptions: RoiAssumptions;
  comparison: (ComparedRobot)[];
  estimates: (RoiEstimate)[];
  prices: string;
};

export type RoiChartPoint = { lease: number; month: number; purchase: number; };

export type RoiConfidence = "high" | "medium" | "low";

export type RoiEdits = {
  labor_rate?: number | null;
  maintenance_factor?: number | null;
  manual_monthly_hours?: number | null;
  manual_monthly_spend?: number | null;
  utilization?: number | null;
};

export type RoiEstimate = {
  algorithm_version: string;
  assumptions: RoiAssumptions;
  chart: (RoiChartPoint)[];
  confidence: RoiConfidence;
  current_monthly_cost: number;
  current_monthly_hours: number;
  estimated_monthly_savings: number;
  estimated_yearly_savings: number;
  factors_considered: (string)[];
  gross_monthly_savings: number;
  hours_saved_monthly: number;
  payback_months: number | null;
  purchase: RoiPurchase;
  robot: string;
  robot_monthly_cost: number;
  roi_percent: number;
  sensitivity: (RoiVariant)[];
  sku: string;
};

export type RoiPurchase = {
  monthly_maintenance: number;
  monthly_savings: number;
  payback: string;
  payback_months: number | null;
  price: number;
};

export type RoiRequest = { assumptions?: RoiEdits; conversation_id?: string | null; robots?: (string)[] | null; };

export type RoiVariant = {
  assumption: string;
  change_percent: number;
  estimated_monthly_savings: number;
  payback_months: number | null;
  value: number;
};

export type Role = "HR_User" | "Admin_User" | "Gate_User" | "Recruiter" | "Buyer" | "Reader" | "Operator";

export type RunReport = {
  passed: boolean;
  problems: (string)[];
  seconds: number;
  transcript: (Line)[];
  usage: Usage;
};

export type ScoreBar = { from: number; people: number; recommendation: GigRecommendation; to: number; };

export type Seal = string;

export type Sent = { message: string; metadata: { [key: string]: unknown }; quickReplies: (string)[]; };

export type Shelved = { at: string; id: string; model: string; suite: string; summary: Summary; };

export type SignIn = { persona: string; };

export type SignInOffer = { issuer: (IssuerOffer | null); };

export type SignedIn = { me: Me; token: string; };

export type SkillCount = { people: number; skill: string; };

export type Snapshot = { events: (TurnEvent)[]; state: TurnState; text: string; };

export type Source = { score: number; text: string; title: string; url: string; };

export type SourceText = { collection: string; passages: (Passage)[]; text: string; title: string; url: string; };

export type Speaker = "user" | "assistant";

export type Speaker2 = "person" | "assistant" | "call" | "result";

export type Standing = "owner" | "admin" | "member";

export type Statistics = {
  avgDeliveryDays: number | null;
  avgInterviewScore: number | null;
  avgPrice: number | null;
  avgScreeningScore: number | null;
  byRecommendation: {
    HIGHLY_RECOMMENDED?: number;
    NEUTRAL?: number;
    NOT_RECOMMENDED?: number;
    RECOMMENDED?: number;
  };
  byStatus: {
    COMPLETED?: number;
    EVALUATED?: number;
    INTERVIEW?: number;
    NEGOTIATION?: number;
    NEW?: number;
    SKIPPED?: number;
  };
  total: number;
};

export type StatusChange = { changed_at: string; changed_by: string; status: PassStatus; };

export type StepKind = "model" | "tool" | "approval_requested" | "approval_decided";

export type Summary = {
  cached_tokens: number;
  cases: number;
  cost: number | null;
  estimated: boolean;
  input_tokens: number;
  like_examples: number;
  messages: number;
  output_tokens: number;
  pass_hat: (number)[];
  pass_rate: number;
  passed: number;
  repeats: number;
  right_arguments: number;
  right_tools: number;
  seconds_p50: number;
  seconds_p95: number;
  threshold: number;
  with_calls: number;
  wrong_calls: number;
  wrong_writes: number;
};

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
} | { data: { call_id: string; text: string; }; event: "tool.progress"; } | { data: { attempt: number; call_id: string; text: string; }; event: "draft.delta"; } | { data: Finished; event: "tool.finished"; } | { data: { card: ApprovalCard; }; event: "approval.requested"; } | {
  data: {
    arguments?: { [key: string]: unknown } | null;
    by: string | null;
    call_id: string;
    decision: Decision;
    reason: string | null;
  };
  event: "approval.decided";
} | { data: { id: string; mark: ArtifactMark; title: string; }; event: "artifact.saved"; } | { data: PhaseChange; event: "phase.changed"; } | { data: { source: Source; }; event: "source.cited"; } | { data: Snapshot; event: "snapshot"; } | { data: Ended; event: "turn.completed"; } | { data: Ended; event: "turn.failed"; } | { data: Ended; event: "turn.cancelled"; } | { data: Ended; event: "turn.interrupted"; });

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

export type UsageEntry = {
  assistant: string;
  cached_tokens: number;
  company_id: string | null;
  cost: number | null;
  day: string;
  estimated_turns: number;
  input_tokens: number;
  output_tokens: number;
  profile_id: string;
  turns: number;
};

export type UsageGroup = {
  cached_tokens: number;
  cost: number | null;
  estimated_turns: number;
  input_tokens: number;
  name: string | null;
  output_tokens: number;
  turns: number;
};

export type UsageResponse = {
  by_assistant: (UsageGroup)[];
  by_company: (UsageGroup)[];
  by_day: (UsageGroup)[];
  from: string;
  items: (UsageEntry)[];
  to: string;
  total: UsageTotal;
};

export type UsageTotal = {
  cached_tokens: number;
  cost: number | null;
  estimated_turns: number;
  input_tokens: number;
  output_tokens: number;
  turns: number;
};

export type WatchedName = { id: string; name: string; };

export type WatchedTurn = {
  assistant: string;
  cached_tokens: number;
  company_id: string | null;
  conversation_id: string;
  duration_ms: number | null;
  ended_at: string | null;
  estimated: boolean;
  id: string;
  input_tokens: number;
  outcome: (Outcome | null);
  output_tokens: number;
  profile_id: string;
  started_at: string;
  state: TurnState;
};

export type WatchedTurnListResponse = { cursor: string | null; has_more: boolean; items: (WatchedTurn)[]; };

export type WatchedTurnResponse = { other_ms: number | null; steps: (PlacedStep)[]; turn: WatchedTurn; };

export type Wish = "approve" | "reject";
