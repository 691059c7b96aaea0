//! Which of an assistant's languages a short request is in. Small words tell it at once; where
//! there are none, the words of the examples and the letters do.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::language::Language;
use super::words::normal;

/// The languages of the examples, and which words stand in examples of which.
#[derive(Debug, Default)]
pub(super) struct Tongues {
    declared: BTreeSet<Language>,
    words: HashMap<String, BTreeSet<Language>>,
}

/// What a word that only examples of one language have counts, against the letters.
const WORD: f32 = 2.0;
/// What a conversation was in so far is likely to go on.
const SPOKEN: f32 = 3.0;
/// English is what people fall back on.
const ENGLISH: f32 = 1.0;
/// What a sure small word counts.
const SMALL_WORD: f32 = 2.5;
/// So much likelier than English another language must be, or English than it.
const CLEAR: f32 = 1.0;
/// A letter of a name or a trade word belongs to no language: letters count less than their
/// odds say.
const LETTERS: f32 = 0.6;

impl Tongues {
    pub(super) fn learn<'e>(examples: impl Iterator<Item = &'e str> + Clone) -> Self {
        let mut tongues = Self::default();
        let shown = |say: &'e str| Language::of(say).or_else(|| by_marks(say));
        tongues.declared = examples.clone().filter_map(shown).collect();
        tongues.declared.insert(Language::English);
        for say in examples {
            let Some(language) = tongues.of(say, None) else {
                continue;
            };
            for word in words(&normal(say)) {
                let known = tongues.words.entry(word.to_owned()).or_default();
                known.insert(language);
            }
        }
        tongues
    }

    /// The language of a text, if it shows. `before` is what was spoken so far.
    pub(super) fn of(&self, text: &str, before: Option<Language>) -> Option<Language> {
        let sure = Language::of(text);
        let latin = || self.declared.iter().filter(|l| **l != Language::Russian);
        if sure == Some(Language::Russian) || latin().count() < 2 {
            return sure;
        }
        let (small, certain) = Language::by_small_words(text);
        if certain {
            return sure;
        }
        let lower = normal(&without_names(text));
        let letters = by_letters(&lower)?;
        let mut scores: Vec<(Language, f32)> = latin()
            .map(|language| {
                let place = *language as usize;
                let mut score = LETTERS * letters[place] + SMALL_WORD * small[place];
                score += WORD * self.by_examples(&lower, *language);
                score += if before == Some(*language) {
                    SPOKEN
                } else {
                    0.0
                };
                score += if *language == Language::English {
                    ENGLISH
                } else {
                    0.0
                };
                (*language, score)
            })
            .collect();
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (best, most) = *scores.first()?;
        // Neighbours are close to each other, and much the same to who understands one.
        let other = scores
            .iter()
            .find(|(language, _)| (*language == Language::English) != (best == Language::English));
        let clear = other.is_none_or(|(_, score)| most - score >= CLEAR);
        if clear { Some(best) } else { sure }
    }

    fn by_examples(&self, lower: &str, language: Language) -> f32 {
        let share_in = |known: &HashMap<String, BTreeSet<Language>>, word: &str| {
            let languages = known.get(word)?;
            let share = 1.0 / languages.len() as f32;
            languages.contains(&language).then_some(share)
        };
        let of_word = |word: &str| {
            let taught = share_in(&self.words, word).unwrap_or(0.0);
            let common = share_in(&LETTERS_OF.words, word).unwrap_or(0.0);
            f32::max(taught, common)
        };
        words(lower).map(of_word).sum()
    }
}

/// The language that the letters point to, where some of them are not English.
fn by_marks(text: &str) -> Option<Language> {
    let lower = normal(text);
    let marked = lower.contains(['å', 'ä', 'ö', 'æ', 'ø', 'ü', 'ß']);
    let letters = by_letters(&lower).filter(|_| marked)?;
    let mut latin = Language::ALL
        .into_iter()
        .filter(|l| *l != Language::Russian);
    latin.find(|language| letters[*language as usize] >= 0.0)
}

fn words(lower: &str) -> impl Iterator<Item = &str> {
    let parts = lower.split(|c: char| !c.is_alphabetic());
    parts.filter(|word| !word.is_empty())
}

/// A name may come from anywhere: words with a capital inside a sentence say nothing. In German
/// every noun has one, so where all have, they stay.
fn without_names(text: &str) -> String {
    let all: Vec<&str> = text.split_whitespace().collect();
    let is_name = |at: usize| at > 0 && all[at].starts_with(char::is_uppercase);
    let kept: Vec<&str> = (0..all.len())
        .filter(|at| !is_name(*at))
        .map(|at| all[at])
        .collect();
    if kept.len() * 2 < all.len() {
        return text.to_owned();
    }
    kept.join(" ")
}

type Gram = [char; 3];

/// How often three letters follow each other, by language: logarithms of shares.
struct Letters {
    grams: HashMap<Gram, [f32; 6]>,
    unseen: [f32; 6],
    words: HashMap<String, BTreeSet<Language>>,
}

static LETTERS_OF: LazyLock<Letters> = LazyLock::new(|| {
    const SMOOTHING: f32 = 0.3;
    let mut counts: HashMap<Gram, [f32; 6]> = HashMap::new();
    let mut all = [0.0_f32; 6];
    let mut known: HashMap<String, BTreeSet<Language>> = HashMap::new();
    for (language, prose) in prose() {
        for word in words(&normal(prose)) {
            known.entry(word.to_owned()).or_default().insert(language);
        }
        for gram in grams(&normal(prose)) {
            counts.entry(gram).or_default()[language as usize] += 1.0;
            all[language as usize] += 1.0;
        }
    }
    let kinds = counts.len() as f32;
    let share =
        |count: f32, place: usize| ((count + SMOOTHING) / (all[place] + SMOOTHING * kinds)).ln();
    let unseen = std::array::from_fn(|place| share(0.0, place));
    let grams = counts
        .into_iter()
        .map(|(gram, counts)| {
            (
                gram,
                std::array::from_fn(|place| share(counts[place], place)),
            )
        })
        .collect();
    Letters {
        grams,
        unseen,
        words: known,
    }
});

fn prose() -> impl Iterator<Item = (Language, &'static str)> {
    const CODES: [&str; 6] = ["en", "ru", "sv", "da", "no", "de"];
    let lines = include_str!("tongues.txt").lines();
    lines
        .filter_map(|line| line.split_once(": "))
        .filter_map(|(code, prose)| {
            let place = CODES.iter().position(|known| *known == code)?;
            Some((Language::ALL[place], prose))
        })
}

fn grams(lower: &str) -> Vec<Gram> {
    let mut grams = Vec::new();
    for word in words(lower) {
        let mut letters = vec![' '];
        letters.extend(word.chars());
        letters.push(' ');
        let all = letters.windows(3).map(|w| [w[0], w[1], w[2]]);
        grams.extend(all);
    }
    grams
}

/// How likely each language is by its letters: logarithms, the likeliest at 0.
fn by_letters(lower: &str) -> Option<[f32; 6]> {
    let grams = grams(lower);
    if grams.is_empty() {
        return None;
    }
    let mut scores = [0.0_f32; 6];
    for gram in grams {
        let shares = LETTERS_OF.grams.get(&gram).unwrap_or(&LETTERS_OF.unseen);
        for (score, share) in scores.iter_mut().zip(shares) {
            *score += share;
        }
    }
    let latin = Language::ALL.iter().filter(|l| **l != Language::Russian);
    let most = latin
        .map(|language| scores[*language as usize])
        .fold(f32::MIN, f32::max);
    Some(scores.map(|score| score - most))
}

#[cfg(test)]
#[path = "tongue_tests.rs"]
mod tongue_tests;
