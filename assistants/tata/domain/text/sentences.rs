//! Splits a text into sentences without stumbling over abbreviations, dates and wrapped lines.

use std::collections::HashSet;

/// Abbreviations that end in a full stop, folded and without it: `e.g`, `z.b`, `ca`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Abbreviations(HashSet<String>);

/// After a day and a full stop, "14. März" goes on although the month has a capital.
const GERMAN_MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

impl Abbreviations {
    pub(crate) fn new<'a>(list: impl IntoIterator<Item = &'a String>) -> Self {
        Abbreviations(
            list.into_iter()
                .map(|a| a.trim_end_matches('.').to_lowercase())
                .collect(),
        )
    }

    /// The word before the full stop is an abbreviation, an initial or the day of a date.
    fn ends(&self, before: &str, after: &str) -> bool {
        let word = before
            .rsplit(|c: char| c.is_whitespace() || c == '(')
            .next()
            .unwrap_or_default();
        let number =
            word.len() <= 2 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let next = after.trim_start_matches(' ');
        let dated = next.starts_with(char::is_lowercase)
            || GERMAN_MONTHS.iter().any(|m| next.starts_with(m));
        (number && dated) || self.0.contains(&word.to_lowercase())
    }
}

/// Sentences in order, trimmed, none empty. A line break ends a sentence unless the next line goes on in lower case.
pub(crate) fn sentences<'t>(text: &'t str, abbreviations: &Abbreviations) -> Vec<&'t str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = &text[at + c.len_utf8()..];
        let ends = match c {
            '\n' => !continues(after),
            '.' => full_stop(after) && !abbreviations.ends(&text[start..at], after),
            '!' | '?' | '…' => full_stop(after),
            _ => false,
        };
        if ends {
            let mut end = at + c.len_utf8();
            while let Some(&(next, '"' | '”' | '“' | '»' | '\'' | ')')) = chars.peek() {
                end = next + text[next..].chars().next().map_or(1, char::len_utf8);
                chars.next();
            }
            push(&mut out, &text[start..end]);
            start = end;
        }
    }
    push(&mut out, &text[start..]);
    out
}

fn push<'t>(out: &mut Vec<&'t str>, piece: &'t str) {
    let piece = piece.trim();
    if piece.chars().any(char::is_alphanumeric) {
        out.push(piece);
    }
}

fn full_stop(after: &str) -> bool {
    match after.chars().next() {
        None => true,
        Some(c) => c.is_whitespace() || "\"”“»')".contains(c),
    }
}

fn continues(after: &str) -> bool {
    let next = after.trim_start_matches([' ', '\t', '\r']);
    next.chars().next().is_some_and(char::is_lowercase)
}
