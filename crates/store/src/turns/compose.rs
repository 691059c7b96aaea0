//! What a person said, as it is kept and as the model is shown it.

use frontdesk_core::handle::{FileHandle, LongBlock};
use frontdesk_core::id::{AttachmentId, MessageId};
use frontdesk_core::store::{Opening, StoreError};
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

/// The line of the message, and the pasted block that stands behind a handle in it.
pub(super) fn line<'a>(
    content: &'a str,
    text_number: u32,
    brought: &[FileHandle],
) -> (Line, Option<&'a str>) {
    let block = LongBlock::find(content);
    let mut shown = match &block {
        Some(block) => block.shown(text_number),
        None => content.to_owned(),
    };
    for file in brought {
        shown.push_str(if shown.is_empty() { "" } else { "\n" });
        shown.push_str(&files::shown(file));
    }
    (Line::user(shown), block.map(|block| block.block))
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
