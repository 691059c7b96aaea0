//! Turns: accepted in one transaction, journalled while they run, resumable by anyone
//! who holds the lease.

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

/// What the worker of a turn needs.
#[async_trait]
pub trait Turns: Send + Sync {
    /// Checks access, key, rate, that no turn is running here and not too many elsewhere; stores the message and opens
    /// the turn. All or nothing, and durable when it returns.
    async fn open(&self, who: &Principal, request: OpenTurn) -> Result<Accepted, StoreError>;

    /// Appends to the journal and keeps what calls produced, if the lease still holds. A
    /// worker that got no answer sends the same record again: it is recognised or refused by
    /// its positions, and never kept twice.
    async fn record(&self, lease: &Lease, record: Record) -> Result<(), StoreError>;

    /// The last record: outcome, answer and transcript in one transaction. May be repeated
    /// like any record.
    async fn finish(&self, lease: &Lease, finish: FinishTurn) -> Result<(), StoreError>;

    /// Keeps the lease alive. `true` when somebody asked to cancel the turn.
    async fn renew(&self, lease: &Lease, until: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Takes over one turn that nobody works on (its lease ran out, its approvals are all
    /// decided or expired, or it waits and was cancelled), acting as the person who opened
    /// it. The time in which it waited for people does not count against its deadline; cards
    /// that ran out are journalled as expired.
    async fn take_over(
        &self,
        node: &str,
        now: DateTime<Utc>,
        lease_for: Duration,
    ) -> Result<Option<Opened>, StoreError>;

    /// Pasted texts of a conversation by their numbers, for arguments that name them.
    async fn texts(&self, lease: &Lease, numbers: &[u32]) -> Result<Handles, StoreError>;
}

/// What those who watch and steer turns need.
#[async_trait]
pub trait TurnViews: Send + Sync {
    async fn turn(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
    ) -> Result<TurnStatus, StoreError>;

    /// Journal entries after a position, in order.
    async fn entries(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Result<Vec<Entry>, StoreError>;

    /// Asks the worker to stop. `false` when the turn is over already.
    async fn cancel(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError>;
}

/// Decisions that wait for a person.
#[async_trait]
pub trait Approvals: Send + Sync {
    /// Cards that this person may decide, oldest first.
    async fn pending(
        &self,
        who: &Principal,
        now: DateTime<Utc>,
    ) -> Result<Vec<PendingApproval>, StoreError>;

    /// Cards that were decided since then, for whoever asked for them, decided them or might have,
    /// newest first.
    async fn decided(
        &self,
        who: &Principal,
        since: DateTime<Utc>,
    ) -> Result<Vec<DecidedApproval>, StoreError>;

    /// A card that this person may decide now; the errors are those of [`Approvals::decide`].
    async fn awaiting(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
        now: DateTime<Utc>,
    ) -> Result<PendingApproval, StoreError>;

    /// Decides by compare-and-set; the second decision is a conflict. With arguments the card
    /// is sealed anew, and the answer has the card as it was approved.
    async fn decide(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
        decision: NewDecision,
        now: DateTime<Utc>,
    ) -> Result<PendingApproval, StoreError>;

    /// What the arguments of a decision may name by handle: the files of the conversation,
    /// and the pasted texts with these numbers.
    async fn handles(
        &self,
        who: &Principal,
        conversation: ConversationId,
        texts: &[u32],
    ) -> Result<Handles, StoreError>;
}

/// What a person decided about a card.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDecision {
    pub decision: Decision,
    pub reason: Option<String>,
    /// Instead of the card's, for an editable card that is approved. Must have been checked by
    /// [`crate::grant::confirm`]; they are checked again when the call runs.
    pub arguments: Option<Map<String, Value>>,
    /// The state of the object of a card that is declined, where it could be read.
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
    pub key: Option<IdempotencyKey>,
    pub rate: RateLimit,
    pub budget: Budget,
    /// How many turns of this person may be worked on at once, over all conversations and nodes.
    pub in_flight: u32,
    pub window: Window,
    /// What the model is told just before the message.
    pub context: Vec<Line>,
    /// The text of the files that the message brings, where they have one.
    pub file_texts: Vec<FileText>,
    pub node: String,
    pub lease_for: Duration,
    /// When the turn must be over.
    pub turn_for: Duration,
    pub now: DateTime<Utc>,
}

/// The text of a file, as it was extracted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    pub attachment: AttachmentId,
    pub text: String,
}

/// What a turn starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Opening {
    /// A person wrote something.
    Message {
        id: MessageId,
        content: String,
        metadata: Map<String, Value>,
        attachments: Vec<AttachmentId>,
    },
    /// A person filled in a tool's form: the call runs, no model is asked.
    Form {
        id: MessageId,
        content: String,
        tool: String,
        arguments: Map<String, Value>,
    },
    /// The message of a turn that failed is answered again.
    Retry { turn: TurnId },
}

/// Makes a repeated request have one effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub route: String,
    pub key: String,
    /// Hash of the request's body.
    pub fingerprint: String,
}

/// At most `max` in any `window`, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimit {
    pub bucket: String,
    pub max: u32,
    pub window: Duration,
}

/// What a rate leaves after a request was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLeft {
    pub left: u32,
    /// When the oldest request that counts will count no more.
    pub next_at: DateTime<Utc>,
}

pub enum Accepted {
    Opened(Box<Opened>),
    /// The key was seen before: this is what it led to.
    Replay {
        turn: TurnId,
        state: TurnState,
        user_message: StoredMessage,
    },
}

/// Everything a worker starts from, whether the turn is new or taken over.
#[derive(Clone, Debug)]
pub struct Opened {
    pub lease: Lease,
    pub principal: Principal,
    pub conversation: Conversation,
    pub opening: Opening,
    pub user_message: StoredMessage,
    /// Earlier turns inside the window.
    pub history: Transcript,
    /// This turn's own first lines: context and the message as the model is shown it.
    pub tail: Vec<Line>,
    /// Files of this conversation.
    pub handles: Handles,
    /// How many texts the conversation has, those of this message included.
    pub text_count: u64,
    /// The journal so far: for a new turn `turn.started` alone.
    pub entries: Vec<Entry>,
    pub deadline: DateTime<Utc>,
    /// The most tokens that it may use; `None` where no budget is set.
    pub allowance: Option<u64>,
    /// Told to whoever opened the turn; `None` when it is taken over.
    pub rate: Option<RateLeft>,
}

/// The right to work on a turn, until somebody with a higher epoch has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub turn: TurnId,
    pub conversation: ConversationId,
    pub node: String,
    /// 0 for the worker that opened the turn, one more for each that took it over.
    pub epoch: i64,
}

/// A step of a running turn.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub entries: Vec<Entry>,
    pub saves: Saves,
    pub audit: Vec<NewAudit>,
    /// Set when the turn stops for decisions; the lease is given up.
    pub awaiting: Vec<ApprovalCard>,
    pub now: DateTime<Utc>,
}

/// What calls produced.
#[derive(Clone, Debug, Default)]
pub struct Saves {
    pub artifacts: Vec<Artifact>,
    pub changes: Vec<Change>,
    pub files: Vec<SavedFile>,
    pub phase: Vec<PhaseChange>,
    pub metadata: Map<String, Value>,
    pub title: Option<String>,
    /// The whole progress, when it changed.
    pub progress: Option<Progress>,
}

impl Saves {
    /// Adds what came later; later values win.
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
    /// What this turn adds to what the model has been told, without its first lines.
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

/// A card and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecidedApproval {
    pub conversation_id: ConversationId,
    pub turn_id: TurnId,
    pub assistant: String,
    /// As it was approved, where the decider changed it.
    pub card: ApprovalCard,
    pub decision: Decision,
    /// `None` for a card that ran out of time.
    pub decided_by: Option<Author>,
    pub decided_at: DateTime<Utc>,
    pub reason: Option<String>,
}
