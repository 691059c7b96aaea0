//! Files that people bring: made inert before they are kept, whichever door they came through.

use frontdesk_core::access::Principal;
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::store::{
    Attachment, Attachments, Conversations, FileText, IdempotencyKey, NewAttachment, Opening,
};
use frontdesk_files::{Kind, UploadError, accept, shown_name};
use frontdesk_search::extract::{self, Format};

use super::{Runtime, RuntimeError};

/// No file may be larger.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// Of a file's text this much is kept beside the conversation.
const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// Each decoding may take 64 MB and a core.
pub(super) const DECODES_AT_ONCE: usize = 2;

/// A file that somebody brings to a conversation.
pub struct Upload {
    /// Of what is new; a repeated request gives the file that its key made before.
    pub id: AttachmentId,
    pub conversation: ConversationId,
    pub name: Option<String>,
    pub bytes: Vec<u8>,
    pub key: Option<IdempotencyKey>,
}

impl Runtime {
    /// Takes a file in beside a conversation. Its name is only shown; what it is, its content says.
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
        let taken = {
            // Never closed, so there is always a turn to wait for.
            let _turn = inner.decodes.acquire().await.ok();
            tokio::task::spawn_blocking(move || accept(bytes, MAX_FILE_BYTES)).await
        };
        // A decoder that panics on a hostile file has refused it.
        let upload = taken.unwrap_or(Err(UploadError::Damaged("it cannot be decoded")))?;
        // A page in the guise of a picture is an attack; one that says what it is, is a document.
        if upload.kind == Kind::Html && !name.is_some_and(is_named_as_page) {
            return Err(UploadError::Unsupported.into());
        }
        let new = NewAttachment {
            id,
            conversation,
            name: shown_name(name, upload.kind),
            media_type: upload.kind.media_type().to_owned(),
            bytes: upload.bytes.into(),
            key,
            now: inner.env.now(),
        };
        Ok(inner.store.attach(who, new).await?)
    }

    /// The texts of the files that a message brings. A file without text, or one that cannot be
    /// read, is announced by its name alone.
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
            // Whether it may be used here at all is for the opening of the turn to say.
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

/// The beginning of a text that is too long to be kept as one.
fn bounded(mut text: String) -> String {
    let end = text.floor_char_boundary(MAX_TEXT_BYTES);
    text.truncate(end);
    // Databases keep no such character.
    text.retain(|c| c != '\0');
    text
}
