//! What a turn shows to those who carry it out.

use std::sync::Arc;

use super::Turn;
use crate::access::Principal;
use crate::assistant::Assistant;
use crate::conversation::Conversation;
use crate::handle::Handles;
use crate::id::TurnId;
use crate::message::{Message, ToolCall};
use crate::model::{CallSummary, Prompt, Usage};
use crate::tool::Source;
use crate::transcript::{self, Line};

impl Turn {
    pub fn id(&self) -> TurnId {
        self.id
    }

    pub fn assistant(&self) -> &Arc<Assistant> {
        &self.assistant
    }

    pub fn principal(&self) -> &Arc<Principal> {
        &self.principal
    }

    /// The conversation with everything this turn has changed so far.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    pub fn prompt(&self) -> Prompt<'_> {
        Prompt {
            system: &self.system,
            history: &self.history,
            tail: &self.tail,
        }
    }

    pub fn summaries(&self) -> &[CallSummary] {
        &self.summaries
    }

    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// What this turn adds to the transcript, without its first lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Text that belongs to finished replies.
    pub fn settled_text(&self) -> &str {
        &self.settled
    }

    /// Whether text of an unfinished reply was seen: it is void when the model is asked again.
    pub fn has_partial_text(&self) -> bool {
        !self.partial.is_empty()
    }

    /// Everything a watcher has seen since the last reset.
    pub fn visible_text(&self) -> String {
        format!("{}{}", self.settled, self.partial)
    }

    /// What the person wrote in this conversation, as far as the model was shown it.
    pub(super) fn words(&self) -> Vec<String> {
        [self.history.as_ref(), self.tail.as_slice()]
            .into_iter()
            .flat_map(transcript::parse_joined)
            .filter_map(|message| match message {
                Message::User { content, .. } => Some(content),
                Message::System { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
            })
            .collect()
    }

    /// Calls with ids that are new in this turn. Servers that number calls afresh in each
    /// reply, or send none, are understood; the same call sent twice is one call.
    pub fn with_fresh_ids(&self, calls: Vec<ToolCall>) -> Vec<ToolCall> {
        let mut fresh: Vec<ToolCall> = Vec::with_capacity(calls.len());
        let mut originals: Vec<ToolCall> = Vec::with_capacity(calls.len());
        for call in calls {
            if !call.id.is_empty() && originals.contains(&call) {
                continue;
            }
            originals.push(call.clone());
            let mut id = call.id.clone();
            let mut number = fresh.len() + 1;
            while id.is_empty()
                || self.used_ids.contains(&id)
                || fresh.iter().any(|other| other.id == id)
            {
                id = match call.id.as_str() {
                    "" => format!("call_{}_{number}", self.rounds + 1),
                    original => format!("{original}_{}_{number}", self.rounds + 1),
                };
                number += 1;
            }
            fresh.push(ToolCall { id, ..call });
        }
        fresh
    }
}
