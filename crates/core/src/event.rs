//! Events of a turn. One enum feeds the journal, streams, the terminal, the web app and traces, so
//! that they cannot disagree.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::approval::{ApprovalCard, Decision};
use crate::artifact::{ArtifactMark, Author};
use crate::draft::DraftSignal;
use crate::grant::RefusalReason;
use crate::id::{ArtifactId, AttachmentId, ConversationId, MessageId, TurnId};
use crate::message::ToolCall;
use crate::model::{Finish, ModelError, Usage};
use crate::outcome::{Outcome, TurnState};
use crate::phase::PhaseChange;
use crate::reply::Extras;
use crate::tool::{Effect, ObjectCard, Source, ToolErrorKind};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", content = "data")]
pub enum Event {
    #[serde(rename = "turn.started")]
    TurnStarted {
        turn: TurnId,
        conversation: ConversationId,
        message: MessageId,
        assistant: String,
        /// The message's author, by their name at the time; absent in old turns.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        author: Option<Author>,
    },
    #[serde(rename = "text.delta")]
    TextDelta { text: String },
    /// The model is asked again after a crash: all text, and everything after this position, is
    /// void.
    #[serde(rename = "text.reset")]
    TextReset { after: u64 },
    /// The model's whole reply. Stored for resuming; not sent to watchers.
    #[serde(rename = "model.replied")]
    #[schemars(skip)]
    ModelReplied {
        text: String,
        calls: Vec<ToolCall>,
        finish: Finish,
        usage: Usage,
        model: Option<String>,
        duration_ms: u64,
        /// Structured fields beside the text.
        #[serde(default, skip_serializing_if = "Extras::is_empty")]
        extras: Extras,
        /// The model may not write, so each write among the calls becomes a proposal. Journalled,
        /// so that resuming with another model does not change it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        proposes: bool,
    },
    #[serde(rename = "tool.started")]
    ToolStarted {
        call_id: String,
        name: String,
        title: String,
        arguments: Value,
        effect: Effect,
    },
    #[serde(rename = "tool.progress")]
    ToolProgress { call_id: String, text: String },
    /// The next part of a document that a tool drafts. Display only: the journal omits it. A higher
    /// attempt voids the text of earlier ones.
    #[serde(rename = "draft.delta")]
    DraftDelta {
        call_id: String,
        attempt: u32,
        text: String,
    },
    #[serde(rename = "tool.finished")]
    ToolFinished(Finished),
    #[serde(rename = "approval.requested")]
    ApprovalRequested { card: ApprovalCard },
    #[serde(rename = "approval.decided")]
    ApprovalDecided {
        call_id: String,
        decision: Decision,
        by: Option<String>,
        reason: Option<String>,
        /// The person's changed arguments, run instead of the card's; absent if unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Map<String, Value>>,
        /// The state of a declined card's object, e.g. "pending".
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<String>,
    },
    #[serde(rename = "artifact.saved")]
    ArtifactSaved {
        id: ArtifactId,
        mark: ArtifactMark,
        title: String,
    },
    #[serde(rename = "phase.changed")]
    PhaseChanged(PhaseChange),
    #[serde(rename = "source.cited")]
    SourceCited { source: Source },
    /// Replaces all earlier events of a turn that ended too long ago to replay.
    #[serde(rename = "snapshot")]
    Snapshot(Snapshot),
    #[serde(rename = "turn.completed")]
    TurnCompleted(Ended),
    #[serde(rename = "turn.failed")]
    TurnFailed(Ended),
    #[serde(rename = "turn.cancelled")]
    TurnCancelled(Ended),
    #[serde(rename = "turn.interrupted")]
    TurnInterrupted(Ended),
}

/// The state of a turn whose single events are no longer stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Snapshot {
    pub state: TurnState,
    /// All text deltas since the last reset.
    pub text: String,
    /// The remaining events, in order: steps, cards, documents, sources, the end.
    #[schemars(schema_with = "turn_events")]
    pub events: Vec<Event>,
}

/// The API calls an event a `TurnEvent`. The reference avoids a recursive schema.
fn turn_events(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": { "$ref": "#/components/schemas/TurnEvent" },
    })
}

impl Snapshot {
    /// Folds the events of a turn into one.
    pub fn of(state: TurnState, events: impl IntoIterator<Item = Event>) -> Self {
        let mut text = String::new();
        let mut remaining = Vec::new();
        for event in events {
            match event {
                Event::TextDelta { text: more } => text.push_str(&more),
                Event::TextReset { .. } => text.clear(),
                Event::ModelReplied { .. }
                | Event::ToolProgress { .. }
                | Event::DraftDelta { .. } => {}
                Event::Snapshot(earlier) => {
                    text = earlier.text;
                    remaining = earlier.events;
                }
                event @ (Event::TurnStarted { .. }
                | Event::ToolStarted { .. }
                | Event::ToolFinished(_)
                | Event::ApprovalRequested { .. }
                | Event::ApprovalDecided { .. }
                | Event::ArtifactSaved { .. }
                | Event::PhaseChanged(_)
                | Event::SourceCited { .. }
                | Event::TurnCompleted(_)
                | Event::TurnFailed(_)
                | Event::TurnCancelled(_)
                | Event::TurnInterrupted(_)) => remaining.push(event),
            }
        }
        Self {
            state,
            text,
            events: remaining,
        }
    }
}

/// The result of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finished {
    pub call_id: String,
    pub name: String,
    pub ok: bool,
    /// A summary for people.
    pub summary: String,
    /// The result as the model sees it.
    pub told: String,
    /// The whole result, for the card.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub result: Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRef>,
    /// Objects that the result is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<ObjectCard>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusalReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolErrorKind>,
    pub duration_ms: u64,
    /// Tokens used by a model within the call, e.g. to draft a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileRef {
    pub id: AttachmentId,
    pub name: String,
    pub media_type: String,
}

impl FileRef {
    /// The path of the HTTP API that serves the file.
    pub fn url(&self) -> String {
        format!("/api/v1/attachments/{}", self.id)
    }
}

/// The end of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    pub outcome: Outcome,
    /// The answer, if there is one; the text deltas add up to its content.
    pub message: Option<MessageId>,
    /// Shown to the person if there is no answer.
    pub notice: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick_replies: Vec<String>,
    pub usage: Usage,
}

impl Ended {
    /// The end of a turn that no worker ends.
    pub fn without_answer(outcome: Outcome) -> Self {
        Self {
            notice: outcome.notice().map(str::to_owned),
            outcome,
            message: None,
            quick_replies: Vec::new(),
            usage: Usage::default(),
        }
    }
}

impl Event {
    /// The event name on the stream.
    pub fn name(&self) -> &'static str {
        match self {
            Event::TurnStarted { .. } => "turn.started",
            Event::TextDelta { .. } => "text.delta",
            Event::TextReset { .. } => "text.reset",
            Event::ModelReplied { .. } => "model.replied",
            Event::ToolStarted { .. } => "tool.started",
            Event::ToolProgress { .. } => "tool.progress",
            Event::DraftDelta { .. } => "draft.delta",
            Event::ToolFinished(_) => "tool.finished",
            Event::ApprovalRequested { .. } => "approval.requested",
            Event::ApprovalDecided { .. } => "approval.decided",
            Event::ArtifactSaved { .. } => "artifact.saved",
            Event::PhaseChanged(_) => "phase.changed",
            Event::SourceCited { .. } => "source.cited",
            Event::Snapshot(_) => "snapshot",
            Event::TurnCompleted(_) => "turn.completed",
            Event::TurnFailed(_) => "turn.failed",
            Event::TurnCancelled(_) => "turn.cancelled",
            Event::TurnInterrupted(_) => "turn.interrupted",
        }
    }

    /// True if watchers receive it.
    pub fn is_public(&self) -> bool {
        !matches!(self, Event::ModelReplied { .. })
    }

    /// True if the event has no position and is not journalled.
    pub fn is_display_only(&self) -> bool {
        matches!(self, Event::DraftDelta { .. })
    }

    pub fn ended(&self) -> Option<&Ended> {
        if let Event::TurnCompleted(ended)
        | Event::TurnFailed(ended)
        | Event::TurnCancelled(ended)
        | Event::TurnInterrupted(ended) = self
        {
            return Some(ended);
        }
        let Event::Snapshot(snapshot) = self else {
            return None;
        };
        snapshot.events.iter().find_map(Event::ended)
    }

    /// Its length in positions: text counts its bytes, display-only events 0, everything else 1. A
    /// reader at a position inside joined deltas therefore receives exactly the rest.
    pub fn advance(&self) -> u64 {
        if let Event::TextDelta { text } = self {
            return text.len() as u64;
        }
        u64::from(!self.is_display_only())
    }
}

/// An event and the position after it. Positions rise strictly within a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub position: u64,
    pub event: Event,
}

/// The first position of each worker epoch is a multiple of this. Text that a lost worker showed
/// but never journalled precedes everything of the next worker. Both halves fit a JavaScript
/// number.
pub const POSITIONS_AN_EPOCH: u64 = 1 << 32;

impl Entry {
    /// The position before it.
    pub fn start(&self) -> u64 {
        self.position.saturating_sub(self.event.advance())
    }

    /// True for the first entry of a worker's epoch.
    pub fn is_first_of_its_worker(&self) -> bool {
        self.start().is_multiple_of(POSITIONS_AN_EPOCH)
    }

    /// The part of this entry that a reader at position `seen` still lacks.
    pub fn after(self, seen: u64) -> Option<Entry> {
        if self.event.is_display_only() {
            return (self.position >= seen).then_some(self);
        }
        if self.position <= seen {
            return None;
        }
        let start = self.start();
        let Event::TextDelta { text } = &self.event else {
            return Some(self);
        };
        if seen <= start {
            return Some(self);
        }
        let cut = usize::try_from(seen.saturating_sub(start)).ok()?;
        // A forged position may fall inside a character: send the whole text.
        let rest = text.get(cut..).unwrap_or(text).to_owned();
        Some(Entry {
            position: self.position,
            event: Event::TextDelta { text: rest },
        })
    }
}

/// Watches turns live. Must not block: a slow watcher reads the journal instead.
pub trait TurnObserver: Send + Sync {
    fn on_entry(&self, turn: TurnId, entry: &Entry);

    /// A model request starts. Its text follows as events.
    fn on_request(&self, turn: TurnId, model: &str) {
        let _ = (turn, model);
    }

    /// The model failed, and the turn ends.
    fn on_failure(&self, turn: TurnId, error: &ModelError) {
        let _ = (turn, error);
    }

    /// A tool requests a draft from the model or receives one.
    fn on_draft(&self, turn: TurnId, call_id: &str, signal: &DraftSignal) {
        let _ = (turn, call_id, signal);
    }
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod event_tests;
