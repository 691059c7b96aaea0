//! What a person's message says about their facility, by code: only what stands in the words, each with the sentence it
//! stands in. A question says nothing; a bare answer belongs to what was asked last.

pub(crate) mod facility;
mod figures;
mod phrases;
mod sentences;

use super::discovery::{Discovery, Found, LONGEST_VALUE, LaborRate, checked};
use super::keys::Key;
use super::roi::Confidence;
use facility::Facility;
use sentences::{Sentence, sentences};

/// What was found in a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) found: Vec<Found>,
    /// What was said and cannot be kept, with what would do.
    pub(crate) problems: Vec<(Key, String)>,
    pub(crate) skipped: Vec<Key>,
    pub(crate) labor_rate: Option<LaborRate>,
}

impl Read {
    fn has(&self, key: Key) -> bool {
        self.found.iter().any(|found| found.key == key)
            || self.problems.iter().any(|(problem, _)| *problem == key)
    }

    /// Keeps the value if it can be one, else what is wrong with it. The first mention counts.
    fn put(&mut self, key: Key, value: &str, quote: &str, confidence: Confidence) {
        if self.has(key) {
            return;
        }
        match checked(key, value) {
            Ok(value) => self.found.push(Found {
                key,
                value,
                quote: cut(quote),
                confidence,
            }),
            Err(problem) => self.problems.push((key, problem)),
        }
    }
}

fn cut(text: &str) -> String {
    text.trim().chars().take(LONGEST_VALUE).collect()
}

/// Reads a message. `known` says what was asked last and what is known already.
pub(crate) fn read(message: &str, known: &Discovery) -> Read {
    let mut read = Read::default();
    let asked = &known.asked;
    let all = sentences(message);
    if all.is_empty() {
        return read;
    }
    if phrases::is_skip(message) {
        read.skipped = asked.iter().copied().take(1).collect();
        return read;
    }
    if let Some(key) = chip(message, asked) {
        read.put(key, message.trim(), message, Confidence::High);
        return read;
    }
    for sentence in &all {
        figures::read(sentence, &mut read);
        facility::read(sentence, &mut read);
        phrases::read(sentence, &mut read);
    }
    name(message, &all, asked, &mut read);
    bare(message, &all, asked, &mut read);
    read
}

/// An offered answer, word for word, to one of the questions that are open.
fn chip(message: &str, asked: &[Key]) -> Option<Key> {
    let said = message.trim().trim_end_matches(['.', '!']);
    let offered = |key: &&Key| {
        key.about()
            .chips
            .iter()
            .any(|chip| chip.eq_ignore_ascii_case(said))
    };
    asked.iter().find(offered).copied()
}

/// The company's name: after "called" and its like, or as the answer to the question for it.
fn name(message: &str, all: &[Sentence<'_>], asked: &[Key], read: &mut Read) {
    for sentence in all {
        if let Some(name) = phrases::introduced_name(sentence.text) {
            read.put(Key::CompanyName, &name, sentence.text, Confidence::High);
            return;
        }
    }
    const LONGEST_NAME: usize = 8;
    let said = phrases::without_lead(message.trim().trim_end_matches(['.', '!']));
    let words = said.split_whitespace().count();
    let other = read
        .found
        .iter()
        .any(|found| !matches!(found.key, Key::CompanyType));
    let is_name = asked.contains(&Key::CompanyName)
        && all.len() == 1
        && (1..=LONGEST_NAME).contains(&words)
        && !other
        && read.problems.is_empty()
        && !Facility::is_bare(said)
        && said.chars().any(char::is_alphabetic)
        && !phrases::is_talk(said);
    if is_name && (asked.first() == Some(&Key::CompanyName) || phrases::looks_like_name(said)) {
        read.put(Key::CompanyName, said, message, Confidence::Medium);
    }
}

/// A short answer that names no subject: it is about what was asked.
fn bare(message: &str, all: &[Sentence<'_>], asked: &[Key], read: &mut Read) {
    const LONGEST_ANSWER: usize = 40;
    let words = message.split_whitespace().count();
    if all.iter().all(|sentence| sentence.is_question) || words > LONGEST_ANSWER {
        return;
    }
    for key in asked {
        if read.has(*key) {
            return;
        }
        if !key.is_free() && figures::is_bare_answer(*key, message) {
            read.put(
                *key,
                &figures::with_unit(*key, message),
                message,
                Confidence::High,
            );
            return;
        }
    }
    let first = asked
        .first()
        .copied()
        .filter(|key| key.is_free() && *key != Key::CompanyName);
    if let Some(key) = first
        && read.found.is_empty()
        && read.problems.is_empty()
        && !phrases::is_talk(message)
    {
        read.put(key, message.trim(), message, Confidence::Medium);
    }
}

/// Whether a person said this, as far as letters go.
pub(crate) fn is_said(quote: &str, words: &[String]) -> bool {
    let plain = |text: &str| {
        let letters = text
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { ' ' });
        let letters: String = letters.collect::<String>().to_lowercase();
        letters.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let wanted = plain(quote);
    if wanted.is_empty() {
        return words.iter().any(|said| said.contains(quote.trim())) && !quote.trim().is_empty();
    }
    words
        .iter()
        .any(|said| format!(" {} ", plain(said)).contains(&format!(" {wanted} ")))
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod reading_tests;
