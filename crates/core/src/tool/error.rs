//! A tool's failure: the model gets an actionable sentence, the operator gets the cause, and
//! neither sees the other's text.

use std::error::Error;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// The request was valid and is denied.
    Refused,
    /// An argument must be corrected.
    Invalid,
    /// The call failed and had no effect.
    Failed,
    /// The call may have taken effect.
    Unknown,
}

#[derive(Debug)]
pub struct ToolError {
    pub kind: ToolErrorKind,
    /// For the model, and through it for the person.
    pub message: String,
    /// Structured details for the model, e.g. an `ErrorInfo` object.
    pub details: Option<Value>,
    /// For the operator's log only.
    pub cause: Option<Box<dyn Error + Send + Sync>>,
    /// Stored despite the failure, e.g. the known part of an incomplete request. Merged into the
    /// conversation's metadata.
    pub remembered: Map<String, Value>,
}

const FAILED: &str = "The tool could not do this just now. Nothing was changed; try again later.";
const UNKNOWN: &str =
    "It is not known whether this was carried out. Check the current state before trying again.";

impl ToolError {
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Refused, message.into())
    }

    /// `field` must be corrected; `problem` explains how.
    pub fn invalid(field: &str, problem: &str) -> Self {
        Self::new(ToolErrorKind::Invalid, format!("`{field}`: {problem}"))
    }

    /// The cause is for the operator; the model gets a fixed sentence.
    pub fn failed(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(ToolErrorKind::Failed, FAILED.to_owned())
        }
    }

    /// A write without a response.
    pub fn unknown(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(ToolErrorKind::Unknown, UNKNOWN.to_owned())
        }
    }

    pub fn new(kind: ToolErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            details: None,
            cause: None,
            remembered: Map::new(),
        }
    }

    /// Keeps the metadata that the tool stored before it failed.
    pub(crate) fn remembering(mut self, metadata: Map<String, Value>) -> Self {
        self.remembered.extend(metadata);
        self
    }

    /// Adds similar names that the person may have meant.
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
