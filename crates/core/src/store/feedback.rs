//! What people think of answers. Everyone has one opinion on a message, their own, and may
//! change it.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::access::Principal;
use crate::id::MessageId;

#[async_trait]
pub trait FeedbackStore: Send + Sync {
    /// Keeps an opinion on an assistant's message, in place of an earlier one.
    async fn rate(&self, who: &Principal, new: NewFeedback) -> Result<Feedback, StoreError>;

    /// One's own opinion, if there is one.
    async fn opinion(
        &self,
        who: &Principal,
        message: MessageId,
    ) -> Result<Option<Feedback>, StoreError>;

    /// Takes one's opinion back.
    async fn forget(&self, who: &Principal, message: MessageId) -> Result<(), StoreError>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    Up,
    Down,
}

#[derive(Clone, Debug)]
pub struct NewFeedback {
    pub message: MessageId,
    pub rating: Rating,
    pub comment: Option<String>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Feedback {
    pub message_id: MessageId,
    pub rating: Rating,
    pub comment: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}
