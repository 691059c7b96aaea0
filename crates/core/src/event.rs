//! What anyone watching a turn sees. One enum feeds the journal, streams, the terminal,
//! the page and traces, so that they cannot tell different stories.

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
use crate::tool::{Effect, Source, ToolErrorKind};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", content = "data")]
pub enum Event {
    #[serde(rename = "turn.started")]
    TurnStarted {
        turn: TurnId,
        conversation: ConversationId,
        message: MessageId,
        assistant: String,
        /// Who wrote the message, by the name that they had then; absent in old turns.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        author: Option<Author>,
    },
    #[serde(rename = "text.delta")]
    TextDelta { text: String },
    /// The model is asked again after a crash: the text so far, and whatever a watcher saw
    /// after this position, is void.
    #[serde(rename = "text.reset")]
    TextReset { after: u64 },
    /// The model's whole reply. Kept for resuming; not shown to watchers.
    #[serde(rename = "model.replied")]
    #[schemars(skip)]
    ModelReplied {
        text: String,
        calls: Vec<ToolCall>,
        finish: Finish,
        usage: Usage,
        model: Option<String>,
        duration_ms: u64,
        /// What an answer has beside its words.
        #[serde(default, skip_serializing_if = "Extras::is_empty")]
        extras: Extras,
        /// The model may not write: each write among the calls becomes a proposal. Journalled,
        /// so that a turn that is resumed under another model keeps to it.
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
    /// More of a document that a tool has the model write, for display alone: the journal does
    /// not keep it. A higher attempt makes the text of earlier ones void.
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
        /// The arguments as the person changed them, sealed and run instead of the card's;
        /// absent when they were left as they were.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Map<String, Value>>,
        /// The state that the object of a declined card was in, e.g. "pending".
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
    /// Instead of everything before it: the turn ended too long ago to be told event by event.
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

/// A turn as it stands, for a reader who comes when its events are no longer kept one by one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Snapshot {
    pub state: TurnState,
    /// What all deltas since the last reset add up to.
    pub text: String,
    /// Everything else that still holds, in order: steps, cards, documents, sources, the end.
    #[schemars(schema_with = "turn_events")]
    pub events: Vec<Event>,
}

/// The interface calls an event a `TurnEvent`; a snapshot holds some and is one itself.
fn turn_events(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": { "$ref": "#/components/schemas/TurnEvent" },
    })
}

impl Snapshot {
    /// What is left of a turn when its events are folded into one.
    pub fn of(state: TurnState, events: impl IntoIterator<Item = Event>) -> Self {
        let mut text = String::new();
        let mut kept = Vec::new();
        for event in events {
            match event {
                Event::TextDelta { text: more } => text.push_str(&more),
                Event::TextReset { .. } => text.clear(),
                Event::ModelReplied { .. }
                | Event::ToolProgress { .. }
                | Event::DraftDelta { .. } => {}
                Event::Snapshot(earlier) => {
                    text = earlier.text;
                    kept = earlier.events;
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
                | Event::TurnInterrupted(_)) => kept.push(event),
            }
        }
        Self {
            state,
            text,
            events: kept,
        }
    }
}

/// How a call went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finished {
    pub call_id: String,
    pub name: String,
    pub ok: bool,
    /// In words, for people.
    pub summary: String,
    /// What the model is told.
    pub told: String,
    /// The whole result, for the card.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub result: Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusalReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolErrorKind>,
    pub duration_ms: u64,
    /// Tokens that the call had a model use, e.g. to draft a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileRef {
    pub id: AttachmentId,
    pub name: String,
    pub media_type: String,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    pub outcome: Outcome,
    /// The answer, when there is one; the text deltas add up to its content.
    pub message: Option<MessageId>,
    /// What to tell the person when there is no answer.
    pub notice: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick_replies: Vec<String>,
    pub usage: Usage,
}

impl Event {
    /// The name on the stream.
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

    /// Whether those who watch see it.
    pub fn is_public(&self) -> bool {
        !matches!(self, Event::ModelReplied { .. })
    }

    /// Whether it is for display alone: it has no position of its own and no place in the journal.
    pub fn is_display_only(&self) -> bool {
        matches!(self, Event::DraftDelta { .. })
    }

    /// The end, if this is one.
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

    /// How far it moves the position: text by its bytes, display alone not at all, everything
    /// else by one. So a reader that knows a position inside joined deltas is sent exactly the rest.
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

/// Positions of a worker start here for each epoch, so that what one worker showed but
/// never recorded is always behind what the next one says. Both halves fit a JavaScript number.
pub const POSITIONS_AN_EPOCH: u64 = 1 << 32;

impl Entry {
    /// The position before it.
    pub fn start(&self) -> u64 {
        self.position.saturating_sub(self.event.advance())
    }

    /// Whether the worker that said it had said nothing before.
    pub fn is_first_of_its_worker(&self) -> bool {
        self.start().is_multiple_of(POSITIONS_AN_EPOCH)
    }

    /// What a reader that has seen everything up to `seen` is still missing of this entry.
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
        // A position that is not ours may fall inside a character: send the whole.
        let rest = text.get(cut..).unwrap_or(text).to_owned();
        Some(Entry {
            position: self.position,
            event: Event::TextDelta { text: rest },
        })
    }
}

/// Those who watch turns live. Must not block: a slow watcher reads the journal instead.
pub trait TurnObserver: Send + Sync {
    fn on_entry(&self, turn: TurnId, entry: &Entry);

    /// This model is asked now. What it says follows as events.
    fn on_request(&self, turn: TurnId, model: &str) {
        let _ = (turn, model);
    }

    /// It did not answer, and the turn ends.
    fn on_failure(&self, turn: TurnId, error: &ModelError) {
        let _ = (turn, error);
    }

    /// A tool asks the model for a draft, or has its answer.
    fn on_draft(&self, turn: TurnId, call_id: &str, signal: &DraftSignal) {
        let _ = (turn, call_id, signal);
    }
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod event_tests;
