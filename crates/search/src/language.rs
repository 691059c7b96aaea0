//! Normalises words for search: lower case, no accents, stems in the language of the text.

use snowball_stemmers_rs::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

/// In characters; longer words are truncated.
const LONGEST_WORD: usize = 40;
/// In bytes; the part of a text used to detect its language.
const SAMPLE: usize = 4_000;

/// Languages with a stemmer, each with frequent words that identify it.
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
    /// Of another script.
    Other,
}

impl Language {
    /// Detects the language of a text by its script and stop words.
    pub(crate) fn of(text: &str) -> Self {
        let sample = &text[..text.floor_char_boundary(SAMPLE)];
        let letters = sample.chars().filter(|c| c.is_alphabetic());
        let (mut latin, mut cyrillic, mut other) = (0, 0, 0);
        for c in letters {
            match c {
                ..'\u{370}' | '\u{1e00}'..'\u{1f00}' => latin += 1,
                '\u{400}'..='\u{4ff}' => cyrillic += 1,
                _ => other += 1,
            }
        }
        if cyrillic > latin + other {
            return Self::Russian;
        }
        if other > latin + cyrillic {
            return Self::Other;
        }
        let lower = sample.to_lowercase();
        let words: Vec<&str> = split(&lower).collect();
        let votes = |known: &[&str]| words.iter().filter(|word| known.contains(*word)).count();
        LANGUAGES
            .iter()
            .map(|(language, known)| (votes(known), *language))
            // The first of equals wins, so English is the default.
            .rev()
            .max_by_key(|(votes, _)| *votes)
            .map_or(Self::English, |(_, language)| language)
    }

    fn stemmer(self) -> Stemmer {
        Stemmer::create(match self {
            // The English rules change no word of another script.
            Self::English | Self::Other => Algorithm::English,
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Russian => Algorithm::Russian,
        })
    }
}

/// True if a query appears to be English. Queries without stop words count as English: most
/// names and terms are shared between languages.
pub(crate) fn is_english(question: &str) -> bool {
    if Language::of(question) != Language::English {
        return false;
    }
    let lower = question.to_lowercase();
    let (_, english) = LANGUAGES[0];
    split(&lower).any(|word| english.contains(&word))
        || !question.chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

/// True if a question and a passage are in different languages.
pub(crate) fn differ(question: &str, passage: &str) -> bool {
    let (asked, held) = (Language::of(question), Language::of(passage));
    asked != held || held == Language::English && !is_english(question)
}

/// The words of a text as indexed, and their stems in the language of the text.
pub(crate) fn indexed(text: &str) -> (Vec<String>, Vec<String>) {
    let stemmer = Language::of(text).stemmer();
    let lower = text.to_lowercase();
    split(&lower)
        .map(|word| (strip_accents(word), strip_accents(&stemmer.stem(word))))
        .unzip()
}

/// The stems of a text, separated by blanks.
pub(crate) fn stems_of(text: &str) -> String {
    indexed(text).1.join(" ")
}

/// A query's words, and their stems in its own language and in English.
pub(crate) struct QueryWords {
    pub(crate) words: Vec<String>,
    pub(crate) stems: Vec<String>,
}

pub(crate) fn query_words(question: &str) -> QueryWords {
    let mut asked = QueryWords {
        words: Vec::new(),
        stems: Vec::new(),
    };
    for (word, term) in words_and_stems(question) {
        push_new(&mut asked.words, word);
        for stem in term.stems {
            push_new(&mut asked.stems, stem);
        }
    }
    if asked.words.is_empty() {
        // A query of stop words alone is searched as it is.
        let lower = question.to_lowercase();
        asked.words = split(&lower).map(strip_accents).collect();
    }
    asked
}

/// The words of a query that carry meaning.
pub(crate) fn query_terms(question: &str) -> Vec<QueryTerm> {
    words_and_stems(question).map(|(_, term)| term).collect()
}

/// A word of a query.
pub(crate) struct QueryTerm {
    /// In the query's language and in English.
    pub(crate) stems: Vec<String>,
    /// Written as a name: with a capital inside the query, or in capitals.
    pub(crate) is_name: bool,
}

/// A query's words without stop words.
fn words_and_stems(question: &str) -> impl Iterator<Item = (String, QueryTerm)> {
    let language = Language::of(question);
    let mut languages = vec![language];
    // A short query may not reveal its language; stop words decide only if there are some.
    if language != Language::Russian && language != Language::English {
        languages.push(Language::English);
    }
    let words = split(question)
        .enumerate()
        .map(|(place, word)| (word.to_lowercase(), is_name(place, word)));
    let words: Vec<(String, bool)> = words.filter(|(word, _)| !is_stop_word(word)).collect();
    words.into_iter().map(move |(word, is_name)| {
        let stem = |language: &Language| strip_accents(&language.stemmer().stem(&word));
        let stems = languages.iter().map(stem).collect();
        (strip_accents(&word), QueryTerm { stems, is_name })
    })
}

fn is_name(place: usize, word: &str) -> bool {
    let begins_so = word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some();
    begins_so && (place > 0 || !word.chars().any(char::is_lowercase))
}

fn push_new(words: &mut Vec<String>, word: String) {
    if !word.is_empty() && !words.contains(&word) {
        words.push(word);
    }
}

/// True for stop words.
fn is_stop_word(word: &str) -> bool {
    const MORE: &[&str] = &[
        "a", "an", "i", "it", "in", "on", "at", "by", "be", "do", "did", "was", "were", "will",
        "would", "should", "my", "me", "we", "our", "or", "if", "so", "there", "this", "these",
        "those", "may", "might", "must", "could", "shall", "much", "many", "get", "got", "have",
        "has", "had", "any", "some", "from", "as", "but", "about", "than", "then", "they", "them",
        "their", "he", "she", "his", "her", "its", "your", "us", "am", "been", "being", "where",
        "why", "whom", "whose", "из", "и", "в", "во", "не", "что", "он", "на", "я", "с", "со",
        "как", "а", "то", "все", "она", "так", "его", "но", "да", "ты", "к", "у", "же", "вы", "за",
        "бы", "по", "ли", "если", "или", "мне", "кто", "это", "для", "im", "zu", "des", "sich",
        "es", "am", "wo", "man", "einen", "einem", "einer", "soll", "hat", "haben", "habe", "sind",
        "mein", "meine", "wir", "für", "bei", "darf", "muss", "wird",
    ];
    MORE.contains(&word)
        || LANGUAGES
            .iter()
            .take(2)
            .any(|(_, known)| known.contains(&word))
}

/// Runs of letters and digits, and identifiers such as `work_mem` and `os.path` also as a
/// whole. Scripts without blanks between words are split into pairs of neighbouring
/// characters.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let joins = |c: char| matches!(c, '_' | '.');
    text.split(move |c: char| !c.is_alphanumeric() && !joins(c))
        .map(|run| run.trim_matches('.'))
        .flat_map(move |run| {
            let runs = run.split(joins).filter(|run| !run.is_empty());
            let is_identifier = run.contains(joins) && run.contains(char::is_alphanumeric);
            let identifier = Some(run).filter(|run| is_identifier && run.len() <= LONGEST_WORD);
            runs.flat_map(words_of_run).chain(identifier)
        })
}

fn words_of_run(run: &str) -> Vec<&str> {
    if run.is_ascii() {
        return vec![truncated(run)];
    }
    let mut words = Vec::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let has_blanks = !is_without_blanks(first);
        let end = rest.find(|c| is_without_blanks(c) == has_blanks);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        let starts: Vec<usize> = part.char_indices().map(|(at, _)| at).collect();
        if has_blanks || starts.len() < 3 {
            words.push(truncated(part));
            continue;
        }
        for (place, start) in starts[..starts.len() - 1].iter().enumerate() {
            let end = starts.get(place + 2).copied().unwrap_or(part.len());
            words.push(&part[*start..end]);
        }
    }
    words
}

fn truncated(word: &str) -> &str {
    &word[..word.floor_char_boundary(LONGEST_WORD)]
}

/// Chinese, Japanese and Korean characters.
fn is_without_blanks(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Strips accents, as the index does: `Prüfung` and `Prufung` match.
fn strip_accents(word: &str) -> String {
    word.nfd().filter(|c| !is_accent(*c)).collect()
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod language_tests;
