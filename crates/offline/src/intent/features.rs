//! A text as sparse features: words, pairs of words, and character n-grams of words.

use std::collections::HashMap;

use crate::text::{Word, words};

/// More words add noise and time, not meaning.
const MOST_WORDS: usize = 80;
const CHAR_GRAMS: std::ops::RangeInclusive<usize> = 3..=5;
/// Character n-grams repeat the information of words, so each weighs less.
const CHAR_GRAM_WEIGHT: f32 = 0.4;
/// A feature of a single sentence does not generalise.
const LEAST_SENTENCES: u32 = 2;

/// Indexes of known features with their weights, normalised to unit length.
pub(crate) type Features = Vec<(u32, f32)>;

#[derive(Default)]
pub(crate) struct Dictionary {
    numbers: HashMap<String, u32>,
}

impl Dictionary {
    pub(crate) fn build<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for text in texts {
            let mut own: Vec<String> = grams(text).into_iter().map(|(gram, _)| gram).collect();
            own.sort_unstable();
            own.dedup();
            for gram in own {
                *counts.entry(gram).or_default() += 1;
            }
        }
        let mut frequent: Vec<String> = counts
            .into_iter()
            .filter(|(_, count)| *count >= LEAST_SENTENCES)
            .map(|(gram, _)| gram)
            .collect();
        // The order of a hash map is random; the indexes must be deterministic.
        frequent.sort_unstable();
        let numbers = frequent.into_iter().zip(0..).collect();
        Self { numbers }
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn features(&self, text: &str) -> Features {
        let mut sums: Vec<(u32, f32)> = grams(text)
            .into_iter()
            .filter_map(|(gram, weight)| Some((*self.numbers.get(&gram)?, weight)))
            .collect();
        sums.sort_unstable_by_key(|(number, _)| *number);
        sums.dedup_by_key(|(number, _)| *number);
        let length: f32 = sums.iter().map(|(_, w)| w * w).sum::<f32>().sqrt();
        for (_, weight) in &mut sums {
            *weight /= length.max(f32::MIN_POSITIVE);
        }
        sums
    }
}

fn grams(text: &str) -> Vec<(String, f32)> {
    let shapes: Vec<String> = words(text)
        .iter()
        .take(MOST_WORDS)
        .map(|word| shape(word, text))
        .collect();
    let mut found = Vec::new();
    let mut before = "^";
    for shape in &shapes {
        found.push((shape.clone(), 1.0));
        found.push((format!("{before} {shape}"), 1.0));
        if !shape.starts_with('#') {
            char_grams(shape, &mut found);
        }
        before = shape;
    }
    if text.trim_end().ends_with('?') {
        found.push(("#question".to_owned(), 1.0));
    }
    found
}

/// Maps all numbers, codes and names to one token each.
fn shape(word: &Word, text: &str) -> String {
    if word.is_number() {
        return "#number".to_owned();
    }
    if word.has_digit() {
        return "#code".to_owned();
    }
    let mut letters = word.in_text(text).chars();
    let capital = letters.next().is_some_and(char::is_uppercase) && word.start > 0;
    let small = letters.all(char::is_lowercase);
    if capital && small {
        return "#name".to_owned();
    }
    word.lower.clone()
}

fn char_grams(word: &str, found: &mut Vec<(String, f32)>) {
    let padded: Vec<char> = format!("<{word}>").chars().collect();
    for size in CHAR_GRAMS {
        for gram in padded.windows(size) {
            found.push((gram.iter().collect(), CHAR_GRAM_WEIGHT));
        }
    }
}

#[cfg(test)]
#[path = "features_tests.rs"]
mod features_tests;
