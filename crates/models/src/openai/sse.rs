//! Splits a byte stream into server-sent events, at any chunk boundaries.

use memchr::memchr2;

/// Maximum length of a line and of an event, in bytes. A delta has a few hundred.
pub(super) const MAX_BYTES: usize = 1024 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An event's data; its id and retry time are ignored.
pub(super) struct Event<'a> {
    pub(super) data: &'a [u8],
    /// The event was named `error`.
    pub(super) is_error: bool,
}

/// A line or an event is longer than [`MAX_BYTES`].
#[derive(Debug)]
pub(super) struct TooLong;

/// The state between two chunks.
#[derive(Default)]
pub(super) struct Splitter {
    /// The start of an incomplete line.
    line: Vec<u8>,
    /// The data lines of the current event.
    data: Vec<u8>,
    has_data: bool,
    is_error: bool,
    first_line_seen: bool,
    /// The last byte was a CR: an LF right after it belongs to it.
    after_return: bool,
}

impl Splitter {
    /// Processes the next bytes and emits each completed event.
    pub(super) fn feed<E: From<TooLong>>(
        &mut self,
        mut bytes: &[u8],
        mut on_event: impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.after_return && !bytes.is_empty() {
            self.after_return = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(at) = memchr2(b'\n', b'\r', bytes) {
            let (line, mut rest) = (&bytes[..at], &bytes[at + 1..]);
            if bytes[at] == b'\r' {
                self.after_return = rest.is_empty();
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
            self.end_line(line, &mut on_event)?;
            bytes = rest;
        }
        append(&mut self.line, bytes)?;
        Ok(())
    }

    /// Ends the stream: a pending event counts as complete.
    pub(super) fn finish<E: From<TooLong>>(
        &mut self,
        mut on_event: impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.end_line(b"", &mut on_event)?;
        self.end_event(&mut on_event)
    }

    fn end_line<E: From<TooLong>>(
        &mut self,
        end: &[u8],
        on_event: &mut impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.line.is_empty() {
            return self.read_line(end, on_event);
        }
        append(&mut self.line, end)?;
        let mut line = std::mem::take(&mut self.line);
        let result = self.read_line(&line, on_event);
        // Keeps the allocation for the next partial line.
        line.clear();
        self.line = line;
        result
    }

    fn read_line<E: From<TooLong>>(
        &mut self,
        mut line: &[u8],
        on_event: &mut impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.first_line_seen {
            self.first_line_seen = true;
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        if line.is_empty() {
            return self.end_event(on_event);
        }
        if let Some(data) = value_of(line, b"data") {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.has_data = true;
            append(&mut self.data, data)?;
        } else if let Some(name) = value_of(line, b"event") {
            self.is_error = name == b"error";
        }
        Ok(())
    }

    fn end_event<E>(
        &mut self,
        on_event: &mut impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_error = std::mem::take(&mut self.is_error);
        if !std::mem::take(&mut self.has_data) {
            return Ok(());
        }
        let result = on_event(Event {
            data: &self.data,
            is_error,
        });
        self.data.clear();
        result
    }
}

/// The value of a line, if its field has this name. A space after the colon is not part of
/// it.
fn value_of<'a>(line: &'a [u8], field: &[u8]) -> Option<&'a [u8]> {
    match line.strip_prefix(field)? {
        [] => Some(b""),
        [b':', b' ', value @ ..] | [b':', value @ ..] => Some(value),
        _ => None,
    }
}

fn append(buffer: &mut Vec<u8>, bytes: &[u8]) -> Result<(), TooLong> {
    if buffer.len() + bytes.len() > MAX_BYTES {
        return Err(TooLong);
    }
    buffer.extend_from_slice(bytes);
    Ok(())
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod sse_tests;
