//! The part of a passage that matches a question best, and how much two texts share.

use std::collections::HashSet;
use std::ops::Range;

/// Letters by which words are compared: inflected forms share their beginning.
const STEM: usize = 6;
const SHORTEST_WORD: usize = 3;

/// The words of a question or a sentence, by their beginnings. Scripts without blanks between
/// words are compared by pairs of characters.
pub(super) fn words(text: &str) -> HashSet<String> {
    let text = text.to_lowercase();
    let mut words = HashSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|c| matches!(c, '\u{3040}'..='\u{d7af}')) {
            let pairs = letters.windows(2);
            words.extend(pairs.map(|pair| pair.iter().collect::<String>()));
        } else if letters.len() >= SHORTEST_WORD {
            words.insert(letters.iter().take(STEM).collect());
        }
    }
    words
}

/// Letters and digits alone, for comparing titles with headings.
pub(super) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The share of the question's words that a text holds, from 0 to 1.
pub(super) fn shared(asked: &HashSet<String>, text: &str) -> f64 {
    let held = words(text);
    asked.intersection(&held).count() as f64 / asked.len().max(1) as f64
}

/// A short range of a text, widened by whole sentences after and before it; the best part of
/// a long one. At most so many characters.
pub(super) fn around<'t>(
    text: &'t str,
    own: Range<usize>,
    asked: &HashSet<String>,
    most: usize,
) -> &'t str {
    let length = |range: &Range<usize>| text[range.clone()].trim().chars().count();
    if length(&own) > most {
        return best(&text[own], asked, most);
    }
    let mut shown = own;
    let sentences = sentences(text);
    for next in &sentences {
        if next.end <= shown.end {
            continue;
        }
        let wider = shown.start..next.end;
        if length(&wider) > most {
            break;
        }
        shown = wider;
    }
    for before in sentences.iter().rev() {
        if before.start >= shown.start {
            continue;
        }
        let wider = before.start..shown.end;
        if length(&wider) > most {
            break;
        }
        shown = wider;
    }
    text[shown].trim()
}

/// The run of whole sentences, of at most so many characters, that shares most words with
/// the question; the earliest of equals. A sentence that is longer by itself is cut.
pub(super) fn best<'t>(text: &'t str, asked: &HashSet<String>, most: usize) -> &'t str {
    if text.chars().count() <= most {
        return text;
    }
    let sentences = sentences(text);
    let mut best = (-1.0, 0..0);
    for first in 0..sentences.len() {
        let mut range = sentences[first].clone();
        for next in &sentences[first..] {
            if text[range.start..next.end].trim().chars().count() > most {
                break;
            }
            range.end = next.end;
        }
        let share = shared(asked, &text[range.clone()]);
        if share > best.0 {
            best = (share, range);
        }
    }
    let found = text[best.1].trim();
    match found.char_indices().nth(most) {
        Some((end, _)) => &found[..end],
        None => found,
    }
}

/// Sentences and lines, without gaps.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut begin = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((_, c)) = chars.next() {
        let at_end = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        if matches!(c, '\n' | '。' | '！' | '？') || (matches!(c, '.' | '!' | '?') && at_end) {
            let end = chars.peek().map_or(text.len(), |(at, _)| *at);
            parts.push(begin..end);
            begin = end;
        }
    }
    if begin < text.len() {
        parts.push(begin..text.len());
    }
    parts
}
