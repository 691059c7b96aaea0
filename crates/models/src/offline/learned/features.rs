//! What is looked at in a sentence: its words and stems, their meanings, pairs of neighbours, groups of
//! letters, and turns of phrase. Values count by their kind alone.

use std::collections::{BTreeMap, HashSet};

use super::super::cues::Cue;
use super::super::language::Language;
use super::super::lexicon::LEXICON;
use super::super::words::{Text, Word};

/// Something that a sentence has, and how much it counts.
pub(super) struct Feature {
    pub(super) name: String,
    pub(super) weight: f32,
}

// What each sort counts beside the word itself.
const STEM: f32 = 0.7;
const MEANING: f32 = 0.7;
const PAIR: f32 = 0.7;
const LETTERS: f32 = 0.3;
const TURN: f32 = 0.7;
/// Groups of so many letters, in words that are longer.
const GROUP: usize = 4;

/// Turns of phrase that make the same words mean something else.
const TURNS: [(Cue, &str); 6] = [
    (Cue::Negation, "not"),
    (Cue::Condition, "if"),
    (Cue::Remark, "remark"),
    (Cue::Please, "please"),
    (Cue::Helping, "helping"),
    (Cue::Possessive, "possessive"),
];

/// Of length 1 together, so that long sentences say no more than short ones.
pub(super) fn features(text: &Text, small: &HashSet<String>) -> Vec<Feature> {
    let mut found: BTreeMap<String, f32> = BTreeMap::new();
    let mut add = |name: String, weight: f32| {
        let known = found.entry(name).or_insert(weight);
        *known = known.max(weight);
    };
    let meanings = LEXICON.read(text);
    let mut before = "<".to_owned();
    for (at, word) in text.words.iter().enumerate() {
        let kind = kind_of(text, at, small);
        let token = match kind {
            Some(kind) if kind == before => continue,
            Some(kind) => kind.to_owned(),
            None => {
                for concept in &meanings[at].concepts {
                    add(format!("m {}", LEXICON.key(*concept)), MEANING);
                }
                for stem in word.keys.iter().skip(1) {
                    add(format!("s {stem}"), STEM);
                }
                for letters in groups(&word.lower) {
                    add(format!("l {letters}"), LETTERS);
                }
                word.keys.last().unwrap_or(&word.lower).clone()
            }
        };
        let own = match (kind, counted(&word.lower)) {
            (Some(_), _) => &token,
            (None, Some(word)) => word,
            (None, None) => &word.lower,
        };
        add(format!("w {own}"), 1.0);
        add(format!("p {before} {token}"), PAIR);
        before = token;
    }
    let end = if text.raw.trim_end().ends_with('?') {
        "?"
    } else {
        ">"
    };
    add(format!("p {before} {end}"), PAIR);
    add(format!("w {end}"), TURN);
    for (cue, name) in TURNS {
        if cue.is_in(text) {
            add(format!("t {name}"), TURN);
        }
    }
    let length = found.values().map(|weight| weight * weight).sum::<f32>();
    let length = length.sqrt().max(f32::MIN_POSITIVE);
    let all = found.into_iter().map(|(name, weight)| Feature {
        name,
        weight: weight / length,
    });
    all.collect()
}

/// The words that are neither small nor values, each by all that it may be known by.
pub(super) fn words(text: &Text, small: &HashSet<String>) -> Vec<Vec<String>> {
    let all = text.words.iter().enumerate();
    let telling = all.filter(|(at, word)| !word.function && kind_of(text, *at, small).is_none());
    let features = |word: &Word| {
        let stems = word.keys.iter().skip(1).map(|stem| format!("s {stem}"));
        stems.chain([format!("w {}", word.lower)]).collect()
    };
    telling.map(|(_, word)| features(word)).collect()
}

/// What a word counts as where it is a value: a number, a code, a name.
fn kind_of(text: &Text, at: usize, small: &HashSet<String>) -> Option<&'static str> {
    let word = &text.words[at];
    if counted(&word.lower).is_some() {
        return None;
    }
    let digits = word.lower.contains(|c: char| c.is_ascii_digit());
    let letters = word.lower.contains(char::is_alphabetic);
    let nouns = text.language == Some(Language::German);
    let own = || word.function || small.contains(&word.lower);
    match (digits, letters) {
        (true, true) => Some("{code}"),
        (true, false) => Some("{number}"),
        (false, _) if text.is_capitalised(at) && !text.starts_sentence(at) && !nouns && !own() => {
            Some("{name}")
        }
        (false, _) => None,
    }
}

/// "top-5": a word with a figure behind it is that word.
fn counted(lower: &str) -> Option<&str> {
    const LONG: usize = 3;
    let (word, figure) = lower.split_once('-')?;
    let letters = word.chars().count() >= LONG && word.chars().all(char::is_alphabetic);
    let digits = !figure.is_empty() && figure.bytes().all(|b| b.is_ascii_digit());
    (letters && digits).then_some(word)
}

/// Groups of letters, with marks where the word begins and ends: slips of the finger and compounds share
/// most of them.
fn groups(lower: &str) -> Vec<String> {
    let letters: Vec<char> = std::iter::once('<')
        .chain(lower.chars())
        .chain(['>'])
        .collect();
    if letters.len() <= GROUP + 2 {
        return Vec::new();
    }
    let groups = letters.windows(GROUP);
    groups.map(|group| group.iter().collect()).collect()
}
