//! What an assistant reports to people's inboxes: work of its own that waits for them, beside the cards of the platform.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bundle::BoxError;

/// Reports what waits for a person. Asked whenever they look, so it must be quick; the inbox waits two
/// seconds for it.
#[async_trait]
pub trait InboxSource: Send + Sync {
    /// `None` for people who decide nothing here. The count is the one that the assistant's own
    /// board shows to this person.
    async fn waiting(&self, who: &Principal) -> Result<Option<WaitingWork>, BoxError>;
}

/// Work of one assistant that waits for one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingWork {
    /// What waits, in words: "Passes to decide".
    pub about: String,
    /// All that waits, also where `items` has only the first of it.
    pub count: u64,
    /// The board's address on the page.
    pub link: String,
    pub items: Vec<WaitingItem>,
    /// What was decided of such work, by whomever, newest first. The inbox shows the last 14 days.
    #[serde(default)]
    pub decided: Vec<DecidedItem>,
}

/// Work that somebody has decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecidedItem {
    pub title: String,
    /// Its address on the page.
    pub link: String,
    /// The state that it was brought into, e.g. "approved".
    pub state: String,
    /// The name of the person who decided.
    pub by: String,
    pub at: DateTime<Utc>,
}

/// One thing that waits, or several in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingItem {
    pub title: String,
    /// Its address on the page.
    pub link: String,
    pub count: u64,
}
