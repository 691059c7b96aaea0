//! Facts in a person's message, found by code, each with its sentence as the quote. A question states nothing; a bare
//! answer belongs to the question that was asked last.

pub(crate) mod facility;
mod figures;
mod phrases;
mod sentences;
mod unused;

use super::discovery::{Discovery, FactDraft, LONGEST_VALUE, LaborRate, checked};
use super::keys::Key;
use super::roi::Confidence;
use super::units::{Unit, with_units};
use facility::Facility;
use sentences::{Sentence, sentences};
use unused::is_calculated;
pub(crate) use unused::{condition, unused_numbers};

/// The facts of one message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    pub(crate) found: Vec<FactDraft>,
    /// Answers that cannot be kept, each with what would be possible.
    pub(crate) problems: Vec<(Key, String)>,
    pub(crate) skipped: Vec<Key>,
    pub(crate) labor_rate: Option<LaborRate>,
    /// Sentences and numbers that no fact has.
    pub(crate) not_used: Vec<String>,
}

impl Reading {
    fn has(&self, key: Key) -> bool {
        self.found.iter().any(|found| found.key == key)
            || self.problems.iter().any(|(problem, _)| *problem == key)
    }

    /// Keeps a valid value, else the problem with it. The first mention counts.
    fn put(&mut self, key: Key, value: &str, quote: &str, confidence: Confidence) {
        if self.has(key) {
            return;
        }
        match checked(key, value) {
            Ok(value) => self.found.push(FactDraft {
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

/// Reads a message. `known` has the last questions and the facts so far.
pub(crate) fn read(message: &str, known: &Discovery) -> Reading {
    let mut reading = Reading::default();
    let asked = &known.asked;
    let all = sentences(message);
    if all.is_empty() {
        return reading;
    }
    if phrases::is_skip(message) {
        reading.skipped = asked.iter().copied().take(1).collect();
        return reading;
    }
    if let Some(key) = chip(message, asked) {
        reading.put(key, message.trim(), message, Confidence::High);
        return reading;
    }
    for sentence in &all {
        figures::read(sentence, &mut reading);
        facility::read(sentence, &mut reading);
        phrases::read(sentence, &mut reading);
    }
    name(message, &all, asked, &mut reading);
    bare(message, &all, asked, &mut reading);
    if reading.problems.is_empty() {
        reading.not_used = not_used(message, &all, &reading, known);
    }
    // An uncertain kind of building never replaces a known one.
    let is_doubtful =
        |fact: &FactDraft| fact.key == Key::CompanyType && fact.confidence != Confidence::High;
    if known.fact(Key::CompanyType).is_some() {
        reading.found.retain(|fact| !is_doubtful(fact));
    }
    reading
}

fn not_used(
    message: &str,
    all: &[Sentence<'_>],
    reading: &Reading,
    known: &Discovery,
) -> Vec<String> {
    let rate = reading
        .labor_rate
        .as_ref()
        .map(|rate| (rate.dollars_an_hour.to_string(), &rate.quote));
    let found = reading
        .found
        .iter()
        .map(|found| (found.value.clone(), &found.quote));
    let found: Vec<(String, &String)> = found.chain(rate).collect();
    let silent = |sentence: &&Sentence<'_>| {
        let quote = cut(sentence.text);
        let is_taken = found.iter().any(|(_, known)| known.contains(&quote));
        !sentence.is_question && !phrases::is_talk(sentence.text) && !is_taken
    };
    let mut left: Vec<String> = all.iter().filter(silent).map(|one| cut(one.text)).collect();
    // A value that is not in its quote was calculated from the numbers there.
    let calculated = reading.found.iter().filter_map(|fact| {
        let unit = Unit::asked_by(fact.key)?;
        is_calculated(&fact.value, &fact.quote)
            .then(|| with_units(&fact.quote, &[unit, Unit::Other]))
    });
    let values = found
        .iter()
        .map(|(value, _)| value.clone())
        .chain(calculated);
    let taken: Vec<String> = values.chain([known.values()]).collect();
    let numbers = unused_numbers(message, &taken.join(" ; "));
    let inside = |number: &String| {
        left.iter()
            .any(|sentence| sentence.contains(number.as_str()))
    };
    let numbers: Vec<String> = numbers
        .into_iter()
        .filter(|number| !inside(number))
        .collect();
    left.extend(numbers);
    left
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
fn name(message: &str, all: &[Sentence<'_>], asked: &[Key], reading: &mut Reading) {
    for sentence in all {
        if let Some(name) = phrases::introduced_name(sentence.text) {
            reading.put(Key::CompanyName, &name, sentence.text, Confidence::High);
            return;
        }
    }
    const LONGEST_NAME: usize = 8;
    let said = phrases::without_lead(message.trim().trim_end_matches(['.', '!']));
    let words = said.split_whitespace().count();
    let other = reading
        .found
        .iter()
        .any(|found| !matches!(found.key, Key::CompanyType));
    let is_name = asked.contains(&Key::CompanyName)
        && matches!(all, [only] if !only.is_question)
        && (1..=LONGEST_NAME).contains(&words)
        && !other
        && reading.problems.is_empty()
        && !Facility::is_bare(said)
        && said.chars().any(char::is_alphabetic)
        && !phrases::is_talk(said);
    if is_name && (asked.first() == Some(&Key::CompanyName) || phrases::looks_like_name(said)) {
        reading.put(Key::CompanyName, said, message, Confidence::Medium);
    }
}

/// A short answer that names no subject: it is about what was asked.
fn bare(message: &str, all: &[Sentence<'_>], asked: &[Key], reading: &mut Reading) {
    const LONGEST_ANSWER: usize = 40;
    const LONGEST_KIND: usize = 5;
    let words = message.split_whitespace().count();
    let answers = reading.labor_rate.is_none() && words <= LONGEST_ANSWER;
    if !answers || all.iter().all(|sentence| sentence.is_question) {
        return;
    }
    for key in asked {
        if reading.has(*key) {
            return;
        }
        if let Some(value) = figures::bare_answer(*key, message) {
            reading.put(*key, &value, message, Confidence::High);
            return;
        }
    }
    let is_kind = |key: Key| key == Key::CompanyType && words <= LONGEST_KIND;
    let first = asked
        .first()
        .copied()
        .filter(|key| (key.is_free() || is_kind(*key)) && *key != Key::CompanyName);
    if let Some(key) = first
        && reading.found.is_empty()
        && reading.problems.is_empty()
        && !phrases::is_talk(message)
    {
        let said = phrases::without_lead(message.trim());
        reading.put(key, said, message, Confidence::Medium);
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
