//! The two languages recruiters speak here.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tongue {
    #[default]
    #[serde(rename = "ru")]
    Russian,
    #[serde(rename = "en")]
    English,
}

impl Tongue {
    /// The language of a question: Russian unless most of its letters are Latin. A Russian
    /// sentence often names an English skill, an English one seldom has a Russian word.
    pub fn of(text: &str) -> Self {
        let mut cyrillic = 0_usize;
        let mut latin = 0_usize;
        for letter in text.chars() {
            if ('\u{0400}'..='\u{04FF}').contains(&letter) {
                cyrillic += 1;
            } else if letter.is_ascii_alphabetic() {
                latin += 1;
            }
        }
        if latin > 2 * cyrillic {
            Self::English
        } else {
            Self::Russian
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

#[cfg(test)]
#[path = "tongue_tests.rs"]
mod tongue_tests;
