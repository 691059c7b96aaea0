//! Reads single members of a zip archive through its central directory, with a size limit:
//! a zip bomb is never unpacked.

use std::io::Read;

use flate2::read::DeflateDecoder;

use super::ExtractError;

const END: &[u8] = b"PK\x05\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
/// Maximum size of the end record with its comment, in bytes.
const LONGEST_COMMENT: usize = 65_557;

fn damaged(what: &str) -> ExtractError {
    ExtractError::Damaged(what.to_owned())
}

/// Reads the member of this name. Fails if it has more than `most` bytes.
pub(super) fn member(
    archive: &[u8],
    name: &str,
    most: usize,
) -> Result<Option<Vec<u8>>, ExtractError> {
    let window = archive.len().saturating_sub(LONGEST_COMMENT);
    let end = archive[window..]
        .windows(END.len())
        .rposition(|bytes| bytes == END)
        .ok_or_else(|| damaged("the archive has no central directory"))?
        + window;
    let count = u16_at(archive, end + 10)?;
    let mut at = u32_at(archive, end + 16)? as usize;
    for _ in 0..count {
        if archive.get(at..at + 4) != Some(ENTRY) {
            return Err(damaged("its central directory is malformed"));
        }
        let (method, flags) = (u16_at(archive, at + 10)?, u16_at(archive, at + 8)?);
        let packed = u32_at(archive, at + 20)? as usize;
        let name_length = usize::from(u16_at(archive, at + 28)?);
        let extra = usize::from(u16_at(archive, at + 30)?);
        let comment = usize::from(u16_at(archive, at + 32)?);
        let local = u32_at(archive, at + 42)? as usize;
        let found = archive.get(at + 46..at + 46 + name_length);
        if found == Some(name.as_bytes()) {
            if flags & 1 != 0 {
                return Err(ExtractError::Encrypted);
            }
            return unpack(archive, local, packed, method, most).map(Some);
        }
        at += 46 + name_length + extra + comment;
    }
    Ok(None)
}

fn unpack(
    archive: &[u8],
    local: usize,
    packed: usize,
    method: u16,
    most: usize,
) -> Result<Vec<u8>, ExtractError> {
    if archive.get(local..local + 4) != Some(LOCAL) {
        return Err(damaged("a member is missing"));
    }
    let name = usize::from(u16_at(archive, local + 26)?);
    let extra = usize::from(u16_at(archive, local + 28)?);
    let begin = local + 30 + name + extra;
    let bytes = archive
        .get(begin..begin.saturating_add(packed))
        .ok_or_else(|| damaged("a member is cut off"))?;
    let limit = most as u64 + 1;
    let mut content = Vec::new();
    let read = match method {
        0 => bytes.take(limit).read_to_end(&mut content),
        8 => DeflateDecoder::new(bytes)
            .take(limit)
            .read_to_end(&mut content),
        other => {
            return Err(damaged(&format!(
                "the compression method {other} is not supported"
            )));
        }
    };
    read.map_err(|error| damaged(&error.to_string()))?;
    if content.len() > most {
        return Err(ExtractError::Bomb);
    }
    Ok(content)
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, ExtractError> {
    let found = bytes.get(at..at + 2).and_then(|two| two.try_into().ok());
    found
        .map(u16::from_le_bytes)
        .ok_or_else(|| damaged("the archive is cut off"))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, ExtractError> {
    let found = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    found
        .map(u32::from_le_bytes)
        .ok_or_else(|| damaged("the archive is cut off"))
}
