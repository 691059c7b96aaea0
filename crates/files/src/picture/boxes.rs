//! The boxes of an ISO media file (HEIC): reads numbers and ranges without leaving the
//! file.

use std::ops::Range;

/// The file violates the format.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// One box: its four-letter kind and its content's range in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoxAt {
    pub(super) kind: [u8; 4],
    pub(super) body: Range<usize>,
}

/// The boxes that fill `within` exactly.
pub(super) fn boxes(file: &[u8], within: Range<usize>) -> Result<Vec<BoxAt>, Malformed> {
    let mut found = Vec::new();
    let mut start = within.start;
    while start < within.end {
        let mut header = Cursor::new(file, start..within.end);
        let size = header.number(4)?;
        let kind = header.kind()?;
        let end = match size {
            0 => within.end,
            1 => start.checked_add(header.size(8)?).ok_or(Malformed)?,
            _ => start.checked_add(to_usize(size)?).ok_or(Malformed)?,
        };
        let body = header.at..end;
        if body.start > body.end || end > within.end {
            return Err(Malformed);
        }
        found.push(BoxAt { kind, body });
        start = end;
    }
    Ok(found)
}

/// Reads big-endian numbers from a range of the file and stops at its end.
pub(super) struct Cursor<'a> {
    file: &'a [u8],
    pub(super) at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(file: &'a [u8], range: Range<usize>) -> Self {
        Self {
            file,
            at: range.start,
            end: range.end.min(file.len()),
        }
    }

    /// An unsigned number of `width` bytes; width 0 yields 0.
    pub(super) fn number(&mut self, width: usize) -> Result<u64, Malformed> {
        let bytes = self.take(width)?;
        Ok(bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub(super) fn size(&mut self, width: usize) -> Result<usize, Malformed> {
        to_usize(self.number(width)?)
    }

    pub(super) fn kind(&mut self) -> Result<[u8; 4], Malformed> {
        self.take(4)?.try_into().map_err(|_| Malformed)
    }

    /// Version of a "full box"; its flags are skipped.
    pub(super) fn version(&mut self) -> Result<u64, Malformed> {
        let version = self.number(1)?;
        self.take(3)?;
        Ok(version)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let next = self.at.checked_add(count).ok_or(Malformed)?;
        if count > 8 || next > self.end {
            return Err(Malformed);
        }
        let bytes = self.file.get(self.at..next).ok_or(Malformed)?;
        self.at = next;
        Ok(bytes)
    }
}

fn to_usize(number: u64) -> Result<usize, Malformed> {
    usize::try_from(number).map_err(|_| Malformed)
}
