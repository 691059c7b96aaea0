//! The two languages recruiters speak here.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    #[default]
    #[serde(rename = "ru")]
    Russian,
    #[serde(rename = "en")]
    English,
}

impl Language {
    /// The language of a question: Russian unless most of its letters are Latin. Russian sentences often
    /// contain English words, English ones seldom Russian ones. Capitalised words may be names in either
    /// script and count only where there are no others.
    pub fn of(text: &str) -> Self {
        let words = || {
            text.split(|c: char| !c.is_alphabetic())
                .filter(|word| !word.is_empty())
        };
        let plain = words().filter(|word| word.starts_with(char::is_lowercase));
        let (mut cyrillic, mut latin) = letters(plain);
        if cyrillic + latin == 0 {
            // "Compare Елена Волкова": what begins a sentence has a capital as well.
            (cyrillic, latin) = letters(words().take(1));
        }
        if latin > 2 * cyrillic {
            Self::English
        } else {
            Self::Russian
        }
    }

    /// The language of the person's screen, by `Accept-Language`: Russian unless English is preferred to it.
    pub fn preferred(accepted: &str) -> Self {
        let mut languages = accepted
            .split(',')
            .map(|one| one.trim().to_ascii_lowercase());
        match languages.find(|one| one.starts_with("ru") || one.starts_with("en")) {
            Some(language) if language.starts_with("en") => Self::English,
            Some(_) | None => Self::Russian,
        }
    }

    /// One of two texts.
    pub fn pick<T>(self, russian: T, english: T) -> T {
        match self {
            Self::Russian => russian,
            Self::English => english,
        }
    }

    /// "1 день", "3 дня", "5 дней"; "1 day", "5 days".
    pub fn days(self, count: i64) -> String {
        let word = match self {
            Self::English => {
                if count == 1 {
                    "day"
                } else {
                    "days"
                }
            }
            Self::Russian => match (count.rem_euclid(100), count.rem_euclid(10)) {
                (11..=14, _) => "дней",
                (_, 1) => "день",
                (_, 2..=4) => "дня",
                _ => "дней",
            },
        };
        format!("{count} {word}")
    }
}

/// Cyrillic and Latin letters in these words.
fn letters<'t>(words: impl Iterator<Item = &'t str>) -> (usize, usize) {
    let (mut cyrillic, mut latin) = (0, 0);
    for letter in words.flat_map(str::chars) {
        if ('\u{0400}'..='\u{04FF}').contains(&letter) {
            cyrillic += 1;
        } else if letter.is_ascii_alphabetic() {
            latin += 1;
        }
    }
    (cyrillic, latin)
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod language_tests;
