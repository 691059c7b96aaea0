//! Choices and booleans: named in the message, or expressed in words like those of the examples.

use serde_json::Value;

use super::Reading;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::{clauses, same_stem, words};

/// A learned value must be more probable than all others together.
const LEAST_PROBABILITY: f32 = 0.5;

impl Reading<'_> {
    pub(super) fn read_choices(&mut self) {
        let choices = self.params(|kind| matches!(kind, Kind::Choice(_)));
        let mut named: Vec<(f32, &Param, (usize, usize, Value))> = Vec::new();
        for param in &choices {
            if let Some(found) = self.named_choice(param) {
                let learned = self.catalog.choice(self.place, &param.name, self.text);
                let learned = learned.filter(|(value, _)| *value == found.2);
                named.push((
                    learned.map_or(0.0, |(_, probability)| probability),
                    param,
                    found,
                ));
            }
        }
        // A word that names choices of two parameters goes to the more probable one.
        named.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, param, (start, end, value)) in named {
            if !self.is_used(start, end) {
                self.take(param, value, start, end);
            }
        }
        for param in self.params(|kind| matches!(kind, Kind::Choice(_) | Kind::Boolean)) {
            let value = self
                .learned_choice(param)
                .filter(|value| param.admits(value));
            if let Some(value) = value.filter(|_| !self.has(param)) {
                self.put(param, value);
                self.learned += 1;
            }
        }
    }

    /// The only choice whose words occur in the message. The longer of two overlapping ones wins.
    fn named_choice(&self, param: &Param) -> Option<(usize, usize, Value)> {
        let Kind::Choice(values) = &param.kind else {
            return None;
        };
        let mut matches: Vec<(usize, usize, &Value)> = Vec::new();
        for value in values {
            let places = value
                .as_str()
                .map(|text| self.places_of(text))
                .unwrap_or_default();
            matches.extend(places.into_iter().map(|(start, end)| (start, end, value)));
        }
        let longest = matches
            .iter()
            .copied()
            .max_by_key(|(start, end, _)| end - start)?;
        let outside = |one: &&(usize, usize, &Value)| one.0 < longest.0 || longest.1 < one.1;
        let rival = matches.iter().filter(outside).any(|one| one.2 != longest.2);
        (!rival).then(|| (longest.0, longest.1, longest.2.clone()))
    }

    /// Spans of a choice's words in the message. Two letters are a language code.
    fn places_of(&self, choice: &str) -> Vec<(usize, usize)> {
        let wanted: Vec<String> = words(&choice.replace(['_', '-'], " "))
            .into_iter()
            .map(|word| word.lower)
            .collect();
        let is_code = choice.chars().count() <= 2;
        let language = format!("language {choice}");
        let currency = format!("currency {choice}");
        let is_currency = !lists::words_of(&currency).is_empty();
        let same = |word: &str, wanted: &str| match is_code {
            true => lists::begins(&language, word),
            false if is_currency => lists::begins(&currency, word),
            false => {
                (wanted.chars().count() > 3 && word.starts_with(wanted)) || same_stem(word, wanted)
            }
        };
        let windows = self.words.windows(wanted.len().max(1));
        let named = windows.filter(|window| {
            let mut pairs = window.iter().zip(&wanted);
            !wanted.is_empty() && pairs.all(|(word, wanted)| same(&word.lower, wanted))
        });
        named
            .map(|window| (window[0].start, window[window.len() - 1].end))
            .collect()
    }

    /// The value that the message or one of its clauses expresses.
    fn learned_choice(&self, param: &Param) -> Option<Value> {
        let parts = clauses(self.text)
            .into_iter()
            .map(|part| &self.text[part.start..part.end]);
        let all = std::iter::once(self.text).chain(parts);
        let expressed = all.filter_map(|part| self.catalog.choice(self.place, &param.name, part));
        let best = expressed.max_by(|a, b| a.1.total_cmp(&b.1))?;
        // "Kommt nicht zurück" must not count as "kommt zurück".
        let denied = best.0 == Value::Bool(true) && lists::any("negation", &self.words);
        (best.1 >= LEAST_PROBABILITY && !denied).then_some(best.0)
    }
}
