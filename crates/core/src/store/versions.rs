//! Versions of a person's message. The thread shows one version and what followed it; the others
//! are set aside with what followed them, and can be selected again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::MessageId;

/// The key of the metadata of a message that lists [`KeptEffect`]s. Only the server writes it.
pub const KEPT_EFFECTS: &str = "kept_effects";

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
