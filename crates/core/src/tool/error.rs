//! A tool's failure says who hears what: the model gets a sentence it can act on, the
//! operator gets the cause, and neither text reaches the other.

use std::error::Error;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// The request made sense and the answer is no.
    Refused,
    /// An argument must be put right.
    Invalid,
    /// It did not work; nothing happened.
    Failed,
    /// It may or may not have happened.
    Unknown,
}

/// What a tool reports instead of a result.
#[derive(Debug)]
pub struct ToolError {
    pub kind: ToolErrorKind,
    /// For the model, and through it for the person.
    pub message: String,
    /// More for the model, e.g. an `ErrorInfo` object.
    pub details: Option<Value>,
    /// For the operator's log only.
    pub cause: Option<Box<dyn Error + Send + Sync>>,
    /// What the tool wanted remembered all the same, e.g. what is known so far of a request
    /// that something is missing from. Merged into the conversation's metadata.
    pub remembered: Map<String, Value>,
}

const FAILED: &str = "The tool could not do this just now. Nothing was changed; try again later.";
const UNKNOWN: &str =
    "It is not known whether this was carried out. Check the current state before trying again.";

impl ToolError {
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Refused, message.into())
    }

    /// `field` must be put right; `problem` says how.
    pub fn invalid(field: &str, problem: &str) -> Self {
        Self::new(ToolErrorKind::Invalid, format!("`{field}`: {problem}"))
    }

    /// The cause is for the operator; the model hears a fixed sentence.
    pub fn failed(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(ToolErrorKind::Failed, FAILED.to_owned())
        }
    }

    /// A write whose answer never came.
    pub fn unknown(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(ToolErrorKind::Unknown, UNKNOWN.to_owned())
        }
    }

    /// A failure of this kind with a sentence for the model.
    pub fn new(kind: ToolErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            details: None,
            cause: None,
            remembered: Map::new(),
        }
    }

    /// Keeps what the tool put into its context before it failed.
    pub(crate) fn remembering(mut self, metadata: Map<String, Value>) -> Self {
        self.remembered.extend(metadata);
        self
    }

    /// Adds what the person may have meant.
    pub fn near(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        if !names.is_empty() {
            self.message = format!("{}. Did you mean: {}?", self.message, names.join(", "));
        }
        self
    }

    pub fn details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}
