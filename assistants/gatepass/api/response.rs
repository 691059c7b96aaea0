//! Answers of the API: read up to a limit, and believed only if their content is what it
//! should be, whatever their headers say.

use bytes::Bytes;
use serde_json::Value;

use super::failure::Failure;
use crate::photo::Format;

/// No JSON answer comes near it; a list page of the bundled API has about 60 kB.
pub(super) const LARGEST_ANSWER: usize = 16 * 1024 * 1024;

/// A good answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ApiResponse {
    pub(crate) status: u16,
    pub(crate) bytes: Bytes,
}

/// A kind of file that a tool hands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Png,
    Pdf,
    Photo,
}

impl ApiResponse {
    /// The content as JSON; nothing at all is `null`.
    pub(crate) fn json(&self) -> Result<Value, Failure> {
        if self.bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&self.bytes)
            .map_err(|_| Failure::Malformed("the answer is not JSON, or it is cut off"))
    }

    /// The content as it came, if it is a whole file of this kind, and its media type.
    pub(crate) fn file(&self, kind: FileKind) -> Result<(Bytes, &'static str), Failure> {
        let bytes = &self.bytes;
        let found = match kind {
            FileKind::Png => (Format::of(bytes) == Some(Format::Png) && bytes.ends_with(PNG_END))
                .then_some("image/png"),
            FileKind::Pdf => {
                (bytes.starts_with(b"%PDF-") && ends_as_pdf(bytes)).then_some("application/pdf")
            }
            FileKind::Photo => Format::of(bytes).map(Format::media_type),
        };
        match found {
            Some(media_type) => Ok((bytes.clone(), media_type)),
            None => Err(Failure::Malformed(match kind {
                FileKind::Png => "the answer is not a whole PNG picture",
                FileKind::Pdf => "the answer is not a whole PDF",
                FileKind::Photo => "the answer is not a photo",
            })),
        }
    }
}

/// The last chunk of every PNG.
const PNG_END: &[u8] = b"IEND\xAE\x42\x60\x82";

/// A PDF ends with `%%EOF`; some writers add a few bytes after it.
fn ends_as_pdf(bytes: &[u8]) -> bool {
    const TAIL: usize = 1024;
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    tail.windows(5).any(|window| window == b"%%EOF")
}
