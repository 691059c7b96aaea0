//! A text as words with their places, each with the keys under which it can be found.

use std::ops::Range;

use super::language::{Language, is_function_word, stems};

/// Of a longer text only its beginning and its end are read: a request stands before or
/// after what was pasted, and the cost of a reply must not grow with the paste.
const WORDS_FROM_START: usize = 240;
const WORDS_FROM_END: usize = 60;

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Lower case, one kind of apostrophe, `ё` as `е`.
    pub(super) lower: String,
    /// The word itself, without marks on letters, and its stems.
    pub(super) keys: Vec<String>,
    pub(super) function: bool,
}

impl Word {
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    pub(super) raw: String,
    pub(super) language: Option<Language>,
    pub(super) words: Vec<Word>,
}

impl Text {
    pub(super) fn new(raw: &str) -> Self {
        Self::in_language(raw, Language::of(raw))
    }

    pub(super) fn in_language(raw: &str, language: Option<Language>) -> Self {
        let spans = bounded(word_spans(raw));
        let words = spans
            .into_iter()
            .map(|span| word(raw, span, language))
            .collect();
        Self {
            raw: raw.to_owned(),
            language,
            words,
        }
    }

    pub(super) fn of(&self, word: &Word) -> &str {
        &self.raw[word.start..word.end]
    }

    /// What stands between this word and the one before it.
    pub(super) fn gap_before(&self, index: usize) -> &str {
        let start = match index {
            0 => 0,
            later => self.words[later - 1].end,
        };
        &self.raw[start..self.words[index].start]
    }

    /// Whether there is a word at this place, and it is one of these.
    pub(super) fn is_one_of(&self, index: usize, words: &[&str]) -> bool {
        let word = self.words.get(index);
        word.is_some_and(|word| words.contains(&word.lower.as_str()))
    }

    /// Whether a new part of a sentence, or a new sentence, starts with this word.
    pub(super) fn starts_clause(&self, index: usize) -> bool {
        let marks = [',', '.', '!', ';', '\n'];
        self.gap_before(index).contains(marks)
    }

    /// Whether a sentence starts with this word.
    pub(super) fn starts_sentence(&self, index: usize) -> bool {
        index == 0
            || self
                .gap_before(index)
                .contains(['.', '!', '?', '\n', ';', ')'])
    }

    pub(super) fn is_capitalised(&self, index: usize) -> bool {
        self.of(&self.words[index])
            .chars()
            .next()
            .is_some_and(char::is_uppercase)
    }

    /// The words that lie wholly inside these bytes.
    pub(super) fn words_in(&self, span: &Range<usize>) -> Range<usize> {
        let from = self.words.partition_point(|w| w.start < span.start);
        let to = self.words.partition_point(|w| w.end <= span.end);
        from..to.max(from)
    }

    /// Whether these lower-case words stand here, in this order.
    pub(super) fn has_at(&self, index: usize, phrase: &[String]) -> bool {
        self.words.len() >= index + phrase.len()
            && phrase
                .iter()
                .zip(&self.words[index..])
                .all(|(wanted, word)| *wanted == word.lower)
    }
}

fn bounded(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if spans.len() > WORDS_FROM_START + WORDS_FROM_END {
        spans.drain(WORDS_FROM_START..spans.len() - WORDS_FROM_END);
    }
    spans
}

fn word(raw: &str, span: Range<usize>, language: Option<Language>) -> Word {
    let lower = normal(&raw[span.clone()]);
    let keys = keys(&lower);
    let function = is_function_word(&lower, language);
    Word {
        start: span.start,
        end: span.end,
        lower,
        keys,
        function,
    }
}

/// Lower case, one spelling of apostrophes and of `ё`.
pub(super) fn normal(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .map(|c| match c {
            '’' | '‘' | 'ʼ' => '\'',
            'ё' => 'е',
            other => other,
        })
        .collect()
}

/// Everything a word can be found by; words with a hyphen also by their parts.
pub(super) fn keys(lower: &str) -> Vec<String> {
    let mut keys = vec![lower.to_owned()];
    let bare = lower.strip_suffix("'s").unwrap_or(lower);
    let mut add = |key: String| {
        if !key.is_empty() && !keys.contains(&key) {
            keys.push(key);
        }
    };
    add(bare.to_owned());
    add(without_marks(bare));
    for stem in stems(bare) {
        add(without_marks(&stem));
    }
    if bare.contains('-') {
        let is_word =
            |part: &&str| part.chars().count() > 2 && part.chars().all(char::is_alphabetic);
        for part in bare.split('-').filter(is_word) {
            add(part.to_owned());
            stems(part).into_iter().for_each(&mut add);
        }
    }
    keys
}

/// People write `godkann` for `godkänn` on the keyboard they have.
fn without_marks(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'å' | 'ä' | 'á' | 'à' | 'â' => plain.push('a'),
            'ö' | 'ø' | 'ó' | 'ô' => plain.push('o'),
            'ü' | 'ú' | 'û' => plain.push('u'),
            'é' | 'è' | 'ê' | 'ë' => plain.push('e'),
            'í' | 'ï' => plain.push('i'),
            'æ' => plain.push_str("ae"),
            'ß' => plain.push_str("ss"),
            other => plain.push(other),
        }
    }
    plain
}

/// Runs of letters and digits. Some marks join what stands on both sides of them, so
/// that numbers, times, codes and contractions stay in one piece.
fn word_spans(raw: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start: Option<usize> = None;
    let mut previous: Option<char> = None;
    let mut chars = raw.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let inside = c.is_alphanumeric() || c == '_' || joins(previous, c, next);
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                spans.push(from..at);
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
        previous = Some(c);
    }
    if let Some(from) = start {
        spans.push(from..raw.len());
    }
    spans
}

fn joins(previous: Option<char>, mark: char, next: Option<char>) -> bool {
    let (Some(before), Some(after)) = (previous, next) else {
        return false;
    };
    match mark {
        '\'' | '’' | '‘' | 'ʼ' => before.is_alphabetic() && after.is_alphabetic(),
        '-' | '‐' | '‑' => before.is_alphanumeric() && after.is_alphanumeric(),
        '.' | ',' | ':' => before.is_ascii_digit() && after.is_ascii_digit(),
        // Combining marks belong to the letter before them.
        '\u{0300}'..='\u{036F}' => true,
        _ => false,
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod words_tests;
