//! What comes of a call: a result, a sentence, and things to be kept.

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::artifact::NewArtifact;
use crate::phase::Phase;

/// A change to an assistant's own tables, applied in the transaction that records the call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Names the function that applies it.
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

/// A file a tool made for the person: it travels beside the conversation, never through the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducedFile {
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
}

/// Everything a tool wants kept. It is written in one transaction with the record of the
/// call, or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outbox {
    pub artifacts: Vec<NewArtifact>,
    pub changes: Vec<Change>,
    /// Phase to move to and why.
    pub phase: Option<(Phase, String)>,
    /// Merged into the conversation's metadata; `null` removes a key.
    pub metadata: Map<String, Value>,
    pub title: Option<String>,
    pub sources: Vec<Source>,
    pub files: Vec<ProducedFile>,
    pub quick_replies: Vec<String>,
}

/// A finished call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    pub result: Value,
    pub summary: String,
    pub outbox: Outbox,
}
