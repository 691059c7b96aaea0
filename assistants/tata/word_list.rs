//! Words that a job ad should avoid: hints for the model, and the whole review without one.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::labels::labels;
use super::language::Language;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordList {
    terms: Vec<Term>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Term {
    /// A star at the end stands for any ending, `#` for an age in years.
    words: Vec<String>,
    pub(super) category: Category,
    /// A better wording, or advice.
    #[serde(rename = "use")]
    pub(super) better: String,
}

/// The subject of a finding.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
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

/// Between the words of a phrase: "able bodied" is also "able-bodied". A class of all marks would make
/// the expression larger than the limit.
const GAP: &str = r"[\s\-–/,.’']+";
/// A number that may be somebody's age.
const AGE: &str = r"(?:1[89]|[2-6]\d)";

/// A list with the expression that finds its words.
struct Index {
    list: WordList,
    /// One group per phrase, the longest phrase first.
    pattern: Option<Regex>,
    /// The place of each group's term.
    places: Vec<usize>,
}

static ALL: LazyLock<[Index; 5]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let file = match language {
            Language::En => include_str!("words/en.toml"),
            Language::Sv => include_str!("words/sv.toml"),
            Language::Da => include_str!("words/da.toml"),
            Language::No => include_str!("words/no.toml"),
            Language::De => include_str!("words/de.toml"),
        };
        let list: WordList = toml::from_str(file).unwrap_or_default();
        let phrases = list.terms.iter().enumerate();
        let mut phrases: Vec<(usize, &String)> = phrases
            .flat_map(|(at, term)| term.words.iter().map(move |phrase| (at, phrase)))
            .collect();
        phrases.sort_by_key(|(_, phrase)| std::cmp::Reverse(phrase.len()));
        let group = |(_, phrase): &(usize, &String)| {
            let words = regex::escape(phrase).replace(r"\*", r"\w*");
            format!("({})", words.replace(r"\#", AGE).replace(' ', GAP))
        };
        let groups: Vec<String> = phrases.iter().map(group).collect();
        Index {
            pattern: Regex::new(&format!(r"(?i)\b(?:{})\b", groups.join("|"))).ok(),
            places: phrases.iter().map(|(at, _)| *at).collect(),
            list,
        }
    })
});

impl Category {
    /// True if it is about excluding people, false if it is about the quality of the ad.
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
    let index = &ALL[language as usize];
    let Some(pattern) = &index.pattern else {
        return Vec::new();
    };
    let hit = |found: Captures<'_>| {
        let group = (1..found.len()).find(|group| found.get(*group).is_some())?;
        let term = index.list.terms.get(*index.places.get(group - 1)?)?;
        let range = found.get(0)?.range();
        let (words, rest) = (&text[range.clone()], &text[range.end..]);
        let is_number = words.ends_with(|c: char| c.is_ascii_digit());
        (!is_number || has_no_unit(rest)).then_some(Hit { words, term })
    };
    pattern.captures_iter(text).filter_map(hit).collect()
}

/// "under 35" is an age at the end of a sentence or before "and", but not in "under 35 ms".
fn has_no_unit(rest: &str) -> bool {
    let is_and = |language: &Language| {
        let words = labels(*language).cues("and").iter();
        { words }.any(|and| rest.trim_start().starts_with(&format!("{and} ")))
    };
    let ends = |c: char| ",;.:!?)\n”\"".contains(c);
    rest.is_empty() || rest.starts_with(ends) || Language::ALL.iter().any(is_and)
}

#[cfg(test)]
#[path = "word_list_tests.rs"]
mod word_list_tests;
