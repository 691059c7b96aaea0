//! Files that a call sends: loaded from the conversation and checked by content and size before any
//! request.

use frontdesk_core::id::AttachmentId;
use frontdesk_core::store::StoreError;
use frontdesk_core::tool::{ToolContext, ToolError, ToolErrorKind};
use serde_json::{Map, Value};

use crate::explain::{ErrorInfo, ErrorType, listed};
use crate::operation::{Operation, Parameter, Place};
use crate::request::FilePart;
use crate::response::MediaKind;

/// Why a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadFile {
    Empty,
    TooLarge,
    WrongKind,
}

/// The rules for a file parameter.
impl Parameter {
    /// Judges a file by its content; `sent` is the number of bytes that the person sent.
    fn admit(&self, bytes: &[u8], sent: u64) -> Result<Option<MediaKind>, BadFile> {
        if bytes.is_empty() {
            return Err(BadFile::Empty);
        }
        if self.max_bytes.is_some_and(|limit| sent > limit) {
            return Err(BadFile::TooLarge);
        }
        let kind = MediaKind::of(bytes);
        let fits = self.accept.is_empty() || kind.is_some_and(|kind| self.accept.contains(&kind));
        match fits {
            true => Ok(kind),
            false => Err(BadFile::WrongKind),
        }
    }

    /// "JPEG, PNG or HEIC".
    fn kinds_in_words(&self) -> String {
        let names: Vec<&str> = self.accept.iter().map(|kind| kind.as_str()).collect();
        match names.is_empty() {
            true => "any kind".to_owned(),
            false => listed(&names),
        }
    }

    /// "5 MB (5242880 bytes)" where it is round, else the bytes.
    fn limit_in_words(&self) -> String {
        const MEGABYTE: u64 = 1024 * 1024;
        match self.max_bytes {
            None => "any size".to_owned(),
            Some(bytes) if bytes % MEGABYTE == 0 => {
                format!("{} MB ({bytes} bytes)", bytes / MEGABYTE)
            }
            Some(bytes) => format!("{bytes} bytes"),
        }
    }

    fn genus(&self) -> &'static str {
        match self.accept.iter().all(|kind| kind.is_image()) {
            true => "picture",
            false => "file",
        }
    }

    fn file_in_words(&self) -> String {
        match self.max_bytes {
            Some(_) => format!(
                "{}, at most {}",
                self.kinds_in_words(),
                self.limit_in_words()
            ),
            None => self.kinds_in_words(),
        }
    }
}

/// The files that the call's arguments name, checked.
pub(crate) async fn load(
    tool: &str,
    operation: &Operation,
    arguments: &Map<String, Value>,
    ctx: &ToolContext,
) -> Result<Vec<FilePart>, ToolError> {
    let mut parts = Vec::new();
    for (key, parameter) in &operation.parameters {
        if operation.place(key, parameter) != Place::File {
            continue;
        }
        let named = arguments.get(key).and_then(Value::as_str).map(str::trim);
        let Some(named) = named.filter(|named| !named.is_empty()) else {
            match parameter.required {
                Some(true) => return Err(missing_file(tool, key, parameter)),
                Some(false) | None => continue,
            }
        };
        parts.push(one(tool, key, parameter, named, ctx).await?);
    }
    Ok(parts)
}

async fn one(
    tool: &str,
    key: &str,
    parameter: &Parameter,
    named: &str,
    ctx: &ToolContext,
) -> Result<FilePart, ToolError> {
    let absent = || missing_file(tool, key, parameter);
    let id: AttachmentId = named.parse().map_err(|_| absent())?;
    let (attachment, bytes) = match ctx.attachments().attachment(ctx.principal(), id).await {
        Ok(found) => found,
        Err(StoreError::NotFound | StoreError::Forbidden) => return Err(absent()),
        Err(error) => return Err(ToolError::failed(error)),
    };
    if attachment.conversation_id != ctx.conversation().id {
        return Err(absent());
    }
    let kind = parameter
        .admit(&bytes, attachment.bytes)
        .map_err(|bad| refused_file(tool, key, parameter, bad, attachment.bytes))?;
    let (media_type, extension) = match kind {
        Some(kind) => (kind.media_type().to_owned(), kind.extension()),
        None => (attachment.media_type.clone(), "bin"),
    };
    Ok(FilePart {
        field: parameter.wire(key).to_owned(),
        // The file's own name stays here: it may say more than the person wants to send.
        name: format!("{key}.{extension}"),
        media_type,
        bytes,
    })
}

/// The file in a sentence: the beginning of the parameter's description, else its name.
fn noun(key: &str, parameter: &Parameter) -> String {
    const LONGEST: usize = 40;
    let about = parameter.description.as_deref().unwrap_or_default();
    let about = about
        .split([',', '.', '(', ';'])
        .next()
        .unwrap_or_default()
        .trim();
    if about.is_empty() || about.len() > LONGEST {
        return key.replace('_', " ");
    }
    let mut rest = about.chars();
    let first = rest.next().into_iter().flat_map(char::to_lowercase);
    first.chain(rest).collect()
}

/// A required file is missing: the person is asked for one.
pub fn missing_file(tool: &str, key: &str, parameter: &Parameter) -> ToolError {
    let info = ErrorInfo::new(
        ErrorType::MissingParameter,
        format!("`{key}`: no {} is attached.", noun(key, parameter)),
        format!(
            "Please attach one ({}) and send it with your next message.",
            parameter.file_in_words()
        ),
    );
    about(info, tool, key).into_error(ToolErrorKind::Invalid)
}

/// A file that the rules do not admit. Each sentence names the limits.
pub fn refused_file(
    tool: &str,
    key: &str,
    parameter: &Parameter,
    bad: BadFile,
    bytes: u64,
) -> ToolError {
    let noun = noun(key, parameter);
    let limits = parameter.file_in_words();
    let info = match bad {
        BadFile::Empty => ErrorInfo::new(
            ErrorType::InvalidFileFormat,
            format!("`{key}`: the file is empty."),
            format!("Please attach the {noun} again ({}).", limits),
        ),
        BadFile::TooLarge => ErrorInfo::new(
            ErrorType::FileTooLarge,
            format!(
                "`{key}`: the file has {bytes} bytes; at most {} are taken.",
                parameter.limit_in_words()
            ),
            format!("Please attach a smaller {noun}."),
        ),
        BadFile::WrongKind => ErrorInfo::new(
            ErrorType::InvalidFileFormat,
            format!(
                "`{key}`: the content of the file is not a {} {}.",
                parameter.kinds_in_words(),
                parameter.genus()
            ),
            format!(
                "Please attach a {noun} in one of these formats ({}); renaming a file does not change what it is.",
                limits
            ),
        ),
    };
    about(info, tool, key)
        .context("max_file_size", parameter.max_bytes)
        .context("allowed_formats", parameter.kinds_in_words())
        .into_error(ToolErrorKind::Invalid)
}

fn about(info: ErrorInfo, tool: &str, key: &str) -> ErrorInfo {
    info.retry_possible()
        .context("tool", tool)
        .context("parameter", key)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod file_tests;
