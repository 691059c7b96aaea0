//! Answers that follow a schema: one JSON object with the words in `message`. People read
//! the words while the object is still arriving and never see the object; what else is in it
//! becomes quick replies and metadata of the answer.

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

/// The property with the words.
const MESSAGE: &str = "message";
/// The properties with what the person may want to say next.
const QUICK_REPLIES: [&str; 2] = ["quickReplies", "quick_replies"];
/// What the other fields may take together. They are kept with every message.
const MOST_BYTES: usize = 16 * 1024;

/// How the answers of an assistant look, and who looks them over.
pub struct ReplySchema {
    schema: Value,
    names: Arc<[String]>,
    fields: BTreeMap<String, Validator>,
    check: Option<Arc<dyn CheckReply>>,
}

/// Why a schema cannot be one for replies.
#[derive(Debug, thiserror::Error)]
pub enum ReplySchemaError {
    #[error("the reply schema needs `properties` with a `message` of type string")]
    NoMessage,
    #[error("the reply schema is not a JSON Schema: {0}")]
    NotASchema(String),
}

/// What an answer has beside its words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extras {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick_replies: Vec<String>,
    /// Properties of the reply schema, by name: metadata of the message.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
}

impl Extras {
    pub fn is_empty(&self) -> bool {
        self.quick_replies.is_empty() && self.fields.is_empty()
    }
}

/// An answer that has just come.
pub struct FinalAnswer<'a> {
    pub principal: &'a Principal,
    pub conversation: &'a Conversation,
    /// The words, as they were shown.
    pub text: &'a str,
    /// What the calls of this turn came to.
    pub calls: &'a [CallSummary],
}

/// Looks over what a model put beside its words before it is kept: what names things that
/// do not exist is taken out, what a model in plain words left out may be added.
#[async_trait]
pub trait CheckReply: Send + Sync {
    /// What is kept. The words were shown already and stay.
    async fn check(&self, said: &FinalAnswer<'_>, extras: Extras) -> Extras;
}

impl ReplySchema {
    /// `schema` describes an object with a text `message`. Put `message` first: models write
    /// properties in the order of the schema, and people read along from there on.
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

    /// What a model is told of it, after the instructions. Endpoints that know no schemas are
    /// asked this way alone, and those that take only "JSON" want the word to be there.
    pub fn in_words(&self) -> String {
        format!(
            "Write your answer as one JSON object that follows this JSON Schema, and write nothing before or after it: {}\n\
             The person reads only the text of `message`, and of your earlier answers this conversation shows only that text.",
            self.schema
        )
    }

    /// Reads one reply.
    pub fn decoder(&self) -> Decoder {
        Decoder::new(Arc::clone(&self.names))
    }

    /// What the fields of a reply come to: quick replies, and the properties that are as the
    /// schema wants them. The rest is left out, and the operator is told which.
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
                // How strict schemas spell "absent".
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

    /// What is kept of them once the assistant has looked.
    pub async fn checked(&self, said: &FinalAnswer<'_>, extras: Extras) -> Extras {
        match &self.check {
            Some(check) => check.check(said, extras).await,
            None => extras,
        }
    }
}

/// The JSON object in an answer, read as tolerantly as replies are: prose and fences around it do
/// not matter, nor do commas too many or too few.
pub(crate) fn read_object(text: &str) -> Option<Map<String, Value>> {
    let start = text.find('{')?;
    let mut strict = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    if let Some(Ok(Value::Object(object))) = strict.next() {
        return Some(object);
    }
    let mut message = String::new();
    let mut reader = json::Reader::new();
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
