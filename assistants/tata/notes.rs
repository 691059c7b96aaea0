//! Reads start-up notes without a model: headings, lists, "Team: …" lines and "must have …"
//! clauses. It sorts what was written and adds nothing.

use std::collections::BTreeMap;

use super::document::{Item, one_line};
use super::labels::labels;
use super::language::Language;

/// Sections that notes are sorted into; the last takes what fits nowhere.
pub(super) const LISTS: [&str; 5] = [
    "must_haves",
    "good_to_haves",
    "responsibilities",
    "soft_skills",
    "team",
];
/// Practical conditions, each a labelled item of one section.
pub(super) const TOPICS: [&str; 6] = [
    "pay",
    "location",
    "home_office",
    "on_call",
    "start",
    "process",
];
const OTHER: &str = "other";

/// Nobody reads more of one section, and documents stay bounded.
const MOST: usize = 60;
/// A line that is longer is no heading, and what stands before a colon in it no label.
const HEADING_WORDS: usize = 6;

/// What notes say, by section or topic.
#[derive(Debug, Default)]
pub(super) struct Notes(BTreeMap<&'static str, Vec<String>>);

impl Notes {
    pub(super) fn read<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut notes = Self::default();
        for text in texts {
            let mut section = None;
            for line in text.lines() {
                section = notes.read_line(line.trim(), section);
            }
        }
        notes
    }

    /// The items of a list.
    pub(super) fn items(&self, key: &str) -> Vec<Item> {
        self.texts(key).map(Item::new).collect()
    }

    /// What was said of a topic.
    pub(super) fn texts(&self, key: &str) -> impl Iterator<Item = &String> {
        self.0.get(key).into_iter().flatten()
    }

    /// What fits no section. It may be private, so candidates never see it.
    pub(super) fn other(&self) -> Vec<Item> {
        self.items(OTHER)
    }

    /// Sorts one line; the section that the next line belongs to.
    fn read_line(&mut self, line: &str, section: Option<&'static str>) -> Option<&'static str> {
        let (text, is_entry) = entry(line);
        if text.is_empty() {
            return section;
        }
        let heading = text.trim_matches(['#', '*', '_', ' ', ':']);
        if !is_entry && let Some(key) = cue_of(heading) {
            return Some(key);
        }
        if let Some((key, rest)) = labelled(text) {
            self.add_rest(key, rest, text);
            return section.filter(|_| is_entry);
        }
        if let Some(key) = section.filter(|_| is_entry) {
            self.add(key, text);
            return section;
        }
        let is_heading = heading.split_whitespace().count() <= HEADING_WORDS
            && !text.ends_with(['.', '!', '?', ',', ';']);
        if !is_entry && is_heading {
            // A heading that no list knows ends the section before it.
            return None;
        }
        match section {
            Some(key) => self.add(key, text),
            None => sentences(text).for_each(|sentence| self.read_sentence(sentence)),
        }
        section
    }

    /// "Must have A, B and C", "Pay 42-46k".
    fn read_sentence(&mut self, sentence: &str) {
        for key in ["must_haves", "good_to_haves"] {
            if let Some(rest) = after_cue(sentence, key) {
                return split_list(rest).iter().for_each(|text| self.add(key, text));
            }
        }
        let topic = TOPICS
            .into_iter()
            .find(|key| begins_with_cue(sentence, key));
        self.add(topic.unwrap_or(OTHER), sentence);
    }

    /// What stands behind "Must have:". A first sentence is a list; what follows are remarks.
    fn add_rest(&mut self, key: &'static str, rest: &str, line: &str) {
        if !LISTS.contains(&key) {
            return self.add(key, if key == OTHER { line } else { rest });
        }
        if matches!(key, "team" | "soft_skills") {
            return self.add(key, rest);
        }
        let mut rest = sentences(rest);
        let first = rest.next().unwrap_or_default();
        split_list(first)
            .iter()
            .for_each(|text| self.add(key, text));
        rest.for_each(|text| self.add(key, text));
    }

    fn add(&mut self, key: &'static str, text: &str) {
        let text = one_line(text);
        let text = text.trim_end_matches(['.', ';']).trim();
        let list = self.0.entry(key).or_default();
        if !text.is_empty() && list.len() < MOST && !list.iter().any(|other| other == text) {
            list.push(text.to_owned());
        }
    }
}

/// The line without its list mark, and whether it had one.
fn entry(line: &str) -> (&str, bool) {
    let rest = line.trim_start_matches(['-', '*', '•', '–', '+', '·']);
    if rest.len() != line.len() && rest.starts_with(' ') {
        return (rest.trim(), true);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line[digits..].strip_prefix(['.', ')']) {
        Some(rest) if (1..=2).contains(&digits) && rest.starts_with(' ') => (rest.trim(), true),
        Some(_) | None => (line, false),
    }
}

fn keys() -> impl Iterator<Item = &'static str> {
    LISTS.into_iter().chain(TOPICS).chain([OTHER])
}

/// Cues of all languages: notes and documents need not share one.
fn cues(key: &'static str) -> impl Iterator<Item = &'static String> {
    Language::ALL
        .into_iter()
        .flat_map(move |language| labels(language).cues(key))
}

fn cue_of(heading: &str) -> Option<&'static str> {
    let heading = heading.to_lowercase().replace('’', "'");
    keys().find(|key| cues(key).any(|cue| *cue == heading))
}

/// "Team: five people" or "Helen wouldn't budge on: …". A label that no list knows is a remark.
fn labelled(line: &str) -> Option<(&'static str, &str)> {
    let (label, rest) = line.split_once(':')?;
    let words = label.split_whitespace().count();
    if rest.trim().is_empty() || words == 0 || words > HEADING_WORDS || label.contains('.') {
        return None;
    }
    let label = label.to_lowercase().replace('’', "'");
    let label = label.trim_matches(['*', '_', ' ']);
    let ends_with = |cue: &String| cue.contains(' ') && label.ends_with(cue.as_str());
    let key = keys()
        .find(|key| cues(key).any(|cue| cue == label))
        .or_else(|| keys().find(|key| cues(key).any(ends_with)));
    Some((key.unwrap_or(OTHER), rest.trim()))
}

/// What follows a cue of several words inside a sentence.
fn after_cue<'s>(sentence: &'s str, key: &'static str) -> Option<&'s str> {
    let lower = sentence.to_lowercase();
    // Lower case may change lengths in rare alphabets; then nothing is cut.
    if lower.len() != sentence.len() {
        return None;
    }
    cues(key)
        .filter(|cue| cue.contains(' '))
        .filter_map(|cue| {
            let at = lower.find(cue.as_str())?;
            let starts = lower[..at]
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_alphanumeric());
            let rest = sentence.get(at + cue.len()..)?;
            (starts && rest.starts_with([' ', ':'])).then_some(rest)
        })
        .map(|rest| rest.trim_start_matches([':', ' ']))
        .find(|rest| !rest.is_empty())
}

fn begins_with_cue(sentence: &str, key: &'static str) -> bool {
    let lower = sentence.to_lowercase();
    cues(key).any(|cue| {
        let rest = lower.strip_prefix(cue.as_str());
        rest.is_some_and(|rest| rest.starts_with([' ', ':', '-', '–']))
    })
}

/// "A, B and C" as three; commas in brackets part nothing.
fn split_list(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        let parts_here = depth == 0
            && (c == ';' || (c == ',' && chars.peek().is_some_and(|next| next.is_whitespace())));
        match (parts_here, parts.last_mut()) {
            (true, _) => parts.push(String::new()),
            (false, Some(part)) => part.push(c),
            (false, None) => {}
        }
    }
    // With three or more parts a last "and" more often joins than parts: "Swedish and English".
    if parts.len() < 3
        && let Some((first, second)) = parts.last().and_then(|last| halves(last))
    {
        parts.pop();
        parts.extend([first, second]);
    }
    let clean = |part: &String| {
        without_and(part.trim())
            .trim_end_matches('.')
            .trim()
            .to_owned()
    };
    parts
        .iter()
        .map(clean)
        .filter(|part| !part.is_empty())
        .collect()
}

/// The two sides of an "and", in any of the languages, outside brackets.
fn halves(text: &str) -> Option<(String, String)> {
    let outside = text.find('(').unwrap_or(text.len());
    cues("and").find_map(|and| {
        let at = text[..outside].to_lowercase().find(&format!(" {and} "))?;
        let first = text.get(..at)?.to_owned();
        Some((first, text.get(at + and.len() + 2..)?.to_owned()))
    })
}

fn without_and(text: &str) -> &str {
    let stripped = cues("and").find_map(|and| {
        let head = text.get(..and.len())?;
        let rest = text.get(and.len()..)?.strip_prefix(' ')?;
        (head.to_lowercase() == *and).then_some(rest)
    });
    stripped.unwrap_or(text)
}

/// Sentences end in a mark that is followed by a space and a capital letter or a digit.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ends = rest.match_indices(['.', '!', '?']).find(|(at, _)| {
            let mut after = rest[at + 1..].chars();
            after.next() == Some(' ') && after.next().is_some_and(|c| c.is_uppercase() || c == '"')
        });
        let (sentence, after) = rest.split_at(ends.map_or(rest.len(), |(at, _)| at + 1));
        rest = after.trim_start();
        Some(sentence)
    })
}

#[cfg(test)]
mod notes_tests;
