//! Words with their positions, and clauses.

use crate::lists;

/// A word or number of a text. `start..end` are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) lower: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Word {
    pub(crate) fn in_text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }

    pub(crate) fn has_digit(&self) -> bool {
        self.lower.chars().any(|c| c.is_ascii_digit())
    }

    pub(crate) fn is_number(&self) -> bool {
        self.has_digit() && !self.lower.chars().any(char::is_alphabetic)
    }
}

/// True if the character joins letters or digits on both sides into one word.
fn joins(c: char) -> bool {
    matches!(c, '-' | '\'' | '’' | '_' | '.' | ',' | '/' | '@')
}

/// Splits a text into words. A hyphen, apostrophe or decimal separator inside a word belongs to it;
/// a full stop or comma only between digits.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let inside =
            c.is_alphanumeric() || (start.is_some() && joins(c) && continues(before, c, next));
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(word(text, from, at));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
        before = c;
    }
    if let Some(from) = start {
        found.push(word(text, from, text.len()));
    }
    found
}

fn continues(before: char, joint: char, next: char) -> bool {
    match joint {
        '.' | ',' | '/' => before.is_ascii_digit() && next.is_ascii_digit(),
        _ => before.is_alphanumeric() && next.is_alphanumeric(),
    }
}

fn word(text: &str, start: usize, end: usize) -> Word {
    Word {
        lower: text[start..end].to_lowercase(),
        start,
        end,
    }
}

/// Words in lower case, joined by single spaces, for comparing short replies.
pub(crate) fn normalized(text: &str) -> String {
    let words: Vec<String> = words(text).into_iter().map(|word| word.lower).collect();
    words.join(" ")
}

/// True if two words share a stem: the longer one extends or changes the ending of the shorter.
pub(crate) fn same_stem(a: &str, b: &str) -> bool {
    const SHORTEST_STEM: usize = 4;
    const LONGEST_ENDING: usize = 3;
    if a == b {
        return true;
    }
    let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let longest = a.chars().count().max(b.chars().count());
    shared >= SHORTEST_STEM && longest - shared <= LONGEST_ENDING
}

/// Part of a text, without surrounding spaces and punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Splits a text at punctuation marks and conjunctions.
pub(crate) fn clauses(text: &str) -> Vec<Clause> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let spaced = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let cut = matches!(c, ';' | '\n' | '!' | '?' | '(' | ')')
            || (spaced && matches!(c, '.' | ',' | ':'));
        if cut || (spaced && matches!(c, '—' | '–')) {
            cuts.push((at, at + c.len_utf8()));
        }
    }
    for word in words(text) {
        if lists::contains("conjunction", &word.lower) {
            cuts.push((word.start, word.end));
        }
    }
    cuts.sort_unstable();
    let mut found = Vec::new();
    let mut from = 0;
    for (start, end) in cuts.into_iter().chain([(text.len(), text.len())]) {
        found.extend(trimmed(text, from, start.max(from)));
        from = end.max(from);
    }
    found
}

fn trimmed(text: &str, start: usize, end: usize) -> Option<Clause> {
    let part = &text[start..end];
    let inner = part
        .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '"' | '“' | '”' | '$' | '€'));
    if inner.is_empty() {
        return None;
    }
    let start = start + part.find(inner).unwrap_or(0);
    Some(Clause {
        start,
        end: start + inner.len(),
    })
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod text_tests;
