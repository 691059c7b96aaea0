//! A minimal Rust lexer that separates code from comments and string literals.

/// A Rust file with comments and string contents blanked, so that matches are code. Line
/// numbers are unchanged.
pub(super) struct Source {
    pub(super) code: String,
    /// String literals with the line on which they start.
    pub(super) texts: Vec<(usize, String)>,
    /// Line comments, including their slashes, with their lines.
    pub(super) comments: Vec<(usize, String)>,
}

/// A function with its length in lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) lines: usize,
}

pub(super) fn read(text: &str) -> Source {
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
        source: Source {
            code: String::with_capacity(text.len()),
            texts: Vec::new(),
            comments: Vec::new(),
        },
        line: 1,
    };
    while reader.at < reader.chars.len() {
        reader.step();
    }
    reader.source
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    source: Source,
}

impl Reader {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    /// Consumes `count` characters as code.
    fn keep(&mut self, count: usize) {
        for _ in 0..count {
            let c = self.peek(0);
            self.take(c);
        }
    }

    /// Consumes one character as blank.
    fn blank(&mut self) -> char {
        let c = self.peek(0);
        self.take(if c == '\n' { '\n' } else { ' ' });
        c
    }

    /// Advances by one character, if there is one, and writes `shown` in its place.
    fn take(&mut self, shown: char) {
        if self.at < self.chars.len() {
            self.line += usize::from(shown == '\n');
            self.source.code.push(shown);
            self.at += 1;
        }
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => self.line_comment(),
            ('/', '*') => self.block_comment(),
            ('"', _) => self.text(),
            ('\'', _) => self.quote(),
            ('r', '"' | '#') if !self.inside_word() => self.raw_text(),
            ('b' | 'c', 'r') if !self.inside_word() && matches!(self.peek(2), '"' | '#') => {
                self.keep(1);
                self.raw_text();
            }
            _ => self.keep(1),
        }
    }

    fn inside_word(&self) -> bool {
        self.at > 0 && is_word(self.chars[self.at - 1])
    }

    fn line_comment(&mut self) {
        let line = self.line;
        let mut content = String::new();
        while self.at < self.chars.len() && self.peek(0) != '\n' {
            content.push(self.blank());
        }
        self.source.comments.push((line, content));
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.blank();
                    continue;
                }
            }
            self.blank();
            self.blank();
            if depth == 0 {
                return;
            }
        }
    }

    fn text(&mut self) {
        let line = self.line;
        let mut content = String::new();
        self.keep(1);
        while self.at < self.chars.len() && self.peek(0) != '"' {
            if self.peek(0) == '\\' {
                content.push(self.blank());
            }
            content.push(self.blank());
        }
        self.keep(1);
        self.source.texts.push((line, content));
    }

    /// A character literal, or the mark of a lifetime.
    fn quote(&mut self) {
        let is_char = self.peek(1) == '\\' || self.peek(2) == '\'';
        self.keep(1);
        if !is_char {
            return;
        }
        while self.at < self.chars.len() && self.peek(0) != '\'' {
            if self.blank() == '\\' {
                self.blank();
            }
        }
        self.keep(1);
    }

    fn raw_text(&mut self) {
        let hashes = (1..).take_while(|n| self.peek(*n) == '#').count();
        if self.peek(1 + hashes) != '"' {
            // A raw identifier.
            self.keep(1);
            return;
        }
        let line = self.line;
        let mut content = String::new();
        self.keep(hashes + 2);
        while self.at < self.chars.len() {
            if self.peek(0) == '"' && (1..=hashes).all(|n| self.peek(n) == '#') {
                self.keep(1 + hashes);
                break;
            }
            content.push(self.blank());
        }
        self.source.texts.push((line, content));
    }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Source {
    /// Identifiers and keywords with their lines.
    pub(super) fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().flat_map(|(index, line)| {
            line.split(|c| !is_word(c))
                .filter(|word| !word.is_empty())
                .map(move |word| (index + 1, word))
        })
    }

    /// The text between `#[` and `]`, with its line.
    pub(super) fn attributes(&self) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices('#') {
            let rest = &self.code[at + 1..];
            let rest = rest.strip_prefix('!').unwrap_or(rest);
            if let Some(inner) = rest.strip_prefix('[')
                && let Some(length) = closing(inner, '[', ']')
            {
                found.push((self.line_of(at), inner[..length].trim()));
            }
        }
        found
    }

    pub(super) fn functions(&self) -> Vec<Function> {
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices("fn ") {
            let before = self.code[..at].chars().next_back();
            let rest = self.code[at + 3..].trim_start();
            let name: String = rest.chars().take_while(|c| is_word(*c)).collect();
            if before.is_some_and(is_word) || name.is_empty() {
                continue;
            }
            // A declaration without a body ends with a semicolon outside of brackets.
            let Some(open) = body(rest) else { continue };
            let Some(length) = closing(&rest[open + 1..], '{', '}') else {
                continue;
            };
            let lines = rest[..open + 1 + length].matches('\n').count() + 1;
            found.push(Function {
                name,
                line: self.line_of(at),
                lines,
            });
        }
        found
    }

    fn line_of(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }
}

/// Offset of the opening brace of the body, if there is one.
fn body(signature: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in signature.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(at),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Offset of the bracket that closes the one just before `text`.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "rust_tests.rs"]
mod rust_tests;
