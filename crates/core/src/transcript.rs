//! What a model has been told, as the bytes it was told them in.
//!
//! Messages are kept serialised and joined, so that a request is a handful of shared
//! slices and the cost of a turn does not grow with the conversation.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::Message;
use crate::untrusted;

/// What a line of the transcript is, as far as cutting it is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// What the model is told before a user's message (time, state).
    Context,
    User,
    /// An assistant's message that calls tools; its results follow.
    Calls,
    Result,
    /// An assistant's message in words.
    Answer,
}

/// A message in its canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub kind: LineKind,
    pub wire: String,
    pub tokens: u32,
}

/// Four bytes a token: a fixed estimate, so that cutting is the same everywhere.
const BYTES_PER_TOKEN: usize = 4;

impl Line {
    pub fn new(kind: LineKind, message: &Message) -> Self {
        let wire = message.to_openai_format().to_string();
        let tokens = tokens_in(wire.len());
        Self { kind, wire, tokens }
    }

    /// What others wrote may stand in both, so both are shown without what nobody sees.
    pub fn context(text: impl Into<String>) -> Self {
        let (text, _) = untrusted::clean(&text.into());
        Self::new(LineKind::Context, &Message::system(text))
    }

    /// Context that counts for its own turn alone: the next one is told afresh, and this is left
    /// out of what the model is then sent.
    pub fn passing(text: impl Into<String>) -> Self {
        let (text, _) = untrusted::clean(&text.into());
        let mut wire = Message::system(text).to_openai_format();
        wire["name"] = Value::from(PASSING_NAME);
        let wire = wire.to_string();
        let tokens = tokens_in(wire.len());
        Self {
            kind: LineKind::Context,
            wire,
            tokens,
        }
    }

    /// Says who wrote the messages from here on, where several people write in one conversation.
    pub fn speaker(name: &str) -> Self {
        let name = plain_name(name);
        let text = format!("The messages that follow were written by {name}.");
        let mut wire = Message::system(text).to_openai_format();
        wire["name"] = Value::from(SPEAKER_NAME);
        let wire = wire.to_string();
        let tokens = tokens_in(wire.len());
        Self {
            kind: LineKind::Context,
            wire,
            tokens,
        }
    }

    /// Whether [`Line::speaker`] made it.
    pub fn is_speaker(&self) -> bool {
        self.kind == LineKind::Context && self.wire.contains(SPEAKER)
    }

    pub fn user(text: impl Into<String>) -> Self {
        let (text, _) = untrusted::clean(&text.into());
        Self::new(LineKind::User, &Message::user(text))
    }
}

/// The name on context that is not told again.
const PASSING_NAME: &str = "now";
/// How it stands in the bytes of a line. Inside of a text the quotation marks would be escaped.
const PASSING: &str = r#""name":"now""#;

/// Whether a line of an earlier turn is left out of what a model is sent.
pub fn is_passing(kind: LineKind, wire: &str) -> bool {
    kind == LineKind::Context && wire.contains(PASSING)
}

/// The name on a line that says who is writing, and how it stands in the bytes.
const SPEAKER_NAME: &str = "speaker";
const SPEAKER: &str = r#""name":"speaker""#;

/// People choose their names: nothing but a name may come of them.
fn plain_name(name: &str) -> String {
    const LONGEST: usize = 60;
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’');
    let name: String = name.chars().filter(plain).take(LONGEST).collect();
    match name.trim() {
        "" => "somebody without a name".to_owned(),
        name => name.to_owned(),
    }
}

/// Tokens in this many bytes, roughly; for where nobody counts them.
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

/// How much of a history a model is sent.
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

    /// Adds a message that is already serialised, as the store keeps it.
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

    /// The newest line that says who is writing, as [`Line::speaker`] made it.
    pub fn last_speaker(&self) -> Option<&[u8]> {
        let said = |index: &usize| {
            let wire = self.wire(*index);
            self.marks[*index].kind == LineKind::Context
                && wire
                    .windows(SPEAKER.len())
                    .any(|bytes| bytes == SPEAKER.as_bytes())
        };
        let index = (0..self.marks.len()).rev().find(said)?;
        Some(self.wire(index))
    }

    fn wire(&self, index: usize) -> &[u8] {
        &self.bytes[self.start(index)..self.marks[index].end]
    }

    /// An estimate of what it costs to send.
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

    /// The messages again, for those who read rather than send them.
    pub fn messages(&self) -> Vec<Message> {
        parse_joined(&self.bytes)
    }

    fn start(&self, index: usize) -> usize {
        match index {
            0 => 0,
            later => self.marks[later - 1].end + 1,
        }
    }

    /// How many messages to leave out from the front so that the rest fits. Whole turns
    /// go first; a call is never separated from its results. When something must go, half
    /// of the window is freed at once, so that the prefix stays the same for many turns.
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

    /// Leaves out the first `count` messages.
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

    /// The first place at or after `start` where a history may begin: a person's message
    /// (with the context before it), or, where one turn fills the window, a whole call
    /// group. The newest group stays even if it is larger than the window.
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

/// Reads joined messages; what cannot be read is left out rather than guessed.
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
