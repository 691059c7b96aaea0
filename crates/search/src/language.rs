//! Words as they are searched for: lower-cased, without accents, and reduced to their stems
//! in the language of the text.

use snowball_stemmers_rs::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

/// Longer words are cut; nobody types them.
const LONGEST_WORD: usize = 40;
/// This much of a text tells its language.
const SAMPLE: usize = 4_000;

/// The languages whose words we can reduce, with words that give them away.
const LANGUAGES: &[(Language, &[&str])] = &[
    (
        Language::English,
        &[
            "the", "and", "is", "of", "to", "what", "how", "which", "are", "does", "when", "who",
            "can", "with", "for", "not", "that", "you",
        ],
    ),
    (
        Language::German,
        &[
            "der", "die", "das", "und", "ist", "wie", "was", "nicht", "ein", "eine", "wer",
            "werden", "kann", "von", "mit", "den", "dem", "wann", "auf", "ich", "sie",
        ],
    ),
    (
        Language::French,
        &[
            "le", "la", "les", "et", "est", "des", "une", "que", "pour", "dans", "qui", "pas",
            "comment", "du",
        ],
    ),
    (
        Language::Spanish,
        &[
            "el", "los", "las", "y", "es", "que", "una", "por", "para", "como", "del", "con",
            "cómo",
        ],
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
    French,
    Spanish,
    Russian,
}

impl Language {
    /// The language of a text, as far as its letters and small words tell.
    pub(crate) fn of(text: &str) -> Self {
        let sample = &text[..text.floor_char_boundary(SAMPLE)];
        let letters = sample.chars().filter(|c| c.is_alphabetic());
        let (cyrillic, all) = letters.fold((0, 0), |(cyrillic, all), c| {
            let is_cyrillic = matches!(c, '\u{400}'..='\u{4ff}');
            (cyrillic + usize::from(is_cyrillic), all + 1)
        });
        if cyrillic * 2 > all {
            return Self::Russian;
        }
        let lower = sample.to_lowercase();
        let words: Vec<&str> = split(&lower).collect();
        let votes = |known: &[&str]| words.iter().filter(|word| known.contains(*word)).count();
        LANGUAGES
            .iter()
            .map(|(language, known)| (votes(known), *language))
            // The first of equals wins, so English is what nothing speaks against.
            .rev()
            .max_by_key(|(votes, _)| *votes)
            .map_or(Self::English, |(_, language)| language)
    }

    fn stemmer(self) -> Stemmer {
        Stemmer::create(match self {
            Self::English => Algorithm::English,
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Russian => Algorithm::Russian,
        })
    }
}

/// Whether a question is in English, as far as it shows. What shows nothing is: most names
/// and terms are the same everywhere.
pub(crate) fn is_english(question: &str) -> bool {
    if Language::of(question) != Language::English {
        return false;
    }
    let lower = question.to_lowercase();
    let (_, english) = LANGUAGES[0];
    split(&lower).any(|word| english.contains(&word))
        || !question.chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

/// The words of a text as the index keeps them, and their stems in the language of the text.
pub(crate) fn indexed(text: &str) -> (Vec<String>, Vec<String>) {
    let stemmer = Language::of(text).stemmer();
    let lower = text.to_lowercase();
    split(&lower)
        .map(|word| (plain(word), plain(&stemmer.stem(word))))
        .unzip()
}

/// The stems of a text, separated by blanks.
pub(crate) fn stems_of(text: &str) -> String {
    indexed(text).1.join(" ")
}

/// A question's words, and their stems in its own language and in English.
pub(crate) struct Asked {
    pub(crate) words: Vec<String>,
    pub(crate) stems: Vec<String>,
}

pub(crate) fn asked(question: &str) -> Asked {
    let language = Language::of(question);
    let mut languages = vec![language];
    // A short question may not show its language; the small words decide only when there
    // are some.
    if language != Language::Russian && language != Language::English {
        languages.push(Language::English);
    }
    let lower = question.to_lowercase();
    let mut asked = Asked {
        words: Vec::new(),
        stems: Vec::new(),
    };
    for word in split(&lower).filter(|word| !is_small(word)) {
        push_new(&mut asked.words, plain(word));
        for language in &languages {
            push_new(&mut asked.stems, plain(&language.stemmer().stem(word)));
        }
    }
    if asked.words.is_empty() {
        // A question of small words only is still a question.
        asked.words = split(&lower).map(plain).collect();
    }
    asked
}

fn push_new(words: &mut Vec<String>, word: String) {
    if !word.is_empty() && !words.contains(&word) {
        words.push(word);
    }
}

/// Words that say nothing about what is looked for.
fn is_small(word: &str) -> bool {
    const MORE: &[&str] = &[
        "a", "an", "i", "it", "in", "on", "at", "by", "be", "do", "did", "was", "were", "will",
        "would", "should", "my", "me", "we", "our", "or", "if", "so", "there", "this", "these",
        "those", "из", "и", "в", "во", "не", "что", "он", "на", "я", "с", "со", "как", "а", "то",
        "все", "она", "так", "его", "но", "да", "ты", "к", "у", "же", "вы", "за", "бы", "по", "ли",
        "если", "или", "мне", "кто", "это", "для", "im", "zu", "des", "sich", "es", "am", "wo",
        "man", "einen", "einem", "einer", "soll", "hat",
    ];
    MORE.contains(&word)
        || LANGUAGES
            .iter()
            .take(2)
            .any(|(_, known)| known.contains(&word))
}

/// Runs of letters and digits.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| &word[..word.floor_char_boundary(LONGEST_WORD)])
}

/// Without accents, as the index folds them: `Prüfung` and `Prufung` are one word.
fn plain(word: &str) -> String {
    word.nfd().filter(|c| !is_accent(*c)).collect()
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod language_tests;
