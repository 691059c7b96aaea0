//! A span in the form that is exported.

use std::borrow::Cow;

use frontdesk_core::id::TurnId;
use sha2::{Digest, Sha256};

/// Longer texts are truncated, which bounds the memory of queued spans.
const LONGEST_TEXT: usize = 16 * 1024;

pub type SpanId = [u8; 8];

#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub trace: [u8; 16],
    pub id: SpanId,
    pub parent: Option<SpanId>,
    pub name: String,
    pub kind: Kind,
    /// Nanoseconds since 1970.
    pub start: u64,
    /// Never before `start`.
    pub end: u64,
    pub attributes: Vec<(Cow<'static, str>, Attribute)>,
    /// A short error type.
    pub error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Internal,
    /// A request to another system.
    Client,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    Text(String),
    Whole(i64),
    Number(f64),
    Flag(bool),
    Texts(Vec<String>),
}

impl Span {
    pub fn put(&mut self, name: impl Into<Cow<'static, str>>, value: Attribute) {
        self.attributes.push((name.into(), value));
    }

    pub fn text(&mut self, name: impl Into<Cow<'static, str>>, text: impl Into<String>) {
        self.put(name, Attribute::Text(cut(text.into())));
    }

    /// Approximate memory usage in bytes.
    pub fn bytes(&self) -> usize {
        const FIXED: usize = 200;
        let attributes = self.attributes.iter().map(|(name, value)| {
            let value = match value {
                Attribute::Text(text) => text.len(),
                Attribute::Texts(texts) => texts.iter().map(String::len).sum(),
                Attribute::Whole(_) | Attribute::Number(_) | Attribute::Flag(_) => 0,
            };
            name.len() + value + size_of::<Attribute>()
        });
        FIXED + self.name.len() + attributes.sum::<usize>()
    }

    pub fn whole(&mut self, name: impl Into<Cow<'static, str>>, number: u64) {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        self.put(name, Attribute::Whole(number));
    }
}

fn cut(mut text: String) -> String {
    if text.len() > LONGEST_TEXT {
        let end = text.floor_char_boundary(LONGEST_TEXT);
        text.truncate(end);
        text.push('…');
    }
    text
}

pub fn trace_id(turn: TurnId) -> [u8; 16] {
    *turn.uuid().as_bytes()
}

/// The id of a part of a turn, equal on all workers.
pub fn span_id(turn: TurnId, part: &str) -> SpanId {
    let digest = Sha256::new()
        .chain_update(turn.uuid().as_bytes())
        .chain_update(part.as_bytes())
        .finalize();
    let mut id = [0; 8];
    id.copy_from_slice(&digest[..8]);
    id
}
