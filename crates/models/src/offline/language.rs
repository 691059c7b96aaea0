//! The languages the model speaks: telling them apart, and the stems of their words.

use std::collections::HashMap;
use std::sync::LazyLock;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::words::normal;

/// A language of the fixed phrases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    #[default]
    English,
    Russian,
    Swedish,
    Danish,
    Norwegian,
    German,
}

impl Language {
    pub const ALL: [Language; 6] = [
        Language::English,
        Language::Russian,
        Language::Swedish,
        Language::Danish,
        Language::Norwegian,
        Language::German,
    ];

    /// The language of a text, if it shows. Cyrillic is taken for Russian.
    pub fn of(text: &str) -> Option<Language> {
        let text: String = text.chars().take(DETECT_CHARS).collect();
        let lower = normal(&text);
        let cyrillic = lower.chars().filter(|c| is_cyrillic(*c)).count();
        let latin = lower.chars().filter(char::is_ascii_alphabetic).count();
        if cyrillic > 0 && cyrillic * 2 >= latin {
            return Some(Language::Russian);
        }
        let small = small_words(&lower);
        let best = Language::ALL
            .into_iter()
            .filter(|language| *language != Language::Russian)
            .reduce(|best, next| {
                if small.scores[next as usize] > small.scores[best as usize] {
                    next
                } else {
                    best
                }
            })?;
        let score = small.scores[best as usize];
        // One small word among many may be a name ("sana mir").
        let enough = score >= SURE || small.met[best as usize] * 3 >= small.words;
        (score >= CERTAIN && enough).then_some(best)
    }

    /// What the small words of a text and its letters say for each language, and whether that
    /// settles it.
    pub(super) fn by_small_words(text: &str) -> ([f32; 6], bool) {
        let text: String = text.chars().take(DETECT_CHARS).collect();
        let scores = small_words(&normal(&text)).scores;
        let mut ranked = scores;
        ranked.sort_by(|a, b| b.total_cmp(a));
        (
            scores,
            ranked[0] >= SURE && ranked[0] - ranked[1] >= CERTAIN,
        )
    }
}

struct SmallWords {
    scores: [f32; 6],
    met: [usize; 6],
    words: usize,
}

fn small_words(lower: &str) -> SmallWords {
    let mut small = SmallWords {
        scores: letters_of(lower),
        met: [0; 6],
        words: 0,
    };
    for word in lower.split(|c: char| !c.is_alphanumeric() && c != '\'') {
        small.words += usize::from(word.chars().any(char::is_alphabetic));
        for (language, weight) in FUNCTION_WORDS.get(word).into_iter().flatten() {
            small.scores[*language as usize] += weight;
            small.met[*language as usize] += 1;
        }
    }
    small
}

const DETECT_CHARS: usize = 400;
/// One word that no other of the languages has, or two that they share.
const CERTAIN: f32 = 0.5;
const SURE: f32 = 1.2;

/// Letters that give a language away, as if they were words.
fn letters_of(lower: &str) -> [f32; 6] {
    let mut scores = [0.0; 6];
    for c in lower.chars() {
        match c {
            'ß' | 'ü' => scores[Language::German as usize] += 1.0,
            'ä' | 'ö' => {
                scores[Language::Swedish as usize] += 0.5;
                scores[Language::German as usize] += 0.4;
            }
            'æ' | 'ø' => {
                scores[Language::Danish as usize] += 0.5;
                scores[Language::Norwegian as usize] += 0.5;
            }
            'å' => {
                scores[Language::Swedish as usize] += 0.4;
                scores[Language::Danish as usize] += 0.3;
                scores[Language::Norwegian as usize] += 0.3;
            }
            _ => {}
        }
    }
    scores
}

/// For each word the languages it serves in; a word of one language weighs more.
static FUNCTION_WORDS: LazyLock<HashMap<String, Vec<(Language, f32)>>> = LazyLock::new(|| {
    let mut words: HashMap<String, Vec<(Language, f32)>> = HashMap::new();
    for (language, list) in lists() {
        for word in list {
            let known = words.entry(word).or_default();
            if known.iter().all(|(other, _)| *other != language) {
                known.push((language, 0.0));
            }
        }
    }
    for languages in words.values_mut() {
        let share = 1.0 / (languages.len() as f32);
        languages.iter_mut().for_each(|(_, weight)| *weight = share);
    }
    words
});

fn lists() -> impl Iterator<Item = (Language, Vec<String>)> {
    let codes = ["en", "ru", "sv", "da", "no", "de"];
    include_str!("function_words.txt")
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter_map(move |(code, words)| {
            let position = codes.iter().position(|known| *known == code.trim())?;
            let words = words.split_whitespace().map(normal).collect();
            Some((Language::ALL[position], words))
        })
}

/// Whether the word carries no meaning of its own. English words are mixed into all
/// languages; where the language does not show, what two of them share counts.
pub(super) fn is_function_word(lower: &str, language: Option<Language>) -> bool {
    let Some(languages) = FUNCTION_WORDS.get(lower) else {
        return false;
    };
    let serves = |wanted| languages.iter().any(|(language, _)| *language == wanted);
    match language {
        Some(language) => serves(language) || serves(Language::English),
        None => serves(Language::English) || languages.len() > 1,
    }
}

/// Longer words are no words; the stemmers are not asked about them.
const LONGEST_STEMMED: usize = 40;

/// The stems of a lower-case word in every language of its script. Which one it is in
/// need not be known: a message and a description are compared by any stem they share.
pub(super) fn stems(lower: &str) -> Vec<String> {
    let letters = lower.chars().count();
    if !(3..=LONGEST_STEMMED).contains(&letters) {
        return Vec::new();
    }
    // Five languages share the Latin letters: short stems of theirs fall together by chance.
    let (algorithms, shortest): (&[Algorithm], usize) = if lower.chars().all(is_cyrillic) {
        (&[Algorithm::Russian], 3)
    } else if lower.chars().all(is_latin) {
        let latin = &[
            Algorithm::English,
            Algorithm::Swedish,
            Algorithm::Danish,
            Algorithm::Norwegian,
            Algorithm::German,
        ];
        (latin, 4)
    } else {
        return Vec::new();
    };
    let mut stems: Vec<String> = Vec::with_capacity(algorithms.len());
    for algorithm in algorithms {
        let stem = Stemmer::create(*algorithm).stem(lower).into_owned();
        if stem.chars().count() >= shortest && !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

fn is_cyrillic(c: char) -> bool {
    matches!(c, 'а'..='я' | 'ё')
}

fn is_latin(c: char) -> bool {
    c.is_ascii_lowercase() || matches!(c, 'ß'..='ö' | 'ø'..='ÿ')
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod language_tests;
