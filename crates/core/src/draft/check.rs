//! Removes the parts of a draft that its sources do not support.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Quote;
use crate::grounding::{Evidence, sentences};

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
            Value::String(text) => self.keeps_text(text, &[]),
            Value::Array(items) => {
                items.retain_mut(|item| self.keeps(item, Place::Item));
                true
            }
            Value::Object(fields) if is_quote(fields) => self.keeps_quote(fields),
            Value::Object(fields) if is_statement(fields) => self.keeps_statement(fields, place),
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
        let (quote, named) = (text_of(fields, "quote"), text_of(fields, "source"));
        let Some(source) = self.evidence.source_of(quote, named) else {
            self.leave_out(quote, "these words are not in the sources");
            return false;
        };
        let source = Value::String(source.to_owned());
        fields.insert("source".to_owned(), source);
        true
    }

    /// Leaves out what its quotes cannot support. Without a quote that a source has, nothing is left.
    fn keeps_statement(&mut self, fields: &mut Map<String, Value>, place: Place) -> bool {
        let quotes = fields.get("based_on").cloned().unwrap_or_default();
        let quotes: Vec<Quote> = serde_json::from_value(quotes).unwrap_or_default();
        let mut text = text_of(fields, "text").to_owned();
        let is_bare = quotes.is_empty();
        let mut known = Vec::with_capacity(quotes.len());
        for Quote { quote, source } in quotes {
            if let Some(source) = self.evidence.source_of(&quote, &source) {
                let source = source.to_owned();
                known.push(Quote { quote, source });
            }
        }
        if !is_bare && known.is_empty() {
            self.leave_out(&text, "the words that it quotes are not in the sources");
            text.clear();
        }
        let is_left = self.keeps_text(&mut text, &known) && (is_bare || !known.is_empty());
        fields.insert("text".to_owned(), Value::String(text));
        fields.insert("based_on".to_owned(), json!(known));
        is_left || place == Place::Field
    }

    /// Leaves out the sentences that say more than the sources, or more than these quotes.
    fn keeps_text(&mut self, text: &mut String, quotes: &[Quote]) -> bool {
        if text.trim().is_empty() || (quotes.is_empty() && self.problem(text, quotes).is_none()) {
            return true;
        }
        let mut kept = String::with_capacity(text.len());
        for sentence in sentences(text) {
            match self.problem(sentence, quotes) {
                None => kept.push_str(sentence),
                Some(why) => self.leave_out(sentence, &why),
            }
        }
        kept.trim_end().clone_into(text);
        !text.trim().is_empty()
    }

    fn problem(&self, text: &str, quotes: &[Quote]) -> Option<String> {
        if let Some(figure) = self.evidence.unsupported(text) {
            return Some(format!("“{figure}” is not in the sources"));
        }
        if let Some(topic) = self.evidence.unnamed_topic(text) {
            return Some(format!("no source names “{topic}”"));
        }
        let is_supported =
            quotes.is_empty() || claims_nothing(text) || self.evidence.may_rest_on(text, quotes);
        (!is_supported).then(|| "the words that it quotes do not say it".to_owned())
    }

    fn leave_out(&mut self, text: &str, why: &str) {
        let part = LeftOut {
            text: text.trim().to_owned(),
            why: why.to_owned(),
        };
        // A model may say the same in several places.
        if !self.left_out.contains(&part) {
            self.left_out.push(part);
        }
    }
}

/// A question, or a greeting beside statements: "Hi Anna!", "Best regards,".
fn claims_nothing(sentence: &str) -> bool {
    const FEW_WORDS: usize = 3;
    let sentence = sentence.trim_end();
    let is_short = sentence.split_whitespace().count() <= FEW_WORDS;
    sentence.ends_with('?') || (is_short && sentence.ends_with(['!', ',']))
}

fn text_of<'f>(fields: &'f Map<String, Value>, name: &str) -> &'f str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn is_quote(fields: &Map<String, Value>) -> bool {
    let is_text = |name: &str| fields.get(name).is_some_and(Value::is_string);
    is_text("quote") && is_text("source")
}

fn is_statement(fields: &Map<String, Value>) -> bool {
    let is_listed = fields.get("based_on").is_some_and(Value::is_array);
    is_listed && fields.get("text").is_some_and(Value::is_string)
}
