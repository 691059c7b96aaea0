//! Cleans a piece of a sentence and splits lists such as "X, Y and Z" into their items.

use rustc_hash::FxHashSet;

use super::cues::Reader;
use crate::tata::domain::text::words::{Word, capitalised, one_line, shorten, words};

/// Longer statements are cut at a word.
pub(crate) const MAX_ITEM_CHARS: usize = 200;
/// "X and Y" is split only between short sides; longer ones are usually one thought.
const SHORT_SIDE: usize = 4;
/// A bullet point is a list only when all its parts are this short.
const SHORT_PART: usize = 3;
const CONJUNCTIONS: [&str; 6] = ["and", "och", "og", "und", "samt", "sowie"];
/// Longer pieces are prose, not "X and Y".
const LONGEST_SPLIT: usize = 400;
const LONGEST_FILLER: usize = 5;

/// The piece without what stands around a skill. Empty when nothing is left.
pub(crate) fn clean<'t>(piece: &'t str, reader: &Reader) -> &'t str {
    let mut text = trim_edges(piece);
    let mut list = words(text);
    if let Some(reason) = reader
        .reasons
        .find(&list)
        .into_iter()
        .find(|hit| hit.first > 0)
    {
        text = trim_edges(&text[..reason.span(&list).start]);
        list = words(text);
    }
    let mut from = 0;
    let mut to = list.len();
    while let Some(n) = leading_filler(&list[from..to], &reader.leading) {
        from += n;
    }
    while let Some(n) = trailing_filler(&list[from..to], &reader.trailing) {
        to -= n;
    }
    if from == to {
        return "";
    }
    if from == 0 && to == list.len() {
        return text;
    }
    // Brackets and quotes before the first or after the last word stay unless words were taken away there.
    let start = if from == 0 { 0 } else { list[from].start };
    let end = if to == list.len() {
        text.len()
    } else {
        list[to - 1].end
    };
    trim_edges(&text[start..end])
}

/// Items of a running list: commas, semicolons and a final "and".
pub(crate) fn split_list(text: &str, reader: &Reader) -> Vec<String> {
    let mut parts = split_commas(text, reader);
    if let Some(last) = parts.pop() {
        let listed = !parts.is_empty();
        match split_conjunction(last, listed, reader) {
            Some((left, right)) => parts.extend([left, right]),
            None => parts.push(last),
        }
    }
    parts
        .into_iter()
        .filter_map(|part| item(part, reader))
        .collect()
}

/// One bullet point is one item, unless it is clearly a list of short names.
pub(crate) fn split_bullet(text: &str, reader: &Reader) -> Vec<String> {
    let parts = split_commas(text, reader);
    let all_short = parts.len() > 1 && parts.iter().all(|p| words(p).len() <= SHORT_PART);
    if all_short {
        split_list(text, reader)
    } else {
        item(text, reader).into_iter().collect()
    }
}

/// A finished item, or nothing when no word says what is meant.
pub(crate) fn item(text: &str, reader: &Reader) -> Option<String> {
    let cleaned = clean(text, reader);
    let list = words(cleaned);
    let telling = list
        .iter()
        .any(|w| reader.is_telling(&w.folded) && w.number().is_none());
    // "At least 5 years of experience" names no field, but it is a requirement.
    let years = list.iter().any(|w| w.number().is_some())
        && list
            .iter()
            .any(|w| reader.years.contains(w.folded.as_ref()));
    (telling || years).then(|| capitalised(&shorten(&one_line(cleaned), MAX_ITEM_CHARS)))
}

/// Spaces, punctuation and brackets without a partner.
pub(crate) fn trim_edges(text: &str) -> &str {
    let mut text = text;
    // A few rounds are enough for real text; a limit keeps hostile text from costing more than its length.
    for _ in 0..8 {
        let before = text.len();
        text = text.trim_matches(|c: char| c.is_whitespace() || ",;:!?–—*_\"“”„»«'".contains(c));
        text = text
            .trim_start_matches([')', ']', '-'])
            .trim_end_matches(['(', '[', '-', '.']);
        if !text.contains(')') {
            text = text.trim_start_matches('(');
        }
        if !text.contains('(') {
            text = text.trim_end_matches(')');
        }
        if !text.contains(']') {
            text = text.trim_start_matches('[');
        }
        if !text.contains('[') {
            text = text.trim_end_matches(']');
        }
        if text.len() == before {
            break;
        }
    }
    text
}

/// How many words at the start are filler, the longest known phrase first.
fn leading_filler(list: &[Word<'_>], known: &FxHashSet<String>) -> Option<usize> {
    (1..=LONGEST_FILLER.min(list.len()))
        .rev()
        .find(|n| known.contains(&phrase(&list[..*n])))
}

fn trailing_filler(list: &[Word<'_>], known: &FxHashSet<String>) -> Option<usize> {
    (1..=LONGEST_FILLER.min(list.len()))
        .rev()
        .find(|n| known.contains(&phrase(&list[list.len() - n..])))
}

fn phrase(list: &[Word<'_>]) -> String {
    list.iter()
        .map(|w| w.folded.as_ref())
        .collect::<Vec<_>>()
        .join(" ")
}

fn split_commas<'t>(text: &'t str, reader: &Reader) -> Vec<&'t str> {
    let mut parts: Vec<&'t str> = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' | ';' | '•'
                if depth == 0
                    && !between_digits(text, at)
                    && !attaches(&text[at + c.len_utf8()..], reader) =>
            {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            '0'..='9' if depth == 0 && at > start && enumerates(text, at) => {
                parts.push(&text[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    if let Some(first) = parts.first_mut() {
        *first = super::lines::without_marker(first);
    }
    parts.retain(|p| p.contains(char::is_alphanumeric));
    parts
}

/// "1) X 2) Y 3) Z" on one line.
fn enumerates(text: &str, at: usize) -> bool {
    text[..at].ends_with([' ', '(']) && text[at + 1..].starts_with(") ")
}

fn between_digits(text: &str, at: usize) -> bool {
    text[..at].ends_with(|c: char| c.is_ascii_digit())
        && text[at + 1..].starts_with(|c: char| c.is_ascii_digit())
}

/// "…, preferably Y" belongs to the item before it. Only the next few words matter.
fn attaches(after: &str, reader: &Reader) -> bool {
    let end = after
        .char_indices()
        .nth(40)
        .map_or(after.len(), |(at, _)| at);
    let next = words(&after[..end]);
    reader
        .attach
        .find(&next)
        .first()
        .is_some_and(|hit| hit.first == 0)
}

fn split_conjunction<'t>(
    text: &'t str,
    listed: bool,
    reader: &Reader,
) -> Option<(&'t str, &'t str)> {
    if text.len() > LONGEST_SPLIT {
        return None;
    }
    let list = words(text);
    let is_conjunction = |w: &Word<'_>| CONJUNCTIONS.contains(&w.folded.as_ref());
    let depth_free = |at: usize| text[..at].matches('(').count() == text[..at].matches(')').count();
    let inside = |i: usize| i > 0 && i + 1 < list.len();
    let mut found = list
        .iter()
        .enumerate()
        .filter(|(i, w)| inside(*i) && is_conjunction(w) && depth_free(w.start));
    if listed {
        // "A, B and C" ends in its last "and"; "A, B, and C and D" has had its own already.
        let (_, word) = found
            .next_back()
            .filter(|_| !list.first().is_some_and(is_conjunction))?;
        return Some((&text[..word.start], &text[word.end..]));
    }
    let (i, word) = found.next()?;
    let (left, right) = (&list[..i], &list[i + 1..]);
    let head = |side: &[Word<'_>]| {
        side.last()
            .is_some_and(|w| reader.shared_heads.contains(w.folded.as_ref()))
    };
    let one_word = right.len() == 1 && text[right[0].start..].starts_with(char::is_lowercase);
    // "Danish in speech and writing", "communication and presentation skills".
    if (head(right) && !head(left)) || (one_word && left.len() > 2) {
        return None;
    }
    let short = left.len() <= SHORT_SIDE && right.len() <= SHORT_SIDE;
    (short || starts_new(right, reader)).then(|| (&text[..word.start], &text[word.end..]))
}

/// A number or a phrase such as "good knowledge of" begins another skill.
fn starts_new(right: &[Word<'_>], reader: &Reader) -> bool {
    let led_in = |first: usize| right[..first].iter().all(|w| !reader.is_telling(&w.folded));
    right[0].number().is_some()
        || reader
            .cues
            .find(right)
            .first()
            .is_some_and(|hit| hit.first == 0)
        || reader
            .weak
            .find(right)
            .first()
            .is_some_and(|hit| led_in(hit.first))
}
