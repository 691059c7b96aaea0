//! The language of a person's messages, among those of the fixed phrases.

use whatlang::{Detector, Lang};

/// A language of the fixed phrases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    Swedish,
    Danish,
    Norwegian,
    German,
    Russian,
}

const CODES: [(&str, Lang); 6] = [
    ("en", Lang::Eng),
    ("sv", Lang::Swe),
    ("da", Lang::Dan),
    ("no", Lang::Nob),
    ("de", Lang::Deu),
    ("ru", Lang::Rus),
];

/// Maximum length of the text used for detection.
const SAMPLE_CHARS: usize = 400;

/// Below this confidence an earlier message is the better evidence.
const LEAST_CONFIDENCE: f64 = 0.5;

impl Language {
    /// All languages, English first.
    pub const ALL: [Language; 6] = [
        Language::English,
        Language::Swedish,
        Language::Danish,
        Language::Norwegian,
        Language::German,
        Language::Russian,
    ];

    /// The code in `phrases.txt`.
    pub(crate) fn code(self) -> &'static str {
        CODES[self as usize].0
    }

    /// `None` if the text is too short or too mixed.
    pub fn detect(text: &str) -> Option<Language> {
        let sample: String = text.chars().take(SAMPLE_CHARS).collect();
        let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
        let cyrillic = sample.chars().filter(|c| is_cyrillic(*c)).count();
        if letters > 0 && cyrillic * 2 > letters {
            return Some(Language::Russian);
        }
        let candidates = CODES.iter().map(|(_, lang)| *lang).collect();
        let found = Detector::with_allowlist(candidates).detect(&sample)?;
        let sure = found.is_reliable() || found.confidence() >= LEAST_CONFIDENCE;
        let place = CODES.iter().position(|(_, lang)| *lang == found.lang());
        place.filter(|_| sure).map(|place| Self::ALL[place])
    }
}

fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..='\u{4ff}').contains(&c)
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod language_tests;
