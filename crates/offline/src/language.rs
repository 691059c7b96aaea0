//! The language a person writes in, among those the fixed phrases exist in.

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

const CANDIDATES: [Lang; 6] = [
    Lang::Eng,
    Lang::Swe,
    Lang::Dan,
    Lang::Nob,
    Lang::Deu,
    Lang::Rus,
];

/// Detection reads at most this much of a message.
const SAMPLE_CHARS: usize = 400;

/// Below this confidence the language of an earlier message is the better guess.
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

    /// The code by which phrases are listed.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Swedish => "sv",
            Language::Danish => "da",
            Language::Norwegian => "no",
            Language::German => "de",
            Language::Russian => "ru",
        }
    }

    /// The language of a text; `None` where the text is too short or too mixed to tell.
    pub fn detect(text: &str) -> Option<Language> {
        let sample: String = text.chars().take(SAMPLE_CHARS).collect();
        let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
        let cyrillic = sample.chars().filter(|c| is_cyrillic(*c)).count();
        if letters > 0 && cyrillic * 2 > letters {
            return Some(Language::Russian);
        }
        let found = Detector::with_allowlist(CANDIDATES.to_vec()).detect(&sample)?;
        let sure = found.is_reliable() || found.confidence() >= LEAST_CONFIDENCE;
        if !sure {
            return None;
        }
        CANDIDATES
            .iter()
            .position(|lang| *lang == found.lang())
            .map(|at| Self::ALL[at])
    }
}

fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..='\u{4ff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sentences_are_recognised() {
        let cases = [
            (
                "Which passes are still waiting for a decision?",
                Language::English,
            ),
            (
                "Vilka kandidater har de bästa betygen just nu?",
                Language::Swedish,
            ),
            (
                "Welche Bewerber haben die besten Bewertungen?",
                Language::German,
            ),
            ("Кто сейчас на интервью?", Language::Russian),
        ];
        for (text, language) in cases {
            assert_eq!(Language::detect(text), Some(language), "{text}");
        }
    }

    #[test]
    fn symbols_have_no_language() {
        assert_eq!(Language::detect(""), None);
        assert_eq!(Language::detect("🎉🎉🎉"), None);
        assert_eq!(Language::detect("12 345"), None);
    }
}
