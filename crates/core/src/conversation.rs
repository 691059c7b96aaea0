//! A conversation: its owner, assistant, phase and progress.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::artifact::{ArtifactMark, ArtifactStatus, NewArtifact};
use crate::id::{CompanyId, ConversationId, ProfileId};
use crate::phase::Phase;

pub const DEFAULT_TITLE: &str = "New Conversation";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    pub id: ConversationId,
    pub user_id: ProfileId,
    pub company_id: Option<CompanyId>,
    pub assistant: String,
    /// The object in the company's own systems that it is about, e.g. a gig's id.
    pub subject: Option<String>,
    pub title: String,
    pub phase: Phase,
    pub metadata: Map<String, Value>,
    pub progress: Progress,
    pub message_count: i64,
    pub last_message_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// The progress that rules depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    #[serde(default)]
    pub artifacts: Vec<ArtifactMark>,
    #[serde(default)]
    pub tools_done: BTreeSet<String>,
}

impl Progress {
    /// `confirmed` excludes drafts.
    pub fn has_artifact(&self, kind: &str, confirmed: bool) -> bool {
        self.artifacts.iter().any(|mark| {
            mark.kind == kind && (!confirmed || mark.status == ArtifactStatus::Confirmed)
        })
    }

    pub fn next_mark(&self, new: &NewArtifact) -> ArtifactMark {
        let before = self
            .artifacts
            .iter()
            .find(|mark| mark.kind == new.kind && mark.key == new.key);
        ArtifactMark {
            kind: new.kind.clone(),
            key: new.key.clone(),
            version: before.map_or(1, |mark| mark.version + 1),
            status: new.status,
        }
    }

    /// Replaces the older version of the series.
    pub fn note_artifact(&mut self, new: ArtifactMark) {
        match self
            .artifacts
            .iter_mut()
            .find(|mark| mark.kind == new.kind && mark.key == new.key)
        {
            Some(mark) => *mark = new,
            None => self.artifacts.push(new),
        }
    }
}
