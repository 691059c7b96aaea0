//! The messages of a prompt as a dialogue. Separates the person's words from pasted text and files,
//! and this turn from earlier ones. Reads only the end of a long history.

use chrono::NaiveDate;
use frontdesk_core::handle;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::Prompt;
use frontdesk_core::transcript::parse_joined;
use serde_json::{Map, Value};

/// Maximum number of messages read.
const RECENT_MESSAGES: usize = 40;

/// Longer messages are cut: requests are at the start.
const LONGEST_CHARS: usize = 4_000;

/// A shorter text after a colon belongs to the request.
const SHORTEST_PASSAGE: usize = 20;

/// Prefix of the result of a failed or refused call.
pub(crate) const ERROR: &str = "Error: ";

#[derive(Default)]
pub(crate) struct Dialogue {
    /// Entries before the person's newest message, oldest first.
    pub(crate) before: Vec<Entry>,
    pub(crate) said: Option<PersonMessage>,
    pub(crate) done: Vec<CallRecord>,
    pub(crate) today: Option<NaiveDate>,
}

#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Person(PersonMessage),
    Answer(String),
    Call(CallRecord),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PersonMessage {
    /// The person's words, without pasted text and files.
    pub(crate) text: String,
    /// Numbers of pasted texts.
    pub(crate) texts: Vec<u32>,
    /// Numbers of attached files.
    pub(crate) files: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct CallRecord {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
    /// `None` while there is no result.
    pub(crate) result: Option<String>,
}

impl CallRecord {
    pub(crate) fn failed(&self) -> bool {
        self.result.as_deref().is_some_and(is_error)
    }
}

pub(crate) fn is_error(result: &str) -> bool {
    result.starts_with(ERROR)
}

impl Dialogue {
    pub(crate) fn read(prompt: &Prompt<'_>) -> Self {
        let mut dialogue = Self::default();
        for part in [ending(prompt.history), prompt.tail] {
            for message in parse_joined(part) {
                dialogue.take(message);
            }
        }
        dialogue
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::System { content } => self.today = today(&content).or(self.today),
            Message::User { content, .. } => {
                if let Some(earlier) = self.said.replace(PersonMessage::read(&content)) {
                    self.before.push(Entry::Person(earlier));
                }
                self.before.extend(self.done.drain(..).map(Entry::Call));
            }
            Message::Assistant {
                content,
                tool_calls,
            } => {
                if !tool_calls.is_empty() {
                    self.done.extend(tool_calls.into_iter().map(started));
                } else if let Some(text) = content {
                    self.before.extend(self.said.take().map(Entry::Person));
                    self.before.extend(self.done.drain(..).map(Entry::Call));
                    self.before.push(Entry::Answer(text));
                }
            }
            Message::Tool {
                tool_call_id,
                content,
                ..
            } => {
                let open =
                    |call: &&mut CallRecord| call.id == tool_call_id && call.result.is_none();
                if let Some(call) = self.done.iter_mut().find(open) {
                    call.result = Some(content);
                }
            }
        }
    }

    /// Newest first.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &str> {
        self.before.iter().rev().filter_map(Entry::answer)
    }

    /// Newest first.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &PersonMessage> {
        self.before.iter().rev().filter_map(|entry| match entry {
            Entry::Person(message) => Some(message),
            Entry::Answer(_) | Entry::Call(_) => None,
        })
    }

    /// The calls before this turn, newest first.
    pub(crate) fn earlier_calls(&self) -> impl Iterator<Item = &CallRecord> {
        self.before.iter().rev().filter_map(Entry::call)
    }

    /// The last call of the previous turn.
    pub(crate) fn last_call(&self) -> Option<&CallRecord> {
        let newest = self.before.iter().rev();
        let mut turn = newest.take_while(|entry| !matches!(entry, Entry::Person(_)));
        turn.find_map(Entry::call)
    }
}

impl Entry {
    fn answer(&self) -> Option<&str> {
        match self {
            Entry::Answer(text) => Some(text),
            Entry::Person(_) | Entry::Call(_) => None,
        }
    }

    fn call(&self) -> Option<&CallRecord> {
        match self {
            Entry::Call(call) => Some(call),
            Entry::Person(_) | Entry::Answer(_) => None,
        }
    }
}

fn started(call: ToolCall) -> CallRecord {
    let arguments = call.parse_arguments().unwrap_or_default();
    CallRecord {
        id: call.id,
        name: call.name,
        arguments,
        result: None,
    }
}

/// The date of a context line such as `Now: 2026-11-15T20:40:00+00:00`.
fn today(context: &str) -> Option<NaiveDate> {
    let now = context
        .lines()
        .find_map(|line| line.trim().strip_prefix("Now: "))?;
    NaiveDate::parse_from_str(now.get(..10)?, "%Y-%m-%d").ok()
}

/// Messages are joined as `{…},{…}` with the content or the role first, and quotes inside a text
/// are escaped, so these bytes occur only between two messages.
fn begins_message(joined: &[u8], at: usize) -> bool {
    let rest = joined[at..].strip_prefix(b"},{\"");
    rest.is_some_and(|rest| rest.starts_with(b"content\":") || rest.starts_with(b"role\":"))
}

fn ending(joined: &[u8]) -> &[u8] {
    let mut starts = (0..joined.len())
        .rev()
        .filter(|at| begins_message(joined, *at));
    match starts.nth(RECENT_MESSAGES - 1) {
        Some(at) => &joined[at + 2..],
        None => joined,
    }
}

impl PersonMessage {
    pub(crate) fn has_content(&self) -> bool {
        let readable = self.text.chars().any(char::is_alphanumeric);
        readable || !self.texts.is_empty() || !self.files.is_empty()
    }

    /// The request and the text after it: after a colon, or below the first line. With a pasted text
    /// behind a handle, the message is the request alone.
    pub(crate) fn parted(&self) -> Option<(&str, &str)> {
        if !self.texts.is_empty() {
            return None;
        }
        let cuts = self.text.char_indices().filter(|(at, c)| {
            let rest = &self.text[at + c.len_utf8()..];
            *c == '\n' || (*c == ':' && rest.starts_with(char::is_whitespace))
        });
        let parts = cuts.map(|(at, _)| (self.text[..at].trim(), self.text[at + 1..].trim()));
        let long = |(lead, passage): &(&str, &str)| {
            lead.contains(char::is_whitespace) && passage.chars().count() >= SHORTEST_PASSAGE
        };
        // "Position: Cook. The notes:" puts the text after the end of the line.
        let mut parts: Vec<(&str, &str)> = parts.filter(long).collect();
        let ended = parts
            .iter()
            .position(|(lead, _)| self.text[lead.len()..].starts_with(":\n"));
        (!parts.is_empty()).then(|| parts.swap_remove(ended.unwrap_or(0)))
    }

    pub(crate) fn read(content: &str) -> PersonMessage {
        let mut text = handle::lead_of(content).trim();
        if let Some((end, _)) = text.char_indices().nth(LONGEST_CHARS) {
            text = text[..end].trim_end();
        }
        PersonMessage {
            text: text.to_owned(),
            texts: handle::announced_texts(content),
            files: handle::announced_files(content),
        }
    }
}

#[cfg(test)]
#[path = "dialogue_tests.rs"]
mod dialogue_tests;
