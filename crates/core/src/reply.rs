//! Structured replies: one JSON object with the text in `message`. People read the text while the
//! object streams, never the JSON; the other properties become quick replies and metadata.

mod decode;
mod json;
mod lookout;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::access::Principal;
use crate::conversation::Conversation;
use crate::model::CallSummary;

pub use decode::{Decoded, Decoder};
pub(crate) use json::{Reader, TextFilter};

/// The property with the text.
const MESSAGE: &str = "message";
/// The properties with suggested next messages.
const QUICK_REPLIES: [&str; 2] = ["quickReplies", "quick_replies"];
/// Maximum size of the other fields together. They are stored with every message.
const MOST_BYTES: usize = 16 * 1024;

/// The schema of an assistant's answers, and their check.
pub struct ReplySchema {
    schema: Value,
    names: Arc<[String]>,
    fields: BTreeMap<String, Validator>,
    check: Option<Arc<dyn CheckReply>>,
}

#[derive(Debug, thiserror::Error)]
pub enum ReplySchemaError {
    #[error("the reply schema needs `properties` with a `message` of type string")]
    NoMessage,
    #[error("the reply schema is not a JSON Schema: {0}")]
    NotASchema(String),
}

/// Structured fields of an answer beside its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extras {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick_replies: Vec<String>,
    /// Properties of the reply schema, by name. They become metadata of the message.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
}

impl Extras {
    pub fn is_empty(&self) -> bool {
        self.quick_replies.is_empty() && self.fields.is_empty()
    }
}

/// A new answer, before it is stored.
pub struct FinalAnswer<'a> {
    pub principal: &'a Principal,
    pub conversation: &'a Conversation,
    /// The text, already shown.
    pub text: &'a str,
    /// Summaries of this turn's calls.
    pub calls: &'a [CallSummary],
}

/// Checks a reply's fields before they are stored: removes references to things that do not exist,
/// and may add fields that a model answering in prose left out.
#[async_trait]
pub trait CheckReply: Send + Sync {
    /// Returns the fields to store. The text was already shown and stays.
    async fn check(&self, answer: &FinalAnswer<'_>, extras: Extras) -> Extras;
}

impl ReplySchema {
    /// `schema` describes an object with a text `message`. Put `message` first: models write
    /// properties in schema order, and people can read the text only from there on.
    pub fn new(schema: Value) -> Result<Self, ReplySchemaError> {
        jsonschema::validator_for(&schema)
            .map_err(|error| ReplySchemaError::NotASchema(error.to_string()))?;
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .ok_or(ReplySchemaError::NoMessage)?;
        let message = properties.get(MESSAGE).and_then(|words| words.get("type"));
        if message.and_then(Value::as_str) != Some("string") {
            return Err(ReplySchemaError::NoMessage);
        }
        let fields = properties
            .iter()
            .filter(|(name, _)| *name != MESSAGE && !QUICK_REPLIES.contains(&name.as_str()))
            .map(|(name, property)| {
                let validator = jsonschema::validator_for(property)
                    .map_err(|error| ReplySchemaError::NotASchema(error.to_string()))?;
                Ok((name.clone(), validator))
            })
            .collect::<Result<_, ReplySchemaError>>()?;
        Ok(Self {
            names: properties.keys().cloned().collect(),
            fields,
            check: None,
            schema,
        })
    }

    pub fn checked_by(self, check: Arc<dyn CheckReply>) -> Self {
        Self {
            check: Some(check),
            ..self
        }
    }

    pub fn as_json(&self) -> &Value {
        &self.schema
    }

    /// The schema as instructions for the model. Endpoints without schema support get only this,
    /// and JSON-only endpoints require the word "JSON" in the prompt.
    pub fn in_words(&self) -> String {
        format!(
            "Write your answer as one JSON object that follows this JSON Schema, and write nothing before or after it: {}\n\
             The person reads only the text of `message`, and of your earlier answers this conversation shows only that text.",
            self.schema
        )
    }

    pub fn decoder(&self) -> Decoder {
        Decoder::new(Arc::clone(&self.names))
    }

    /// Extracts quick replies and the properties that match the schema. Logs the others' names.
    pub fn extras(&self, fields: Map<String, Value>) -> Extras {
        let mut extras = Extras::default();
        let mut left = MOST_BYTES;
        for (name, value) in fields {
            if QUICK_REPLIES.contains(&name.as_str()) {
                extras.quick_replies.extend(texts(value));
                continue;
            }
            let Some(validator) = self.fields.get(&name) else {
                continue;
            };
            if value.is_null() {
                // Strict schemas write `null` for an absent property.
                continue;
            }
            let size = value.to_string().len();
            if size > left || !validator.is_valid(&value) {
                tracing::warn!(
                    field = name,
                    "a field of a reply is not as its schema says and is left out"
                );
                continue;
            }
            left -= size;
            extras.fields.insert(name, value);
        }
        extras
    }

    /// The fields after the assistant's check.
    pub async fn checked(&self, answer: &FinalAnswer<'_>, extras: Extras) -> Extras {
        match &self.check {
            Some(check) => check.check(answer, extras).await,
            None => extras,
        }
    }
}

/// Parses the JSON object in an answer, despite prose or fences around it and wrong commas.
pub(crate) fn read_object(text: &str) -> Option<Map<String, Value>> {
    let start = text.find('{')?;
    let mut strict = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    if let Some(Ok(Value::Object(object))) = strict.next() {
        return Some(object);
    }
    let mut message = String::new();
    let mut reader = Reader::new(TextFilter::Message);
    for c in text[start..].chars() {
        reader.take(c, &mut message);
    }
    let read = reader.finish();
    let mut fields = read.fields?;
    if read.has_message {
        message.push_str(&read.rest);
        fields.insert(MESSAGE.to_owned(), Value::String(message));
    }
    Some(fields)
}

fn texts(value: Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => {
            let text = |item: Value| item.as_str().map(str::to_owned);
            items.into_iter().filter_map(text).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod reply_tests;
