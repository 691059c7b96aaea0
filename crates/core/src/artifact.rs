//! A versioned document that a tool produced, with its sources.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{EnumString, IntoStaticStr};

use crate::access::Principal;
use crate::id::{ArtifactId, ConversationId, ProfileId};

/// A person's verdict on a document that others build on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactStatus {
    Draft,
    Confirmed,
}

/// A version of another artifact that this one was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BuiltFrom {
    pub kind: String,
    pub key: String,
    pub version: u32,
}

/// A stored artifact. Versions are never overwritten; `(kind, key)` names the series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Artifact {
    pub id: ArtifactId,
    pub conversation: ConversationId,
    pub kind: String,
    /// Distinguishes several artifacts of one kind (a report per candidate); empty if there is one.
    pub key: String,
    pub version: u32,
    pub status: ArtifactStatus,
    pub title: String,
    pub content: Value,
    pub built_from: Vec<BuiltFrom>,
    /// The person who requested or edited this version; absent in old versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    pub created_at: DateTime<Utc>,
}

/// The person who created a version or a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Author {
    pub id: ProfileId,
    pub name: String,
}

impl Author {
    pub fn of(person: &Principal) -> Self {
        Self {
            id: person.profile(),
            name: person.name().to_owned(),
        }
    }

    /// Uses the current profile name; `None` means that the profile was deleted.
    pub fn known_as(id: ProfileId, name: Option<String>) -> Self {
        Self {
            id,
            name: name.unwrap_or_else(|| Self::FORMER.to_owned()),
        }
    }

    /// The name shown for a deleted profile.
    pub const FORMER: &str = "Former member";
}

/// A person's edit of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum ArtifactEdit {
    /// The whole document as Markdown.
    Text(String),
    /// Single fields, by name.
    Fields(Map<String, Value>),
}

/// Creates the next version of a document from a person's edit; the error is shown to them.
pub type EditArtifact = fn(&Artifact, ArtifactEdit) -> Result<NewArtifact, String>;

/// An artifact that a tool produced; the store assigns its id and version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewArtifact {
    pub kind: String,
    pub key: String,
    pub status: ArtifactStatus,
    pub title: String,
    pub content: Value,
    pub built_from: Vec<BuiltFrom>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ExportFormat {
    #[strum(serialize = "md")]
    Markdown,
    Docx,
    Pdf,
}

impl ExportFormat {
    pub fn of_ending(ending: &str) -> Option<Self> {
        ending.parse().ok()
    }

    pub fn ending(self) -> &'static str {
        self.into()
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pdf => "application/pdf",
        }
    }
}

/// Renders a document; `None` if the format is not offered for it.
pub type ExportArtifact = fn(&Artifact, ExportFormat) -> Result<Option<Vec<u8>>, OutdatedDocument>;

/// A document stored by an earlier release, in a form that its assistant no longer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutdatedDocument {
    /// The reason and the remedy, for the person.
    pub sentence: &'static str,
}

/// Metadata of an existing artifact, as the rules need it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactMark {
    pub kind: String,
    pub key: String,
    pub version: u32,
    pub status: ArtifactStatus,
}
