//! A fast path for chunks that differ from the previous one only in their text: the bytes
//! around the text are compared with a parsed chunk instead of parsed again.

use memchr::memmem;

use super::read::{Choice, Chunk, Delta};

const KEY: &[u8] = b"\"content\"";

/// The bytes before and after the text.
#[derive(Default)]
pub(super) struct Frame {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Frame {
    /// The text of a chunk that matches the learnt frame.
    pub(super) fn text_of<'a>(&self, data: &'a [u8]) -> Option<&'a str> {
        if self.before.is_empty() {
            return None;
        }
        let text = data
            .strip_prefix(self.before.as_slice())?
            .strip_suffix(self.after.as_slice())?;
        // The text must end at the closing quote and contain no escapes.
        let is_plain = text
            .iter()
            .all(|byte| !matches!(byte, b'"' | b'\\' | 0..=31));
        is_plain.then(|| std::str::from_utf8(text).ok())?
    }

    /// Learns the frame of a chunk that carries only text.
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

/// The bytes before and after the text. The key occurs once, so it is the parsed one;
/// inside a string its quotes would be escaped.
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
