//! A readable preview of a draft while its JSON arrives: its texts, one per line.

use std::mem;

use crate::reply::{Reader, TextFilter};

/// Bytes per preview event, so that single tokens do not wake watchers. A text's end also sends.
const EVENT_BYTES: usize = 80;

/// Fields with metadata rather than content.
const HIDDEN_FIELDS: [&str; 4] = ["quote", "source", "language", "kind"];

#[derive(Default)]
pub(super) struct Preview {
    /// Absent before the object: prose there is not part of the document.
    reader: Option<Reader>,
    ready: String,
}

impl Preview {
    /// Parses the next piece; returns new text once there is enough.
    pub(super) fn push(&mut self, piece: &str) -> Option<String> {
        for c in piece.chars() {
            if self.reader.is_none() && c == '{' {
                self.reader = Some(Reader::new(TextFilter::AllBut(&HIDDEN_FIELDS)));
            }
            if let Some(reader) = &mut self.reader {
                reader.take(c, &mut self.ready);
            }
        }
        let whole = self.ready.len() >= EVENT_BYTES || self.ready.ends_with('\n');
        whole.then(|| mem::take(&mut self.ready))
    }

    /// Returns the remaining text.
    pub(super) fn finish(self) -> Option<String> {
        (!self.ready.is_empty()).then_some(self.ready)
    }
}
