//! Files that people bring: made inert before they are kept, whichever door they came through.

use frontdesk_core::access::Principal;
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::store::{Attachment, Attachments, Conversations, NewAttachment};
use frontdesk_files::{Refused, accept, shown_name};

use super::{Desk, DeskError};

/// No file may be larger.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// Each decoding may take 64 MB and a core.
pub(super) const DECODES_AT_ONCE: usize = 2;

impl Desk {
    /// Takes a file in beside a conversation. Its name is only shown; what it is, its content says.
    pub async fn attach(
        &self,
        who: &Principal,
        conversation: ConversationId,
        name: Option<&str>,
        bytes: Vec<u8>,
    ) -> Result<Attachment, DeskError> {
        let inner = &self.inner;
        inner.store.get(who, conversation).await?;
        let taken = {
            // Never closed, so there is always a turn to wait for.
            let _turn = inner.decodes.acquire().await.ok();
            tokio::task::spawn_blocking(move || accept(bytes, MAX_FILE_BYTES)).await
        };
        // A decoder that panics on a hostile file has refused it.
        let upload = taken.unwrap_or(Err(Refused::Damaged("it cannot be decoded")))?;
        let new = NewAttachment {
            id: AttachmentId::from_uuid(inner.world.id()),
            conversation,
            name: shown_name(name, upload.kind),
            media_type: upload.kind.media_type().to_owned(),
            bytes: upload.bytes.into(),
            now: inner.world.now(),
        };
        Ok(inner.store.attach(who, new).await?)
    }
}
