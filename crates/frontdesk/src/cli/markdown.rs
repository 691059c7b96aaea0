//! Renders streamed Markdown for a terminal: wraps words, styles emphasis and code, indents lists.
//! A table is laid out after its last row.

mod table;

use unicode_width::UnicodeWidthChar;

use super::paint::Look;

const BOLD: (&str, &str) = ("\x1b[1m", "\x1b[22m");
const CODE: (&str, &str) = ("\x1b[36m", "\x1b[39m");

/// Accepts text in chunks of any size; the returned text can be printed immediately.
pub(super) struct Markdown {
    look: Look,
    place: Position,
    /// The buffered part of the current line: its kind is unknown, or it is needed whole.
    held: String,
    table: Vec<String>,
    in_fence: bool,
    text: Text,
}

/// The parser's state within a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Start,
    /// A table row, heading, fence or code line, which is rendered whole.
    Whole,
    /// Prose, which is streamed.
    Prose,
}

/// The kind of a line, judged by its first characters.
enum LineKind {
    Unknown,
    Whole,
    /// A list item: its indent and its marker.
    Item(usize, String),
    Prose,
}

impl Markdown {
    pub(super) fn new(look: Look) -> Self {
        Self {
            look,
            place: Position::Start,
            held: String::new(),
            table: Vec::new(),
            in_fence: false,
            text: Text::default(),
        }
    }

    /// Renders a whole text; returns it unchanged when standard output is not a terminal.
    pub(super) fn set(text: &str) -> String {
        let Some(look) = Look::for_stdout() else {
            return text.to_owned();
        };
        let mut markdown = Self::new(look);
        let shown = markdown.feed(text);
        shown + &markdown.finish()
    }

    pub(super) fn feed(&mut self, piece: &str) -> String {
        let mut out = String::new();
        for letter in piece.chars() {
            self.push(letter, &mut out);
        }
        out
    }

    pub(super) fn finish(&mut self) -> String {
        let mut out = String::new();
        match self.place {
            Position::Start => self.hold_as_prose(&mut out),
            Position::Whole => self.end_whole(&mut out, ""),
            Position::Prose => {}
        }
        self.end_table(&mut out, "");
        self.text.end_line(self.look, &mut out);
        self.place = Position::Start;
        out
    }

    fn push(&mut self, letter: char, out: &mut String) {
        match (self.place, letter) {
            (Position::Prose, '\n') => {
                self.text.end_line(self.look, out);
                out.push('\n');
                self.place = Position::Start;
            }
            (Position::Prose, _) => self.text.push(letter, self.look, out),
            (Position::Whole, '\n') => {
                self.end_whole(out, "\n");
                self.place = Position::Start;
            }
            (Position::Whole, _) => self.held.push(letter),
            (Position::Start, '\n') => {
                self.hold_as_prose(out);
                self.text.end_line(self.look, out);
                out.push('\n');
            }
            (Position::Start, _) => {
                self.held.push(letter);
                self.decide(out);
            }
        }
    }

    fn decide(&mut self, out: &mut String) {
        if self.in_fence {
            self.place = Position::Whole;
            return;
        }
        match kind(&self.held) {
            LineKind::Unknown => {}
            LineKind::Whole => self.place = Position::Whole,
            LineKind::Item(indent, mark) => {
                self.end_table(out, "\n");
                self.held.clear();
                self.text.begin_item(indent, &mark, out);
                self.place = Position::Prose;
            }
            LineKind::Prose => {
                self.hold_as_prose(out);
                self.place = Position::Prose;
            }
        }
    }

    fn hold_as_prose(&mut self, out: &mut String) {
        self.end_table(out, "\n");
        for letter in std::mem::take(&mut self.held).chars() {
            self.text.push(letter, self.look, out);
        }
    }

    fn end_whole(&mut self, out: &mut String, line_end: &str) {
        let line = std::mem::take(&mut self.held);
        let trimmed = line.trim();
        if trimmed.starts_with('|') && !self.in_fence {
            self.table.push(line);
            return;
        }
        self.end_table(out, "\n");
        if trimmed.starts_with("```") {
            self.in_fence = !self.in_fence;
            return;
        }
        let (shown, (on, off)) = if self.in_fence {
            (format!("    {line}"), CODE)
        } else {
            (trimmed.trim_start_matches('#').trim().to_owned(), BOLD)
        };
        if self.look.colours {
            out.push_str(&format!("{on}{shown}{off}{line_end}"));
        } else {
            out.push_str(&format!("{shown}{line_end}"));
        }
    }

    fn end_table(&mut self, out: &mut String, line_end: &str) {
        if !self.table.is_empty() {
            let rows = std::mem::take(&mut self.table);
            out.push_str(&table::lay_out(&rows, self.look));
            out.push_str(line_end);
        }
    }
}

fn kind(start: &str) -> LineKind {
    let indent = start.len() - start.trim_start_matches(' ').len();
    let rest = &start[indent..];
    if rest.is_empty() {
        return if indent < 16 {
            LineKind::Unknown
        } else {
            LineKind::Prose
        };
    }
    if rest.starts_with(['|', '#']) {
        return LineKind::Whole;
    }
    if rest.starts_with("```") {
        return LineKind::Whole;
    }
    if matches!(rest, "`" | "``" | "-" | "*" | "+") {
        return LineKind::Unknown;
    }
    if matches!(rest, "- " | "* " | "+ ") {
        return LineKind::Item(indent, "• ".to_owned());
    }
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let counted = rest.len() - digits.len();
    match digits {
        "" | "." if (1..=3).contains(&counted) => LineKind::Unknown,
        ". " if (1..=3).contains(&counted) => LineKind::Item(indent, rest.to_owned()),
        _ => LineKind::Prose,
    }
}

/// The prose of one line: emits whole words, wrapped at the terminal's width.
#[derive(Default)]
struct Text {
    column: usize,
    /// Indent of wrapped lines.
    hang: usize,
    word: String,
    word_width: usize,
    spaces: usize,
    star: bool,
    bold: bool,
    code: bool,
}

impl Text {
    fn begin_item(&mut self, indent: usize, mark: &str, out: &mut String) {
        out.push_str(&" ".repeat(indent));
        out.push_str(mark);
        self.hang = indent + mark.chars().count();
        self.column = self.hang;
    }

    fn push(&mut self, letter: char, look: Look, out: &mut String) {
        if std::mem::take(&mut self.star) {
            if letter == '*' {
                self.bold = !self.bold;
                self.switch(self.bold, BOLD, look);
                return;
            }
            self.letter('*');
        }
        match letter {
            '*' if !self.code => self.star = true,
            '`' => {
                self.code = !self.code;
                self.switch(self.code, CODE, look);
            }
            ' ' => {
                self.end_word(look, out);
                self.spaces += 1;
            }
            _ => self.letter(letter),
        }
    }

    fn letter(&mut self, letter: char) {
        self.word.push(letter);
        self.word_width += letter.width().unwrap_or(0);
    }

    fn switch(&mut self, on: bool, (start, end): (&str, &str), look: Look) {
        if look.colours {
            self.word.push_str(if on { start } else { end });
        }
    }

    fn end_word(&mut self, look: Look, out: &mut String) {
        if self.word.is_empty() {
            return;
        }
        let wraps =
            self.column > self.hang && self.column + self.spaces + self.word_width > look.width;
        if wraps {
            out.push('\n');
            out.push_str(&" ".repeat(self.hang));
            self.column = self.hang;
        } else {
            out.push_str(&" ".repeat(self.spaces));
            self.column += self.spaces;
        }
        self.spaces = 0;
        out.push_str(&self.word);
        self.column += self.word_width;
        self.word.clear();
        self.word_width = 0;
    }

    /// Ends the last word and resets the styles of the line.
    fn end_line(&mut self, look: Look, out: &mut String) {
        if std::mem::take(&mut self.star) {
            self.letter('*');
        }
        if std::mem::take(&mut self.bold) {
            self.switch(false, BOLD, look);
        }
        if std::mem::take(&mut self.code) {
            self.switch(false, CODE, look);
        }
        self.end_word(look, out);
        *self = Self::default();
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod markdown_tests;
