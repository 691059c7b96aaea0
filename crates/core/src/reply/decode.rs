//! Reads a reply piece by piece and says at once what people may read of it. Where the
//! pieces are cut never matters. Performs no IO.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::MESSAGE;
use super::json::Reader;
use super::lookout::{Place, Verdict, judge};
use crate::untrusted;

/// Names under which models put the words when they do not keep to the schema.
const ALIKE: [&str; 6] = [MESSAGE, "content", "text", "answer", "reply", "response"];
/// How deep words are looked for in an object that has them elsewhere.
const DEEPEST: usize = 3;

/// A reply that is arriving.
pub struct Decoder {
    names: Arc<[String]>,
    state: State,
    /// Everything that came since an object began: shown when it turns out to be none.
    raw: String,
    place: Place,
}

enum State {
    /// The beginning of a line, or of what may be an object in one, that is not decided yet.
    Line(String),
    /// A line that is words.
    Words,
    Object(Box<Reader>),
}

/// What is left to say at the end, and what else the reply had.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    pub text: String,
    /// Everything but the words.
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

    /// Takes the next piece in; what can be shown of it.
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
            // "Here you are: {…}" is a reply behind words.
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
                    // A blank line is nothing to wait with, but at the start it may be
                    // nothing to show either.
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
        let mut reader = Box::new(Reader::new());
        for c in line[at..].chars() {
            reader.take(c, shown);
        }
        self.raw = line;
        self.state = State::Object(reader);
    }

    /// The reply is over, whether or not it was whole.
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
            // An object of our own shape without words has nothing for people; any other is
            // all that the model had to say.
            text: if is_reply { String::new() } else { self.raw },
            fields: if is_reply { fields } else { Map::new() },
        }
    }
}

fn is_empty(line: &str) -> bool {
    line.trim().is_empty()
}

/// The words of an object that keeps them under another name or further inside, and what
/// stands beside them.
fn words_in(object: &Map<String, Value>, depth: usize) -> Option<(String, Map<String, Value>)> {
    for name in ALIKE {
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
