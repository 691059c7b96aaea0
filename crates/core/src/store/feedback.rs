//! Ratings of answers. Each person has one changeable rating per message.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::access::Principal;
use crate::id::MessageId;

#[async_trait]
pub trait FeedbackStore: Send + Sync {
    /// Stores a rating of an assistant's message and replaces an earlier one.
    async fn rate(&self, who: &Principal, new: NewFeedback) -> Result<Feedback, StoreError>;

    /// The caller's own rating.
    async fn opinion(
        &self,
        who: &Principal,
        message: MessageId,
    ) -> Result<Option<Feedback>, StoreError>;

    /// Deletes the caller's rating.
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
