//! The words of a text, folded for comparison, with their places in the original.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A run of letters and digits. `C++` and `C#` keep their sign, because they are names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    /// Lower case, composed, without invisible characters.
    pub(crate) folded: Cow<'t, str>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Nothing but spaces, a hyphen or a soft line break stands between this word and the one before.
    pub(crate) joined: bool,
}

impl Word<'_> {
    /// `5`, `5+` and `12` are numbers.
    pub(crate) fn number(&self) -> Option<u32> {
        self.folded.trim_end_matches('+').parse().ok()
    }

    pub(crate) fn letters(&self) -> usize {
        self.folded.chars().count()
    }
}

pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::with_capacity(text.len() / 6);
    let mut gap_from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if !c.is_alphanumeric() {
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some(&(at, next)) = chars.peek()
            && continues_word(next)
        {
            end = at + next.len_utf8();
            chars.next();
        }
        while let Some(&(at, '+' | '#')) = chars.peek() {
            end = at + 1;
            chars.next();
        }
        let joined = !out.is_empty() && !breaks(&text[gap_from..start]);
        out.push(Word {
            folded: fold(&text[start..end]),
            start,
            end,
            joined,
        });
        gap_from = end;
    }
    out
}

/// The folded words alone.
pub(crate) fn folded_words(text: &str) -> Vec<String> {
    words(text)
        .into_iter()
        .map(|w| w.folded.into_owned())
        .collect()
}

/// One spelling for comparison: folded words with single spaces.
pub(crate) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word.folded);
    }
    out
}

/// How many words [`words`] would find, without making them.
pub(crate) fn word_count(text: &str) -> usize {
    let mut count = 0;
    let mut inside = false;
    for c in text.chars() {
        let now = if inside {
            continues_word(c)
        } else {
            c.is_alphanumeric()
        };
        count += usize::from(now && !inside);
        inside = now;
    }
    count
}

/// Cuts a text at a word's end so that it has at most `limit` characters.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let end = text
        .char_indices()
        .nth(limit.saturating_sub(1))
        .map_or(text.len(), |(at, _)| at);
    let cut = text[..end].rfind(char::is_whitespace).unwrap_or(end);
    format!("{}…", text[..cut].trim_end_matches([' ', ',', ';', ':']))
}

/// First letter in upper case, the rest as it is. A letter whose upper case is several letters stays.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return String::new();
    };
    let mut upper = first.to_uppercase();
    let first = upper
        .next()
        .filter(|_| upper.next().is_none())
        .unwrap_or(first);
    std::iter::once(first).chain(chars).collect()
}

/// One line, single spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn continues_word(c: char) -> bool {
    // Most text is ASCII, and no table needs to be asked about it.
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() || is_combining_mark(c) || is_invisible(c)
}

/// Soft hyphens and zero-width characters come with text copied from web pages and Word.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
    )
}

fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        let is_folded = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        return if word.bytes().all(is_folded) {
            Cow::Borrowed(word)
        } else {
            Cow::Owned(word.to_ascii_lowercase())
        };
    }
    if word.chars().all(|c| c.is_lowercase() || c.is_ascii_digit()) {
        return Cow::Borrowed(word);
    }
    let visible = word
        .chars()
        .filter(|c| !is_invisible(*c))
        .flat_map(char::to_lowercase);
    Cow::Owned(visible.nfc().collect())
}

/// A comma, a full stop, a bracket, an empty line or a new bullet ends a phrase.
fn breaks(gap: &str) -> bool {
    if gap == " " {
        return false;
    }
    let lines = gap.matches('\n').count();
    lines > 1
        || gap.contains(|c: char| ".,;:!?()[]{}\"“”„»«•|".contains(c))
        || (lines == 1 && gap.contains(|c: char| !c.is_whitespace()))
}
