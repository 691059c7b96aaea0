//! Responses of the API: read up to a size limit, and validated by content, whatever their headers
//! say.

use bytes::Bytes;
use serde_json::Value;

use super::failure::Failure;
use crate::photo::Format;

/// In bytes. A list page of the bundled API has about 60 kB.
pub(super) const LARGEST_ANSWER: usize = 16 * 1024 * 1024;

/// A successful response.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ApiResponse {
    pub(crate) status: u16,
    pub(crate) bytes: Bytes,
}

/// A kind of file that a tool returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Png,
    Pdf,
    Photo,
}

impl ApiResponse {
    /// The content as JSON; an empty body is `null`.
    pub(crate) fn json(&self) -> Result<Value, Failure> {
        if self.bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&self.bytes)
            .map_err(|_| Failure::Malformed("the answer is not JSON, or it is cut off"))
    }

    /// The content and its media type, if it is a complete file of this kind.
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
