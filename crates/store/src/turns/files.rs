//! The files of a conversation that can be named by handle.

use frontdesk_core::handle::FileHandle;
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::store::StoreError;
use frontdesk_db::Tx;

use crate::fault::{Fault, unreadable};
use crate::rows::{self, natural};

/// Files with their handles, and those of them that an opening brings along.
#[derive(Default)]
pub(super) struct Files {
    pub(super) all: Vec<FileHandle>,
    /// Got their number just now.
    pub(super) new: Vec<FileHandle>,
    /// What the message is shown with, in its order.
    pub(super) brought: Vec<FileHandle>,
}

/// Numbers the files that a message brings along. One that is not of this conversation does
/// not exist for it.
pub(super) async fn bring(
    tx: &mut Tx,
    conversation: ConversationId,
    file_count: u64,
    wanted: &[AttachmentId],
) -> Result<Files, Fault> {
    let mut files = Files::default();
    if file_count == 0 && wanted.is_empty() {
        return Ok(files);
    }
    let mut unnumbered = Vec::new();
    let found = tx
        .rows(
            "SELECT id, number, name, media_type, size FROM attachments \
             WHERE conversation_id = $1 ORDER BY number, id",
            &[conversation.uuid().into()],
        )
        .await?;
    for row in &found {
        let number: Option<i64> = row.get("number")?;
        let file = FileHandle {
            number: u32::try_from(number.unwrap_or_default())
                .map_err(|_| unreadable("the number of a file"))?,
            attachment: rows::id(row, "id")?,
            name: row.get("name")?,
            media_type: row.get("media_type")?,
            bytes: natural(row, "size")?,
        };
        match number {
            Some(_) => files.all.push(file),
            None => unnumbered.push(file),
        }
    }
    let mut next = u32::try_from(file_count).map_err(|_| unreadable("the number of files"))?;
    for id in wanted {
        if files.brought.iter().any(|file| file.attachment == *id) {
            continue;
        }
        let file = match files.all.iter().find(|file| file.attachment == *id) {
            Some(file) => file.clone(),
            None => {
                let mut file = unnumbered
                    .iter()
                    .find(|file| file.attachment == *id)
                    .cloned()
                    .ok_or(StoreError::NotFound)?;
                next += 1;
                file.number = next;
                files.all.push(file.clone());
                files.new.push(file.clone());
                file
            }
        };
        files.brought.push(file);
    }
    Ok(files)
}

/// The files of a conversation that have a handle.
pub(crate) async fn load_files(
    tx: &mut Tx,
    conversation: ConversationId,
    file_count: u64,
) -> Result<Vec<FileHandle>, Fault> {
    Ok(bring(tx, conversation, file_count, &[]).await?.all)
}

/// How the model is shown a file: its handle and what it is, never its content.
pub(super) fn shown(file: &FileHandle) -> String {
    const SHOWN_NAME_CHARS: usize = 120;
    // A name is somebody's text: it must not look like a line of ours.
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
