//! An assistant's waiting work in people's inboxes, beside the platform's cards.

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bundle::BoxError;

/// Reports the work that waits for a person. The inbox waits at most two seconds for it.
#[async_trait]
pub trait InboxSource: Send + Sync {
    /// `None` for people who decide nothing here. The count matches the assistant's own board.
    async fn waiting(&self, who: &Principal) -> Result<Option<WaitingWork>, BoxError>;
}

/// Work of one assistant that waits for one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingWork {
    /// The kind of work, in words: "Passes to decide".
    pub about: String,
    /// The total, even if `items` has only the first entries.
    pub count: u64,
    /// The board's address in the web app.
    pub link: String,
    pub items: Vec<WaitingItem>,
}

/// One waiting object, or several in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingItem {
    pub title: String,
    /// Its address in the web app.
    pub link: String,
    pub count: u64,
}
