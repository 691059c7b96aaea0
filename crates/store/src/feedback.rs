//! Opinions on answers: one a person and message, and nobody else's business.

use frontdesk_core::access::Principal;
use frontdesk_core::id::{MessageId, ProfileId};
use frontdesk_core::store::{Feedback, NewFeedback, StoreError};
use frontdesk_db::{Row, Tx, Value};
use uuid::Uuid;

use crate::Store;
use crate::access::{ACCESS, Kind, refusal};
use crate::rows::{micros, name_of, named};
use crate::tx_error::TxError;

impl Store {
    /// Stores a rating of an assistant's message and replaces an earlier one.
    pub async fn rate(&self, who: &Principal, new: NewFeedback) -> Result<Feedback, StoreError> {
        self.write(who, move |tx, me| Box::pin(rate(tx, me, new)))
            .await
    }

    /// The caller's own rating.
    pub async fn opinion(
        &self,
        who: &Principal,
        message: MessageId,
    ) -> Result<Option<Feedback>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(async move {
                answer_seen(tx, me, message).await?;
                let sql = "SELECT message_id, rating, comment, created_at, updated_at \
                     FROM message_feedback WHERE profile_id = $1 AND message_id = $2";
                let values: [Value; 2] = [me.into(), message.into()];
                let row = tx.row(sql, &values).await?;
                row.as_ref().map(opinion).transpose()
            })
        })
        .await
    }

    /// Deletes the caller's rating.
    pub async fn forget(&self, who: &Principal, message: MessageId) -> Result<(), StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(async move {
                answer_seen(tx, me, message).await?;
                tx.execute(
                    "DELETE FROM message_feedback WHERE profile_id = $1 AND message_id = $2",
                    &[me.into(), message.into()],
                )
                .await?;
                Ok(())
            })
        })
        .await
    }
}

fn opinion(row: &Row) -> Result<Feedback, TxError> {
    Ok(Feedback {
        message_id: row.get("message_id")?,
        rating: named(row, "rating")?,
        comment: row.get("comment")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

async fn rate(tx: &mut Tx, me: ProfileId, new: NewFeedback) -> Result<Feedback, TxError> {
    let seen = answer_seen(tx, me, new.message).await?;
    if seen.get::<String>("role")? != "assistant" {
        return Err(
            StoreError::Conflict("only an assistant's message can be rated".to_owned()).into(),
        );
    }
    let row = tx
        .row(
            "INSERT INTO message_feedback (message_id, profile_id, conversation_id, scope_id, \
                 rating, comment, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7) \
             ON CONFLICT (message_id, profile_id) DO UPDATE SET rating = excluded.rating, \
                 comment = excluded.comment, updated_at = excluded.updated_at \
             RETURNING message_id, rating, comment, created_at, updated_at",
            &[
                new.message.into(),
                me.into(),
                seen.get::<Uuid>("conversation_id")?.into(),
                seen.get::<Uuid>("scope_id")?.into(),
                name_of(&new.rating)?.into(),
                new.comment.into(),
                micros(new.now).into(),
            ],
        )
        .await?;
    match row {
        Some(row) => opinion(&row),
        None => Err(StoreError::Internal("an opinion was kept and is gone".to_owned()).into()),
    }
}

/// Role and place of a message that people see, in a conversation that this person may see.
async fn answer_seen(tx: &mut Tx, me: ProfileId, message: MessageId) -> Result<Row, TxError> {
    let sql = format!(
        "SELECT m.role, m.conversation_id, m.scope_id FROM messages m \
         JOIN conversations c ON c.id = m.conversation_id \
         WHERE m.id = $2 AND m.part = 'said' AND {ACCESS}"
    );
    let values: [Value; 2] = [me.into(), message.into()];
    match tx.row(&sql, &values).await? {
        Some(row) => Ok(row),
        None => Err(refusal(tx, Kind::Message, message.uuid()).await?),
    }
}
