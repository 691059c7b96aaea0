//! Codes of a known shape: pass numbers, ids, addresses.

use std::ops::Range;

use regex::Regex;

use super::super::words::Text;

/// A shape that a schema prescribes, found whatever the letters' case.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    exact: Regex,
    /// Absent when it would also find ordinary words ("the" for three capitals).
    loose: Option<Regex>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) span: Range<usize>,
    pub(crate) value: String,
}

/// Letters only: a pattern that takes one of these takes ordinary words.
const PLAIN_WORDS: [&str; 6] = ["a", "of", "the", "word", "hello", "request"];

impl Pattern {
    /// `None` for a pattern that cannot be read, or that any word fulfils.
    pub(crate) fn new(source: &str) -> Option<Self> {
        let exact = Regex::new(source).ok()?;
        if PLAIN_WORDS.iter().any(|word| exact.is_match(word)) {
            return None;
        }
        let loose = Regex::new(&format!("(?i){source}"))
            .ok()
            .filter(|loose| !PLAIN_WORDS.iter().any(|word| loose.is_match(word)));
        Some(Self { exact, loose })
    }

    pub(crate) fn same_as(&self, other: &Pattern) -> bool {
        self.exact.as_str() == other.exact.as_str()
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.exact.is_match(text)
    }

    /// Every value of this shape, in the order they stand.
    pub(crate) fn find_all(&self, text: &Text) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut taken_to = 0;
        for index in 0..text.words.len() {
            if text.words[index].start < taken_to {
                continue;
            }
            if let Some(hit) = self.at(text, index) {
                taken_to = hit.span.end;
                found.push(hit);
            }
        }
        found
    }

    fn at(&self, text: &Text, index: usize) -> Option<Found> {
        let chunk = chunk_around(&text.raw, text.words[index].start);
        if let Some(value) = self.spelled(&text.raw[chunk.clone()]) {
            return Some(Found { span: chunk, value });
        }
        // "gp-2026-11"
        let parts: Vec<&str> = text.raw[chunk.clone()].split('-').collect();
        if let Some(value) = self.padded(&parts) {
            return Some(Found { span: chunk, value });
        }
        const MOST_PARTS: usize = 4;
        let parts = 1..=MOST_PARTS.min(text.words.len() - index);
        parts.rev().find_map(|count| {
            let words = &text.words[index..index + count];
            let close = (index + 1..index + count).all(|at| is_small_gap(text.gap_before(at)));
            if !close {
                return None;
            }
            let parts: Vec<&str> = words.iter().map(|word| text.of(word)).collect();
            let value = ["-", "", " "]
                .iter()
                .find_map(|join| self.spelled(&parts.join(join)))
                .or_else(|| self.padded(&parts))?;
            let span = words[0].start..words[count - 1].end;
            Some(Found { span, value })
        })
    }

    /// "gp 2026 7": numbers in codes are padded with zeros, which people leave out.
    fn padded(&self, parts: &[&str]) -> Option<String> {
        const WIDEST: usize = 6;
        let (last, before) = parts
            .split_last()
            .filter(|(_, before)| !before.is_empty())?;
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if last.is_empty() || !digits(last) || before.iter().all(|part| digits(part)) {
            return None;
        }
        (last.len() + 1..=WIDEST).find_map(|width| {
            let text = format!("{}-{last:0>width$}", before.join("-"));
            self.spelled(&text)
        })
    }

    /// The text as the schema wants it written, if it is of this shape at all.
    fn spelled(&self, text: &str) -> Option<String> {
        let text: String = text
            .chars()
            .map(|c| if matches!(c, '‐'..='―') { '-' } else { c })
            .collect();
        if self.exact.is_match(&text) {
            return Some(text);
        }
        let loose = self.loose.as_ref()?;
        if !loose.is_match(&text) {
            return None;
        }
        [text.to_uppercase(), text.to_lowercase()]
            .into_iter()
            .find(|spelled| self.exact.is_match(spelled))
    }
}

/// The text between spaces around this place, without the marks of the sentence.
fn chunk_around(raw: &str, at: usize) -> Range<usize> {
    let start = raw[..at].rfind(char::is_whitespace).map_or(0, |found| {
        found + raw[found..].chars().next().map_or(1, char::len_utf8)
    });
    let end = raw[at..]
        .find(char::is_whitespace)
        .map_or(raw.len(), |found| at + found);
    let chunk = &raw[start..end];
    let is_mark = |c: char| ".,;:!?()[]{}<>\"'«»„“”‘’*`".contains(c);
    let left = chunk.len() - chunk.trim_start_matches(is_mark).len();
    let inner = chunk.trim_matches(is_mark);
    start + left..start + left + inner.len()
}

fn is_small_gap(gap: &str) -> bool {
    matches!(gap, " " | "-" | " - " | "/" | "." | "_")
        || (gap.chars().count() == 1 && gap.chars().all(|c| matches!(c, '‐'..='―')))
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod pattern_tests;
