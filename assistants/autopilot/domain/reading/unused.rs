//! Numbers and conditions of a message that nothing took, so that an answer can name them.

use std::sync::LazyLock;

use regex::Regex;

use super::super::quantity::{number, pattern};
use super::cut;

/// Words after a number that are shown with it.
const SHOWN_WORDS: usize = 2;

static NUMBER: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"\d+(?:[.,' ]\d{3})*(?:[.,]\d+)?\s*(?:k\b)?"));

/// The numbers of a message that are not in `taken`, each with its unit. A share may be taken as a percentage.
pub(crate) fn unused_numbers(message: &str, taken: &str) -> Vec<String> {
    let known: Vec<f64> = numbers(taken).map(|(value, ..)| value).collect();
    let lower = taken.to_lowercase();
    let is_known = |value: f64| {
        let near = |known: &f64| (known - value).abs() < 1e-6;
        known
            .iter()
            .any(|known| near(known) || near(&(known * 100.0)) || near(&(known / 100.0)))
    };
    let unused = numbers(message).filter(|(value, start, end)| {
        // "2W" belongs to a name.
        let word = word_around(message, *start, *end).to_lowercase();
        let is_name = word.contains(char::is_alphabetic) && lower.contains(&word);
        !is_known(*value) && !is_name
    });
    unused.map(|(_, start, _)| shown(message, start)).collect()
}

/// Whether a value was calculated: none of its numbers is in its quote.
pub(super) fn is_calculated(value: &str, quote: &str) -> bool {
    let all = numbers(value).count();
    all > 0 && unused_numbers(value, quote).len() == all
}

/// The values of a text's numbers, each with its place. The 2 of "m2" is none.
fn numbers(text: &str) -> impl Iterator<Item = (f64, usize, usize)> {
    let found = NUMBER.iter().flat_map(move |regex| regex.find_iter(text));
    let is_number = move |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    found
        .filter(move |one| is_number(one.start()))
        .filter_map(|one| Some((number(one.as_str())?, one.start(), one.end())))
}

/// The whole word, with the letters after the number.
fn word_around(text: &str, start: usize, end: usize) -> &str {
    let breaks = |c: char| !c.is_alphanumeric() && !matches!(c, '.' | ',' | '-');
    let from = text[..start].rfind(breaks).map_or(0, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    let to = text[end..].find(breaks).map_or(text.len(), |at| end + at);
    text[from..to].trim_matches(['.', ',', '-'])
}

fn shown(message: &str, start: usize) -> String {
    let from = message[..start].rfind(char::is_whitespace).map_or(0, |at| {
        at + message[at..].chars().next().map_or(1, char::len_utf8)
    });
    let mut text = String::new();
    for word in message[from..].split_whitespace().take(SHOWN_WORDS + 1) {
        text = format!("{text} {word}");
        if word.ends_with(['.', ',', ';', '?', '!', ')']) {
            break;
        }
    }
    text.trim_matches(|c: char| c.is_whitespace() || ".,;?!()".contains(c))
        .to_owned()
}

/// The condition of a question: "we close on Mondays" in "what if we close on Mondays?".
pub(crate) fn condition(message: &str) -> Option<String> {
    static CONDITION: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(r"(?i)\b(?:what if|if|suppose|supposing|assuming|assume)\s+([^.?!;\n]+)")
    });
    let found = CONDITION.as_ref()?.captures(message)?;
    Some(cut(found.get(1)?.as_str()))
}
