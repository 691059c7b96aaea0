//! A store that keeps nothing: isolates the engine's own cost.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{Artifact, ArtifactMark};
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ArtifactId, AttachmentId, ConversationId};
use frontdesk_core::store::{
    Accepted, Artifacts, Attachment, Attachments, FinishTurn, Lease, NewAttachment, OpenTurn,
    Opened, Record, StoreError, Turns,
};

pub struct NullStore;

#[async_trait]
impl Turns for NullStore {
    async fn open(&self, _: &Principal, _: OpenTurn) -> Result<Accepted, StoreError> {
        Err(StoreError::NotFound)
    }

    async fn record(&self, _: &Lease, _: Record) -> Result<(), StoreError> {
        Ok(())
    }

    async fn finish(&self, _: &Lease, _: FinishTurn) -> Result<(), StoreError> {
        Ok(())
    }

    async fn renew(&self, _: &Lease, _: DateTime<Utc>) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn take_over(
        &self,
        _: &str,
        _: DateTime<Utc>,
        _: Duration,
    ) -> Result<Option<Opened>, StoreError> {
        Ok(None)
    }

    async fn texts(&self, _: &Lease, _: &[u32]) -> Result<Handles, StoreError> {
        Ok(Handles::default())
    }
}

#[async_trait]
impl Artifacts for NullStore {
    async fn latest(
        &self,
        _: &Principal,
        _: ConversationId,
        _: &str,
        _: &str,
    ) -> Result<Option<Artifact>, StoreError> {
        Ok(None)
    }

    async fn all(
        &self,
        _: &Principal,
        _: ConversationId,
    ) -> Result<Vec<(ArtifactId, ArtifactMark)>, StoreError> {
        Ok(Vec::new())
    }

    async fn artifact(
        &self,
        _: &Principal,
        _: ConversationId,
        _: ArtifactId,
    ) -> Result<Artifact, StoreError> {
        Err(StoreError::NotFound)
    }
}

#[async_trait]
impl Attachments for NullStore {
    async fn attach(&self, _: &Principal, _: NewAttachment) -> Result<Attachment, StoreError> {
        Err(StoreError::NotFound)
    }

    async fn attachment(
        &self,
        _: &Principal,
        _: AttachmentId,
    ) -> Result<(Attachment, Bytes), StoreError> {
        Err(StoreError::NotFound)
    }
}
