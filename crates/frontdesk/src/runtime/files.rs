//! Uploaded files, sanitised before they are stored.

use frontdesk_core::access::Principal;
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::store::{
    Attachment, Attachments, FileText, IdempotencyKey, NewAttachment, Opening,
};
use frontdesk_files::{Kind, UploadError, accept, shown_name};
use frontdesk_search::extract::{self, Format};

use super::{Runtime, RuntimeError};

pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// Maximum size of the text extracted from a file.
const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// Each decoding may use 64 MB of memory and one core.
pub(super) const DECODES_AT_ONCE: usize = 2;

pub struct Upload {
    /// Id for a new file; a repeated request returns the file that its key created.
    pub id: AttachmentId,
    pub conversation: ConversationId,
    pub name: Option<String>,
    pub bytes: Vec<u8>,
    pub key: Option<IdempotencyKey>,
}

impl Runtime {
    /// Stores a file in a conversation. The type is detected from the content, not from the name.
    pub async fn attach(&self, who: &Principal, new: Upload) -> Result<Attachment, RuntimeError> {
        let Upload {
            id,
            conversation,
            name,
            bytes,
            key,
        } = new;
        let name = name.as_deref();
        let inner = &self.inner;
        inner.store.get(who, conversation).await?;
        let sent = bytes.len() as u64;
        let taken = {
            // The semaphore is never closed, so this always acquires a permit.
            let _turn = inner.decodes.acquire().await.ok();
            tokio::task::spawn_blocking(move || accept(bytes, MAX_FILE_BYTES)).await
        };
        // A decoder panic counts as a refusal of the file.
        let upload = taken.unwrap_or(Err(UploadError::Damaged("it cannot be decoded")))?;
        // HTML named as another type is an attack; a file named as HTML is a document.
        if upload.kind == Kind::Html && !name.is_some_and(is_named_as_page) {
            return Err(UploadError::Unsupported.into());
        }
        let new = NewAttachment {
            id,
            conversation,
            name: shown_name(name, upload.kind),
            media_type: upload.kind.media_type().to_owned(),
            bytes: upload.bytes.into(),
            sent,
            key,
            now: inner.env.now(),
        };
        Ok(inner.store.attach(who, new).await?)
    }

    /// Extracts the texts of a message's files. A file without readable text is skipped; the model
    /// sees only its name.
    pub(super) async fn file_texts(
        &self,
        who: &Principal,
        opening: &Opening,
    ) -> Result<Vec<FileText>, RuntimeError> {
        let attachments = match opening {
            Opening::Message { attachments, .. } => attachments.as_slice(),
            Opening::Form { .. } | Opening::Retry { .. } => &[],
        };
        let mut texts = Vec::new();
        for attachment in attachments {
            let found = self.inner.store.attachment(who, *attachment).await;
            // Opening the turn checks the access and reports the error.
            let Ok((file, bytes)) = found else { continue };
            let Some(format) = Format::of_media_type(&file.media_type) else {
                continue;
            };
            let _turn = self.inner.decodes.acquire().await.ok();
            let read = tokio::task::spawn_blocking(move || extract::document(&bytes, format, None));
            match read.await {
                Ok(Ok(document)) => texts.push(FileText {
                    attachment: *attachment,
                    text: bounded(document.text),
                }),
                Ok(Err(error)) => tracing::info!(%error, "a file has no text to show"),
                Err(_) => tracing::warn!("reading the text of a file panicked"),
            }
        }
        Ok(texts)
    }
}

fn is_named_as_page(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".html") || name.ends_with(".htm")
}

fn bounded(mut text: String) -> String {
    let end = text.floor_char_boundary(MAX_TEXT_BYTES);
    text.truncate(end);
    // PostgreSQL cannot store NUL characters.
    text.retain(|c| c != '\0');
    text
}
