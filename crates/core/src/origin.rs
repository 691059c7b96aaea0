//! Where the values on a card came from, when the person did not type them just now.
//!
//! The comparison is literal and ignores case: it knows no language. A value that was reworded
//! counts as the model's own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::consent::contains_word;
use crate::form;
use crate::handle;
use crate::message::Message;
use crate::preview::short;

/// Where the value of one argument came from.
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
    /// It is in a text that the person pasted or attached.
    Text,
    /// It is in the result of a tool.
    Result {
        tool: String,
        /// What people call the tool.
        title: String,
        /// The field of the result that mentions it.
        #[serde(default)]
        field: Option<String>,
        /// The object whose field it is, e.g. "GP-2026-0013".
        #[serde(default)]
        of: Option<String>,
    },
    /// It is in nothing that the model was shown.
    Model,
}

impl OriginSource {
    /// The source in words, to follow the value.
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

/// What the model was shown, as far as a value can come from it.
pub(crate) struct ModelContext<'a> {
    /// The person's current message without what they pasted.
    pub current: &'a str,
    /// Everything before the call, oldest first.
    pub messages: &'a [Message],
    /// What people call a tool.
    pub title_of: &'a dyn Fn(&str) -> String,
    /// The argument that names the object of a call, which results may have as a field, too.
    pub target: Option<&'a str>,
}

impl ModelContext<'_> {
    /// The source of this value; none when the person typed it in the current message.
    pub(crate) fn source_of(&self, value: &Value) -> Option<OriginSource> {
        match value {
            Value::String(text) => self.source_of_text(text),
            Value::Number(number) => self.source_of_text(&number.to_string()),
            Value::Array(items) => items.iter().find_map(|item| self.source_of(item)),
            // A yes or no is not a value that could be looked for.
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

/// The field of an object that mentions the value, and the object's own name. None where the
/// value is itself the name of an object: then the result as a whole is the source.
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
