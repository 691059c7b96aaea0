//! Turns: accepted in one transaction, journalled while running, resumable with a lease.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::StoreError;
use super::audit::NewAudit;
use super::conversations::StoredMessage;
use super::usage::Budget;
use super::versions::Revision;
use crate::access::Principal;
use crate::approval::{ApprovalCard, Decision};
use crate::artifact::{Artifact, Author};
use crate::conversation::{Conversation, Progress};
use crate::event::Entry;
use crate::handle::Handles;
use crate::id::{AttachmentId, ConversationId, MessageId, TurnId};
use crate::model::Usage;
use crate::outcome::{Outcome, TurnState};
use crate::phase::PhaseChange;
use crate::tool::Change;
use crate::transcript::{Line, Transcript, Window};

/// Storage for the worker of a turn.
#[async_trait]
pub trait Turns: Send + Sync {
    /// Checks access, idempotency key, rate limit and running turns, then stores the message and
    /// opens the turn. Atomic, and durable when it returns.
    async fn open(&self, who: &Principal, request: OpenTurn) -> Result<Accepted, StoreError>;

    /// Appends to the journal and stores the products of calls if the lease still holds.
    /// Idempotent: positions identify a record that a worker sends again.
    async fn record(&self, lease: &Lease, record: Record) -> Result<(), StoreError>;

    /// The last record: outcome, answer and transcript in one transaction. Idempotent.
    async fn finish(&self, lease: &Lease, finish: FinishTurn) -> Result<(), StoreError>;

    /// Extends the lease. `true` if the turn was cancelled.
    async fn renew(&self, lease: &Lease, until: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Takes over one turn without a worker: its lease expired, its approvals are all decided or
    /// expired, or it was cancelled while it waited. Acts as the person who opened it. Waiting time
    /// does not count against the deadline; expired cards are journalled.
    async fn take_over(
        &self,
        node: &str,
        now: DateTime<Utc>,
        lease_for: Duration,
    ) -> Result<Option<Opened>, StoreError>;

    /// Loads pasted texts by number, for arguments that name them.
    async fn texts(&self, lease: &Lease, numbers: &[u32]) -> Result<Handles, StoreError>;
}

/// A person's decision about a card.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDecision {
    pub decision: Decision,
    pub reason: Option<String>,
    /// Replace the card's arguments when an editable card is approved. The caller must check them
    /// with [`crate::grant::confirm`]; they are checked again when the call runs.
    pub arguments: Option<Map<String, Value>>,
    /// The state of a declined card's object, if it could be read.
    pub state: Option<String>,
}

impl From<Decision> for NewDecision {
    fn from(decision: Decision) -> Self {
        Self {
            decision,
            reason: None,
            arguments: None,
            state: None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct OpenTurn {
    pub turn: TurnId,
    pub conversation: ConversationId,
    pub opening: Opening,
    /// The message of `opening` is a new version of an earlier one.
    pub revision: Option<Revision>,
    pub key: Option<IdempotencyKey>,
    pub rate: RateLimit,
    pub budget: Budget,
    /// Maximum number of running turns of this person, over all conversations and nodes.
    pub in_flight: u32,
    pub window: Window,
    /// Context lines before the message.
    pub context: Vec<Line>,
    /// Extracted texts of the message's files.
    pub file_texts: Vec<FileText>,
    pub node: String,
    pub lease_for: Duration,
    /// The time limit of the turn.
    pub turn_for: Duration,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    pub attachment: AttachmentId,
    pub text: String,
}

/// The start of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Opening {
    /// A person wrote a message.
    Message {
        id: MessageId,
        content: String,
        metadata: Map<String, Value>,
        attachments: Vec<AttachmentId>,
    },
    /// A person filled in a tool's form: the call runs without a model.
    Form {
        id: MessageId,
        content: String,
        tool: String,
        arguments: Map<String, Value>,
    },
    /// The message of a failed turn is answered again.
    Retry { turn: TurnId },
}

/// Makes a repeated request take effect once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub route: String,
    pub key: String,
    /// Hash of the request's body.
    pub fingerprint: String,
}

/// A sliding window: at most `max` in any `window`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimit {
    pub bucket: String,
    pub max: u32,
    pub window: Duration,
}

/// The rest of a rate limit after an accepted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLeft {
    pub left: u32,
    /// The time when the oldest counted request leaves the window.
    pub next_at: DateTime<Utc>,
}

pub enum Accepted {
    Opened(Box<Opened>),
    /// The key was used before; this is the first result.
    Replay {
        turn: TurnId,
        state: TurnState,
        user_message: Box<StoredMessage>,
    },
}

/// A worker's initial state, for a new or resumed turn.
#[derive(Clone, Debug)]
pub struct Opened {
    pub lease: Lease,
    pub principal: Principal,
    pub conversation: Conversation,
    pub opening: Opening,
    pub user_message: StoredMessage,
    /// Earlier turns within the window.
    pub history: Transcript,
    /// This turn's first lines: context and the message as the model sees it.
    pub tail: Vec<Line>,
    pub handles: Handles,
    /// Number of texts in the conversation, including those of this message.
    pub text_count: u64,
    /// The journal so far; a new turn has only `turn.started`.
    pub entries: Vec<Entry>,
    pub deadline: DateTime<Utc>,
    /// Token limit; `None` without a budget.
    pub allowance: Option<u64>,
    /// For the person who opened the turn; `None` for a resumed one.
    pub rate: Option<RateLeft>,
}

/// The right to work on a turn, valid until a higher epoch exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub turn: TurnId,
    pub conversation: ConversationId,
    pub node: String,
    /// 0 for the worker that opened the turn, increased by every takeover.
    pub epoch: i64,
}

/// A step of a running turn.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub entries: Vec<Entry>,
    pub saves: Saves,
    pub audit: Vec<NewAudit>,
    /// Set when the turn stops for decisions; releases the lease.
    pub awaiting: Vec<ApprovalCard>,
    pub now: DateTime<Utc>,
}

/// The products of calls.
#[derive(Clone, Debug, Default)]
pub struct Saves {
    pub artifacts: Vec<Artifact>,
    pub changes: Vec<Change>,
    pub files: Vec<SavedFile>,
    pub phase: Vec<PhaseChange>,
    pub metadata: Map<String, Value>,
    pub title: Option<String>,
    /// The whole progress, if it changed.
    pub progress: Option<Progress>,
}

impl Saves {
    /// Adds later products; later values win.
    pub fn merge(&mut self, later: Saves) {
        self.artifacts.extend(later.artifacts);
        self.changes.extend(later.changes);
        self.files.extend(later.files);
        self.phase.extend(later.phase);
        self.metadata.extend(later.metadata);
        self.title = later.title.or(self.title.take());
        self.progress = later.progress.or(self.progress.take());
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SavedFile {
    pub id: AttachmentId,
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
}

#[derive(Clone, Debug)]
pub struct FinishTurn {
    pub record: Record,
    pub outcome: Outcome,
    pub answer: Option<Answer>,
    /// The lines that this turn appends to the transcript, without its first lines.
    pub lines: Vec<Line>,
    pub usage: Usage,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub id: MessageId,
    pub content: String,
    pub metadata: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnStatus {
    pub id: TurnId,
    pub conversation_id: ConversationId,
    pub state: TurnState,
    pub outcome: Option<Outcome>,
    pub user_message: StoredMessage,
    pub agent_message: Option<StoredMessage>,
    pub approvals: Vec<ApprovalCard>,
    /// The position after the last journalled event.
    pub position: u64,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PendingApproval {
    pub conversation_id: ConversationId,
    pub turn_id: TurnId,
    pub assistant: String,
    pub card: ApprovalCard,
}

/// A card and its decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecidedApproval {
    pub conversation_id: ConversationId,
    pub turn_id: TurnId,
    pub assistant: String,
    /// As approved, including the decider's changes.
    pub card: ApprovalCard,
    pub decision: Decision,
    /// `None` for an expired card.
    pub decided_by: Option<Author>,
    pub decided_at: DateTime<Utc>,
    pub reason: Option<String>,
}
