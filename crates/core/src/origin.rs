//! Sources of the values on a card that the person did not just type.
//!
//! The comparison is literal and ignores case. A reworded value counts as the model's own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::consent::contains_word;
use crate::form;
use crate::handle;
use crate::message::Message;
use crate::preview::short;

/// The source of one argument's value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    pub argument: String,
    pub source: OriginSource,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OriginSource {
    /// The person typed it in an earlier message.
    EarlierMessage,
    /// It occurs in a text that the person pasted or attached.
    Text,
    /// It occurs in a tool's result.
    Result {
        tool: String,
        /// The tool's title for people.
        title: String,
        /// The field of the result that contains it.
        #[serde(default)]
        field: Option<String>,
        /// The object with that field, e.g. "GP-2026-0013".
        #[serde(default)]
        of: Option<String>,
    },
    /// It occurs nowhere in the model's context.
    Model,
}

impl OriginSource {
    /// The source in words, written after the value.
    pub fn words(&self) -> String {
        match self {
            Self::EarlierMessage => "from an earlier message".to_owned(),
            Self::Text => "from a pasted text or a file".to_owned(),
            Self::Result {
                field: Some(field),
                of: Some(of),
                ..
            } => format!("from the {} of {of}", form::words(field).to_lowercase()),
            Self::Result { title, .. } => format!("from the result of “{title}”"),
            Self::Model => "suggested by the assistant".to_owned(),
        }
    }
}

/// The parts of the model's context that can be a source.
pub(crate) struct ModelContext<'a> {
    /// The person's current message without pasted text.
    pub current: &'a str,
    /// Everything before the call, oldest first.
    pub messages: &'a [Message],
    /// Maps a tool's name to its title.
    pub title_of: &'a dyn Fn(&str) -> String,
    /// The argument that names a call's object; results may have a field of this name.
    pub target: Option<&'a str>,
}

impl ModelContext<'_> {
    /// `None` if the person typed the value in the current message.
    pub(crate) fn source_of(&self, value: &Value) -> Option<OriginSource> {
        match value {
            Value::String(text) => self.source_of_text(text),
            Value::Number(number) => self.source_of_text(&number.to_string()),
            Value::Array(items) => items.iter().find_map(|item| self.source_of(item)),
            // A boolean is too short to search for.
            Value::Bool(_) | Value::Null | Value::Object(_) => None,
        }
    }

    fn source_of_text(&self, text: &str) -> Option<OriginSource> {
        let wanted = text.trim().to_lowercase();
        let found_in = |text: &str| contains_word(&text.to_lowercase(), &wanted);
        if wanted.is_empty() || found_in(self.current) {
            return None;
        }
        let typed = |message: &Message| match message {
            Message::User { content, .. } if !handle::is_full_texts(content) => {
                found_in(handle::lead_of(content))
            }
            Message::User { .. }
            | Message::System { .. }
            | Message::Assistant { .. }
            | Message::Tool { .. } => false,
        };
        if self.messages.iter().any(typed) {
            return Some(OriginSource::EarlierMessage);
        }
        let newest_first = self.messages.iter().rev();
        let source = newest_first
            .filter_map(|message| match message {
                Message::Tool { name, content, .. } if found_in(content) => {
                    Some(self.result(name.as_deref().unwrap_or_default(), content, &wanted))
                }
                Message::User { content, .. } if found_in(content) => Some(OriginSource::Text),
                Message::User { .. }
                | Message::System { .. }
                | Message::Assistant { .. }
                | Message::Tool { .. } => None,
            })
            .next();
        Some(source.unwrap_or(OriginSource::Model))
    }

    fn result(&self, tool: &str, content: &str, wanted: &str) -> OriginSource {
        let parsed: Option<Value> = serde_json::from_str(content).ok();
        let place = parsed.and_then(|value| mention(&value, self.target?, wanted));
        let (field, of) = place.unzip();
        OriginSource::Result {
            tool: tool.to_owned(),
            title: (self.title_of)(tool),
            field,
            of,
        }
    }
}

/// The field of an object that contains the value, and the object's name. `None` if the value
/// itself is an object's name: then the whole result is the source.
fn mention(value: &Value, target: &str, wanted: &str) -> Option<(String, String)> {
    match value {
        Value::Array(items) => items.iter().find_map(|item| mention(item, target, wanted)),
        Value::Object(fields) => {
            let own = fields.get(target).and_then(Value::as_str);
            let own = own.filter(|own| !own.eq_ignore_ascii_case(wanted));
            let by_field = own.and_then(|own| {
                let (field, _) = fields.iter().find(|(name, value)| {
                    let text = value.as_str().unwrap_or_default().to_lowercase();
                    *name != target && contains_word(&text, wanted)
                })?;
                Some((short(field), short(own)))
            });
            let mut inner = fields.values();
            by_field.or_else(|| inner.find_map(|value| mention(value, target, wanted)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
#[path = "origin_tests.rs"]
mod origin_tests;
