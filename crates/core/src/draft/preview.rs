//! A readable preview of a draft while its JSON arrives: its texts, one per line.

use std::mem;

/// Bytes per preview event, so that single tokens do not wake watchers. A text's end also sends.
const EVENT_BYTES: usize = 80;

/// Fields with metadata rather than content.
const HIDDEN_FIELDS: [&str; 4] = ["quote", "source", "language", "kind"];

#[derive(Default)]
pub(super) struct Preview {
    /// Open objects (true) and arrays (false).
    open: Vec<bool>,
    state: State,
    key: String,
    expects_key: bool,
    ready: String,
}

#[derive(Default, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    Key,
    Value,
    /// After a backslash in a key or value.
    Escape {
        in_key: bool,
    },
    /// In `\uXXXX`, with the remaining digits.
    Unicode {
        in_key: bool,
        left: u8,
        code: u32,
    },
}

impl Preview {
    /// Parses the next piece; returns new text once there is enough.
    pub(super) fn push(&mut self, piece: &str) -> Option<String> {
        piece.chars().for_each(|c| self.take(c));
        let whole = self.ready.len() >= EVENT_BYTES || self.ready.ends_with('\n');
        whole.then(|| mem::take(&mut self.ready))
    }

    /// Returns the remaining text.
    pub(super) fn finish(self) -> Option<String> {
        (!self.ready.is_empty()).then_some(self.ready)
    }

    fn take(&mut self, c: char) {
        match mem::take(&mut self.state) {
            State::Between => self.between(c),
            State::Key => self.in_text(c, true),
            State::Value => self.in_text(c, false),
            State::Escape { in_key } => self.escaped(c, in_key),
            State::Unicode { in_key, left, code } => self.unicode(c, in_key, left, code),
        }
    }

    fn between(&mut self, c: char) {
        match c {
            '{' => {
                self.open.push(true);
                self.expects_key = true;
            }
            '[' => {
                self.open.push(false);
                self.expects_key = false;
            }
            '}' | ']' => {
                self.open.pop();
                self.expects_key = false;
            }
            ',' => self.expects_key = self.open.last() == Some(&true),
            '"' if self.expects_key => {
                self.key.clear();
                self.state = State::Key;
            }
            // Prose before the object is not part of the document.
            '"' if !self.open.is_empty() => self.state = State::Value,
            _ => {}
        }
    }

    fn in_text(&mut self, c: char, in_key: bool) {
        match c {
            '\\' => self.state = State::Escape { in_key },
            '"' => {
                self.expects_key = false;
                if !in_key && self.is_seen() {
                    self.ready.push('\n');
                }
            }
            c => self.add(c, in_key),
        }
    }

    fn escaped(&mut self, c: char, in_key: bool) {
        match c {
            'u' => {
                self.state = State::Unicode {
                    in_key,
                    left: 4,
                    code: 0,
                };
            }
            'n' => self.add('\n', in_key),
            't' => self.add('\t', in_key),
            'r' | 'b' | 'f' => self.stay(in_key),
            c => self.add(c, in_key),
        }
    }

    fn unicode(&mut self, c: char, in_key: bool, left: u8, code: u32) {
        let code = code * 16 + c.to_digit(16).unwrap_or(0);
        match left {
            2.. => {
                self.state = State::Unicode {
                    in_key,
                    left: left - 1,
                    code,
                };
            }
            // A preview omits surrogate halves.
            _ => match char::from_u32(code) {
                Some(c) => self.add(c, in_key),
                None => self.stay(in_key),
            },
        }
    }

    fn add(&mut self, c: char, in_key: bool) {
        if in_key {
            self.key.push(c);
        } else if self.is_seen() {
            self.ready.push(c);
        }
        self.stay(in_key);
    }

    fn stay(&mut self, in_key: bool) {
        self.state = if in_key { State::Key } else { State::Value };
    }

    fn is_seen(&self) -> bool {
        !HIDDEN_FIELDS.contains(&self.key.as_str())
    }
}
