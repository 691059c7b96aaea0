//! The characters of a quoted text, with escapes and surrogate pairs, independent of the split.

use super::ending::Ending;

pub(super) struct Text {
    pub(super) reading: Reading,
    /// The parsed text, unless it goes to the caller's buffer.
    pub(super) content: String,
    /// Set after a quote until its role is known, with the characters since then.
    pub(super) ending: Option<(Ending, String)>,
}

impl Text {
    pub(super) fn new(quote: char) -> Self {
        Self {
            reading: Reading {
                quote,
                escape: Escape::None,
            },
            content: String::new(),
            ending: None,
        }
    }
}

pub(super) struct Reading {
    quote: char,
    escape: Escape,
}

enum Escape {
    None,
    /// After a backslash.
    Slash,
    /// After `\u`, with the digits so far and a preceding high surrogate.
    Unit {
        digits: String,
        high: Option<u32>,
    },
    /// After a high surrogate.
    High(u32),
    /// After a high surrogate and a backslash.
    HighSlash(u32),
}

/// Replaces an unpaired surrogate.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

impl Reading {
    pub(super) fn quote(&self) -> char {
        self.quote
    }

    /// Parses one character. True for an unescaped quote.
    pub(super) fn take(&mut self, c: char, out: &mut String) -> bool {
        match std::mem::replace(&mut self.escape, Escape::None) {
            Escape::None if c == '\\' => self.escape = Escape::Slash,
            Escape::None if c == self.quote => return true,
            Escape::None => out.push(c),
            Escape::Slash => self.escaped(c, out),
            Escape::Unit { mut digits, high } if c.is_ascii_hexdigit() => {
                digits.push(c);
                match u32::from_str_radix(&digits, 16) {
                    Ok(unit) if digits.len() == 4 => self.unit(high, unit, out),
                    Ok(_) | Err(_) => self.escape = Escape::Unit { digits, high },
                }
            }
            Escape::Unit { digits, high } => {
                // Not an escape: keep the characters.
                out.extend(high.map(|_| REPLACEMENT));
                out.push_str("\\u");
                out.push_str(&digits);
                return self.take(c, out);
            }
            Escape::High(high) if c == '\\' => self.escape = Escape::HighSlash(high),
            Escape::High(_) => {
                out.push(REPLACEMENT);
                return self.take(c, out);
            }
            Escape::HighSlash(high) if c == 'u' => {
                self.escape = Escape::Unit {
                    digits: String::new(),
                    high: Some(high),
                };
            }
            Escape::HighSlash(_) => {
                out.push(REPLACEMENT);
                self.escaped(c, out);
            }
        }
        false
    }

    fn escaped(&mut self, c: char, out: &mut String) {
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{C}'),
            '"' | '\'' | '\\' | '/' => out.push(c),
            'u' => {
                self.escape = Escape::Unit {
                    digits: String::new(),
                    high: None,
                };
            }
            other => out.extend(['\\', other]),
        }
    }

    /// A whole `\uXXXX`, possibly after a high surrogate.
    fn unit(&mut self, high: Option<u32>, unit: u32, out: &mut String) {
        match (high, unit) {
            (Some(high), 0xDC00..=0xDFFF) => {
                let point = 0x1_0000 + ((high - 0xD800) << 10) + (unit - 0xDC00);
                out.push(char::from_u32(point).unwrap_or(REPLACEMENT));
            }
            (Some(_), unit) => {
                out.push(REPLACEMENT);
                self.unit(None, unit, out);
            }
            (None, 0xD800..=0xDBFF) => self.escape = Escape::High(unit),
            (None, unit) => out.push(char::from_u32(unit).unwrap_or(REPLACEMENT)),
        }
    }

    /// Handles the end of the input inside a text.
    pub(super) fn cut_off(&mut self, out: &mut String) {
        match std::mem::replace(&mut self.escape, Escape::None) {
            Escape::None | Escape::Slash | Escape::Unit { high: None, .. } => {}
            Escape::Unit { high: Some(_), .. } | Escape::High(_) | Escape::HighSlash(_) => {
                out.push(REPLACEMENT);
            }
        }
    }
}
