//! Removes the parts of a draft that its sources do not support.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::grounding::Evidence;

/// A part of the draft that no source supports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// The removed words.
    pub text: String,
    pub why: String,
}

/// A draft without its unsupported parts, and the problems found.
pub(super) struct Checked {
    pub(super) content: Value,
    pub(super) left_out: Vec<LeftOut>,
}

/// Removes unsupported parts: an item from a list, a sentence from a text.
pub(super) fn check(mut content: Value, evidence: &Evidence) -> Checked {
    let mut checker = Checker {
        evidence,
        left_out: Vec::new(),
    };
    if !checker.keeps(&mut content, Place::Field) {
        content = Value::Null;
    }
    Checked {
        content,
        left_out: checker.left_out,
    }
}

/// The position of a value: a list item can be removed, a field stays and becomes empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Item,
    Field,
}

struct Checker<'a> {
    evidence: &'a Evidence,
    left_out: Vec<LeftOut>,
}

impl Checker<'_> {
    /// Cleans a value; false if nothing of it is left.
    fn keeps(&mut self, value: &mut Value, place: Place) -> bool {
        match value {
            Value::String(text) => self.keeps_text(text),
            Value::Array(items) => {
                items.retain_mut(|item| self.keeps(item, Place::Item));
                true
            }
            Value::Object(fields) if is_quote(fields) => self.keeps_quote(fields),
            Value::Object(fields) => self.keeps_object(fields, place),
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        }
    }

    fn keeps_object(&mut self, fields: &mut Map<String, Value>, place: Place) -> bool {
        let mut whole = true;
        for value in fields.values_mut() {
            if self.keeps(value, Place::Field) {
                continue;
            }
            whole = false;
            *value = if value.is_string() {
                Value::String(String::new())
            } else {
                Value::Null
            };
        }
        // A list item without its evidence or its text is not reliable.
        whole || place == Place::Field
    }

    fn keeps_quote(&mut self, fields: &mut Map<String, Value>) -> bool {
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let (quote, named) = (text("quote"), text("source"));
        match self.evidence.source_of(quote, named) {
            Some(source) => {
                let source = Value::String(source.to_owned());
                fields.insert("source".to_owned(), source);
                true
            }
            None => {
                self.left_out.push(LeftOut {
                    text: quote.to_owned(),
                    why: "these words are not in the sources".to_owned(),
                });
                false
            }
        }
    }

    fn keeps_text(&mut self, text: &mut String) -> bool {
        if text.trim().is_empty() || self.evidence.unsupported(text).is_none() {
            return true;
        }
        let mut kept = String::with_capacity(text.len());
        for sentence in sentences(text) {
            match self.evidence.unsupported(sentence) {
                None => kept.push_str(sentence),
                Some(figure) => self.left_out.push(LeftOut {
                    text: sentence.trim().to_owned(),
                    why: format!("“{figure}” is not in the sources"),
                }),
            }
        }
        kept.trim_end().clone_into(text);
        !text.trim().is_empty()
    }
}

fn is_quote(fields: &Map<String, Value>) -> bool {
    let is_text = |name: &str| fields.get(name).is_some_and(Value::is_string);
    is_text("quote") && is_text("source")
}

/// The sentences and lines of a text, each with its trailing space.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut ended = false;
        let mut chars = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            ended |= c == '\n';
            let next = chars.peek().map(|(_, next)| *next);
            let closes = matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
            ended |= closes && !ends_in_a_number(&rest[..at], next);
            if ended && next.is_some_and(|next| !next.is_whitespace()) {
                end = at + c.len_utf8();
                break;
            }
        }
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some(sentence)
    })
}

/// "1. First" is a list number, "28. November" a date: neither ends a sentence.
fn ends_in_a_number(before: &str, next: Option<char>) -> bool {
    next.is_some() && before.ends_with(|c: char| c.is_ascii_digit()) && {
        let word = before
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        word.len() <= 2
    }
}
