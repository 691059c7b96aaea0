//! The entry point for files of a conversation.

use crate::document;
use crate::picture::{Format, accept_picture};

/// A supported kind of file, detected by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Picture(Format),
    Pdf,
    Docx,
    Html,
    Text,
}

/// An accepted file: a re-encoded picture, or a document byte for byte.
#[derive(Debug, PartialEq, Eq)]
pub struct Upload {
    pub kind: Kind,
    pub bytes: Vec<u8>,
}

/// The reason a file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UploadError {
    #[error("the file is empty")]
    Empty,
    #[error("the file is larger than {limit} bytes")]
    TooLarge { limit: usize },
    /// Not a supported kind.
    #[error("this kind of file is not supported")]
    Unsupported,
    #[error("the picture has {width} × {height} pixels, which is too many")]
    TooManyPixels { width: u32, height: u32 },
    #[error("the picture needs too much memory to open; save it with fewer pixels")]
    TooMuchMemory,
    #[error("the file is damaged or incomplete: {0}")]
    Damaged(&'static str),
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::Picture(Format::Jpeg),
        Kind::Picture(Format::Png),
        Kind::Picture(Format::Heic),
        Kind::Pdf,
        Kind::Docx,
        Kind::Html,
        Kind::Text,
    ];

    pub fn media_type(self) -> &'static str {
        match self {
            Kind::Picture(format) => format.media_type(),
            Kind::Pdf => "application/pdf",
            Kind::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Kind::Html => "text/html",
            Kind::Text => "text/plain",
        }
    }

    /// Extensions of this kind; the first is the usual one.
    pub(crate) fn endings(self) -> &'static [&'static str] {
        match self {
            Kind::Picture(Format::Jpeg) => &["jpg", "jpeg"],
            Kind::Picture(Format::Png) => &["png"],
            Kind::Picture(Format::Heic) => &["heic", "heif"],
            Kind::Pdf => &["pdf"],
            Kind::Docx => &["docx"],
            Kind::Html => &["html", "htm"],
            Kind::Text => &[
                "txt", "md", "csv", "tsv", "json", "yaml", "yml", "log", "vtt", "srt",
            ],
        }
    }
}

/// Accepts a file by content, regardless of its name. CPU-bound: run it off the async
/// threads.
pub fn accept(bytes: Vec<u8>, limit: usize) -> Result<Upload, UploadError> {
    if bytes.is_empty() {
        return Err(UploadError::Empty);
    }
    if bytes.len() > limit {
        return Err(UploadError::TooLarge { limit });
    }
    if Format::sniff(&bytes).is_some() {
        let picture = accept_picture(bytes, limit)?;
        return Ok(Upload {
            kind: Kind::Picture(picture.format),
            bytes: picture.bytes,
        });
    }
    let kind = document::check(&bytes)?;
    Ok(Upload { kind, bytes })
}

#[cfg(test)]
#[path = "upload_tests.rs"]
mod upload_tests;
