//! Documents that tools produced; every version stays.

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{Artifact, ArtifactMark};
use frontdesk_core::id::{ArtifactId, ConversationId, ProfileId};
use frontdesk_core::store::{Artifacts, StoreError};
use frontdesk_db::{Row, Tx, Value};
use uuid::Uuid;

use crate::Store;
use crate::access::{ACCESS, Kind, refusal};
use crate::rows::{json, named, optional_json};
use crate::tx_error::TxError;

const ARTIFACT: &str = "a.id, a.conversation_id, a.kind, a.key, a.version, a.status, a.title, \
     a.content, a.built_from, a.created_at, a.author";

#[async_trait]
impl Artifacts for Store {
    async fn latest(
        &self,
        who: &Principal,
        conversation: ConversationId,
        kind: &str,
        key: &str,
    ) -> Result<Option<Artifact>, StoreError> {
        let sql = format!(
            "SELECT {ARTIFACT} FROM conversations c LEFT JOIN artifacts a \
                 ON a.conversation_id = c.id AND a.kind = $3 AND a.key = $4 \
             WHERE c.id = $2 AND {ACCESS} ORDER BY a.version DESC LIMIT 1"
        );
        let found = self
            .of_conversation(who, conversation, sql, vec![kind.into(), key.into()])
            .await?;
        found.first().map(|row| finish(artifact(row))).transpose()
    }

    async fn all(
        &self,
        who: &Principal,
        conversation: ConversationId,
    ) -> Result<Vec<(ArtifactId, ArtifactMark)>, StoreError> {
        let sql = format!(
            "SELECT a.id, a.kind, a.key, a.version, a.status FROM conversations c \
             LEFT JOIN artifacts a ON a.conversation_id = c.id \
             WHERE c.id = $2 AND {ACCESS} ORDER BY a.created_at, a.id"
        );
        let found = self
            .of_conversation(who, conversation, sql, Vec::new())
            .await?;
        found.iter().map(|row| finish(mark(row))).collect()
    }

    async fn artifact(
        &self,
        who: &Principal,
        conversation: ConversationId,
        id: ArtifactId,
    ) -> Result<Artifact, StoreError> {
        let sql = format!(
            "SELECT {ARTIFACT} FROM conversations c LEFT JOIN artifacts a \
                 ON a.conversation_id = c.id AND a.id = $3 WHERE c.id = $2 AND {ACCESS}"
        );
        let found = self
            .of_conversation(who, conversation, sql, vec![id.into()])
            .await?;
        match found.first() {
            Some(row) => finish(artifact(row)),
            None => Err(StoreError::NotFound),
        }
    }
}

impl Store {
    /// The rows that hold an artifact, of a conversation that this person may see.
    async fn of_conversation(
        &self,
        who: &Principal,
        conversation: ConversationId,
        sql: String,
        more: Vec<Value>,
    ) -> Result<Vec<Row>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(async move { select(tx, me, conversation, &sql, more).await })
        })
        .await
    }
}

async fn select(
    tx: &mut Tx,
    me: ProfileId,
    conversation: ConversationId,
    sql: &str,
    more: Vec<Value>,
) -> Result<Vec<Row>, TxError> {
    let mut values = vec![me.into(), conversation.into()];
    values.extend(more);
    let found = tx.rows(sql, &values).await?;
    if found.is_empty() {
        return Err(refusal(tx, Kind::Conversation, conversation.uuid()).await?);
    }
    let mut with_artifact = Vec::with_capacity(found.len());
    for row in found {
        if row.get::<Option<Uuid>>("id")?.is_some() {
            with_artifact.push(row);
        }
    }
    Ok(with_artifact)
}

fn finish<T>(read: Result<T, TxError>) -> Result<T, StoreError> {
    read.map_err(TxError::into_store)
}

fn artifact(row: &Row) -> Result<Artifact, TxError> {
    Ok(Artifact {
        id: row.get("id")?,
        conversation: row.get("conversation_id")?,
        kind: row.get("kind")?,
        key: row.get("key")?,
        version: row.get("version")?,
        status: named(row, "status")?,
        title: row.get("title")?,
        content: json(row, "content")?,
        built_from: json(row, "built_from")?,
        author: optional_json(row, "author")?,
        created_at: row.get("created_at")?,
    })
}

fn mark(row: &Row) -> Result<(ArtifactId, ArtifactMark), TxError> {
    let mark = ArtifactMark {
        kind: row.get("kind")?,
        key: row.get("key")?,
        version: row.get("version")?,
        status: named(row, "status")?,
    };
    Ok((row.get("id")?, mark))
}
