//! The results of a call and the data to store with it.

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::card::ObjectCard;
use crate::artifact::NewArtifact;
use crate::phase::Phase;

/// A change to an assistant's own tables, applied in the transaction that records the call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Selects the function that applies it.
    pub kind: String,
    pub data: Value,
}

/// A passage that an answer may cite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    pub title: String,
    pub url: String,
    pub score: f64,
    pub text: String,
}

/// A file that a tool created for the person. It bypasses the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducedFile {
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
}

/// Data to store in one transaction with the record of the call, or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outbox {
    pub artifacts: Vec<NewArtifact>,
    pub changes: Vec<Change>,
    /// The new phase and the reason.
    pub phase: Option<(Phase, String)>,
    /// Merged into the conversation's metadata; `null` removes a key.
    pub metadata: Map<String, Value>,
    pub title: Option<String>,
    pub sources: Vec<Source>,
    pub files: Vec<ProducedFile>,
    /// Objects that the result is about.
    pub cards: Vec<ObjectCard>,
    pub quick_replies: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    pub result: Value,
    pub summary: String,
    pub outbox: Outbox,
}
