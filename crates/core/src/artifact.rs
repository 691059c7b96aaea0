//! A versioned document that a tool produced, with what it was built from.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::access::Principal;
use crate::id::{ArtifactId, ConversationId, ProfileId};

/// Whether a person has agreed with a document that others are built on.
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
    /// Tells apart several of one kind (a report for each candidate); empty when there is one.
    pub key: String,
    pub version: u32,
    pub status: ArtifactStatus,
    pub title: String,
    pub content: Value,
    pub built_from: Vec<BuiltFrom>,
    /// Who asked for this version, or edited it; unknown for old ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    pub created_at: DateTime<Utc>,
}

/// A person as the author of something.
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

    /// With the name that the profile has now; `None` where there is no such profile any more.
    pub fn known_as(id: ProfileId, name: Option<String>) -> Self {
        Self {
            id,
            name: name.unwrap_or_else(|| Self::FORMER.to_owned()),
        }
    }

    /// Stands for the name of a deleted profile.
    pub const FORMER: &str = "Former member";
}

/// What a person changed of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum ArtifactEdit {
    /// The whole document as Markdown.
    Text(String),
    /// Single fields, by name.
    Fields(Map<String, Value>),
}

/// Makes the next version of a document from a person's edit; the error is a sentence for them.
pub type EditArtifact = fn(&Artifact, ArtifactEdit) -> Result<NewArtifact, String>;

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

/// A form in which a document can be taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    Markdown,
    Docx,
    Pdf,
}

impl ExportFormat {
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "md" => Some(Self::Markdown),
            "docx" => Some(Self::Docx),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }

    pub fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Docx => "docx",
            Self::Pdf => "pdf",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pdf => "application/pdf",
        }
    }
}

/// Writes a document out for people; `None` where it is not offered in this form.
pub type ExportArtifact = fn(&Artifact, ExportFormat) -> Option<Vec<u8>>;

/// What the rules need to know of an artifact that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactMark {
    pub kind: String,
    pub key: String,
    pub version: u32,
    pub status: ArtifactStatus,
}
