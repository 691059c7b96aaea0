//! The model's history, in the bytes that were sent.
//!
//! Messages are stored serialised and joined. A request is a few shared slices, so the cost of a
//! turn does not grow with the conversation.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{EnumString, IntoStaticStr};

use crate::message::Message;
use crate::untrusted;

/// The kind of a line, which determines where the history may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum LineKind {
    /// Facts placed before a user's message (time, state).
    Context,
    User,
    /// An assistant's message with calls; its results follow.
    Calls,
    Result,
    /// An assistant's message without calls.
    Answer,
}

/// A message in its canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub kind: LineKind,
    pub wire: String,
    pub tokens: u32,
}

/// A fixed estimate, so that every node cuts at the same place.
const BYTES_PER_TOKEN: usize = 4;

impl Line {
    pub fn new(kind: LineKind, message: &Message) -> Self {
        let wire = message.to_openai_format().to_string();
        let tokens = tokens_in(wire.len());
        Self { kind, wire, tokens }
    }

    /// Removes invisible characters, because others may have written the text.
    pub fn context(text: impl Into<String>) -> Self {
        let (text, _) = untrusted::clean(&text.into());
        Self::new(LineKind::Context, &Message::system(text))
    }

    /// Context for its own turn only. Later prompts omit it.
    pub fn passing(text: impl Into<String>) -> Self {
        let (text, _) = untrusted::clean(&text.into());
        Self::named_context(text, PASSING_NAME)
    }

    /// Names the author of the following messages in a conversation of several people.
    pub fn speaker(name: &str) -> Self {
        let name = plain_name(name);
        let text = format!("The messages that follow were written by {name}.");
        Self::named_context(text, SPEAKER_NAME)
    }

    fn named_context(text: String, name: &str) -> Self {
        let mut wire = Message::system(text).to_openai_format();
        wire["name"] = Value::from(name);
        let wire = wire.to_string();
        Self {
            kind: LineKind::Context,
            tokens: tokens_in(wire.len()),
            wire,
        }
    }

    /// True if [`Line::speaker`] created it.
    pub fn is_speaker(&self) -> bool {
        self.kind == LineKind::Context && self.wire.contains(SPEAKER)
    }

    pub fn user(text: impl Into<String>) -> Self {
        let (text, _) = untrusted::clean(&text.into());
        Self::new(LineKind::User, &Message::user(text))
    }
}

/// The `name` of context that later prompts omit.
const PASSING_NAME: &str = "now";
/// The same in a serialised line. Inside a text, the quotation marks would be escaped.
const PASSING: &str = r#""name":"now""#;

/// True if later prompts omit this line.
pub fn is_passing(kind: LineKind, wire: &str) -> bool {
    kind == LineKind::Context && wire.contains(PASSING)
}

/// The `name` of a speaker line, plain and in a serialised line.
const SPEAKER_NAME: &str = "speaker";
const SPEAKER: &str = r#""name":"speaker""#;

/// People choose their names, so a name may contain instructions: keep only plain characters.
fn plain_name(name: &str) -> String {
    const LONGEST: usize = 60;
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’');
    let name: String = name.chars().filter(plain).take(LONGEST).collect();
    match name.trim() {
        "" => "somebody without a name".to_owned(),
        name => name.to_owned(),
    }
}

/// Estimates the tokens in this many bytes.
pub fn tokens_in(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u32::MAX)
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    kind: LineKind,
    end: usize,
    tokens: u32,
}

/// Joined messages: `{…},{…}`, without brackets.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
}

/// Limits of the history in a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub max_messages: usize,
    pub max_tokens: u32,
    /// Send exactly the last so many texts of people and the assistant, with their tool calls. `None`: all
    /// that fit.
    pub last_texts: Option<usize>,
}

impl Transcript {
    pub fn with_capacity(messages: usize, bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            marks: Vec::with_capacity(messages),
        }
    }

    pub fn push(&mut self, line: &Line) {
        self.push_wire(line.kind, line.wire.as_bytes(), line.tokens);
    }

    /// Appends a serialised message from the store.
    pub fn push_wire(&mut self, kind: LineKind, wire: &[u8], tokens: u32) {
        if !self.bytes.is_empty() {
            self.bytes.push(b',');
        }
        self.bytes.extend_from_slice(wire);
        self.marks.push(Mark {
            kind,
            end: self.bytes.len(),
            tokens,
        });
    }

    pub fn len(&self) -> usize {
        self.marks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The newest line created by [`Line::speaker`].
    pub fn last_speaker(&self) -> Option<&[u8]> {
        let is_speaker = |index: &usize| {
            let wire = self.wire(*index);
            self.marks[*index].kind == LineKind::Context
                && wire
                    .windows(SPEAKER.len())
                    .any(|bytes| bytes == SPEAKER.as_bytes())
        };
        let index = (0..self.marks.len()).rev().find(is_speaker)?;
        Some(self.wire(index))
    }

    fn wire(&self, index: usize) -> &[u8] {
        &self.bytes[self.start(index)..self.marks[index].end]
    }

    /// Estimated tokens of the whole transcript.
    pub fn tokens(&self) -> u64 {
        self.marks.iter().map(|mark| u64::from(mark.tokens)).sum()
    }

    pub fn has_results(&self) -> bool {
        self.marks.iter().any(|mark| mark.kind == LineKind::Result)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Bytes {
        Bytes::from(self.bytes)
    }

    /// Parses the messages.
    pub fn messages(&self) -> Vec<Message> {
        parse_joined(&self.bytes)
    }

    fn start(&self, index: usize) -> usize {
        match index {
            0 => 0,
            later => self.marks[later - 1].end + 1,
        }
    }

    /// The number of messages to drop from the front so that the rest fits. Whole turns are dropped
    /// first; a call stays with its results. Dropping frees half of the window at once, so that the
    /// prefix stays cacheable for many turns.
    pub fn surplus(&self, window: Window) -> usize {
        let older = window
            .last_texts
            .map_or(0, |most| self.before_last_texts(most));
        older.max(self.oversize(window))
    }

    /// The number of lines before the last `most` texts.
    fn before_last_texts(&self, most: usize) -> usize {
        let texts = self
            .marks
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, mark)| match mark.kind {
                LineKind::User | LineKind::Answer => true,
                LineKind::Context | LineKind::Calls | LineKind::Result => false,
            });
        let mut texts = texts.map(|(index, _)| index);
        match most.checked_sub(1) {
            // The oldest text that stays; with fewer texts all lines stay.
            Some(last) => texts.nth(last).map_or(0, |index| match texts.next() {
                Some(_) => index,
                None => 0,
            }),
            None => self.marks.len(),
        }
    }

    fn oversize(&self, window: Window) -> usize {
        if self.marks.len() <= window.max_messages && self.tokens() <= u64::from(window.max_tokens)
        {
            return 0;
        }
        let keep_messages = window.max_messages.div_ceil(2).max(1);
        let keep_tokens = u64::from(window.max_tokens) / 2;
        let mut kept_tokens = 0;
        let mut start = self.marks.len();
        for (index, mark) in self.marks.iter().enumerate().rev() {
            kept_tokens += u64::from(mark.tokens);
            let kept = self.marks.len() - index;
            if kept > keep_messages || kept_tokens > keep_tokens {
                break;
            }
            start = index;
        }
        self.next_cut(start)
    }

    /// Drops the first `count` messages.
    pub fn skip(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        if count >= self.marks.len() {
            self.bytes.clear();
            self.marks.clear();
            return;
        }
        let from = self.start(count);
        self.bytes.drain(..from);
        self.marks.drain(..count);
        for mark in &mut self.marks {
            mark.end -= from;
        }
    }

    /// The first index at or after `start` where a history may begin: a person's message (with the
    /// context before it) or, if one turn fills the window, a whole call group. The newest group
    /// stays even if it exceeds the window.
    fn next_cut(&self, start: usize) -> usize {
        let begins_turn = |i: usize| {
            let kind = self.marks[i].kind;
            kind == LineKind::Context
                || (kind == LineKind::User
                    && (i == 0 || self.marks[i - 1].kind != LineKind::Context))
        };
        let last = self.marks.len();
        (start..last)
            .find(|i| begins_turn(*i))
            .or_else(|| (start..last).find(|i| self.marks[*i].kind != LineKind::Result))
            .or_else(|| (0..last).rfind(|i| self.marks[*i].kind != LineKind::Result))
            .unwrap_or(last)
    }
}

/// Parses joined messages; skips unreadable ones.
pub fn parse_joined(joined: &[u8]) -> Vec<Message> {
    let mut array = Vec::with_capacity(joined.len() + 2);
    array.push(b'[');
    array.extend_from_slice(joined);
    array.push(b']');
    let values: Vec<Value> = serde_json::from_slice(&array).unwrap_or_default();
    values
        .iter()
        .filter_map(|value| Message::from_openai_format(value).ok())
        .collect()
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod transcript_tests;
