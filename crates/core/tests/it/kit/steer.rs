//! The store's other ports: decisions and cancellation by people, and reads by tools.

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::artifact::{Artifact, ArtifactMark};
use frontdesk_core::id::{ArtifactId, AttachmentId, ConversationId, TurnId};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{
    Artifacts, Attachment, Attachments, AuditOutcome, NewAttachment, NewAudit, StoreError,
};
use serde_json::{Map, Value};

use super::store::Memory;

impl Memory {
    /// Decides by compare-and-set; a second decision is a conflict.
    pub(crate) fn decide(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
        decision: Decision,
        edited: Option<Map<String, Value>>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        let row = state.row(turn)?;
        if row.state != TurnState::AwaitingApproval {
            return Err(StoreError::Conflict("the turn does not wait".to_owned()));
        }
        let (card, decided) = row
            .cards
            .iter_mut()
            .find(|(card, _)| card.call_id == call_id)
            .ok_or(StoreError::NotFound)?;
        card.may_be_decided_by(who, now)?;
        if decided.is_some() {
            return Err(StoreError::Conflict("already decided".to_owned()));
        }
        *decided = Some(decision);
        let tool = card.tool.clone();
        if let Some(edited) = &edited {
            *card = card.clone().with_arguments(turn, edited.clone());
        }
        let by = Some(who.name().to_owned());
        row.decided(call_id.to_owned(), decision, by, edited);
        let audit = NewAudit {
            call_id: call_id.to_owned(),
            tool,
            target: None,
            outcome: match decision {
                Decision::Approved => AuditOutcome::Approved,
                Decision::Rejected => AuditOutcome::Rejected,
                Decision::Expired => AuditOutcome::Expired,
            },
            approver: Some(who.profile()),
        };
        state.audit.push((turn, audit));
        Ok(())
    }

    /// `false` if the turn has ended.
    pub(crate) fn cancel(&self, turn: TurnId) -> bool {
        let mut state = self.state();
        let Ok(row) = state.row(turn) else {
            return false;
        };
        row.cancel_wanted = true;
        !row.state.is_over()
    }
}

#[async_trait]
impl Artifacts for Memory {
    async fn latest(
        &self,
        _who: &Principal,
        _conversation: ConversationId,
        kind: &str,
        key: &str,
    ) -> Result<Option<Artifact>, StoreError> {
        let state = self.state();
        let series = state
            .artifacts
            .iter()
            .filter(|a| a.kind == kind && a.key == key);
        Ok(series.max_by_key(|artifact| artifact.version).cloned())
    }

    async fn all(
        &self,
        _who: &Principal,
        _conversation: ConversationId,
    ) -> Result<Vec<(ArtifactId, ArtifactMark)>, StoreError> {
        let state = self.state();
        let mark = |artifact: &Artifact| ArtifactMark {
            kind: artifact.kind.clone(),
            key: artifact.key.clone(),
            version: artifact.version,
            status: artifact.status,
        };
        Ok(state.artifacts.iter().map(|a| (a.id, mark(a))).collect())
    }

    async fn artifact(
        &self,
        _who: &Principal,
        _conversation: ConversationId,
        id: ArtifactId,
    ) -> Result<Artifact, StoreError> {
        let state = self.state();
        let found = state.artifacts.iter().find(|artifact| artifact.id == id);
        found.cloned().ok_or(StoreError::NotFound)
    }
}

#[async_trait]
impl Attachments for Memory {
    async fn attach(&self, _who: &Principal, new: NewAttachment) -> Result<Attachment, StoreError> {
        let mut state = self.state();
        state.attach(new.id, &new.name);
        Ok(Attachment {
            id: new.id,
            conversation_id: new.conversation,
            bytes: u64::try_from(new.bytes.len()).unwrap(),
            name: new.name,
            media_type: new.media_type,
            created_at: new.now,
        })
    }

    /// Files of tools have content here; attached files do not.
    async fn attachment(
        &self,
        _who: &Principal,
        id: AttachmentId,
    ) -> Result<(Attachment, Bytes), StoreError> {
        let state = self.state();
        let file = state.saved_files.iter().find(|file| file.id == id);
        let file = file.ok_or(StoreError::NotFound)?;
        let attachment = Attachment {
            id,
            conversation_id: state.conversation.id,
            name: file.name.clone(),
            media_type: file.media_type.clone(),
            bytes: u64::try_from(file.bytes.len()).unwrap(),
            created_at: state.conversation.created_at,
        };
        Ok((attachment, file.bytes.clone()))
    }
}
