//! Walks the structure of a PNG before decoding. Keeps only the chunks of the picture:
//! drops texts, profiles, further frames and trailing bytes.

use super::check_size;
use crate::UploadError;

pub(super) const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n'];

/// Chunks that are kept. eXIf gives the orientation; it is read and never written.
const PICTURE: [&[u8]; 6] = [b"IHDR", b"PLTE", b"tRNS", b"eXIf", b"IDAT", b"IEND"];

const TRUNCATED: UploadError = UploadError::Damaged("the PNG is truncated");

/// The picture of a PNG without anything else, its dimensions within limits.
pub(super) fn strip(bytes: &[u8]) -> Result<Vec<u8>, UploadError> {
    let mut kept = SIGNATURE.to_vec();
    let mut rest = bytes.get(SIGNATURE.len()..).ok_or(TRUNCATED)?;
    let mut first = true;
    loop {
        let (length, after) = rest.split_first_chunk::<4>().ok_or(TRUNCATED)?;
        let body = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| TRUNCATED)?;
        // Type, body and checksum.
        let chunk = after.get(..body.saturating_add(8)).ok_or(TRUNCATED)?;
        let (kind, content) = chunk.split_at(4);
        if first {
            check_header(kind, content)?;
            first = false;
        }
        if PICTURE.contains(&kind) {
            kept.extend_from_slice(length);
            kept.extend_from_slice(chunk);
        }
        if kind == b"IEND" {
            return Ok(kept);
        }
        rest = after.get(chunk.len()..).ok_or(TRUNCATED)?;
    }
}

fn check_header(kind: &[u8], content: &[u8]) -> Result<(), UploadError> {
    let dimensions = content.split_first_chunk::<8>().filter(|_| kind == b"IHDR");
    let Some(([w3, w2, w1, w0, h3, h2, h1, h0], _)) = dimensions else {
        return Err(UploadError::Damaged(
            "the PNG does not begin with its header",
        ));
    };
    check_size(
        u32::from_be_bytes([*w3, *w2, *w1, *w0]),
        u32::from_be_bytes([*h3, *h2, *h1, *h0]),
    )
}
