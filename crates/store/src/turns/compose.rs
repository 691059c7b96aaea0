//! What a person said, as it is kept and as the model is shown it.

use frontdesk_core::handle::{FileHandle, LongBlock, shown_text_of_file};
use frontdesk_core::id::{AttachmentId, MessageId};
use frontdesk_core::store::{FileText, Opening, StoreError};
use frontdesk_core::transcript::Line;
use serde_json::{Map, Value};

use super::files;
use crate::fault::Fault;

/// A new message of a person.
pub(super) struct Said {
    pub(super) id: MessageId,
    pub(super) content: String,
    pub(super) metadata: Map<String, Value>,
}

pub(super) fn said(opening: &Opening) -> Result<Said, Fault> {
    match opening {
        Opening::Message {
            id,
            content,
            metadata,
            ..
        } => Ok(Said {
            id: *id,
            content: content.clone(),
            metadata: metadata.clone(),
        }),
        Opening::Form { id, content, .. } => Ok(Said {
            id: *id,
            content: content.clone(),
            metadata: Map::new(),
        }),
        Opening::Retry { .. } => {
            Err(StoreError::Internal("a retry says nothing new".to_owned()).into())
        }
    }
}

pub(super) fn attachments(opening: &Opening) -> &[AttachmentId] {
    match opening {
        Opening::Message { attachments, .. } => attachments,
        Opening::Form { .. } | Opening::Retry { .. } => &[],
    }
}

/// The line of a message, and the texts that it announces by handle, in order.
pub(super) struct Shown<'a> {
    pub(super) line: Line,
    pub(super) texts: Vec<&'a str>,
}

/// `number` is the number of the first text.
pub(super) fn line<'a>(
    content: &'a str,
    number: u32,
    brought: &[FileHandle],
    file_texts: &'a [FileText],
) -> Shown<'a> {
    let mut texts = Vec::new();
    let mut numbers = number..;
    let mut parts = Vec::with_capacity(1 + brought.len());
    match LongBlock::find(content) {
        Some(block) => {
            parts.push(block.shown(numbers.next().unwrap_or(number)));
            texts.push(block.block);
        }
        None => parts.push(content.to_owned()),
    }
    for file in brought {
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
    Shown {
        line: Line::user(parts.join("\n")),
        texts,
    }
}

/// The opening as it is kept with the turn: the content is the message's own.
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

pub(super) fn with_content(mut opening: Opening, text: &str) -> Opening {
    match &mut opening {
        Opening::Message { content, .. } | Opening::Form { content, .. } => {
            text.clone_into(content);
        }
        Opening::Retry { .. } => {}
    }
    opening
}
