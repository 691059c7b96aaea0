//! Versions of documents that people make themselves, outside of any turn.

use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{Artifact, Author};
use frontdesk_core::id::{ArtifactId, ConversationId};
use frontdesk_core::store::{AuditOutcome, EditedArtifact, StoreError};
use frontdesk_db::Tx;

use crate::rows::{self, json_text};
use crate::turns::keep_artifact;
use crate::tx_error::TxError;
use crate::{Store, access, audit, conversations};

/// Versions that people create.
impl Store {
    /// Stores the next version of a document. Refused while a turn runs in the conversation, or if
    /// the edited version is no longer the newest.
    pub async fn save_edit(
        &self,
        who: &Principal,
        conversation: ConversationId,
        edited: EditedArtifact,
    ) -> Result<Artifact, StoreError> {
        let person = who.clone();
        self.write(who, move |tx, _| {
            let (person, edited) = (person.clone(), edited.clone());
            Box::pin(async move { save(tx, &person, conversation, edited).await })
        })
        .await
    }
}

async fn save(
    tx: &mut Tx,
    who: &Principal,
    id: ConversationId,
    edited: EditedArtifact,
) -> Result<Artifact, TxError> {
    access::lock(tx, id).await?;
    let row = access::seen(tx, who.profile(), id).await?;
    let mut conversation = rows::conversation(&row)?;
    // A running turn has read the documents and numbers its own versions.
    if let Some(turn) = conversations::active_turn(tx, id).await? {
        return Err(StoreError::TurnInProgress { turn }.into());
    }
    let new = edited.new;
    let mark = conversation.progress.next_mark(&new);
    if newest(tx, id, &new.kind, &new.key).await? != Some(edited.based_on) {
        let newest = mark.version.saturating_sub(1);
        let problem = format!(
            "version {newest} of this document was saved meanwhile; load it and edit that one"
        );
        return Err(StoreError::Conflict(problem).into());
    }
    let artifact = Artifact {
        id: edited.id,
        conversation: id,
        kind: new.kind,
        key: new.key,
        version: mark.version,
        status: new.status,
        title: new.title,
        content: new.content,
        built_from: new.built_from,
        author: Some(Author::of(who)),
        created_at: edited.now,
    };
    keep_artifact(tx, id, &artifact).await?;
    conversation.progress.note_artifact(mark);
    tx.execute_later(
        "UPDATE conversations SET progress = $2::text::jsonb, updated_at = $3 WHERE id = $1",
        vec![
            id.into(),
            json_text(&conversation.progress)?,
            edited.now.into(),
        ],
    )
    .await?;
    conversation.updated_at = edited.now;
    conversations::told(tx, &conversation)?;
    let (me, outcome) = (who.profile(), AuditOutcome::Executed);
    audit::note(tx, me, &conversation, "edit_document", outcome, edited.now).await?;
    Ok(artifact)
}

async fn newest(
    tx: &mut Tx,
    conversation: ConversationId,
    kind: &str,
    key: &str,
) -> Result<Option<ArtifactId>, TxError> {
    let found = tx
        .row(
            "SELECT a.id FROM artifacts a WHERE a.conversation_id = $1 AND a.kind = $2 AND a.key = $3 \
             ORDER BY a.version DESC LIMIT 1",
            &[conversation.into(), kind.into(), key.into()],
        )
        .await?;
    found.map(|row| Ok(row.get("id")?)).transpose()
}
