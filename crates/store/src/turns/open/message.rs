//! A person's message: as it is stored, and as the line that the model receives.

use frontdesk_core::handle::{FileHandle, LongBlock, shown_text_of_file};
use frontdesk_core::id::{AttachmentId, MessageId};
use frontdesk_core::store::{FileText, Opening, StoreError};
use frontdesk_core::transcript::Line;
use serde_json::{Map, Value};

use crate::turns::files;
use crate::tx_error::TxError;

/// A new message of a person.
pub(super) struct NewMessage {
    pub(super) id: MessageId,
    pub(super) content: String,
    pub(super) metadata: Map<String, Value>,
}

pub(super) fn new_message(opening: &Opening) -> Result<NewMessage, TxError> {
    match opening {
        Opening::Message {
            id,
            content,
            metadata,
            ..
        } => Ok(NewMessage {
            id: *id,
            content: content.clone(),
            metadata: metadata.clone(),
        }),
        Opening::Form { id, content, .. } => Ok(NewMessage {
            id: *id,
            content: content.clone(),
            metadata: Map::new(),
        }),
        Opening::Retry { .. } => {
            Err(StoreError::Internal("a retry has no new message".to_owned()).into())
        }
    }
}

pub(super) fn attachments(opening: &Opening) -> &[AttachmentId] {
    match opening {
        Opening::Message { attachments, .. } => attachments,
        Opening::Form { .. } | Opening::Retry { .. } => &[],
    }
}

/// The line of a message, and the texts that it replaces by handles, in order.
pub(super) struct MessageLine<'a> {
    pub(super) line: Line,
    pub(super) texts: Vec<&'a str>,
}

/// `number` is the number of the first text.
pub(super) fn line<'a>(
    content: &'a str,
    number: u32,
    attached: &[FileHandle],
    file_texts: &'a [FileText],
) -> MessageLine<'a> {
    let mut texts = Vec::new();
    let mut numbers = number..;
    let mut parts = Vec::with_capacity(1 + attached.len());
    match LongBlock::find(content) {
        Some(block) => {
            parts.push(block.shown(numbers.next().unwrap_or(number)));
            texts.push(block.block);
        }
        None => parts.push(content.to_owned()),
    }
    for file in attached {
        parts.push(files::shown(file));
        let text = file_texts
            .iter()
            .find(|text| text.attachment == file.attachment);
        if let Some(text) = text {
            let number = numbers.next().unwrap_or(number);
            parts.push(shown_text_of_file(number, file.number, &text.text));
            texts.push(&text.text);
        }
    }
    parts.retain(|part| !part.is_empty());
    MessageLine {
        line: Line::user(parts.join("\n")),
        texts,
    }
}

/// The opening as the turn stores it: the content is stored once, in the message.
pub(super) fn without_content(opening: &Opening) -> Opening {
    match opening {
        Opening::Message {
            id,
            metadata,
            attachments,
            ..
        } => Opening::Message {
            id: *id,
            content: String::new(),
            metadata: metadata.clone(),
            attachments: attachments.clone(),
        },
        Opening::Form {
            id,
            tool,
            arguments,
            ..
        } => Opening::Form {
            id: *id,
            content: String::new(),
            tool: tool.clone(),
            arguments: arguments.clone(),
        },
        Opening::Retry { turn } => Opening::Retry { turn: *turn },
    }
}

pub(crate) fn with_content(mut opening: Opening, text: &str) -> Opening {
    match &mut opening {
        Opening::Message { content, .. } | Opening::Form { content, .. } => {
            text.clone_into(content);
        }
        Opening::Retry { .. } => {}
    }
    opening
}
