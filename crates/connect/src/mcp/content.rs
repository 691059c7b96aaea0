//! Results of a server as data for a model and files for people. All of it is untrusted.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use frontdesk_core::tool::{ProducedFile, ToolContext};
use frontdesk_core::untrusted;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value, json};

use crate::openapi::shortened;
use crate::response::MediaKind;

/// A result in a journal; a prompt and a card have limits of their own.
const MAX_TEXT: usize = 512 * 1024;
const MAX_FILES: usize = 10;
const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
const UNKNOWN: &str = "[content of an unknown kind]";
/// A refusal is a sentence, not a document.
const MAX_SENTENCE: usize = 300;

/// The result as JSON. Pictures and other files are attached to the answer as they are.
pub(super) fn read(result: CallToolResult, ctx: &ToolContext) -> Value {
    let mut texts: Vec<String> = Vec::new();
    let mut files = 0;
    let mut attach =
        |data: &str, declared: &str, texts: &mut Vec<String>| match file(data, declared, files + 1)
        {
            Some(file) if files < MAX_FILES => {
                files += 1;
                texts.push(format!("[attached: {}]", file.name));
                ctx.attach(file);
            }
            Some(_) | None => texts.push("[a file that was left out]".to_owned()),
        };
    for block in result.content {
        match block {
            ContentBlock::Text(text) => texts.push(text.text),
            ContentBlock::Image(image) => attach(&image.data, &image.mime_type, &mut texts),
            ContentBlock::Audio(audio) => attach(&audio.data, &audio.mime_type, &mut texts),
            ContentBlock::ResourceLink(link) => texts.push(format!("{}: {}", link.name, link.uri)),
            ContentBlock::Resource(resource) => match resource.resource {
                ResourceContents::TextResourceContents { text, .. } => texts.push(text),
                ResourceContents::BlobResourceContents {
                    blob, mime_type, ..
                } => attach(&blob, mime_type.as_deref().unwrap_or_default(), &mut texts),
                _ => texts.push(UNKNOWN.to_owned()),
            },
            // Kinds of later versions of the protocol.
            _ => texts.push(UNKNOWN.to_owned()),
        }
    }
    let text = bounded(&texts.join("\n"));
    let structured = result.structured_content;
    match structured.filter(|value| value.to_string().len() <= MAX_TEXT) {
        Some(value) if files == 0 => value,
        // Structured content repeats the text, except for the names of files.
        Some(value) => json!({ "result": value, "text": text }),
        // Many servers send JSON as text.
        None if text.starts_with(['{', '[']) => {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }
        None => Value::String(text),
    }
}

/// Foreign text without invisible characters, up to the limit.
fn bounded(text: &str) -> String {
    let (mut clean, _) = untrusted::clean(text);
    if clean.len() > MAX_TEXT {
        let size = clean.len();
        clean.truncate(clean.floor_char_boundary(MAX_TEXT));
        clean.push_str(&format!("… [cut: {size} bytes in all]"));
    }
    clean
}

/// A server's own words in a message for people.
pub(super) fn sentence(text: &str) -> String {
    let (clean, _) = untrusted::clean(text);
    shortened(&clean, MAX_SENTENCE)
}

/// The text of a result that reports an error.
pub(super) fn error_text(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(ContentBlock::as_text);
    let texts: Vec<&str> = texts.map(|text| text.text.as_str()).collect();
    texts.join(" ")
}

/// A file with the kind that its content shows.
fn file(data: &str, declared: &str, number: usize) -> Option<ProducedFile> {
    if data.len() / 4 * 3 > MAX_FILE_BYTES {
        return None;
    }
    let bytes = Bytes::from(STANDARD.decode(data.trim()).ok()?);
    let kind = MediaKind::of(&bytes);
    let media_type = match kind {
        Some(kind) => kind.media_type(),
        // Undetected content is offered for download only.
        None if declared.starts_with("audio/") => declared,
        None => "application/octet-stream",
    };
    let extension = kind.map_or("bin", MediaKind::extension);
    Some(ProducedFile {
        name: format!("file-{number}.{extension}"),
        media_type: media_type.to_owned(),
        bytes,
    })
}
