//! Names of people and things: capitalised words, quoted text, and what follows a word
//! that introduces a name.

use std::ops::Range;

use super::super::cues::Cue;
use super::super::language::Language;
use super::super::words::Text;

/// A name and the words it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) words: Range<usize>,
    pub(crate) span: Range<usize>,
    pub(crate) value: String,
}

/// What stands between quotation marks or backquotes, without the marks.
pub(crate) fn quotes(raw: &str) -> Vec<Range<usize>> {
    const PAIRS: [(&str, &str); 7] = [
        ("```", "```"),
        ("`", "`"),
        ("\"", "\""),
        ("“", "”"),
        ("«", "»"),
        ("„", "“"),
        ("„", "”"),
    ];
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        let found = PAIRS.iter().find_map(|(open, close)| {
            let inside = rest.strip_prefix(open)?;
            let length = inside.find(close)?;
            (length > 0).then_some((at + open.len()..at + open.len() + length, close.len()))
        });
        match found {
            Some((span, close)) => {
                at = span.end + close;
                spans.push(span);
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    spans
}

/// Small words inside a name ("Anna von Berg", "Omar bin Said").
const PARTICLES: [&str; 13] = [
    "of", "von", "van", "de", "der", "bin", "ibn", "al", "af", "av", "la", "del", "da",
];

/// Said before a name, and no part of it.
const HONORIFICS: [&str; 11] = [
    "mr", "mrs", "ms", "miss", "dr", "prof", "herr", "frau", "fru", "г-н", "г-жа",
];

/// Runs of capitalised words. `known` tells the words that belong to the request itself;
/// `taken` those that are part of another value.
pub(crate) fn capitalised(
    text: &Text,
    known: &dyn Fn(usize) -> bool,
    taken: &dyn Fn(usize) -> bool,
) -> Vec<Name> {
    if is_shouted(text) {
        return Vec::new();
    }
    let said_to_us = [
        Cue::Exclusion,
        Cue::Condition,
        Cue::Hesitation,
        Cue::Polite,
        Cue::Thanks,
        Cue::Greeting,
        Cue::Yes,
        Cue::No,
        Cue::Cancel,
        Cue::Correction,
    ];
    let is_phrase =
        |at: usize| text.starts_sentence(at) && said_to_us.iter().any(|cue| cue.at(text, at) > 0);
    let is_part = |at: usize| {
        text.is_capitalised(at)
            && !taken(at)
            && !is_phrase(at)
            && !is_no_name(&text.words[at].lower)
            && !HONORIFICS.contains(&text.words[at].lower.as_str())
            && (!text.words[at].function || !text.starts_sentence(at))
    };
    let mut names = Vec::new();
    let mut at = 0;
    while at < text.words.len() {
        if !is_part(at) || text.words[at].lower == "i" {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < text.words.len() && joins(text, end) {
            let particle = PARTICLES.contains(&text.words[end].lower.as_str())
                && end + 1 < text.words.len()
                && joins(text, end + 1)
                && is_part(end + 1);
            // "Avidbots Neo 2W": a type is part of what something is called.
            let word = text.of(&text.words[end]);
            let kind =
                word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_uppercase);
            if !is_part(end) && !particle && !kind && !is_number_of(text, end) {
                break;
            }
            end += 1;
        }
        names.extend(trimmed(text, at..end, known));
        at = end;
    }
    names
}

/// "We'd", "that's"; "Записывай": a pronoun with its verb, and an order, whatever their capital.
fn is_no_name(lower: &str) -> bool {
    const PRONOUNS: [&str; 14] = [
        "i", "we", "you", "he", "she", "it", "they", "that", "this", "there", "here", "what",
        "who", "let",
    ];
    const ORDERS: [&str; 5] = ["вай", "вайте", "йте", "ывать", "ивать"];
    let shortened = lower.split_once('\'');
    let pronoun = shortened.is_some_and(|(before, _)| PRONOUNS.contains(&before));
    pronoun || ORDERS.iter().any(|ending| lower.ends_with(ending))
}

/// "the Neo 2 and …", "KIRA B 50, …": a figure right behind a name that counts nothing.
fn is_number_of(text: &Text, at: usize) -> bool {
    const LONGEST: usize = 4;
    let word = &text.words[at];
    let figure = word.lower.len() <= LONGEST && word.lower.bytes().all(|b| b.is_ascii_digit());
    let after = text.raw[word.end..].chars().next();
    let whole =
        after.is_none_or(|mark| matches!(mark, ' ' | ',' | '.' | ';' | '!' | '?' | ')' | '\n'));
    let next = text.words.get(at + 1);
    let counts = next.is_some_and(|next| !next.function && text.gap_before(at + 1) == " ");
    figure && whole && !counts
}

/// Without the words of the request that merely begin the sentence with a capital.
fn trimmed(text: &Text, mut words: Range<usize>, known: &dyn Fn(usize) -> bool) -> Option<Name> {
    if words.clone().all(known) {
        return None;
    }
    while words.start < words.end && text.starts_sentence(words.start) && known(words.start) {
        words.start += 1;
    }
    // "die Kandidatin Lea Vogt": in German what somebody is has a capital, too.
    let german = text.language == Some(Language::German);
    while german && words.start + 1 < words.end && known(words.start) && !known(words.end - 1) {
        words.start += 1;
    }
    while words.start < words.end && (words.start + 1..words.end).all(known) && known(words.start) {
        words.start += 1;
    }
    while words.start < words.end && text.words[words.start].function {
        words.start += 1;
    }
    name_of(text, words)
}

pub(crate) fn name_of(text: &Text, words: Range<usize>) -> Option<Name> {
    if words.is_empty() {
        return None;
    }
    let mut span = text.words[words.start].start..text.words[words.end - 1].end;
    let possessive = ["'s", "’s"]
        .iter()
        .find(|s| text.raw[span.clone()].ends_with(**s));
    span.end -= possessive.map_or(0, |s| s.len());
    let value = text.raw[span.clone()].to_owned();
    Some(Name { words, span, value })
}

/// Whether this word goes on with the name before it.
fn joins(text: &Text, at: usize) -> bool {
    let gap = text.gap_before(at);
    let initial = text.words[at - 1].lower.chars().count() == 1 && gap == ". ";
    gap == " " || initial
}

/// Nothing can be told from capitals where everything is written in them.
fn is_shouted(text: &Text) -> bool {
    let letters = || text.raw.chars().filter(|c| c.is_alphabetic());
    let capitals = letters().filter(|c| c.is_uppercase()).count();
    text.words.len() > 2 && capitals * 10 > letters().count() * 6
}

/// Words after something that introduces a name, written small: "for ali khan to …".
pub(crate) fn introduced(
    text: &Text,
    leads: &[Vec<String>],
    stops: &dyn Fn(usize) -> bool,
) -> Option<Name> {
    const LONGEST: usize = 3;
    let starts = (0..text.words.len()).filter_map(|at| {
        let learned = leads
            .iter()
            .filter(|lead| !lead.is_empty() && text.has_at(at, lead))
            .map(Vec::len)
            .max();
        let length = learned.unwrap_or_else(|| Cue::NameLead.at(text, at));
        (length > 0).then_some(at + length)
    });
    for start in starts {
        let words = (start..text.words.len())
            .take(LONGEST)
            .take_while(|at| !stops(*at) && !text.words[*at].function)
            .take_while(|at| *at == start || text.gap_before(*at) == " ")
            .count();
        if words > 0 {
            return name_of(text, start..start + words);
        }
    }
    None
}
