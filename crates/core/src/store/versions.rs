//! Versions of a person's message. The thread shows one version and what followed it; the others
//! are set aside with what followed them, and can be selected again.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Opening, StoreError};
use crate::access::Principal;
use crate::id::{ConversationId, MessageId};

/// The key of the metadata of a message that lists [`KeptEffect`]s. Only the server writes it.
pub const KEPT_EFFECTS: &str = "kept_effects";

#[async_trait]
pub trait Versions: Send + Sync {
    /// The opening of the turn that the caller's own message started, with its content.
    async fn opening_of(
        &self,
        who: &Principal,
        conversation: ConversationId,
        message: MessageId,
    ) -> Result<Opening, StoreError>;

    /// Shows this version, and what followed it, in place of the present one. Repeating it
    /// changes nothing.
    async fn select_version(
        &self,
        who: &Principal,
        conversation: ConversationId,
        message: MessageId,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError>;
}

/// A turn that opens with a new version of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The message that it replaces: the caller's own, and shown.
    pub message: MessageId,
    /// The same message is answered again. Refused if something was changed after it.
    pub unchanged: bool,
    /// The names of the assistant's tools that change something.
    pub writes: Vec<String>,
}

/// An effect of the replaced turns. It stays, and the new version does not repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptEffect {
    pub tool: String,
    pub target: Option<String>,
}

/// True if effects of an earlier version stay: the model then changes nothing without a person.
pub fn has_kept_effects(metadata: &Map<String, Value>) -> bool {
    metadata.contains_key(KEPT_EFFECTS)
}
