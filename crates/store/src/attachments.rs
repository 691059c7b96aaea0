//! Files beside a conversation, byte for byte.

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::id::{AttachmentId, ConversationId, ProfileId};
use frontdesk_core::store::{Attachment, Attachments, NewAttachment, StoreError};
use frontdesk_db::{Tx, Value};
use uuid::Uuid;

use crate::access::{self, ACCESS, Kind, refusal};
use crate::rows::{int, micros};
use crate::tx_error::TxError;
use crate::{Store, keys};

pub(crate) const INSERT: &str = "INSERT INTO attachments (id, conversation_id, scope_id, name, \
     media_type, size, bytes, created_at) \
     SELECT $1::uuid, c.id, c.scope_id, $3::text, $4::text, $5::bigint, $6::bytea, \
         $7::timestamptz FROM conversations c WHERE c.id = $2";

/// Default limit for all files of one scope (a person or a company), in bytes.
pub(crate) const QUOTA: u64 = 2 * 1024 * 1024 * 1024;

/// The values of [`INSERT`].
pub(crate) fn values(
    id: AttachmentId,
    conversation: ConversationId,
    name: &str,
    media_type: &str,
    bytes: &Bytes,
    sent: u64,
    now: DateTime<Utc>,
) -> Result<Vec<Value>, TxError> {
    Ok(vec![
        id.into(),
        conversation.into(),
        name.into(),
        media_type.into(),
        int(sent)?,
        bytes.as_ref().into(),
        now.into(),
    ])
}

#[async_trait]
impl Attachments for Store {
    async fn attach(&self, who: &Principal, new: NewAttachment) -> Result<Attachment, StoreError> {
        let quota = self.attachment_quota;
        self.write(who, move |tx, me| Box::pin(attach(tx, me, new, quota)))
            .await
    }

    async fn attachment(
        &self,
        who: &Principal,
        id: AttachmentId,
    ) -> Result<(Attachment, Bytes), StoreError> {
        self.read(who, move |tx, me| Box::pin(attachment(tx, me, id)))
            .await
    }
}

async fn attach(
    tx: &mut Tx,
    me: ProfileId,
    new: NewAttachment,
    quota: u64,
) -> Result<Attachment, TxError> {
    let now = micros(new.now);
    access::seen(tx, me, new.conversation).await?;
    if let Some(made) = keys::made_before(tx, me, new.key.as_ref(), now).await? {
        let (kept, _) = attachment(tx, me, AttachmentId::from_uuid(made)).await?;
        return Ok(kept);
    }
    check_room(tx, &new, quota).await?;
    tx.execute_later(
        INSERT,
        values(
            new.id,
            new.conversation,
            &new.name,
            &new.media_type,
            &new.bytes,
            new.sent,
            now,
        )?,
    )
    .await?;
    keys::remember(tx, me, new.key.as_ref(), new.id.uuid(), now).await?;
    Ok(Attachment {
        id: new.id,
        conversation_id: new.conversation,
        name: new.name,
        media_type: new.media_type,
        bytes: new.sent,
        created_at: now,
    })
}

/// Refuses a file for which the scope of its conversation has no room left.
async fn check_room(tx: &mut Tx, new: &NewAttachment, quota: u64) -> Result<(), TxError> {
    let conversation: [Value; 1] = [new.conversation.into()];
    let scope = "SELECT scope_id FROM conversations WHERE id = $1";
    if let Some(row) = tx.row(scope, &conversation).await? {
        let (high, low) = row.get::<Uuid>("scope_id")?.as_u64_pair();
        // Two uploads at once would each see the room that only one of them has.
        access::lock_number(tx, (high ^ low ^ QUOTA).cast_signed()).await?;
    }
    let sql = "SELECT CAST(COALESCE(SUM(f.size), 0) AS BIGINT) AS taken FROM conversations here \
         JOIN conversations c ON c.scope_id = here.scope_id \
         JOIN attachments f ON f.conversation_id = c.id WHERE here.id = $1";
    let taken = match tx.row(sql, &conversation).await? {
        Some(row) => row.get("taken")?,
        None => 0,
    };
    if taken + new.sent > quota {
        return Err(StoreError::Full { limit: quota }.into());
    }
    Ok(())
}

async fn attachment(
    tx: &mut Tx,
    me: ProfileId,
    wanted: AttachmentId,
) -> Result<(Attachment, Bytes), TxError> {
    let sql = format!(
        "SELECT f.id, f.conversation_id, f.name, f.media_type, f.size, f.created_at, f.bytes \
         FROM attachments f JOIN conversations c ON c.id = f.conversation_id \
         WHERE f.id = $2 AND {ACCESS}"
    );
    let values: [Value; 2] = [me.into(), wanted.into()];
    let Some(row) = tx.row(&sql, &values).await? else {
        return Err(refusal(tx, Kind::Attachment, wanted.uuid()).await?);
    };
    let attachment = Attachment {
        id: wanted,
        conversation_id: row.get("conversation_id")?,
        name: row.get("name")?,
        media_type: row.get("media_type")?,
        bytes: row.get("size")?,
        created_at: row.get("created_at")?,
    };
    Ok((attachment, Bytes::from(row.get::<Vec<u8>>("bytes")?)))
}
