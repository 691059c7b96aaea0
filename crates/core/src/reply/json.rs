//! An incremental, tolerant JSON object parser. Valid JSON is parsed exactly. Model errors are
//! repaired as far as possible: unescaped quotes and line breaks, single quotes, bare keys, missing
//! and extra commas, a missing end.

mod ending;
mod text;

use serde_json::{Map, Value};

use super::MESSAGE;
use ending::{Ending, Keys, Next};
use text::Text;

pub(super) struct ParsedReply {
    /// True if `message` is a text, which was then already shown.
    pub(super) has_message: bool,
    /// The end of the message.
    pub(super) rest: String,
    /// The other properties, if they can be parsed.
    pub(super) fields: Option<Map<String, Value>>,
}

/// The texts that go to the caller's buffer as they arrive.
#[derive(Clone, Copy)]
pub(crate) enum TextFilter {
    /// The `message` of the outermost object.
    Message,
    /// Each text at any depth, as one line, without those of these fields.
    AllBut(&'static [&'static str]),
}

pub(crate) struct Reader {
    filter: TextFilter,
    open: Vec<Frame>,
    at: At,
    token: Token,
    /// The newest key.
    key: String,
    /// The notation of the newest key.
    keys: Keys,
    has_message: bool,
    over: bool,
    /// The object in strict JSON, without the message.
    strict: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    Object,
    Array,
}

/// The expected next token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Key,
    Colon,
    Value,
    AfterValue,
}

enum Token {
    None,
    Text(Kind, Text),
    /// A number, a literal, or a word without its quotes.
    Bare(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Key,
    /// A value that is shown.
    Shown,
    Value,
}

impl Reader {
    pub(crate) fn new(filter: TextFilter) -> Self {
        Self {
            filter,
            open: Vec::new(),
            at: At::Value,
            token: Token::None,
            key: String::new(),
            keys: Keys::Quoted,
            has_message: false,
            over: false,
            strict: String::new(),
        }
    }

    /// Parses one character and appends text to `shown`. Ignores input after the object.
    pub(crate) fn take(&mut self, c: char, shown: &mut String) {
        if self.over {
            return;
        }
        match &mut self.token {
            Token::None => self.structure(c),
            Token::Text(..) => self.in_text(c, shown),
            Token::Bare(word) => {
                if is_bare(c) {
                    word.push(c);
                } else {
                    self.end_bare();
                    self.structure(c);
                }
            }
        }
    }

    fn in_text(&mut self, c: char, shown: &mut String) {
        let at_end = self.ending();
        let Token::Text(kind, text) = &mut self.token else {
            return;
        };
        let out = match kind {
            Kind::Shown => &mut *shown,
            Kind::Key | Kind::Value => &mut text.content,
        };
        let Some((ending, held)) = &mut text.ending else {
            if text.reading.take(c, out) {
                text.ending = Some((at_end, String::new()));
            }
            return;
        };
        let next = ending.take(c);
        if next == Next::Open {
            held.push(c);
            return;
        }
        let held = std::mem::take(held);
        if next == Next::GoesOn {
            // An unescaped quote inside the text.
            out.push(text.reading.quote());
            text.ending = None;
        } else {
            if *kind == Kind::Shown && matches!(self.filter, TextFilter::AllBut(_)) {
                shown.push('\n');
            }
            self.end_text();
        }
        for c in held.chars().chain([c]) {
            self.take(c, shown);
        }
    }

    /// The token that must follow a closing quote.
    fn ending(&self) -> Ending {
        match (self.at, self.open.last()) {
            (At::Key, _) => Ending::Key,
            (_, Some(Frame::Array)) => Ending::Item,
            (_, Some(Frame::Object) | None) => Ending::Member(self.keys),
        }
    }

    fn end_text(&mut self) {
        let Token::Text(kind, text) = std::mem::replace(&mut self.token, Token::None) else {
            return;
        };
        match kind {
            Kind::Key => {
                self.keys = Keys::Quoted;
                self.end_key(text.content);
            }
            Kind::Shown | Kind::Value => {
                self.write_text(&text.content);
                self.at = At::AfterValue;
            }
        }
    }

    fn end_key(&mut self, key: String) {
        self.write_text(&key);
        self.at = At::Colon;
        self.key = key;
    }

    fn end_bare(&mut self) {
        let Token::Bare(word) = std::mem::replace(&mut self.token, Token::None) else {
            return;
        };
        if self.at == At::Key {
            self.keys = Keys::Bare;
            return self.end_key(word);
        }
        match word.as_str() {
            "True" => self.strict.push_str("true"),
            "False" => self.strict.push_str("false"),
            "None" | "undefined" | "NaN" => self.strict.push_str("null"),
            word if serde_json::from_str::<Value>(word).is_ok() => self.strict.push_str(word),
            word => self.write_text(word),
        }
        self.at = At::AfterValue;
    }

    fn write_text(&mut self, text: &str) {
        self.strict
            .push_str(&Value::String(text.to_owned()).to_string());
    }

    fn structure(&mut self, c: char) {
        match c {
            '{' | '[' => {
                self.supply_comma();
                if self.at == At::Value {
                    self.strict.push(c);
                    let (frame, at) = match c {
                        '{' => (Frame::Object, At::Key),
                        _ => (Frame::Array, At::Value),
                    };
                    self.open.push(frame);
                    self.at = at;
                }
            }
            '}' => self.close(Frame::Object),
            ']' => self.close(Frame::Array),
            ',' => self.comma(),
            ':' if self.at == At::Colon => {
                self.strict.push(':');
                self.at = At::Value;
            }
            '"' | '\'' => {
                self.supply_comma();
                self.begin_text(c);
            }
            c if is_bare(c) => {
                self.supply_comma();
                if matches!(self.at, At::Key | At::Value) {
                    self.token = Token::Bare(c.to_string());
                }
            }
            _ => {}
        }
    }

    fn begin_text(&mut self, quote: char) {
        let is_shown = match self.filter {
            TextFilter::Message => {
                let outermost = self.open.as_slice() == [Frame::Object];
                outermost && self.key == MESSAGE && !self.has_message
            }
            TextFilter::AllBut(hidden) => !hidden.contains(&self.key.as_str()),
        };
        let kind = match self.at {
            At::Key => Kind::Key,
            At::Value if is_shown => Kind::Shown,
            At::Value => Kind::Value,
            At::Colon | At::AfterValue => return,
        };
        self.has_message |= kind == Kind::Shown;
        self.token = Token::Text(kind, Text::new(quote));
    }

    /// Inserts the missing comma between two values.
    fn supply_comma(&mut self) {
        if self.at == At::AfterValue {
            self.comma();
        }
    }

    fn comma(&mut self) {
        match self.at {
            At::Key => return,
            At::Colon => self.strict.push_str(":null"),
            At::Value if self.strict.ends_with(':') => self.strict.push_str("null"),
            At::Value => return,
            At::AfterValue => {}
        }
        self.strict.push(',');
        self.at = match self.open.last() {
            Some(Frame::Object) => At::Key,
            Some(Frame::Array) | None => At::Value,
        };
    }

    /// Closes the innermost frame of this kind and everything open inside it.
    fn close(&mut self, frame: Frame) {
        if !self.open.contains(&frame) {
            return;
        }
        while let Some(closed) = self.close_innermost() {
            if closed == frame {
                break;
            }
        }
    }

    fn close_innermost(&mut self) -> Option<Frame> {
        let frame = self.open.pop()?;
        match self.at {
            At::Colon => self.strict.push_str(":null"),
            At::Value if self.strict.ends_with(':') => self.strict.push_str("null"),
            At::Key | At::Value | At::AfterValue => {
                let written = self.strict.trim_end_matches(',').len();
                self.strict.truncate(written);
            }
        }
        self.strict.push(match frame {
            Frame::Object => '}',
            Frame::Array => ']',
        });
        self.at = At::AfterValue;
        self.over = self.open.is_empty();
        Some(frame)
    }

    pub(super) fn finish(mut self) -> ParsedReply {
        let mut rest = String::new();
        match &mut self.token {
            Token::None => {}
            Token::Bare(_) => self.end_bare(),
            Token::Text(kind, text) => {
                text.reading.cut_off(match kind {
                    Kind::Shown => &mut rest,
                    Kind::Key | Kind::Value => &mut text.content,
                });
                self.end_text();
            }
        }
        while self.close_innermost().is_some() {}
        let mut fields: Option<Map<String, Value>> = serde_json::from_str(&self.strict).ok();
        if let Some(fields) = fields.as_mut().filter(|_| self.has_message) {
            fields.remove(MESSAGE);
        }
        ParsedReply {
            has_message: self.has_message,
            rest,
            fields,
        }
    }
}

fn is_bare(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '{' | '}' | '[' | ']' | ',' | ':' | '"' | '\'')
}
