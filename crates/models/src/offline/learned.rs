//! What is learned from an assistant's list of what people say: how likely a sentence means each group of
//! it. A logistic regression over words, stems, meanings, pairs of words and groups of letters, trained in
//! the same order each time, so that the same list always teaches the same.

mod features;

use std::collections::{HashMap, HashSet};

use frontdesk_core::toolbox::{Offer, Phrasings};
use serde_json::Value;

use super::words::Text;
use features::{Feature, features};

/// Passes over the list, the size of the first step, how fast steps shrink, and how strongly weights are
/// drawn to zero. Half or twice as much of any changes little.
const PASSES: usize = 20;
const FIRST_STEP: f32 = 4.0;
const SHRINKING: f32 = 0.1;
const DRAWN: f32 = 1e-4;

/// What a list teaches. It does not depend on who may use what.
pub(super) struct Learned {
    groups: usize,
    places: HashMap<String, usize>,
    /// For each feature one weight a group; the last row is what each group begins with.
    weights: Vec<f32>,
    /// Words that are written small somewhere in the list: with a capital they are still no names.
    small: HashSet<String>,
}

impl Learned {
    /// `None` where there is nothing to tell apart.
    pub(super) fn from(phrasings: &Phrasings) -> Option<Self> {
        let groups = phrasings.groups.len();
        if groups < 2 {
            return None;
        }
        let said: Vec<(usize, Text)> = phrasings
            .groups
            .iter()
            .enumerate()
            .flat_map(|(group, one)| one.said.iter().map(move |say| (group, Text::new(say))))
            .collect();
        let small = said.iter().flat_map(|(_, text)| {
            let words = 0..text.words.len();
            let small = words.filter(|at| !text.is_capitalised(*at));
            small.map(|at| text.words[at].lower.clone())
        });
        let mut learned = Self {
            groups,
            places: HashMap::new(),
            weights: Vec::new(),
            small: small.collect(),
        };
        let mut lessons: Vec<(usize, Vec<(usize, f32)>)> = Vec::with_capacity(said.len());
        for (group, text) in &said {
            let all = features(text, &learned.small);
            let places = all.into_iter().map(|Feature { name, weight }| {
                let next = learned.places.len();
                (*learned.places.entry(name).or_insert(next), weight)
            });
            lessons.push((*group, places.collect()));
        }
        learned.weights = vec![0.0; (learned.places.len() + 1) * groups];
        for pass in 0..PASSES {
            let step = FIRST_STEP / (1.0 + SHRINKING * pass as f32);
            for (group, lesson) in in_turn(&lessons, pass) {
                learned.study(*group, lesson, step);
            }
        }
        Some(learned)
    }

    /// Moves the weights so that the sentence is a little more likely to mean its group.
    fn study(&mut self, group: usize, lesson: &[(usize, f32)], step: f32) {
        let mut errors = self.shares(lesson);
        errors[group] -= 1.0;
        let begin = self.weights.len() - self.groups;
        for (weight, error) in self.weights[begin..].iter_mut().zip(&errors) {
            *weight -= BEGINNING * step * error;
        }
        for (place, value) in lesson {
            let row = place * self.groups;
            let weights = &mut self.weights[row..row + self.groups];
            for (weight, error) in weights.iter_mut().zip(&errors) {
                *weight -= step * (error * value + DRAWN * *weight);
            }
        }
    }

    /// How likely each group is.
    fn shares(&self, lesson: &[(usize, f32)]) -> Vec<f32> {
        let mut sums = self.weights[self.weights.len() - self.groups..].to_vec();
        for (place, value) in lesson {
            let row = place * self.groups;
            for (sum, weight) in sums.iter_mut().zip(&self.weights[row..row + self.groups]) {
                *sum += weight * value;
            }
        }
        let most = sums.iter().copied().fold(f32::MIN, f32::max);
        for sum in &mut sums {
            *sum = (*sum - most).exp();
        }
        let all: f32 = sums.iter().sum();
        sums.iter().map(|sum| sum / all).collect()
    }

    /// Words of the list that are no names, in an order of their own.
    pub(super) fn small_words(&self) -> impl Iterator<Item = &str> {
        let mut words: Vec<&str> = self.small.iter().map(String::as_str).collect();
        words.sort_unstable();
        words.into_iter()
    }

    /// Whether the list knows enough words of a sentence. What is made of others may mean anything.
    fn knows(&self, text: &Text) -> bool {
        const ENOUGH: f32 = 0.4;
        let words = features::words(text, &self.small);
        let is_known = |word: &&Vec<String>| word.iter().any(|one| self.places.contains_key(one));
        let known = words.iter().filter(is_known);
        known.count() as f32 >= ENOUGH * words.len() as f32
    }

    /// How likely the sentence means each group of the list.
    fn likely(&self, text: &Text) -> Vec<f32> {
        let known = features(text, &self.small);
        let known = known.into_iter().filter_map(|Feature { name, weight }| {
            let place = self.places.get(&name)?;
            Some((*place, weight))
        });
        self.shares(&known.collect::<Vec<_>>())
    }
}

/// What a group begins with moves slowly: how long a list is says little about how often it is meant.
const BEGINNING: f32 = 0.05;

/// The lessons in an order that differs from pass to pass and is the same each time.
fn in_turn<T>(lessons: &[T], pass: usize) -> impl Iterator<Item = &T> {
    const STRIDES: [usize; 5] = [7_919, 7_907, 7_901, 7_883, 7_879];
    let count = lessons.len().max(1);
    let stride = STRIDES[pass % STRIDES.len()];
    // A prime stride meets every lesson, unless their number is a multiple of it.
    let stride = if count.is_multiple_of(stride) {
        1
    } else {
        stride
    };
    (0..lessons.len()).map(move |at| &lessons[(at * stride + pass) % count])
}

/// What is learned, as far as it concerns the tools at hand.
pub(super) struct Taught {
    learned: std::sync::Arc<Learned>,
    /// What each group means here.
    meant: Vec<Meant>,
    phrasings: std::sync::Arc<Phrasings>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    Tool(usize),
    /// A tool that this person cannot use now.
    Elsewhere,
    Nothing,
}

/// How likely a sentence means each tool, another one of the assistant, or none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Likely {
    pub(super) tools: Vec<f32>,
    pub(super) elsewhere: f32,
    pub(super) nothing: f32,
    groups: Vec<f32>,
}

impl Likely {
    /// The likeliest tool, and how likely it is.
    pub(super) fn best(&self) -> (usize, f32) {
        let tools = self.tools.iter().copied().enumerate();
        tools.fold(
            (0, 0.0),
            |best, next| if next.1 > best.1 { next } else { best },
        )
    }
}

impl Taught {
    pub(super) fn new(learned: std::sync::Arc<Learned>, offer: &Offer) -> Self {
        let number = |name: &String| offer.tools.iter().position(|tool| tool.name == *name);
        let meant = offer.phrasings.groups.iter().map(|group| {
            let here = group.tools.iter().find_map(number);
            match (here, group.tools.is_empty()) {
                (Some(tool), _) => Meant::Tool(tool),
                (None, true) => Meant::Nothing,
                (None, false) => Meant::Elsewhere,
            }
        });
        Self {
            meant: meant.collect(),
            learned,
            phrasings: std::sync::Arc::clone(&offer.phrasings),
        }
    }

    /// The likeliest value of a tool's parameter, and how likely it is among all that the tool is told of
    /// it. `None` where its list tells no values, or none is likelier than any.
    pub(super) fn choice(
        &self,
        likely: &Likely,
        tool: usize,
        param: &str,
    ) -> Option<(&Value, f32)> {
        let mut values: Vec<(Option<&Value>, f32)> = Vec::new();
        let groups = self.phrasings.groups.iter().zip(&self.meant);
        for ((group, meant), share) in groups.zip(&likely.groups) {
            if *meant != Meant::Tool(tool) {
                continue;
            }
            let mut given = group.values.iter();
            let value = given
                .find(|(name, _)| name == param)
                .map(|(_, value)| value);
            match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, sum)) => *sum += share,
                None => values.push((value, *share)),
            }
        }
        let all: f32 = values.iter().map(|(_, share)| share).sum();
        let best = values.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let (value, share) = best.filter(|_| all > 0.0)?;
        Some((value?, share / all))
    }

    /// `None` where the list does not know what the sentence is made of.
    pub(super) fn likely(&self, tools: usize, text: &Text) -> Option<Likely> {
        if !self.learned.knows(text) {
            return None;
        }
        let mut likely = Likely {
            tools: vec![0.0; tools],
            elsewhere: 0.0,
            nothing: 0.0,
            groups: self.learned.likely(text),
        };
        for (meant, share) in self.meant.iter().zip(&likely.groups) {
            match meant {
                Meant::Tool(tool) => {
                    if let Some(sum) = likely.tools.get_mut(*tool) {
                        *sum += share;
                    }
                }
                Meant::Elsewhere => likely.elsewhere += share,
                Meant::Nothing => likely.nothing += share,
            }
        }
        Some(likely)
    }
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod learned_tests;
