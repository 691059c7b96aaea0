// Made by build/api-types.mjs from the server's OpenAPI document. Do not edit.

export type About = {
  version: string;
  model: string | null;
  offline: boolean;
  fallback: boolean;
  mail: boolean;
};

export type AnswerFile = { id: string; name: string; media_type: string; url: string; };

export type ApiToken = { id: string; name: string; created_at: string; expires_at: string; };

export type ApiTokenCreate = { name: string; days?: number | null; };

export type ApiTokenCreated = { id: string; name: string; created_at: string; expires_at: string; token: string; };

export type ApiTokenListResponse = { items: (ApiToken)[]; cursor: string | null; has_more: boolean; };

export type ApprovalCard = {
  call_id: string;
  tool: string;
  title: string;
  arguments: unknown;
  seal: Seal;
  requested_by: string;
  requester: string;
  approvers: (Role)[];
  expires_at: string;
  editable: boolean;
  form: (FormField)[];
  confirm: string;
  decline: string;
  consequence: string;
  destructive: boolean;
  target: (CardTarget | null);
  origins: (Origin)[];
  preview: boolean;
  confirms: (CardDraft)[];
};

export type Artifact = {
  id: string;
  conversation: string;
  kind: string;
  key: string;
  version: number;
  status: ArtifactStatus;
  title: string;
  content: unknown;
  built_from: (BuiltFrom)[];
  author?: (Author | null);
  created_at: string;
};

export type ArtifactEditRequest = { text?: string | null; fields?: { [key: string]: unknown } | null; };

export type ArtifactEntry = { id: string; kind: string; key: string; version: number; status: ArtifactStatus; };

export type ArtifactEntryListResponse = { items: (ArtifactEntry)[]; cursor: string | null; has_more: boolean; };

export type ArtifactMark = { kind: string; key: string; version: number; status: ArtifactStatus; };

export type ArtifactStatus = "draft" | "confirmed";

export type AssistantChoice = { assistant: string | null; };

export type AssistantEntry = {
  name: string;
  title: string;
  description: string;
  greeting: string;
  suggestions: (string)[];
  phases: (string)[];
  message_limit: number;
};

export type AssistantEntryListResponse = { items: (AssistantEntry)[]; cursor: string | null; has_more: boolean; };

export type AssistantObjects = { assistant: string; title: string; items: (FoundObject)[]; };

export type AssistantStatus = {
  name: string;
  title: string;
  model: string | null;
  tools: number;
  roles: (Role)[];
  from_manifest: boolean;
};

export type AssistantWork = {
  assistant: string;
  title: string;
  about: string;
  count: number;
  link: string | null;
  items: (WaitingItem)[];
  decided: (DecidedItem)[];
  problem?: string | null;
};

export type Attachment = {
  id: string;
  conversation_id: string;
  name: string;
  media_type: string;
  bytes: number;
  created_at: string;
};

export type Audience = ({ profile: string; } | { company: string; });

export type AuditOutcome = ("executed" | "denied" | "approval_requested" | "approved" | "rejected" | "expired" | "failed" | "unknown" | "erased");

export type AuditRow = {
  id: number;
  at: string;
  profile: string;
  profile_name: string | null;
  conversation: string | null;
  turn: string | null;
  call_id: string;
  tool: string;
  target: string | null;
  outcome: AuditOutcome;
  approver: string | null;
  approver_name: string | null;
};

export type AuditRowListResponse = { items: (AuditRow)[]; cursor: string | null; has_more: boolean; };

export type Author = { id: string; name: string; };

export type BuiltFrom = { kind: string; key: string; version: number; };

export type Cancelling = { cancelling: boolean; };

export type CandidatePage = { items: (CandidateRow)[]; cursor: string | null; has_more: boolean; total: number; };

export type CandidateRow = {
  id: string;
  candidateId: string;
  candidateName: string | null;
  proposedPrice: number | null;
  proposedCurrency: string;
  proposedDeliveryDays: number | null;
  coverLetter: string | null;
  experience: string | null;
  skills: (string)[] | null;
  rating: string | null;
  status: GigResponseStatus;
  hrSelectionStatus: (GigHrSelectionStatus | null);
  screeningScore: number | null;
  screeningDetailedScore: number | null;
  screeningAnalysis: string | null;
  interviewScore: number | null;
  interviewDetailedScore: number | null;
  interviewAnalysis: string | null;
  compositeScore: number | null;
  strengths: (string)[] | null;
  weaknesses: (string)[] | null;
  recommendation: (GigRecommendation | null);
  name: string;
  place: number | null;
  screening: number | null;
  interview: number | null;
  withinBudget: boolean | null;
  missingSkills: (string)[];
  criteria: (CriterionScore)[];
};

export type CardAction = { name: string; label: string; say: string; };

export type CardDraft = { kind: string; words: string; };

export type CardField = { name: string; label: string; value: CardValue; };

export type CardTarget = { argument: string; value: string; };

export type CardValue = (CardValueText | CardValueChoice | CardValueNumber | CardValueMoney | CardValueYesNo | CardValueInstant);

export type CardValueChoice = { type: "choice"; value: string; };

export type CardValueInstant = { type: "instant"; value: string; };

export type CardValueMoney = { type: "money"; value: { amount: number; currency: string; }; };

export type CardValueNumber = { type: "number"; value: number; };

export type CardValueText = { type: "text"; value: string; };

export type CardValueYesNo = { type: "yes_no"; value: boolean; };

export type CaseReport = { name: string; as: string; runs: (RunReport)[]; };

export type ChangeKind = "same" | "added" | "removed";

export type ChatMessage = {
  id: string;
  role: Speaker;
  content: string;
  quickReplies?: (string)[];
  metadata: { [key: string]: unknown };
  createdAt: string;
};

export type ChatReply = { message: string; quickReplies: (string)[]; metadata: { [key: string]: unknown }; };

export type ChoiceRequest = { content: string; };

export type ChunkSettings = { chunk_size: number; chunk_overlap: number; };

export type CleaningMode = "scrub" | "vacuum" | "sweep" | "mop";

export type Cleared = { success: boolean; };

export type CodeGrant = { code: string; code_verifier: string; redirect_uri: string; };

export type CollectionEntry = { name: string; documents: number; chunks: number; };

export type CollectionEntryListResponse = { items: (CollectionEntry)[]; cursor: string | null; has_more: boolean; };

export type Column = "place" | "name" | "price" | "delivery" | "screening" | "interview" | "score" | "status" | "decision" | "recommendation" | "rating" | "responded";

export type Company = { id: string; name: string; owner_id: string; created_at: string; role: CompanyRole; };

export type CompanyCreate = { name: string; };

export type CompanyListResponse = { items: (Company)[]; cursor: string | null; has_more: boolean; };

export type CompanyRole = "owner" | "admin" | "member";

export type ComparedFigures = { robots_needed: number; estimated_monthly_savings: ValueSpan; payback: RoiPayback; };

export type ComparedRobot = {
  sku: string;
  robot: string;
  category: string;
  modes: string;
  surfaces: string;
  area: string;
  runtime: string;
  aisle_cm: number;
  monthly_lease: number;
  purchase_price: number;
  figures: (ComparedFigures | null);
};

export type ConversationCreate = {
  assistant?: string | null;
  title?: string | null;
  company_id?: string | null;
  subject?: string | null;
  metadata?: { [key: string]: unknown } | null;
};

export type ConversationListResponse = { items: (ConversationResponse)[]; cursor: string | null; has_more: boolean; };

export type ConversationResponse = {
  id: string;
  user_id: string;
  company_id: string | null;
  assistant: string;
  subject: string | null;
  title: string;
  phase: string;
  metadata: { [key: string]: unknown };
  message_count: number;
  last_message_at: string | null;
  created_at: string;
  updated_at: string;
};

export type ConversationUpdate = {
  title?: string | null;
  owner?: string | null;
  phase?: string | null;
  metadata?: { [key: string]: unknown } | null;
};

export type ConversationView = ("pinned" | "archived" | "current");

export type CriterionScore = { criterion: string; weight: number; score: number | null; };

export type CurrencyFigures = {
  currency: string;
  people: number;
  minPrice: number;
  maxPrice: number;
  avgPrice: number;
};

export type DecidedApproval = {
  conversation_id: string;
  turn_id: string;
  assistant: string;
  card: ApprovalCard;
  decision: Decision;
  decided_by: (Author | null);
  decided_at: string;
  reason: string | null;
};

export type DecidedItem = { title: string; link: string; state: string; by: string; at: string; };

export type Decision = ("approved" | "rejected" | "expired");

export type DecisionCreate = { decision: Wish; reason?: string | null; arguments?: { [key: string]: unknown } | null; };

export type Direction = "asc" | "desc";

export type DiscoveryFact = {
  question_id: string;
  key: DiscoveryKey;
  label: string;
  value: string;
  group: DiscoveryGroup;
  quote: string;
  confidence: RoiConfidence;
  at: string;
  said_by?: (Author | null);
  earlier?: (EarlierFact)[];
};

export type DiscoveryFacts = { group: DiscoveryGroup; facts: (DiscoveryFact)[]; };

export type DiscoveryGroup = "Company" | "Facility" | "Operations" | "Economics" | "Context";

export type DiscoveryKey = "company_name" | "company_type" | "priorities" | "stakeholders" | "background" | "fnb" | "courts_count" | "surfaces" | "sqft" | "lifecycle" | "method" | "responsibility" | "frequency" | "timing" | "duration" | "challenges" | "failure_impact" | "budget_exists" | "monthly_spend" | "opportunity_cost" | "feedback" | "confidence" | "past_attempts" | "ideal_timeline" | "upcoming_events" | "business_challenges";

export type DiscoveryQuestion = {
  key: DiscoveryKey;
  label: string;
  group: DiscoveryGroup;
  question: string;
  chips: (string)[];
};

export type DiscoveryQuestionListResponse = { items: (DiscoveryQuestion)[]; cursor: string | null; has_more: boolean; };

export type DiscoveryState = {
  ready_for_roi: boolean;
  answered_keys: (DiscoveryKey)[];
  missing_keys: (DiscoveryKey)[];
  progress_percent: number;
};

export type DiscoveryView = {
  conversation_id: string;
  phase: Phase;
  discovery_state: DiscoveryState;
  groups: (DiscoveryFacts)[];
  next_questions: (DiscoveryQuestion)[];
  roi: LastRoi;
  shortlist: RobotShortlist;
};

export type DocumentCreate = {
  url?: string | null;
  name?: string | null;
  text?: string | null;
  company_id?: string | null;
  metadata?: { [key: string]: string };
};

export type DocumentEntry = { url: string; title: string; chunks: number; taken_in: string; };

export type DocumentEntryListResponse = { items: (DocumentEntry)[]; cursor: string | null; has_more: boolean; };

export type EarlierFact = { value: string; quote: string; at: string; said_by?: (Author | null); };

export type Effect = ("read" | "idempotent" | "transactional" | "at_most_once");

export type Ended = {
  outcome: Outcome;
  message: string | null;
  notice: string | null;
  quick_replies?: (string)[];
  usage: Usage;
};

export type Error = { error: { code: string; message: string; request_id: string; details?: unknown; }; };

export type EvaluationEntry = { id: string; suite: string; model: string; at: string; summary: Summary; };

export type EvaluationEntryListResponse = { items: (EvaluationEntry)[]; cursor: string | null; has_more: boolean; };

export type EvaluationResponse = { evaluation: EvaluationEntry; cases: (CaseReport)[]; };

export type Fact = { name: string; label: string; value: string; };

export type Feedback = {
  message_id: string;
  rating: Rating;
  comment: string | null;
  created_at: string;
  updated_at: string;
};

export type FeedbackCreate = { rating: Rating; comment?: string | null; };

export type Figures = {
  minPrice: number | null;
  maxPrice: number | null;
  medianPrice: number | null;
  withinBudget: number | null;
  withoutPrice: number;
  otherCurrencies: (CurrencyFigures)[];
  screeningsHeld: number;
  interviewsHeld: number;
  byDecision: {
    CONTRACT_SENT?: number;
    DONE?: number;
    INVITE?: number;
    IN_PROGRESS?: number;
    NOT_RECOMMENDED?: number;
    RECOMMENDED?: number;
    REJECTED?: number;
    SELECTED?: number;
  };
  undecided: number;
  requiredSkills: (SkillCount)[];
  frequentSkills: (SkillCount)[];
  missingSkills: (string)[];
};

export type FileFormat = "md" | "pdf";

export type FileRef = { id: string; name: string; media_type: string; };

export type Finished = {
  call_id: string;
  name: string;
  ok: boolean;
  summary: string;
  told: string;
  result?: unknown;
  files?: (FileRef)[];
  cards?: (ObjectCard)[];
  refused?: (RefusalReason | null);
  error?: (ToolErrorKind | null);
  duration_ms: number;
  usage?: (Usage | null);
};

export type FloorSurface = "tile" | "concrete" | "epoxy" | "vinyl" | "wood" | "marble" | "carpet" | "hard";

export type FormCreate = { tool: string; arguments?: { [key: string]: unknown }; };

export type FormField = {
  name: string;
  label: string;
  help: string;
  input: FormInput;
  required: boolean;
  default?: unknown;
};

export type FormInput = (FormInputText | FormInputLongText | FormInputFile | FormInputInteger | FormInputNumber | FormInputYesNo | FormInputChoice | FormInputDate | FormInputTime | FormInputDateTime | FormInputList | FormInputJson);

export type FormInputChoice = { kind: "choice"; of: (unknown)[]; };

export type FormInputDate = { kind: "date"; };

export type FormInputDateTime = { kind: "date_time"; };

export type FormInputFile = { kind: "file"; };

export type FormInputInteger = { kind: "integer"; };

export type FormInputJson = { kind: "json"; };

export type FormInputList = { kind: "list"; of: FormInput; };

export type FormInputLongText = { kind: "long_text"; };

export type FormInputNumber = { kind: "number"; };

export type FormInputText = { kind: "text"; };

export type FormInputTime = { kind: "time"; };

export type FormInputYesNo = { kind: "yes_no"; };

export type FoundConversation = {
  id: string;
  assistant: string;
  title: string;
  kind: TextKind;
  object_id?: string | null;
  excerpt: string;
  at: string;
};

export type FoundObject = { title: string; detail: string; link: string; };

export type FoundPassage = {
  chunk_id: string;
  similarity_score: number;
  chunk_text: string;
  url: string;
  title: string | null;
  section: string | null;
  page: number | null;
  context: string | null;
  chunk_index: number;
  token_count: number;
  timestamp: string;
  chunk_config: ChunkSettings;
  model_name: string;
  dimension: number;
};

export type GatePass = {
  id: string;
  pass_number: string;
  person_name: string;
  description: string;
  is_returnable: boolean;
  status: PassStatus;
  created_at: string;
  created_by: string;
  approved_at: string | null;
  approved_by: string | null;
  exit_time: string | null;
  return_time: string | null;
  qr_code_url: string | null;
  status_history: (StatusChange)[];
  allowed_actions: (string)[];
  photos?: (PassPhoto)[];
};

export type GatePassCounts = {
  total: number | null;
  pending: number | null;
  approved: number | null;
  rejected: number | null;
  exited: number | null;
  returned: number | null;
  awaiting_return: number | null;
};

export type GatePassList = { items: (GatePass)[]; cursor: string | null; has_more: boolean; };

export type GatePassNotification = {
  id: string;
  message: string;
  type: string;
  created_at: string;
  is_read: boolean;
  related_pass_id: string | null;
};

export type GatePassNotificationList = {
  items: (GatePassNotification)[];
  cursor: string | null;
  has_more: boolean;
  unread: number;
};

export type GigCard = {
  id: string;
  workspaceId: string;
  title: string;
  type: string;
  isActive: boolean;
  responses: number;
  newResponses: number;
  undecided: number;
  createdAt: string;
};

export type GigCardListResponse = { items: (GigCard)[]; cursor: string | null; has_more: boolean; };

export type GigChat = { sessionId: string; gigId: string; };

export type GigDetail = {
  id: string;
  title: string;
  description: string | null;
  requirements: (GigRequirements | null);
  type: GigType;
  budgetMin: number | null;
  budgetMax: number | null;
  budgetCurrency: string;
  deadline: string | null;
  estimatedDuration: string | null;
  customBotInstructions: string | null;
  workspaceId: string;
  stats: Statistics;
  figures: Figures;
  plots: Plots;
  isActive: boolean;
};

export type GigEdit = {
  title?: string | null;
  description?: string | null;
  requirements?: (GigRequirements | null);
  type?: (GigType | null);
  budgetMin?: number | null;
  budgetMax?: number | null;
  budgetCurrency?: string | null;
  deadline?: string | null;
  estimatedDuration?: string | null;
  customBotInstructions?: string | null;
  isActive?: boolean | null;
};

export type GigHrSelectionStatus = "INVITE" | "RECOMMENDED" | "NOT_RECOMMENDED" | "REJECTED" | "SELECTED" | "CONTRACT_SENT" | "IN_PROGRESS" | "DONE";

export type GigInput = {
  workspaceId?: string | null;
  title: string;
  description?: string | null;
  requirements?: (GigRequirements | null);
  type?: GigType;
  budgetMin?: number | null;
  budgetMax?: number | null;
  budgetCurrency?: string;
  deadline?: string | null;
  estimatedDuration?: string | null;
  customBotInstructions?: string | null;
  isActive?: boolean;
};

export type GigMessage = { message: string; };

export type GigRecommendation = "HIGHLY_RECOMMENDED" | "RECOMMENDED" | "NEUTRAL" | "NOT_RECOMMENDED";

export type GigRequirements = {
  title?: string;
  summary?: string;
  deliverables?: (string)[];
  required_skills?: (string)[];
  nice_to_have_skills?: (string)[];
  tech_stack?: (string)[];
  experience_level?: string;
  languages?: (LanguageLevel)[];
  keywords_for_matching?: (string)[];
};

export type GigResponseStatus = "NEW" | "EVALUATED" | "INTERVIEW" | "NEGOTIATION" | "COMPLETED" | "SKIPPED";

export type GigType = "DEVELOPMENT" | "DESIGN" | "COPYWRITING" | "MARKETING" | "TRANSLATION" | "VIDEO" | "AUDIO" | "DATA_ENTRY" | "RESEARCH" | "CONSULTING" | "OTHER";

export type Health = { status: string; };

export type History = { sessionId: string | null; messages: (ChatMessage)[]; hasMore: boolean; };

export type ImportReport = { new: number; changed: number; unchanged: number; refused: (ImportRow)[]; };

export type ImportRow = { row: number; problem: string; };

export type Inbox = {
  count: number;
  cards: (PendingApproval)[];
  work: (AssistantWork)[];
  decided: (DecidedApproval)[];
};

export type InboxMailChange = { on: boolean; language?: MailLanguage; };

export type InboxMailStatus = { available: boolean; on: boolean; address: string | null; };

export type Installation = {
  version: string;
  model: ModelStatus;
  limits: LimitStatus;
  assistants: (AssistantStatus)[];
  manifests: (ManifestReport)[];
  storage: StorageStatus;
  people: (PersonSeen)[];
};

export type Invitation = {
  id: string;
  company_id: string;
  company_name: string;
  email: string;
  role: CompanyRole;
  invited_by: string;
  status: InvitationStatus;
  created_at: string;
  expires_at: string;
};

export type InvitationCreate = { email: string; role?: InvitedAs; };

export type InvitationCreated = {
  id: string;
  company_id: string;
  company_name: string;
  email: string;
  role: CompanyRole;
  invited_by: string;
  status: InvitationStatus;
  created_at: string;
  expires_at: string;
  token: string;
  link: string;
  mailed?: boolean | null;
};

export type InvitationListResponse = { items: (Invitation)[]; cursor: string | null; has_more: boolean; };

export type InvitationStatus = "pending" | "accepted" | "declined" | "expired";

export type InvitedAs = "admin" | "member";

export type IssuerOffer = { issuer: string; authorization_endpoint: string; client_id: string; scope: string; };

export type LanguageLevel = { language: string; level: string; };

export type LastRoi = { robots: (string)[]; edits: RoiEdits; };

export type LimitStatus = {
  turns_in_flight: number;
  tokens_a_person_and_day: number | null;
  tokens_a_company_and_day: number | null;
  storage_bytes: number | null;
};

export type Line = { who: Speaker2; text: string; };

export type LineChange = { kind: ChangeKind; text: string; old_line: number | null; new_line: number | null; };

export type LineChangeListResponse = { items: (LineChange)[]; cursor: string | null; has_more: boolean; };

export type MailLanguage = "en" | "ru" | "sv" | "da" | "no" | "de";

export type ManifestReport = { name: string; state: ManifestState; problem?: string | null; warnings?: (string)[]; };

export type ManifestReportListResponse = { items: (ManifestReport)[]; cursor: string | null; has_more: boolean; };

export type ManifestState = ("loaded" | "kept" | "skipped" | "removed");

export type Marks = { pinned: boolean; archived: boolean; };

export type Me = {
  id: string;
  name: string;
  email: string | null;
  roles: (Role)[];
  companies: (Membership)[];
  expires_at: string | null;
};

export type Member = {
  profile_id: string;
  display_name: string;
  email: string | null;
  avatar_url: string | null;
  role: CompanyRole;
  joined_at: string;
};

export type MemberListResponse = { items: (Member)[]; cursor: string | null; has_more: boolean; };

export type Membership = { company: string; standing: CompanyRole; };

export type MessageCreate = {
  content: string;
  attachments?: (string)[];
  metadata?: { [key: string]: unknown } | null;
};

export type MessageListResponse = { items: (MessageResponse)[]; cursor: string | null; has_more: boolean; };

export type MessageResponse = {
  id: string;
  conversation_id: string;
  role: Speaker;
  author: (Author | null);
  content: string;
  metadata: { [key: string]: unknown };
  created_at: string;
  rating?: (Rating | null);
  versions?: (string)[];
};

export type MessageWithAgentResponse = {
  user_message: MessageResponse;
  agent_message: (MessageResponse | null);
  turn?: (TurnResponse | null);
};

export type ModelErrorKind = ("rate_limited" | "timed_out" | "context_too_long" | "unavailable" | "unreachable" | "interrupted" | "malformed" | "unauthorized" | "rejected");

export type ModelHealth = (ModelHealthBuiltIn | ModelHealthAnswers | ModelHealthKeyRefused | ModelHealthUnreachable);

export type ModelHealthAnswers = { state: "answers"; milliseconds: number; status: number | null; };

export type ModelHealthBuiltIn = { state: "built_in"; };

export type ModelHealthKeyRefused = { state: "key_refused"; };

export type ModelHealthUnreachable = { state: "unreachable"; problem: string; };

export type ModelStatus = { address: string | null; health: ModelHealth; fallback: boolean; };

export type NewGigId = { id: string; };

export type ObjectCard = {
  kind: string;
  id: string;
  title: string;
  status?: string | null;
  fields?: (CardField)[];
  path?: string | null;
  actions?: (CardAction)[];
};

export type OfferedTool = {
  title: string;
  usable: boolean;
  effect: Effect;
  type: string;
  function: unknown;
  handles: { [key: string]: string };
};

export type OfferedToolListResponse = { items: (OfferedTool)[]; cursor: string | null; has_more: boolean; };

export type OperatorName = { id: string; name: string; };

export type OperatorNameListResponse = { items: (OperatorName)[]; cursor: string | null; has_more: boolean; };

export type OperatorTurn = {
  id: string;
  conversation_id: string;
  profile_id: string;
  company_id: string | null;
  assistant: string;
  state: TurnState;
  outcome: (Outcome | null);
  started_at: string;
  ended_at: string | null;
  duration_ms: number | null;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  estimated: boolean;
};

export type OperatorTurnListResponse = { items: (OperatorTurn)[]; cursor: string | null; has_more: boolean; };

export type OperatorTurnResponse = { turn: OperatorTurn; steps: (PlacedStep)[]; other_ms: number | null; };

export type Order = "oldest" | "newest";

export type Origin = { argument: string; source: OriginSource; };

export type OriginSource = (OriginSourceEarlierMessage | OriginSourceText | OriginSourceResult | OriginSourceModel);

export type OriginSourceEarlierMessage = { kind: "earlier_message"; };

export type OriginSourceModel = { kind: "model"; };

export type OriginSourceResult = { kind: "result"; tool: string; title: string; field: string | null; of: string | null; };

export type OriginSourceText = { kind: "text"; };

export type Outcome = (OutcomeAnswered | OutcomeRefused | OutcomeOutOfRounds | OutcomeOutOfBudget | OutcomeTimedOut | OutcomeEmptyAnswer | OutcomeCutOff | OutcomeModelFailed | OutcomeCancelled | OutcomeInterrupted);

export type OutcomeAnswered = { outcome: "answered"; };

export type OutcomeCancelled = { outcome: "cancelled"; };

export type OutcomeCutOff = { outcome: "cut_off"; };

export type OutcomeEmptyAnswer = { outcome: "empty_answer"; };

export type OutcomeInterrupted = { outcome: "interrupted"; };

export type OutcomeModelFailed = { outcome: "model_failed"; kind: ModelErrorKind; retry_after_seconds?: number | null; };

export type OutcomeOutOfBudget = { outcome: "out_of_budget"; };

export type OutcomeOutOfRounds = { outcome: "out_of_rounds"; };

export type OutcomeRefused = { outcome: "refused"; };

export type OutcomeTimedOut = { outcome: "timed_out"; };

export type PassPhoto = {
  photo_id: string;
  gatepass_id: string;
  pass_number: string;
  file_url: string;
  type: string;
  media_type: string;
  captured_at: string;
  captured_by: string;
};

export type PassStatus = "pending" | "approved" | "rejected" | "exited" | "returned";

export type Passage = { chunk_id: string; begin: number; end: number; };

export type PendingApproval = { conversation_id: string; turn_id: string; assistant: string; card: ApprovalCard; };

export type PendingApprovalListResponse = { items: (PendingApproval)[]; cursor: string | null; has_more: boolean; };

export type PersonSeen = { id: string; name: string; roles: (Role)[]; seen_at: string; };

export type PersonaEntry = { name: string; display_name: string; roles: (Role)[]; };

export type PersonaEntryListResponse = { items: (PersonaEntry)[]; cursor: string | null; has_more: boolean; };

export type Phase = string;

export type PhaseChange = { from: Phase; to: Phase; reason: string; };

export type PlacedStep = {
  kind: StepKind;
  name: string | null;
  ok: boolean;
  problem: string | null;
  duration_ms: number;
  input_tokens: number;
  output_tokens: number;
  began_ms: number;
};

export type Plots = { prices: (PriceBar)[]; scores: (ScoreBar)[]; points: (Point)[]; pointsLeftOut: number; };

export type Point = {
  id: string;
  name: string;
  price: number;
  score: number;
  recommendation: (GigRecommendation | null);
};

export type PresenceUpdate = { present: boolean; asks?: boolean; };

export type Preview = {
  title: string;
  subject: string | null;
  state: string | null;
  facts: (Fact)[];
  problem: string | null;
};

export type PriceBar = { from: number; to: number; people: number; withinBudget: number | null; };

export type Product = {
  sku: string;
  name: string;
  manufacturer: string;
  category: string;
  best_for: string;
  modes: (CleaningMode)[];
  surfaces: (FloorSurface)[];
  area_m2_h: (unknown)[];
  runtime_h: (unknown)[];
  aisle_cm: number;
  monthly_lease: number;
  purchase_price: number;
  time_efficiency: number;
  key_reasons: (string)[];
  built_in: boolean;
};

export type ProductCreate = Robot;

export type ProductFound = {
  sku: string;
  name: string;
  manufacturer: string;
  category: string;
  best_for: string;
  modes: (CleaningMode)[];
  surfaces: (FloorSurface)[];
  area_m2_h: (unknown)[];
  runtime_h: (unknown)[];
  aisle_cm: number;
  monthly_lease: number;
  purchase_price: number;
  time_efficiency: number;
  key_reasons: (string)[];
  built_in: boolean;
  score: number;
};

export type ProductList = { items: (Product)[]; cursor: string | null; has_more: boolean; prices: string; };

export type ProductSearch = {
  query: string;
  category?: string | null;
  surface?: (FloorSurface | null);
  mode?: (CleaningMode | null);
  aisle_width_cm?: number | null;
  max_monthly_lease?: number | null;
  top_k?: number | null;
};

export type ProductsFound = { items: (ProductFound)[]; cursor: string | null; has_more: boolean; prices: string; };

export type ProfileResponse = {
  id: string;
  display_name: string;
  email: string | null;
  avatar_url: string | null;
  created_at: string;
  updated_at: string;
};

export type ProfileUpdate = { display_name?: string | null; avatar_url?: string | null; };

export type Rating = "up" | "down";

export type RecommendationLabel = "RECOMMENDED" | "BEST_VALUE" | "UPGRADE" | "ALTERNATIVE";

export type RecommendationRequest = {
  conversation_id?: string | null;
  monthly_budget?: number | null;
  top_k?: number | null;
  assumptions?: RoiEdits;
};

export type RefusalReason = ("unknown_tool" | "role" | "phase" | "needs" | "invalid_arguments" | "declined" | "expired" | "limit" | "cut_off" | "stopped");

export type ResponseFile = { name: string; content: string; };

export type Robot = {
  sku: string;
  name: string;
  manufacturer: string;
  category: string;
  best_for: string;
  modes: (CleaningMode)[];
  surfaces: (FloorSurface)[];
  area_m2_h: (unknown)[];
  runtime_h: (unknown)[];
  aisle_cm: number;
  monthly_lease: number;
  purchase_price: number;
  time_efficiency: number;
  key_reasons?: (string)[];
};

export type RobotNextStep = ("contact_sales" | "schedule_demo" | "share_internally");

export type RobotRecommendation = {
  sku: string;
  robot: string;
  category: string;
  label: RecommendationLabel;
  reasons: (string)[];
  monthly_lease: number;
  robots_needed: number;
  estimated_monthly_savings: ValueSpan;
  roi_percent: ValueSpan;
  payback: RoiPayback;
  within_budget: boolean | null;
};

export type RobotShortlist = { robots: (string)[]; stakeholders: (string)[]; next_step: (RobotNextStep | null); };

export type RobotsRecommended = {
  recommendations: (RobotRecommendation)[];
  notes: (string)[];
  missing: (DiscoveryKey)[];
};

export type RoiCalculated = {
  estimates: (RoiEstimate)[];
  missing: (DiscoveryKey)[];
  comparison: (ComparedRobot)[];
  prices: string;
};

export type RoiChartPoint = { month: number; lease: ValueSpan; purchase: ValueSpan; };

export type RoiConfidence = "high" | "medium" | "low";

export type RoiEdits = {
  labor_rate?: number | null;
  utilization?: number | null;
  maintenance_factor?: number | null;
  manual_monthly_spend?: number | null;
  manual_monthly_hours?: number | null;
  area_m2?: number | null;
  window_hours?: number | null;
  monthly_energy?: number | null;
};

export type RoiEstimate = {
  sku: string;
  robot: string;
  cannot: (string)[];
  robots_needed: number;
  current_monthly_cost: ValueSpan;
  current_monthly_hours: ValueSpan;
  share: number;
  gross_monthly_savings: ValueSpan;
  hours_saved_monthly: ValueSpan;
  remaining_monthly_cost: ValueSpan;
  robot_monthly_cost: ValueSpan;
  estimated_monthly_savings: ValueSpan;
  estimated_yearly_savings: ValueSpan;
  roi_percent: ValueSpan;
  purchase: RoiPurchase;
  confidence: RoiConfidence;
  algorithm_version: string;
  inputs: (RoiInput)[];
  derivation: (RoiStep)[];
  sensitivity: (RoiVariant)[];
  chart: (RoiChartPoint)[];
};

export type RoiInput = { name: RoiInputName; text: string; value: (ValueSpan | null); source: RoiSource; };

export type RoiInputName = "monthly_spend" | "monthly_hours" | "labor_rate" | "area" | "cleanings" | "method" | "floors" | "hand_output" | "window" | "utilization" | "maintenance" | "energy" | "robot_share" | "robot_output" | "runtime" | "lease" | "price";

export type RoiPayback = { soonest: number | null; latest: number | null; };

export type RoiPurchase = { price: ValueSpan; monthly_savings: ValueSpan; payback: RoiPayback; };

export type RoiRequest = { conversation_id?: string | null; robots?: (string)[] | null; assumptions?: RoiEdits; };

export type RoiSource = (RoiSourceSaid | RoiSourceChanged | RoiSourceCatalogue | RoiSourceDefault);

export type RoiSourceCatalogue = { kind: "catalogue"; };

export type RoiSourceChanged = { kind: "changed"; };

export type RoiSourceDefault = { kind: "default"; };

export type RoiSourceSaid = { kind: "said"; by: string | null; quote: string; };

export type RoiStep = { name: RoiStepName; formula: string; result: string; };

export type RoiStepName = "hours" | "today" | "share" | "gross" | "remaining" | "robots" | "robot_cost" | "net" | "payback";

export type RoiVariant = {
  name: RoiInputName;
  change_percent: number;
  estimated_monthly_savings: ValueSpan;
  payback: RoiPayback;
};

export type Role = string;

export type RunReport = {
  passed: boolean;
  problems: (string)[];
  seconds: number;
  usage: Usage;
  transcript: (Line)[];
};

export type ScoreBar = { from: number; to: number; people: number; recommendation: GigRecommendation; };

export type Seal = string;

export type SearchRequest = {
  query: string;
  top_k?: number;
  score_threshold?: number;
  url?: string | null;
  filters?: { [key: string]: string };
};

export type SearchResponse = {
  query: string;
  chunks: (FoundPassage)[];
  total_results: number;
  execution_time_seconds: number;
  top_score: number;
  avg_score: number;
  note?: string | null;
};

export type SearchResults = {
  conversations: (FoundConversation)[];
  objects: (AssistantObjects)[];
  unavailable: (string)[];
};

export type Share = { id: string; audience: Audience; created_at: string; expires_at: string; };

export type ShareCreate = { audience: Audience; days?: number | null; };

export type ShareListResponse = { items: (Share)[]; cursor: string | null; has_more: boolean; };

export type SharedConversation = {
  title: string;
  assistant: string;
  shared_by: string;
  expires_at: string;
  messages: (SharedMessage)[];
  has_older: boolean;
};

export type SharedMessage = { role: Speaker; author: string | null; content: string; created_at: string; };

export type SignIn = { persona: string; };

export type SignInOffer = { issuer: (IssuerOffer | null); };

export type SignedIn = { token: string; me: Me; };

export type SkillCount = { skill: string; people: number; };

export type Snapshot = { state: TurnState; text: string; events: (TurnEvent)[]; };

export type Source = { title: string; url: string; score: number; text: string; };

export type SourceText = { collection: string; url: string; title: string; text: string; passages: (Passage)[]; };

export type Speaker = "user" | "assistant";

export type Speaker2 = "person" | "assistant" | "call" | "result";

export type Statistics = {
  total: number;
  byStatus: {
    COMPLETED?: number;
    EVALUATED?: number;
    INTERVIEW?: number;
    NEGOTIATION?: number;
    NEW?: number;
    SKIPPED?: number;
  };
  byRecommendation: {
    HIGHLY_RECOMMENDED?: number;
    NEUTRAL?: number;
    NOT_RECOMMENDED?: number;
    RECOMMENDED?: number;
  };
  avgPrice: number | null;
  avgDeliveryDays: number | null;
  avgScreeningScore: number | null;
  avgInterviewScore: number | null;
};

export type StatusChange = { status: PassStatus; changed_at: string; changed_by: string; };

export type StepKind = "model" | "tool" | "approval_requested" | "approval_decided";

export type StorageStatus = {
  database: string;
  database_bytes: number | null;
  folder_bytes: number;
  documents: number;
  passages: number;
};

export type Summary = {
  cases: number;
  passed: number;
  repeats: number;
  pass_rate: number;
  threshold: number;
  pass_hat: (number)[];
  messages: number;
  like_examples: number;
  right_tools: number;
  with_calls: number;
  right_arguments: number;
  wrong_writes: number;
  wrong_calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  estimated: boolean;
  cost: number | null;
  seconds_p50: number;
  seconds_p95: number;
};

export type TakenIn = {
  success: number;
  unchanged: number;
  skipped: number;
  total_chunks: number;
  failed: (string)[];
};

export type TextKind = "title" | "message" | "document";

export type TitleRequest = { suggestion?: string | null; };

export type TokenAccept = { token: string; };

export type ToolErrorKind = ("refused" | "invalid" | "failed" | "unknown");

export type TurnEvent = (TurnEventTurnStarted | TurnEventTextDelta | TurnEventTextReset | TurnEventToolStarted | TurnEventToolProgress | TurnEventDraftDelta | TurnEventToolFinished | TurnEventApprovalRequested | TurnEventApprovalDecided | TurnEventArtifactSaved | TurnEventPhaseChanged | TurnEventSourceCited | TurnEventSnapshot | TurnEventTurnCompleted | TurnEventTurnFailed | TurnEventTurnCancelled | TurnEventTurnInterrupted);

export type TurnEventApprovalDecided = { event: "approval.decided"; data: TurnEventApprovalDecidedData; };

export type TurnEventApprovalDecidedData = {
  call_id: string;
  decision: Decision;
  by: string | null;
  reason: string | null;
  arguments?: { [key: string]: unknown } | null;
  state?: string | null;
};

export type TurnEventApprovalRequested = { event: "approval.requested"; data: TurnEventApprovalRequestedData; };

export type TurnEventApprovalRequestedData = { card: ApprovalCard; };

export type TurnEventArtifactSaved = { event: "artifact.saved"; data: TurnEventArtifactSavedData; };

export type TurnEventArtifactSavedData = { id: string; mark: ArtifactMark; title: string; };

export type TurnEventDraftDelta = { event: "draft.delta"; data: TurnEventDraftDeltaData; };

export type TurnEventDraftDeltaData = { call_id: string; attempt: number; text: string; };

export type TurnEventPhaseChanged = { event: "phase.changed"; data: PhaseChange; };

export type TurnEventSnapshot = { event: "snapshot"; data: Snapshot; };

export type TurnEventSourceCited = { event: "source.cited"; data: TurnEventSourceCitedData; };

export type TurnEventSourceCitedData = { source: Source; };

export type TurnEventTextDelta = { event: "text.delta"; data: TurnEventTextDeltaData; };

export type TurnEventTextDeltaData = { text: string; };

export type TurnEventTextReset = { event: "text.reset"; data: TurnEventTextResetData; };

export type TurnEventTextResetData = { after: number; };

export type TurnEventToolFinished = { event: "tool.finished"; data: Finished; };

export type TurnEventToolProgress = { event: "tool.progress"; data: TurnEventToolProgressData; };

export type TurnEventToolProgressData = { call_id: string; text: string; };

export type TurnEventToolStarted = { event: "tool.started"; data: TurnEventToolStartedData; };

export type TurnEventToolStartedData = { call_id: string; name: string; title: string; arguments: unknown; effect: Effect; };

export type TurnEventTurnCancelled = { event: "turn.cancelled"; data: Ended; };

export type TurnEventTurnCompleted = { event: "turn.completed"; data: Ended; };

export type TurnEventTurnFailed = { event: "turn.failed"; data: Ended; };

export type TurnEventTurnInterrupted = { event: "turn.interrupted"; data: Ended; };

export type TurnEventTurnStarted = { event: "turn.started"; data: TurnEventTurnStartedData; };

export type TurnEventTurnStartedData = {
  turn: string;
  conversation: string;
  message: string;
  assistant: string;
  author?: (Author | null);
};

export type TurnResponse = (({ outcome: "answered"; } | { outcome: "refused"; } | { outcome: "out_of_rounds"; } | { outcome: "out_of_budget"; } | { outcome: "timed_out"; } | { outcome: "empty_answer"; } | { outcome: "cut_off"; } | { outcome: "model_failed"; kind: ModelErrorKind; retry_after_seconds?: number | null; } | { outcome: "cancelled"; } | { outcome: "interrupted"; }) | unknown) & {
  id: string;
  conversation_id: string;
  state: TurnState;
  approvals: (ApprovalCard)[];
  position: number;
  started_at: string;
  ended_at: string | null;
  files?: (AnswerFile)[];
};

export type TurnState = "running" | "awaiting_approval" | "completed" | "failed" | "cancelled" | "interrupted";

export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  estimated: boolean;
};

export type UsageEntry = {
  day: string;
  profile_id: string;
  company_id: string | null;
  assistant: string;
  turns: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  estimated_turns: number;
  cost: number | null;
};

export type UsageGroup = {
  name: string | null;
  turns: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  estimated_turns: number;
  cost: number | null;
};

export type UsageResponse = {
  from: string;
  to: string;
  items: (UsageEntry)[];
  cursor: string | null;
  has_more: boolean;
  total: UsageTotal;
  by_day: (UsageGroup)[];
  by_assistant: (UsageGroup)[];
  by_company: (UsageGroup)[];
};

export type UsageTotal = {
  turns: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  estimated_turns: number;
  cost: number | null;
};

export type ValueSpan = { low: number; high: number; };

export type VersionCreate = { content?: string | null; };

export type WaitingItem = { title: string; link: string; count: number; };

export type Wish = "approve" | "reject";
