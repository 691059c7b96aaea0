//! Words that were mistyped: nearest known words by edits, and by shared letter groups
//! for long and compound ones.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Everyday words that no tool needs to know: whoever writes one of them means it.
static EVERYDAY: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("everyday.txt").split_whitespace().collect());

/// Words that a mistyped one can be meant for.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    words: Vec<Known>,
    seen: HashSet<String>,
}

#[derive(Clone, Debug)]
struct Known {
    word: String,
    letters: Vec<char>,
    mask: u64,
}

/// A known word and how surely it is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near<'a> {
    pub(super) word: &'a str,
    pub(super) quality: f32,
}

const ONE_EDIT: f32 = 0.8;
const TWO_EDITS: f32 = 0.65;
/// A long word that only shares most of its letter groups.
const SHARED_GROUPS: f32 = 0.5;
const LEAST_SHARED_GROUPS: f32 = 0.62;

impl Vocabulary {
    /// Whether this is a common word that no tool needs to know.
    pub(super) fn is_everyday(word: &str) -> bool {
        EVERYDAY.contains(word)
    }

    pub(super) fn add(&mut self, word: &str) {
        let letters: Vec<char> = word.chars().collect();
        let is_word = letters.iter().all(|c| c.is_alphabetic());
        if letters.len() >= 4 && is_word && self.seen.insert(word.to_owned()) {
            let mask = mask(&letters);
            self.words.push(Known {
                word: word.to_owned(),
                letters,
                mask,
            });
        }
    }

    /// The word that this one was most likely meant to be. The first added wins a tie.
    pub(super) fn nearest(&self, word: &str) -> Option<Near<'_>> {
        let letters: Vec<char> = word.chars().collect();
        let is_word = letters.iter().all(|c| c.is_alphabetic());
        if letters.len() < 4 || !is_word || EVERYDAY.contains(word) {
            return None;
        }
        self.by_edits(word, &letters)
            .or_else(|| self.by_groups(&letters))
    }

    fn by_edits(&self, word: &str, letters: &[char]) -> Option<Near<'_>> {
        let allowed = if letters.len() >= 8 { 2 } else { 1 };
        let mask = mask(letters);
        let mut best: Option<(usize, &Known)> = None;
        for known in &self.words {
            let far = known.letters.len().abs_diff(letters.len()) > allowed
                || (known.mask ^ mask).count_ones() as usize > 2 * allowed
                || !same_start(&known.letters, letters);
            if far || best.is_some_and(|(distance, _)| distance <= 1) {
                continue;
            }
            if letters.len() == SHORT
                && known.letters.len() == SHORT
                && !is_swap(&known.letters, letters)
            {
                continue;
            }
            let distance = strsim::osa_distance(&known.word, word);
            if distance <= allowed && best.is_none_or(|(found, _)| distance < found) {
                best = Some((distance, known));
            }
        }
        best.map(|(distance, known)| Near {
            word: &known.word,
            quality: if distance <= 1 { ONE_EDIT } else { TWO_EDITS },
        })
    }

    fn by_groups(&self, letters: &[char]) -> Option<Near<'_>> {
        const SHORTEST: usize = 7;
        if letters.len() < SHORTEST {
            return None;
        }
        let groups = groups(letters);
        let mut best: Option<(f32, &Known)> = None;
        for known in self.words.iter().filter(|k| k.letters.len() >= SHORTEST) {
            let others = self::groups(&known.letters);
            let shared = groups.iter().filter(|g| others.contains(*g)).count();
            let dice = 2.0 * shared as f32 / (groups.len() + others.len()) as f32;
            if dice >= LEAST_SHARED_GROUPS && best.is_none_or(|(found, _)| dice > found) {
                best = Some((dice, known));
            }
        }
        best.map(|(_, known)| Near {
            word: &known.word,
            quality: SHARED_GROUPS,
        })
    }
}

/// Among short words one other letter makes another word ("bank", "back"): only letters
/// that changed places are a slip.
const SHORT: usize = 4;

fn is_swap(a: &[char], b: &[char]) -> bool {
    let differing: Vec<usize> = (0..a.len()).filter(|at| a[*at] != b[*at]).collect();
    matches!(differing.as_slice(), [i, j] if i + 1 == *j && a[*i] == b[*j] && a[*j] == b[*i])
}

/// Slips are rare in the first letter; where they happen the second one is right.
fn same_start(a: &[char], b: &[char]) -> bool {
    const LONG: usize = 8;
    let long = a.len().min(b.len()) >= LONG;
    a[0] == b[0] || (a[1] == b[0] && a[0] == b[1]) || (long && a[1..3] == b[1..3])
}

fn mask(letters: &[char]) -> u64 {
    letters
        .iter()
        .fold(0, |mask, c| mask | 1 << (u32::from(*c) % 64))
}

fn groups(letters: &[char]) -> Vec<&[char]> {
    letters.windows(3).collect()
}

#[cfg(test)]
#[path = "near_tests.rs"]
mod near_tests;
