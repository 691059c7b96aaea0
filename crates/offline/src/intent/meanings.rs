//! The values that words stand for: a word is a condition if sentences about a value contain it much more
//! often than others do.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::training::Training;
use crate::text::{same_stem, words};

/// A class, a parameter, and its value as JSON text.
type Label = (usize, String, String);

/// A word supports a value that is so many times as frequent in its sentences as in all.
const SUPPORT: usize = 2;
/// A word is a condition if a value is so many times as frequent in its sentences.
const LIFT: usize = 4;
/// A condition has this value in at least one of so many of its sentences, and in no single one of several.
const SHARE: usize = 4;

#[derive(Default)]
pub(crate) struct Meanings {
    numbers: HashMap<Label, usize>,
    /// How many sentences have a label, by its number.
    totals: Vec<usize>,
    /// The class of each sentence, and the numbers of its labels.
    sentences: Vec<(usize, Vec<usize>)>,
    /// The sentences with each word, in lower case: others may be names.
    vocabulary: BTreeMap<String, Vec<usize>>,
}

/// A word with its sentences, counted by label.
pub(crate) struct Meaning<'a> {
    meanings: &'a Meanings,
    sentences: BTreeSet<usize>,
    counts: HashMap<usize, usize>,
}

impl Meanings {
    pub(crate) fn of(training: &Training) -> Self {
        let mut meanings = Self::default();
        for (place, sentence) in training.sentences.iter().enumerate() {
            let text = sentence.text.as_str();
            for word in words(text) {
                if word.in_text(text) == word.lower {
                    let own = meanings.vocabulary.entry(word.lower).or_default();
                    own.push(place);
                }
            }
            let labels = sentence.values.iter();
            let labels = labels
                .map(|(param, value)| (sentence.class, param.clone(), value.clone()))
                .map(|label| meanings.number(label));
            let labels = labels.collect();
            meanings.sentences.push((sentence.class, labels));
        }
        meanings
    }

    fn number(&mut self, label: Label) -> usize {
        let next = self.totals.len();
        let number = *self.numbers.entry(label).or_insert(next);
        if number == next {
            self.totals.push(0);
        }
        self.totals[number] += 1;
        number
    }

    /// `None` for a word that no sentence contains in any form.
    pub(crate) fn word(&self, lower: &str) -> Option<Meaning<'_>> {
        let same =
            |known: &str| known.chars().next() == lower.chars().next() && same_stem(known, lower);
        let forms = self.vocabulary.iter().filter(|(known, _)| same(known));
        let sentences: BTreeSet<usize> = forms.flat_map(|(_, places)| places).copied().collect();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for label in sentences.iter().flat_map(|place| &self.sentences[*place].1) {
            *counts.entry(*label).or_default() += 1;
        }
        (!sentences.is_empty()).then_some(Meaning {
            meanings: self,
            sentences,
            counts,
        })
    }
}

impl Meaning<'_> {
    /// The sentences of a class that contain the word and express no value.
    pub(crate) fn plain_sentences(&self, class: usize) -> BTreeSet<usize> {
        let plain = |place: &usize| {
            let (own, labels) = &self.meanings.sentences[*place];
            *own == class && labels.is_empty()
        };
        self.sentences.iter().copied().filter(plain).collect()
    }

    /// True if this label is so many times as frequent in sentences with the word as in all.
    fn is_frequent(&self, label: usize, times: usize) -> bool {
        let hits = self.counts.get(&label).copied().unwrap_or(0);
        let total = self.meanings.totals[label];
        hits > 0 && hits * self.meanings.sentences.len() >= times * self.sentences.len() * total
    }

    /// True if the word often expresses a value of another parameter of this class.
    pub(crate) fn names_other(&self, class: usize, param: &str) -> bool {
        let mut labels = self.meanings.numbers.iter();
        labels.any(|((of, name, _), number)| {
            let hits = self.counts.get(number).copied().unwrap_or(0);
            *of == class && name != param && hits > 1 && self.is_frequent(*number, LIFT)
        })
    }

    pub(crate) fn supports(&self, class: usize, param: &str, value: &str) -> bool {
        let label = (class, param.to_owned(), value.to_owned());
        let number = self.meanings.numbers.get(&label);
        number.is_some_and(|number| self.is_frequent(*number, SUPPORT))
    }

    /// The values that most of the sentences with the word and this value express as well: "the most expensive" is
    /// an order by price and downwards.
    pub(crate) fn companions(&self, class: usize, param: &str, value: &str) -> Vec<(&str, &str)> {
        let label = (class, param.to_owned(), value.to_owned());
        let Some(number) = self.meanings.numbers.get(&label) else {
            return Vec::new();
        };
        let labels = |place: &usize| &self.meanings.sentences[*place].1;
        let own: Vec<&Vec<usize>> = self.sentences.iter().map(labels).collect();
        let own = || own.iter().filter(|labels| labels.contains(number));
        let all = own().count();
        let known = self.meanings.numbers.iter();
        let others = known.filter(|(_, other)| {
            let hits = own().filter(|labels| labels.contains(other)).count();
            *other != number && hits * 2 >= all && all > 0
        });
        others
            .map(|((_, param, value), _)| (param.as_str(), value.as_str()))
            .collect()
    }

    /// True if the word often expresses one value.
    pub(crate) fn is_condition(&self) -> bool {
        let all = self.sentences.len();
        let mut labels = self.counts.iter();
        labels.any(|(label, hits)| {
            let often = hits * SHARE >= all && (*hits > 1 || all == 1);
            often && self.is_frequent(*label, LIFT)
        })
    }
}
