//! What a turn shows to those who carry it out.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Turn;
use crate::access::Principal;
use crate::assistant::Assistant;
use crate::conversation::Conversation;
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

    /// The conversation with everything this turn has changed so far.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// What a call kept is there for the calls after it; `null` removes a value.
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

    /// Whether the model knows some text only by its first and last lines.
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

    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// What the newest reply has beside its words.
    pub fn extras(&self) -> &Extras {
        &self.extras
    }

    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Tokens that the turn may still use.
    pub fn tokens_left(&self) -> u64 {
        self.allowance.saturating_sub(self.usage.total())
    }

    /// What this turn adds to the transcript, without its first lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Text that belongs to finished replies.
    pub fn settled_text(&self) -> &str {
        &self.settled
    }

    /// Text of an unfinished reply: void when the model is asked again.
    pub fn partial_text(&self) -> &str {
        self.shown.strip_prefix(&self.settled).unwrap_or_default()
    }

    /// Everything a watcher has seen since the last reset.
    pub fn visible_text(&self) -> &str {
        &self.shown
    }

    /// What the person wrote in this conversation, as far as the model was shown it, and what
    /// they filled into a form; what they pasted is somebody else's.
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

    /// What the person wrote last. Mostly the message that opened this turn: the history, which
    /// grows, is read only behind a form.
    pub fn said(&self) -> String {
        written_in(&self.tail)
            .pop()
            .or_else(|| written_in(&self.history).pop())
            .unwrap_or_default()
    }

    /// The message that opened this turn, without what the person pasted; empty behind a form, and
    /// where somebody else wrote it.
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

/// What a person wrote in these messages, oldest first.
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

/// The texts that the person's message among these announces.
pub(super) fn announced_in(joined: &[u8]) -> Vec<u32> {
    const OPENING: &[u8] = b"[text:";
    // Most messages announce none and need not be read.
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

/// Every text of a filled form, also inside lists.
fn texts_in(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| texts_in(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A call whose id and name can be kept, shown and put into an address. Servers send short
/// plain ids; whatever else comes is given a new one.
fn bounded(call: ToolCall) -> ToolCall {
    const LONGEST_ID: usize = 48;
    const LONGEST_NAME_CHARS: usize = 128;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    // Not taken out: a name must not become another tool's by what nobody sees of it.
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

/// A call as it is put before a model again. Many servers refuse a whole history, this
/// turn and every later one, for one bad name or for arguments that are not an object.
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

/// The nearest name that servers take for a function's.
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
