//! Documents that tools produced, and files of a conversation.

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{IdempotencyKey, StoreError};
use crate::access::Principal;
use crate::artifact::{Artifact, ArtifactMark, NewArtifact};
use crate::id::{ArtifactId, AttachmentId, ConversationId};

#[async_trait]
pub trait Artifacts: Send + Sync {
    /// The newest version of a series; `key` is empty if the kind has only one.
    async fn latest(
        &self,
        who: &Principal,
        conversation: ConversationId,
        kind: &str,
        key: &str,
    ) -> Result<Option<Artifact>, StoreError>;

    /// Every version, oldest first.
    async fn all(
        &self,
        who: &Principal,
        conversation: ConversationId,
    ) -> Result<Vec<(ArtifactId, ArtifactMark)>, StoreError>;

    async fn artifact(
        &self,
        who: &Principal,
        conversation: ConversationId,
        id: ArtifactId,
    ) -> Result<Artifact, StoreError>;
}

#[derive(Clone, Debug)]
pub struct EditedArtifact {
    pub id: ArtifactId,
    pub based_on: ArtifactId,
    pub new: NewArtifact,
    pub now: DateTime<Utc>,
}

#[async_trait]
pub trait Attachments: Send + Sync {
    async fn attach(&self, who: &Principal, new: NewAttachment) -> Result<Attachment, StoreError>;

    async fn attachment(
        &self,
        who: &Principal,
        id: AttachmentId,
    ) -> Result<(Attachment, Bytes), StoreError>;
}

#[derive(Clone, Debug)]
pub struct NewAttachment {
    pub id: AttachmentId,
    pub conversation: ConversationId,
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
    /// The number of bytes that the person sent; a picture is stored re-encoded.
    pub sent: u64,
    /// A repeated request with this key returns the first result.
    pub key: Option<IdempotencyKey>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attachment {
    pub id: AttachmentId,
    pub conversation_id: ConversationId,
    pub name: String,
    pub media_type: String,
    /// The number of bytes that the person sent; a picture is stored re-encoded.
    pub bytes: u64,
    pub created_at: DateTime<Utc>,
}
