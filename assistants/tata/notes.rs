//! Reads start-up notes without a model: headings, lists, "Team: …" lines and "must have …"
//! clauses. It sorts the text and adds nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use frontdesk_core::grounding::{is_counted, sentences};
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
/// For texts that fit no section. They may be private, so candidates never see them.
pub(super) const OTHER: &str = "other";

/// The most entries of a section, so that documents stay bounded.
const MOST: usize = 60;
/// The most words of a heading, and of a label in front of a colon.
const HEADING_WORDS: usize = 6;

/// A list mark at the start of a line, and the entry behind it.
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

/// The section of the lines below a heading.
#[derive(Clone, Copy)]
struct Section {
    key: &'static str,
    has_entries: bool,
    /// Its entries have no list marks, so a short line is an entry and not the next heading.
    is_plain: bool,
}

/// Entries of the notes by section or topic.
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

    /// The texts about a topic.
    pub(super) fn texts(&self, key: &str) -> impl Iterator<Item = &String> {
        self.0.get(key).into_iter().flatten()
    }

    /// Sorts one line; the section that the next line belongs to.
    fn read_line(&mut self, line: &str, section: Option<Section>) -> Option<Section> {
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
            return section.map(|section| Section {
                is_plain: section.is_plain && !section.has_entries,
                ..section
            });
        }
        if !is_entry && let Some(key) = section_called(heading) {
            return Some(Section {
                key,
                has_entries: false,
                is_plain: true,
            });
        }
        if let Some((key, rest)) = labelled(text) {
            self.add_rest(key, rest, text);
            return section.filter(|_| is_entry);
        }
        let is_short = heading.split_whitespace().count() <= HEADING_WORDS;
        let may_be_heading = !is_entry && is_short && is_heading(text);
        match section {
            Some(section) if !may_be_heading || section.is_plain => {
                self.add(section.key, text);
                Some(Section {
                    has_entries: true,
                    is_plain: section.is_plain && !is_entry,
                    ..section
                })
            }
            // Perhaps a heading that no list knows: it ends the section before it, and is kept.
            Some(_) | None => {
                sentences(text).for_each(|sentence| self.read_sentence(sentence.trim(), OTHER));
                None
            }
        }
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

    /// The text after "Must have:". Its first sentence is a list; later ones may have another subject.
    fn add_rest(&mut self, key: &'static str, rest: &str, line: &str) {
        match key {
            OTHER => self.add(key, line),
            "must_haves" | "good_to_haves" | "responsibilities" => {
                let mut rest = sentences(rest).map(str::trim);
                self.add_all(key, split_list(rest.next().unwrap_or_default()));
                rest.for_each(|text| self.read_sentence(text, key));
            }
            // "Process: interview, references. Wants three candidates by May."
            _ if TOPICS.contains(&key) => {
                let mut rest = sentences(rest).map(str::trim);
                self.add(key, rest.next().unwrap_or_default());
                rest.for_each(|text| self.read_sentence(text, OTHER));
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

/// The rest of a sentence after a cue of several words.
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

#[cfg(test)]
mod notes_tests;
