//! Splits a text into sentences, in the languages of the product.

use super::dates::is_month;

/// Abbreviations that a sentence continues after.
const ABBREVIATIONS: [&str; 12] = [
    "bzw", "inkl", "mind", "ca", "nr", "dr", "evtl", "ggf", "max", "min", "bl", "osv",
];
/// Nouns that an ordinal counts: "im 2. Stock".
const COUNTED: [&str; 10] = [
    "stock", "etage", "og", "quartal", "halbjahr", "woche", "monat", "jahr", "schicht", "level",
];

/// The sentences and lines of a text, each with the white space behind it.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (sentence, after) = rest.split_at(end_of_sentence(rest));
        rest = after;
        (!sentence.is_empty()).then_some(sentence)
    })
}

fn end_of_sentence(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let behind = &text[at + c.len_utf8()..];
        let next = behind.trim_start();
        let ends = match c {
            '\n' => true,
            '.' | '!' | '?' => {
                behind.starts_with(char::is_whitespace)
                    && !next.starts_with(char::is_lowercase)
                    && !(c == '.' && is_inside(&text[..at], next))
            }
            _ => false,
        };
        if ends {
            return text.len() - next.len();
        }
    }
    text.len()
}

/// True if the dot between these belongs to an ordinal or an abbreviation, as in "1. März",
/// "z. B. Cisco" or the number of a list.
fn is_inside(before: &str, next: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let word = line
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    if (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return line.trim() == word || is_counted(next);
    }
    let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    is_letter || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

/// Whether an ordinal in front of this text counts something: a month, a floor, a quarter.
pub fn is_counted(text: &str) -> bool {
    let word = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    is_month(word) || COUNTED.contains(&word.to_lowercase().as_str())
}
