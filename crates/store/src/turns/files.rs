//! The files of a conversation that can be named by handle.

use frontdesk_core::handle::FileHandle;
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::store::StoreError;
use frontdesk_db::Tx;

use crate::tx_error::{TxError, unreadable};

/// A conversation's files with their handles, and those attached to the new message.
#[derive(Default)]
pub(super) struct Files {
    pub(super) all: Vec<FileHandle>,
    /// Numbered in this transaction.
    pub(super) new: Vec<FileHandle>,
    /// The message's attachments, in its order.
    pub(super) attached: Vec<FileHandle>,
}

/// Numbers the files that are attached to a message. A file of another conversation
/// counts as missing.
pub(super) async fn number_files(
    tx: &mut Tx,
    conversation: ConversationId,
    file_count: u64,
    wanted: &[AttachmentId],
) -> Result<Files, TxError> {
    let mut files = Files::default();
    if file_count == 0 && wanted.is_empty() {
        return Ok(files);
    }
    let mut unnumbered = Vec::new();
    let found = tx
        .rows(
            "SELECT id, number, name, media_type, size FROM attachments \
             WHERE conversation_id = $1 ORDER BY number, id",
            &[conversation.into()],
        )
        .await?;
    for row in &found {
        let number: Option<u32> = row.get("number")?;
        let file = FileHandle {
            number: number.unwrap_or_default(),
            attachment: row.get("id")?,
            name: row.get("name")?,
            media_type: row.get("media_type")?,
            bytes: row.get("size")?,
        };
        match number {
            Some(_) => files.all.push(file),
            None => unnumbered.push(file),
        }
    }
    let mut next = u32::try_from(file_count).map_err(|_| unreadable("the number of files"))?;
    for id in wanted {
        if files.attached.iter().any(|file| file.attachment == *id) {
            continue;
        }
        let file = match files.all.iter().find(|file| file.attachment == *id) {
            Some(file) => file.clone(),
            None => {
                let mut file = unnumbered
                    .iter()
                    .find(|file| file.attachment == *id)
                    .cloned()
                    .ok_or(StoreError::AttachmentNotFound)?;
                next += 1;
                file.number = next;
                files.all.push(file.clone());
                files.new.push(file.clone());
                file
            }
        };
        files.attached.push(file);
    }
    Ok(files)
}

/// The files of a conversation that have a handle.
pub(crate) async fn load_files(
    tx: &mut Tx,
    conversation: ConversationId,
    file_count: u64,
) -> Result<Vec<FileHandle>, TxError> {
    Ok(number_files(tx, conversation, file_count, &[]).await?.all)
}

/// The line that announces a file to the model: handle and metadata, never the content.
pub(super) fn shown(file: &FileHandle) -> String {
    const SHOWN_NAME_CHARS: usize = 120;
    // The name is untrusted: it must not imitate the announcement's syntax.
    let name: String = file
        .name
        .chars()
        .filter(|c| !c.is_control() && !matches!(c, '[' | ']'))
        .take(SHOWN_NAME_CHARS)
        .collect();
    format!(
        "[file:{}, {name}, {}, {} bytes]",
        file.number, file.media_type, file.bytes
    )
}
