//! A versioned document that a tool produced, with what it was built from.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{ArtifactId, ConversationId};

/// Whether a person has agreed with a document that others are built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactStatus {
    Draft,
    Confirmed,
}

/// A version of another artifact that this one was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltFrom {
    pub kind: String,
    pub key: String,
    pub version: u32,
}

/// A stored artifact. Versions are never overwritten; `(kind, key)` names the series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Artifact {
    pub id: ArtifactId,
    pub conversation: ConversationId,
    pub kind: String,
    /// Tells apart several of one kind (a report for each candidate); empty when there is one.
    pub key: String,
    pub version: u32,
    pub status: ArtifactStatus,
    pub title: String,
    pub content: Value,
    pub built_from: Vec<BuiltFrom>,
    pub created_at: DateTime<Utc>,
}

/// What a tool hands over to be kept; the store gives it its id and version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewArtifact {
    pub kind: String,
    pub key: String,
    pub status: ArtifactStatus,
    pub title: String,
    pub content: Value,
    pub built_from: Vec<BuiltFrom>,
}

/// What the rules need to know of an artifact that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactMark {
    pub kind: String,
    pub key: String,
    pub version: u32,
    pub status: ArtifactStatus,
}
