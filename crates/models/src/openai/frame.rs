//! Nearly all chunks of an answer differ from the one before in their text alone. Such a chunk
//! need not be parsed: what stands around its text was parsed once and is compared byte by byte.

use memchr::memmem;

use super::read::{Choice, Chunk, Delta};

const KEY: &[u8] = b"\"content\"";

/// What stands around the text.
#[derive(Default)]
pub(super) struct Frame {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Frame {
    /// The text of a chunk that is otherwise as the one that was learnt.
    pub(super) fn text_of<'a>(&self, data: &'a [u8]) -> Option<&'a str> {
        if self.before.is_empty() {
            return None;
        }
        let text = data
            .strip_prefix(self.before.as_slice())?
            .strip_suffix(self.after.as_slice())?;
        // The text ends where it is said to end, and stands for itself.
        let is_plain = text
            .iter()
            .all(|byte| !matches!(byte, b'"' | b'\\' | 0..=31));
        is_plain.then(|| std::str::from_utf8(text).ok())?
    }

    /// Learns from a chunk that brings text and nothing else.
    pub(super) fn learn(&mut self, data: &[u8], chunk: &Chunk<'_>) {
        let around = text_alone(chunk).and_then(|text| around(data, text));
        if let Some((before, after)) = around {
            self.before.clear();
            self.before.extend_from_slice(before);
            self.after.clear();
            self.after.extend_from_slice(after);
        }
    }
}

fn text_alone<'a>(chunk: &'a Chunk<'_>) -> Option<&'a str> {
    let Chunk {
        model: _,
        choices,
        usage: None,
        error: None,
    } = chunk
    else {
        return None;
    };
    let Choice {
        delta: Some(delta),
        message: None,
        finish_reason: None,
    } = choices.as_ref()?.0.as_ref()?
    else {
        return None;
    };
    let Delta {
        content: Some(text),
        refusal: None,
        tool_calls: None,
        function_call: None,
    } = delta
    else {
        return None;
    };
    Some(&text.0)
}

/// What stands before and after the text. There is one key of this name, so it is the one that
/// was read; inside of a text its quotes would have backslashes.
fn around<'a>(data: &'a [u8], text: &str) -> Option<(&'a [u8], &'a [u8])> {
    let mut keys = memmem::find_iter(data, KEY);
    let (Some(key), None) = (keys.next(), keys.next()) else {
        return None;
    };
    let value = data.get(key + KEY.len()..)?.trim_ascii_start();
    let value = value.strip_prefix(b":")?.trim_ascii_start();
    let after = value.strip_prefix(b"\"")?.strip_prefix(text.as_bytes())?;
    let before = data.len() - after.len() - text.len();
    after.starts_with(b"\"").then_some((&data[..before], after))
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod frame_tests;
