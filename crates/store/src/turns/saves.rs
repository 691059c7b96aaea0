//! Keeping what calls produced: changes of an assistant's tables, documents, files, and what
//! they move in the conversation.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::Artifact;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{Lease, SavedFile, Saves, StoreError};
use frontdesk_db::{Tx, Value};

use crate::applier::{Appliers, Scene};
use crate::conversations::{PHASE_HISTORY, merge, note_phase};
use crate::rows::{self, CONVERSATION, json_text, name_of};
use crate::tx_error::TxError;

/// The author of a phase change by a tool.
const BY_ASSISTANT: &str = "assistant";

pub(super) async fn save(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    saves: &Saves,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    if !saves.changes.is_empty() || !saves.phase.is_empty() || !saves.metadata.is_empty() {
        let (principal, mut conversation) = scene(tx, lease).await?;
        for change in &saves.changes {
            let scene = Scene {
                principal: &principal,
                conversation: &conversation,
                turn: lease.turn,
                now,
            };
            appliers.apply(tx, &scene, change).await?;
        }
        if !saves.phase.is_empty() || !saves.metadata.is_empty() {
            move_on(&mut conversation, saves, now);
            store_state(tx, &conversation).await?;
        }
    }
    for artifact in &saves.artifacts {
        keep_artifact(tx, lease.conversation, artifact).await?;
    }
    for file in &saves.files {
        keep_file(tx, lease, file, now).await?;
    }
    if let Some(title) = &saves.title {
        // Only the owner renames, also when it is done through a tool.
        tx.execute_later(
            "UPDATE conversations SET title = $2 WHERE id = $1 \
             AND user_id = (SELECT t.profile_id FROM turns t WHERE t.id = $3)",
            vec![lease.conversation.into(), title.into(), lease.turn.into()],
        )
        .await?;
    }
    if let Some(progress) = &saves.progress {
        tx.execute_later(
            "UPDATE conversations SET progress = $2::text::jsonb WHERE id = $1",
            vec![lease.conversation.into(), json_text(progress)?],
        )
        .await?;
    }
    if !is_empty(saves) {
        tx.execute_later(
            "UPDATE conversations SET updated_at = $2 WHERE id = $1",
            vec![lease.conversation.into(), now.into()],
        )
        .await?;
    }
    Ok(())
}

pub(super) fn is_empty(saves: &Saves) -> bool {
    let Saves {
        artifacts,
        changes,
        files,
        phase,
        metadata,
        title,
        progress,
    } = saves;
    artifacts.is_empty()
        && changes.is_empty()
        && files.is_empty()
        && phase.is_empty()
        && metadata.is_empty()
        && title.is_none()
        && progress.is_none()
}

async fn scene(tx: &mut Tx, lease: &Lease) -> Result<(Principal, Conversation), TxError> {
    let sql = format!(
        "SELECT {CONVERSATION}, t.principal FROM turns t \
         JOIN conversations c ON c.id = t.conversation_id WHERE t.id = $1 AND c.id = $2"
    );
    let row = tx
        .row(&sql, &[lease.turn.into(), lease.conversation.into()])
        .await?
        .ok_or(StoreError::Fenced)?;
    Ok((rows::json(&row, "principal")?, rows::conversation(&row)?))
}

fn move_on(conversation: &mut Conversation, saves: &Saves, now: DateTime<Utc>) {
    let mut patch = saves.metadata.clone();
    // Only the moves below write it.
    patch.remove(PHASE_HISTORY);
    merge(&mut conversation.metadata, patch);
    for change in &saves.phase {
        note_phase(&mut conversation.metadata, change, now, BY_ASSISTANT);
        conversation.phase = change.to.clone();
    }
}

async fn store_state(tx: &mut Tx, conversation: &Conversation) -> Result<(), TxError> {
    Ok(tx
        .execute_later(
            "UPDATE conversations SET phase = $2, metadata = $3::text::jsonb WHERE id = $1",
            vec![
                conversation.id.into(),
                conversation.phase.as_str().into(),
                json_text(&conversation.metadata)?,
            ],
        )
        .await?)
}

pub(crate) async fn keep_artifact(
    tx: &mut Tx,
    conversation: ConversationId,
    artifact: &Artifact,
) -> Result<(), TxError> {
    Ok(tx.execute_later(
        "INSERT INTO artifacts (id, conversation_id, scope_id, kind, key, version, status, title, \
             content, built_from, created_at, author) \
         SELECT $1::uuid, c.id, c.scope_id, $3::text, $4::text, $5::bigint, $6::text, $7::text, \
             $8::text::json, $9::text::json, $10::timestamptz, $11::text::json \
         FROM conversations c WHERE c.id = $2",
        vec![
            artifact.id.into(),
            conversation.into(),
            (&artifact.kind).into(),
            (&artifact.key).into(),
            artifact.version.into(),
            name_of(&artifact.status)?.into(),
            (&artifact.title).into(),
            json_text(&artifact.content)?,
            json_text(&artifact.built_from)?,
            artifact.created_at.into(),
            match &artifact.author {
                Some(author) => json_text(author)?,
                None => Value::Null,
            },
        ],
    )
    .await?)
}

async fn keep_file(
    tx: &mut Tx,
    lease: &Lease,
    file: &SavedFile,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    Ok(tx
        .execute_later(
            crate::attachments::INSERT,
            crate::attachments::values(
                file.id,
                lease.conversation,
                &file.name,
                &file.media_type,
                &file.bytes,
                file.bytes.len() as u64,
                now,
            )?,
        )
        .await?)
}
