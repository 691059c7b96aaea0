//! Choices and yes-or-no values: named in the message, or expressed in words like those of the examples.

use serde_json::Value;

use super::Reading;
use crate::schema::{Kind, Param};
use crate::text::{Word, clauses, same_stem, words};

/// A learned value counts when it is more probable than all others together.
const LEAST_PROBABILITY: f32 = 0.5;

/// Beginnings of the names of languages, for choices that are language codes.
const LANGUAGES: [(&str, &[&str]); 6] = [
    ("en", &["english", "engelsk", "englisch", "английск"]),
    ("sv", &["swedish", "svensk", "schwedisch", "шведск"]),
    ("da", &["danish", "dansk", "dänisch", "датск"]),
    ("no", &["norwegian", "norsk", "norwegisch", "норвежск"]),
    ("de", &["german", "tysk", "deutsch", "немецк"]),
    ("ru", &["russian", "rysk", "russisk", "russisch", "русск"]),
];

impl Reading<'_> {
    pub(super) fn read_choices(&mut self) {
        let mut named: Vec<(f32, &Param, (usize, usize), Value)> = Vec::new();
        for param in self.params(|kind| matches!(kind, Kind::Choice(_))) {
            if let Some((place, value)) = self.named_choice(param) {
                named.push((self.probability(param, &value), param, place, value));
            }
        }
        // A word that names choices of two parameters belongs to the one that the sentence is about.
        named.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, param, (start, end), value) in named {
            if !self.is_used(start, end) {
                self.used.push((start, end));
                self.put(param, value);
            }
        }
        self.read_learned();
    }

    fn read_learned(&mut self) {
        for param in self.params(|kind| matches!(kind, Kind::Choice(_))) {
            let Kind::Choice(values) = &param.kind else {
                continue;
            };
            let value = self
                .learned_choice(param)
                .filter(|value| values.contains(value));
            if let Some(value) = value.filter(|_| !self.has(param)) {
                self.put(param, value);
            }
        }
        for param in self.params(|kind| matches!(kind, Kind::Boolean)) {
            let value = self.learned_choice(param).filter(Value::is_boolean);
            if let Some(value) = value {
                self.put(param, value);
            }
        }
    }

    /// The one choice whose words stand in the message. Of two that overlap the longer one counts.
    fn named_choice(&self, param: &Param) -> Option<((usize, usize), Value)> {
        let Kind::Choice(values) = &param.kind else {
            return None;
        };
        let mut matches: Vec<(usize, usize, &Value)> = Vec::new();
        for value in values {
            let Some(text) = value.as_str() else { continue };
            matches.extend(
                self.places_of(text)
                    .into_iter()
                    .map(|(from, to)| (from, to, value)),
            );
        }
        let covered = |one: &(usize, usize, &Value)| {
            matches.iter().any(|other| {
                let longer = other.1 - other.0 > one.1 - one.0;
                longer && other.0 <= one.0 && one.1 <= other.1
            })
        };
        let mut kept = matches.iter().filter(|one| !covered(one));
        let (start, end, first) = kept.next()?;
        kept.all(|(_, _, other)| other == first)
            .then(|| ((*start, *end), (*first).clone()))
    }

    /// How probable the examples make this value.
    fn probability(&self, param: &Param, value: &Value) -> f32 {
        let learned = self.catalog.choice(self.place, &param.name, self.text);
        learned
            .filter(|(best, _)| best == value)
            .map_or(0.0, |(_, probability)| probability)
    }

    /// Where the words of a choice stand in the message.
    fn places_of(&self, choice: &str) -> Vec<(usize, usize)> {
        const SHORTEST: usize = 3;
        if choice.chars().count() < SHORTEST {
            let names = LANGUAGES.iter().find(|(code, _)| *code == choice);
            let names = names.map_or(&[][..], |(_, names)| *names);
            let named = |word: &&Word| names.iter().any(|name| word.lower.starts_with(name));
            let found = self.words.iter().filter(named);
            return found.map(|word| (word.start, word.end)).collect();
        }
        let wanted: Vec<String> = words(&choice.replace(['_', '-'], " "))
            .into_iter()
            .map(|w| w.lower)
            .collect();
        self.words
            .windows(wanted.len().max(1))
            .filter(|window| {
                let pairs = window.iter().zip(&wanted);
                !wanted.is_empty()
                    && pairs
                        .into_iter()
                        .all(|(word, wanted)| is_form_of(&word.lower, wanted))
            })
            .map(|window| (window[0].start, window[window.len() - 1].end))
            .collect()
    }

    /// What the message as a whole or one of its clauses expresses.
    fn learned_choice(&self, param: &Param) -> Option<Value> {
        let parts = clauses(self.text)
            .into_iter()
            .map(|clause| &self.text[clause.start..clause.end]);
        let all = std::iter::once(self.text).chain(parts);
        let said = all.filter_map(|part| self.catalog.choice(self.place, &param.name, part));
        let best = said.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 >= LEAST_PROBABILITY).then_some(best.0)
    }
}

/// `scrubbers` is a form of `scrub`, `rejected` of `rejected`.
fn is_form_of(word: &str, wanted: &str) -> bool {
    const SHORTEST_STEM: usize = 4;
    let extends = wanted.chars().count() >= SHORTEST_STEM && word.starts_with(wanted);
    extends || same_stem(word, wanted)
}
