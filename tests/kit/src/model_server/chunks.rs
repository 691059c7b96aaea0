//! The body of a stream: events, split into transfer chunks as a test requires.

use std::fmt::Write;

use bytes::Bytes;

use super::answer::{Answer, Writes};
use super::wire::{Step, head};

/// Buffers a body and splits it into chunks.
pub(super) struct Chunks<'a> {
    answer: &'a Answer,
    head: Option<String>,
    /// Unsent body bytes, with the end of each event.
    pending: Vec<u8>,
    ends: Vec<usize>,
    /// Body bytes sent before `pending`.
    sent: usize,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(answer: &'a Answer) -> Self {
        let mut pending = Vec::new();
        if answer.style.byte_order_mark {
            pending.extend_from_slice("\u{feff}".as_bytes());
        }
        Self {
            answer,
            head: Some(head(
                answer,
                "text/event-stream; charset=utf-8",
                "Transfer-Encoding: chunked",
            )),
            pending,
            ends: Vec::new(),
            sent: 0,
        }
    }

    /// Adds an event in the requested style.
    pub(super) fn event(&mut self, data: &str) {
        let style = &self.answer.style;
        let end = style.line_end;
        let mut text = String::new();
        if style.comments {
            let _ = write!(text, ": keep-alive{end}event{end}id: 7{end}retry: 10{end}");
        }
        if style.many_lines && data.starts_with('{') {
            for line in data.split_inclusive(',') {
                let _ = write!(text, "data:{line}{end}");
            }
        } else {
            let _ = write!(text, "data: {data}{end}");
        }
        text.push_str(end);
        self.pending.extend_from_slice(text.as_bytes());
        self.ends.push(self.pending.len());
    }

    /// Adds a piece of a line.
    pub(super) fn raw(&mut self, text: &str) {
        self.pending.extend_from_slice(text.as_bytes());
    }

    /// Sends the buffered bytes.
    pub(super) fn flush(&mut self, steps: &mut Vec<Step>) {
        let head = self.head.take().unwrap_or_default().into_bytes();
        let cuts = self.cuts();
        let each_alone = !matches!(self.answer.style.writes, Writes::AtOnce);
        let mut out = head;
        let mut from = 0;
        for to in cuts {
            if each_alone && !out.is_empty() {
                steps.push(Step::Send(Bytes::from(std::mem::take(&mut out))));
            }
            out.extend_from_slice(format!("{:x}\r\n", to - from).as_bytes());
            out.extend_from_slice(&self.pending[from..to]);
            out.extend_from_slice(b"\r\n");
            from = to;
        }
        if !out.is_empty() {
            steps.push(Step::Send(Bytes::from(out)));
        }
        self.sent += self.pending.len();
        self.pending.clear();
        self.ends.clear();
    }

    /// The offsets at which the pending bytes are split; the last is their end.
    fn cuts(&self) -> Vec<usize> {
        let length = self.pending.len();
        let mut cuts: Vec<usize> = match &self.answer.style.writes {
            Writes::AtOnce => self.ends.clone(),
            Writes::Of(size) => (1..)
                .map(|n| n * size)
                .take_while(|at| *at < length)
                .collect(),
            Writes::At(offsets) => offsets
                .iter()
                .filter_map(|at| at.checked_sub(self.sent))
                .collect(),
        };
        cuts.push(length);
        cuts.retain(|at| (1..=length).contains(at));
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }

    /// Ends the body.
    pub(super) fn end(mut self, steps: &mut Vec<Step>) {
        self.flush(steps);
        match steps.last_mut() {
            // In one write with the last chunk, like most servers.
            Some(Step::Send(last)) => {
                let mut bytes = last.to_vec();
                bytes.extend_from_slice(b"0\r\n\r\n");
                *last = Bytes::from(bytes);
            }
            Some(_) | None => steps.push(Step::Send(Bytes::from_static(b"0\r\n\r\n"))),
        }
    }
}
