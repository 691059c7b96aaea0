//! Decodes a streamed reply and returns readable text as early as possible. The split into pieces
//! never affects the result.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::MESSAGE;
use super::json::{Reader, TextFilter};
use super::lookout::{Place, Verdict, judge};
use crate::untrusted;

/// Property names that models use for the text when they ignore the schema.
const TEXT_NAMES: [&str; 6] = [MESSAGE, "content", "text", "answer", "reply", "response"];
/// Maximum depth of the search for the text in nested objects.
const DEEPEST: usize = 3;

pub struct Decoder {
    names: Arc<[String]>,
    state: State,
    /// Everything since an object started; shown as text if it is not a reply.
    raw: String,
    place: Place,
}

enum State {
    /// The undecided start of a line or of a possible object.
    Line(String),
    /// A line of plain text.
    Words,
    Object(Box<Reader>),
}

/// The remaining text at the end, and the other properties.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    pub text: String,
    /// All properties but the text.
    pub fields: Map<String, Value>,
}

impl Decoder {
    pub(super) fn new(names: Arc<[String]>) -> Self {
        Self {
            names,
            state: State::Line(String::new()),
            raw: String::new(),
            place: Place::Start,
        }
    }

    /// Decodes the next piece; returns its readable text.
    pub fn push(&mut self, piece: &str) -> String {
        let mut shown = String::new();
        for c in piece.chars() {
            self.take(c, &mut shown);
        }
        shown
    }

    fn take(&mut self, c: char, shown: &mut String) {
        match &mut self.state {
            State::Object(reader) => {
                self.raw.push(c);
                reader.take(c, shown);
            }
            // "Here you are: {…}" is an object after text.
            State::Words if c == '{' => self.state = State::Line(c.to_string()),
            State::Words => {
                shown.push(c);
                if c == '\n' {
                    self.state = State::Line(String::new());
                }
            }
            State::Line(line) => {
                line.push(c);
                match judge(line, self.place, &self.names) {
                    // Shows a blank line at once, except at the start: it may precede an object.
                    Verdict::Open if c == '\n' && self.place == Place::Later && is_empty(line) => {
                        shown.push_str(line);
                        line.clear();
                    }
                    Verdict::Open => {}
                    Verdict::Words => {
                        shown.push_str(line);
                        self.place = Place::Later;
                        self.state = match c {
                            '\n' => State::Line(String::new()),
                            _ => State::Words,
                        };
                    }
                    Verdict::Object(at) => self.begin(at, shown),
                }
            }
        }
    }

    fn begin(&mut self, at: usize, shown: &mut String) {
        let State::Line(line) = std::mem::replace(&mut self.state, State::Words) else {
            return;
        };
        let mut reader = Box::new(Reader::new(TextFilter::Message));
        for c in line[at..].chars() {
            reader.take(c, shown);
        }
        self.raw = line;
        self.state = State::Object(reader);
    }

    /// Ends the reply, complete or not.
    pub fn finish(self) -> Decoded {
        let reader = match self.state {
            State::Words => return Decoded::default(),
            State::Line(line) => {
                return Decoded {
                    text: line,
                    fields: Map::new(),
                };
            }
            State::Object(reader) => reader,
        };
        let read = reader.finish();
        if read.has_message {
            return Decoded {
                text: read.rest,
                fields: read.fields.unwrap_or_default(),
            };
        }
        let Some(fields) = read.fields else {
            return Decoded {
                text: self.raw,
                fields: Map::new(),
            };
        };
        if let Some((text, fields)) = words_in(&fields, DEEPEST) {
            return Decoded { text, fields };
        }
        let is_reply = fields.keys().any(|key| self.names.contains(key));
        Decoded {
            // A reply object without text shows nothing; any other object is the model's answer.
            text: if is_reply { String::new() } else { self.raw },
            fields: if is_reply { fields } else { Map::new() },
        }
    }
}

fn is_empty(line: &str) -> bool {
    line.trim().is_empty()
}

/// Finds text under another property name or deeper in the object; also returns its siblings.
fn words_in(object: &Map<String, Value>, depth: usize) -> Option<(String, Map<String, Value>)> {
    for name in TEXT_NAMES {
        if let Some(Value::String(words)) = object.get(name)
            && !untrusted::is_blank(words)
        {
            let mut rest = object.clone();
            rest.remove(name);
            return Some((words.clone(), rest));
        }
    }
    if depth == 0 {
        return None;
    }
    let mut inner = object.values().filter_map(Value::as_object);
    inner.find_map(|inner| words_in(inner, depth - 1))
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod decode_tests;
