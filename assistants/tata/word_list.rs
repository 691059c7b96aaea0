//! Words that a job ad should avoid: hints for the model, and the whole review without one.

use std::sync::LazyLock;

use serde::Deserialize;

use super::language::Language;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordList {
    terms: Vec<Term>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Term {
    /// A star at the end stands for any ending.
    words: Vec<String>,
    pub(super) category: Category,
    /// A better wording, or advice.
    #[serde(rename = "use")]
    pub(super) better: String,
}

/// What a finding is about.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub(super) enum Category {
    Gender,
    Age,
    Disability,
    Origin,
    Family,
    Religion,
    Orientation,
    Background,
    Health,
    Legal,
    Clarity,
    Structure,
    Requirements,
    Tone,
    Hype,
    Facts,
}

/// Listed words as they stand in a text.
pub(super) struct Hit<'t> {
    pub(super) words: &'t str,
    pub(super) term: &'static Term,
}

static ALL: LazyLock<[WordList; 5]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let file = match language {
            Language::En => include_str!("words/en.toml"),
            Language::Sv => include_str!("words/sv.toml"),
            Language::Da => include_str!("words/da.toml"),
            Language::No => include_str!("words/no.toml"),
            Language::De => include_str!("words/de.toml"),
        };
        toml::from_str(file).unwrap_or_default()
    })
});

impl Category {
    pub(super) fn key(self) -> &'static str {
        match self {
            Category::Gender => "gender",
            Category::Age => "age",
            Category::Disability => "disability",
            Category::Origin => "origin",
            Category::Family => "family",
            Category::Religion => "religion",
            Category::Orientation => "orientation",
            Category::Background => "background",
            Category::Health => "health",
            Category::Legal => "legal",
            Category::Clarity => "clarity",
            Category::Structure => "structure",
            Category::Requirements => "requirements",
            Category::Tone => "tone",
            Category::Hype => "hype",
            Category::Facts => "facts",
        }
    }

    /// Whether it concerns who is welcome, rather than how well the ad is written.
    pub(super) fn is_about_inclusion(self) -> bool {
        !matches!(
            self,
            Category::Clarity
                | Category::Structure
                | Category::Requirements
                | Category::Tone
                | Category::Hype
                | Category::Facts
        )
    }
}

/// The listed words in a text, in its order; of hits that overlap, the longest.
pub(super) fn find(text: &str, language: Language) -> Vec<Hit<'_>> {
    let words = words_of(text);
    let mut hits = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = ALL[language.index()]
            .terms
            .iter()
            .flat_map(|term| term.words.iter().map(move |phrase| (term, phrase)))
            .filter_map(|(term, phrase)| Some((matched(&words[at..], phrase)?, term)))
            .max_by_key(|(length, _)| *length);
        match longest {
            Some((length, term)) => {
                let (start, end) = (words[at].start, words[at + length - 1].end);
                hits.push(Hit {
                    words: &text[start..end],
                    term,
                });
                at += length;
            }
            None => at += 1,
        }
    }
    hits
}

struct Word {
    start: usize,
    end: usize,
    lower: String,
}

fn words_of(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let is_part = c.is_alphanumeric();
        if is_part && !open {
            words.push(Word {
                start: at,
                end: at,
                lower: String::new(),
            });
        }
        if let (true, Some(word)) = (is_part, words.last_mut()) {
            word.end = at + c.len_utf8();
            word.lower.extend(c.to_lowercase());
        }
        open = is_part;
    }
    words
}

/// How many words of the text the phrase takes, where it begins here.
fn matched(words: &[Word], phrase: &str) -> Option<usize> {
    let mut length = 0;
    for part in phrase.split_whitespace() {
        let word = words.get(length)?;
        let fits = match part.strip_suffix('*') {
            Some(stem) => word.lower.starts_with(stem),
            None => word.lower == part,
        };
        if !fits {
            return None;
        }
        length += 1;
    }
    (length > 0).then_some(length)
}

#[cfg(test)]
mod word_list_tests {
    use super::*;
    use crate::tata::labels::labels;

    #[test]
    fn every_list_can_be_read_and_used() {
        for language in Language::ALL {
            let list = &ALL[language.index()];
            assert!(list.terms.len() > 40, "{language}");
            for term in &list.terms {
                let (words, key) = (&term.words, term.category.key());
                assert!(!words.is_empty() && !term.better.is_empty());
                assert_ne!(labels(language).category(key), key, "{key} has a label");
                for phrase in words {
                    let text = phrase.replace('*', "");
                    let hits = find(&text, language);
                    assert!(!hits.is_empty(), "{language}: {phrase} is never found");
                }
            }
        }
    }

    #[test]
    fn the_longest_hit_counts_and_parts_of_words_do_not() {
        let hits = find(
            "He or she is a young professional. The chef heads others.",
            Language::En,
        );
        let words: Vec<&str> = hits.iter().map(|hit| hit.words).collect();
        assert_eq!(words, ["He or she", "young professional"]);
    }

    #[test]
    fn the_ad_of_the_trial_has_its_findings() {
        let ad = "We're a young, fun team and like a family. Must be a Swedish native with perfect English, own a car \
                  and be physically fit. Female candidates are especially encouraged. No gaps in your CV. Send photo.";
        let found: Vec<&str> = find(ad, Language::En).iter().map(|hit| hit.words).collect();
        for words in [
            "young",
            "like a family",
            "Swedish native",
            "own a car",
            "physically fit",
            "Female candidates",
            "photo",
        ] {
            assert!(found.contains(&words), "{words}: {found:?}");
        }
    }
}
