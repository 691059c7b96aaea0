//! Words, plain text and names from identifiers, paths and descriptions.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use heck::ToSnakeCase;
use regex::{Captures, Regex};

/// A tag, a link with its label, or a mark of Markdown.
static MARKUP: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"<[A-Za-z/][^>]*>?|\[([^\[\]]*)\]\([^)]*\)|[`*#]").ok());
/// Servers accept names of 64 characters; shorter names leave room for a number.
const MAX_NAME: usize = 56;

/// `cancelOrder`, `cancel-order`, `CANCEL_ORDER` and `orders/{id}/cancel` into lower-case words. An
/// acronym stays one word: `getURLById` has `url`.
pub(crate) fn words(text: &str) -> Vec<String> {
    let snake = text.to_snake_case();
    let parts = snake.split('_').filter(|word| !word.is_empty());
    parts.map(str::to_owned).collect()
}

/// The text with a capital letter at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

/// `due_date` as "Due date".
pub(crate) fn label(name: &str) -> String {
    capitalised(&name.replace(['_', '-'], " "))
}

/// The path's segments without parameters and without `api` and version segments.
pub(crate) fn literal_segments(path: &str) -> impl Iterator<Item = &str> {
    let is_version = |segment: &str| {
        let rest = segment.strip_prefix(['v', 'V']);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    path.split('/')
        .filter(|segment| !segment.is_empty() && !segment.contains('{'))
        .filter(move |segment| !is_version(segment) && *segment != "api")
}

/// At most `limit` characters, cut at the end of a sentence or else of a word.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= limit {
        return text;
    }
    let cut: String = text.chars().take(limit.saturating_sub(1)).collect();
    let sentence = cut.rfind(". ").filter(|end| *end * 3 > cut.len());
    match (sentence, cut.rfind(' ')) {
        (Some(end), _) => cut[..=end].to_owned(),
        (None, Some(end)) => format!("{}…", cut[..end].trim_end_matches([',', ';', ':', ' '])),
        (None, None) => format!("{cut}…"),
    }
}

/// Descriptions are Markdown, often with HTML: keeps the text of links, drops tags and marks.
pub(crate) fn plain_text(text: &str) -> String {
    let (mut plain, _) = frontdesk_core::untrusted::clean(text);
    if let Some(markup) = MARKUP.as_ref() {
        let kept = |found: &Captures| match found.get(1) {
            Some(label) => label.as_str().to_owned(),
            None if found[0].starts_with('<') => " ".to_owned(),
            None => String::new(),
        };
        plain = markup.replace_all(&plain, kept).into_owned();
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lower-case ASCII words joined by `_`, as many as fit in a tool's name.
pub(crate) fn valid_name(parts: &[String]) -> String {
    let mut name = String::new();
    for part in parts {
        let ascii: String = part.chars().filter(char::is_ascii_alphanumeric).collect();
        let joint = if name.is_empty() { "" } else { "_" };
        if ascii.is_empty() {
            continue;
        }
        if name.len() + joint.len() + ascii.len() > MAX_NAME {
            break;
        }
        name = name + joint + &ascii;
    }
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("call_{name}").trim_end_matches('_').to_owned()
    }
}

/// The words from the first one on with which all fit in a tool's name.
pub(super) fn last_words(parts: &[String]) -> &[String] {
    let fits = |from: &usize| parts[*from..].join("_").len() <= MAX_NAME;
    &parts[(0..parts.len()).find(fits).unwrap_or_default()..]
}

/// The name itself, or the first of `name_2`, `name_3` … that is free.
pub(crate) fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    let free = candidates.find(|candidate| !is_taken(candidate));
    free.unwrap_or_default()
}

/// Pairs of names whose descriptions are nearly equal: a model would confuse these tools.
pub(crate) fn twins<'a>(tools: &[(&'a str, &str)]) -> Vec<(&'a str, &'a str)> {
    /// Share of common words from which two descriptions count as nearly equal.
    const ALIKE: f64 = 0.8;
    /// More pairs tell nothing new.
    const MAX_PAIRS: usize = 10;
    let hashes = RandomState::new();
    let hashed = |(name, description): &(&'a str, &str)| {
        let words = words(description).into_iter();
        let set: BTreeSet<u64> = words.map(|word| hashes.hash_one(word)).collect();
        (*name, set)
    };
    let sets: Vec<(&str, BTreeSet<u64>)> = tools.iter().map(hashed).collect();
    let are_alike = |one: &BTreeSet<u64>, other: &BTreeSet<u64>| {
        let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
        // The sizes alone can already exclude it.
        if short == 0 || (short as f64) < ALIKE * long as f64 {
            return false;
        }
        let common = one.intersection(other).count();
        common as f64 >= ALIKE * (one.len() + other.len() - common) as f64
    };
    let pairs = sets.iter().enumerate().flat_map(|(at, (name, one))| {
        let later = sets[at + 1..].iter();
        let alike = later.filter(move |(_, other)| are_alike(one, other));
        alike.map(move |(other, _)| (*name, *other))
    });
    pairs.take(MAX_PAIRS).collect()
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod words_tests;
