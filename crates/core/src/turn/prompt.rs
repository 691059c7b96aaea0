//! A turn's state as the driver reads it.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Turn;
use crate::access::Principal;
use crate::assistant::Assistant;
use crate::conversation::Conversation;
use crate::event::FileRef;
use crate::handle::{self, Handles};
use crate::id::TurnId;
use crate::message::{Message, ToolCall};
use crate::model::{CallSummary, Prompt, Usage};
use crate::reply::Extras;
use crate::store::Opening;
use crate::tool::Source;
use crate::transcript::{self, Line};
use crate::untrusted;

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

    /// The conversation with this turn's changes so far.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Makes a call's metadata available to later calls; `null` removes a value.
    pub(crate) fn remember(&mut self, metadata: &Map<String, Value>, title: Option<&str>) {
        for (key, value) in metadata {
            if value.is_null() {
                self.conversation.metadata.remove(key);
            } else {
                self.conversation
                    .metadata
                    .insert(key.clone(), value.clone());
            }
        }
        if let Some(title) = title {
            self.conversation.title = title.to_owned();
        }
    }

    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// True if the model sees only the first and last lines of some text.
    pub fn has_partial_texts(&self) -> bool {
        self.texts.max_tokens > 0 && self.texts.partial
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

    /// Files that the calls of this turn created.
    pub fn files(&self) -> &[FileRef] {
        &self.files
    }

    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    pub fn extras(&self) -> &Extras {
        &self.extras
    }

    pub fn usage(&self) -> Usage {
        self.usage
    }

    pub fn tokens_left(&self) -> u64 {
        self.allowance.saturating_sub(self.usage.total())
    }

    /// The lines that this turn appends to the transcript, without its first lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The text of finished replies.
    pub fn settled_text(&self) -> &str {
        &self.settled
    }

    /// The text of an unfinished reply; void when the model is asked again.
    pub fn partial_text(&self) -> &str {
        self.shown.strip_prefix(&self.settled).unwrap_or_default()
    }

    /// The text shown to watchers since the last reset.
    pub fn visible_text(&self) -> &str {
        &self.shown
    }

    /// The person's words in this conversation, as far as the model sees them, and their form
    /// inputs. Pasted text does not count as theirs.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = self.written();
        match &self.opening {
            Opening::Form { arguments, .. } => {
                for value in arguments.values() {
                    texts_in(value, &mut words);
                }
            }
            Opening::Message { .. } | Opening::Retry { .. } => {}
        }
        words
    }

    /// The person's last message, mostly the one that opened this turn. Only a form's turn reads
    /// the history, because that grows.
    pub fn said(&self) -> String {
        written_in(&self.tail)
            .pop()
            .or_else(|| written_in(&self.history).pop())
            .unwrap_or_default()
    }

    /// The person's own message of this turn, without pasted text; empty for a form.
    pub(super) fn current_message(&self) -> String {
        if !self.message_is_own {
            return String::new();
        }
        written_in(&self.tail).pop().unwrap_or_default()
    }

    fn written(&self) -> Vec<String> {
        let mut written = written_in(&self.history);
        written.extend(written_in(&self.tail));
        written
    }

    /// Makes call ids unique within this turn. Accepts servers that restart numbering in each reply
    /// or send no ids; the same call sent twice counts once.
    pub fn with_fresh_ids(&self, calls: Vec<ToolCall>) -> Vec<ToolCall> {
        let mut fresh: Vec<ToolCall> = Vec::with_capacity(calls.len());
        let mut originals: Vec<ToolCall> = Vec::with_capacity(calls.len());
        for call in calls {
            if !call.id.is_empty() && originals.contains(&call) {
                continue;
            }
            originals.push(call.clone());
            let call = bounded(call);
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

/// The person's own words in these messages, oldest first.
fn written_in(joined: &[u8]) -> Vec<String> {
    transcript::parse_joined(joined)
        .into_iter()
        .filter_map(|message| match message {
            Message::User { content, .. } if handle::is_full_texts(&content) => None,
            Message::User { content, .. } => Some(handle::lead_of(&content).to_owned()),
            Message::System { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
        })
        .collect()
}

/// The texts that the person's message announces.
pub(super) fn announced_in(joined: &[u8]) -> Vec<u32> {
    const OPENING: &[u8] = b"[text:";
    // Most messages announce none; this avoids parsing them.
    if !joined.windows(OPENING.len()).any(|bytes| bytes == OPENING) {
        return Vec::new();
    }
    transcript::parse_joined(joined)
        .iter()
        .filter_map(|message| match message {
            Message::User { content, .. } => Some(handle::announced_texts(content)),
            Message::System { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
        })
        .flatten()
        .collect()
}

/// Every text of a form, including list items.
fn texts_in(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| texts_in(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Bounds a call's id and name for storage, display and URLs. Replaces unusual ids.
fn bounded(call: ToolCall) -> ToolCall {
    const LONGEST_ID: usize = 48;
    const LONGEST_NAME_CHARS: usize = 128;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    // Replaced, not removed: removing invisible characters could turn the name into another tool's.
    let seen = |c: char| {
        if untrusted::is_invisible(c) {
            '\u{FFFD}'
        } else {
            c
        }
    };
    ToolCall {
        id: if call.id.len() <= LONGEST_ID && call.id.chars().all(plain) {
            call.id
        } else {
            String::new()
        },
        name: call
            .name
            .chars()
            .take(LONGEST_NAME_CHARS)
            .map(seen)
            .collect(),
        arguments: call.arguments,
    }
}

/// A call as it is sent back to a model. Many servers refuse a whole history, this turn and every
/// later one, because of one bad name or arguments that are not an object.
pub(super) fn presentable(call: &ToolCall) -> ToolCall {
    let readable = !call.arguments.trim().is_empty() && call.parse_arguments().is_ok();
    ToolCall {
        id: call.id.clone(),
        name: function_name(&call.name),
        arguments: if readable {
            call.arguments.clone()
        } else {
            "{}".to_owned()
        },
    }
}

/// The nearest valid function name.
pub(super) fn function_name(name: &str) -> String {
    const LONGEST: usize = 64;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match name {
        "" => "unnamed".to_owned(),
        name => name
            .chars()
            .take(LONGEST)
            .map(|c| if plain(c) { c } else { '_' })
            .collect(),
    }
}
