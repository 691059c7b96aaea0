//! Reads start-up notes without a model: headings, lists, "Team: …" lines and "must have …"
//! clauses. It sorts what was written and adds nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::document::{Item, one_line};
use super::labels::labels;
use super::language::Language;

/// Sections that notes are sorted into.
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
/// Takes what fits nowhere.
const OTHER: &str = "other";

/// Nobody reads more of one section, and documents stay bounded.
const MOST: usize = 60;
/// A line that is longer is no heading, and what stands before a colon in it no label.
const HEADING_WORDS: usize = 6;

/// A list mark at the start of a line, and what follows.
static ENTRY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:[-*•–+·]+|\d{1,2}[.)])\s+(.*)$").ok());

/// How notes call a section, in any language: notes and documents need not share one.
static CUES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let keys = LISTS.into_iter().chain(TOPICS).chain([OTHER, "and"]);
    keys.flat_map(|key| {
        let all = Language::ALL.into_iter();
        let cues = all.flat_map(move |language| labels(language).cues(key));
        cues.map(move |cue| (key, cue.as_str()))
    })
    .collect()
});

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
        let entry = ENTRY
            .as_ref()
            .and_then(|entry| entry.captures(line)?.get(1))
            // "1. März" is a date, not the first entry of a list.
            .filter(|text| {
                !line.starts_with(|c: char| c.is_ascii_digit()) || !is_counted(text.as_str())
            });
        let (text, is_entry) = entry.map_or((line, false), |found| (found.as_str(), true));
        let heading = text.trim_matches(['#', '*', '_', ' ', ':']);
        if heading.is_empty() {
            return section;
        }
        if !is_entry && let Some(key) = section_called(heading) {
            return Some(key);
        }
        if let Some((key, rest)) = labelled(text) {
            self.add_rest(key, rest, text);
            return section.filter(|_| is_entry);
        }
        let is_short = heading.split_whitespace().count() <= HEADING_WORDS;
        match section {
            Some(key) if is_entry => self.add(key, text),
            // A heading that no list knows ends the section before it.
            _ if !is_entry && is_short && is_heading(text) => {
                return None;
            }
            Some(key) => self.add(key, text),
            None => sentences(text).for_each(|sentence| self.read_sentence(sentence, OTHER)),
        }
        section
    }

    /// "Must have A, B and C", "Pay: 42-46k", "Pay 42-46k"; a sentence that says none of these
    /// belongs to `otherwise`.
    fn read_sentence(&mut self, sentence: &str, otherwise: &'static str) {
        if let Some((key, rest)) = labelled(sentence) {
            return self.add_rest(key, rest, sentence);
        }
        for key in ["must_haves", "good_to_haves"] {
            if let Some(rest) = after_cue(sentence, key) {
                return self.add_all(key, split_list(rest));
            }
        }
        let lower = sentence.to_lowercase();
        let begins = |(_, cue): &&(&str, &str)| {
            let rest = lower.strip_prefix(cue);
            rest.is_some_and(|rest| rest.starts_with([' ', ':', '-', '–']))
        };
        let topics = CUES.iter().filter(|(key, _)| TOPICS.contains(key));
        let topic = { topics }.find(begins).map(|(key, _)| *key);
        self.add(topic.unwrap_or(otherwise), sentence);
    }

    /// What stands behind "Must have:". A first sentence is a list; those that follow may be about
    /// something else.
    fn add_rest(&mut self, key: &'static str, rest: &str, line: &str) {
        match key {
            OTHER => self.add(key, line),
            "must_haves" | "good_to_haves" | "responsibilities" => {
                let mut rest = sentences(rest);
                self.add_all(key, split_list(rest.next().unwrap_or_default()));
                rest.for_each(|text| self.read_sentence(text, key));
            }
            _ => self.add(key, rest),
        }
    }

    fn add_all(&mut self, key: &'static str, texts: Vec<String>) {
        texts.iter().for_each(|text| self.add(key, text));
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

/// Whether a short line can be a heading: it begins with no figure and ends in no mark.
fn is_heading(line: &str) -> bool {
    !line.starts_with(|c: char| c.is_ascii_digit()) && !line.ends_with(['.', '!', '?', ',', ';'])
}

/// The section that has this heading.
pub(super) fn section_called(heading: &str) -> Option<&'static str> {
    let heading = heading.to_lowercase().replace('’', "'");
    let found = CUES.iter().find(|(_, cue)| *cue == heading);
    found.map(|(key, _)| *key).filter(|key| *key != "and")
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
    let ends = |(_, cue): &&(&str, &str)| cue.contains(' ') && label.ends_with(cue);
    let ending = || CUES.iter().find(ends).map(|(key, _)| *key);
    let key = section_called(label).or_else(ending);
    Some((key.unwrap_or(OTHER), rest.trim()))
}

/// What follows a cue of several words inside a sentence.
fn after_cue<'s>(sentence: &'s str, key: &str) -> Option<&'s str> {
    let lower = sentence.to_lowercase();
    let cues = CUES
        .iter()
        .filter(|(of, cue)| *of == key && cue.contains(' '));
    let rests = cues.filter_map(|(_, cue)| {
        let at = lower.find(cue)?;
        let before = lower[..at].chars().next_back();
        // Lower case may change lengths in rare alphabets; then nothing is cut.
        let rest = sentence
            .get(at + cue.len()..)
            .filter(|_| lower.len() == sentence.len())?;
        let is_word = before.is_none_or(|c| !c.is_alphanumeric()) && rest.starts_with([' ', ':']);
        is_word.then(|| rest.trim_start_matches([':', ' ']))
    });
    { rests }.find(|rest| !rest.is_empty())
}

/// "A, B and C" as three; commas in brackets part nothing.
fn split_list(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        let is_comma = c == ',' && chars.peek().is_some_and(|next| next.is_whitespace());
        match (depth == 0 && (c == ';' || is_comma), parts.last_mut()) {
            (true, _) => parts.push(String::new()),
            (false, Some(part)) => part.push(c),
            (false, None) => {}
        }
    }
    // With three or more parts a last "and" more often joins than parts: "Swedish and English".
    let last = parts.last().filter(|last| !last.contains('('));
    if parts.len() < 3
        && let Some((first, second)) = last.and_then(|last| around_and(last))
    {
        let halves = [first.to_owned(), second.to_owned()];
        parts.pop();
        parts.extend(halves);
    }
    let clean = |part: &String| {
        let part = part.trim();
        let part = around_and(part)
            .filter(|(before, _)| before.is_empty())
            .map_or(part, |(_, rest)| rest);
        part.trim_end_matches('.').trim().to_owned()
    };
    parts
        .iter()
        .map(clean)
        .filter(|part| !part.is_empty())
        .collect()
}

/// The two sides of an "and", in any of the languages.
fn around_and(text: &str) -> Option<(&str, &str)> {
    let mut ands = CUES.iter().filter(|(key, _)| *key == "and");
    ands.find_map(|(_, and)| {
        let spaced = format!(" {and} ");
        match text
            .strip_prefix(and)
            .and_then(|rest| rest.strip_prefix(' '))
        {
            Some(rest) => Some(("", rest)),
            None => text.split_once(spaced.as_str()),
        }
    })
}

/// A text that ends in an ordinal or in an abbreviation: the dot behind it ends no sentence.
static UNENDED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?ix)(?:^|[^\w]) (?: \p{L} | bzw | inkl | mind | ca | nr | dr | evtl | ggf | max | min ) $").ok()
});

/// What an ordinal counts, behind "1. ": a month in any of the languages, or a floor or a span.
static COUNTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?: jan(?:uar[iy]?)? | feb(?:ruar[iy]?)? | mar(?:s|ch|ts)? | märz? | apr(?:il)? | ma[jiy] | jun[ie]? | jul[iy]?
        | aug(?:ust[i]?)? | sept?(?:ember)? | o[kc]t(?:ober)? | nov(?:ember)? | de[csz](?:ember)?
        | stock | etage | og | quartal | halbjahr | woche | monat | jahr | schicht | level )\b",
    )
    .ok()
});

/// True if the dot belongs to an ordinal or abbreviation, as in "1. März" or "z. B. Cisco".
fn goes_on(before: &str, after: &str) -> bool {
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_short = |short: &Regex| short.is_match(before);
    ((1..=2).contains(&digits) && is_counted(after)) || UNENDED.as_ref().is_some_and(is_short)
}

fn is_counted(text: &str) -> bool {
    COUNTED
        .as_ref()
        .is_some_and(|counted| counted.is_match(text))
}

/// Sentences end in a mark that is followed by a space and a capital letter.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        let mut marks = rest.match_indices(['.', '!', '?']);
        let end = marks.find(|(at, _)| {
            let mut after = rest[at + 1..].chars();
            let is_end = after.next() == Some(' ') && after.next().is_some_and(char::is_uppercase);
            is_end && !goes_on(&rest[..*at], rest[at + 1..].trim_start())
        });
        let (sentence, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at + 1));
        rest = after.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

#[cfg(test)]
mod notes_tests;
