//! What kind of skill a statement is, and the thing it is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::domain::notes::cues::Reader;
use crate::tata::domain::notes::items::trim_edges;
use crate::tata::domain::text::words::{Word, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkillType {
    Technical,
    Leadership,
    Functional,
    GoodToHave,
}

/// Leading people wins over the technology the people work with.
pub(crate) fn skill_type(skill: &str, reader: &Reader) -> SkillType {
    let list = words(skill);
    if reader.leadership.contains(&list) {
        SkillType::Leadership
    } else if reader.technical.contains(&list) {
        SkillType::Technical
    } else {
        SkillType::Functional
    }
}

pub(crate) fn is_credential(skill: &str, reader: &Reader) -> bool {
    reader.credential.contains(&words(skill))
}

/// Small words that belong to what follows them: "a telecom operator", "att leda ett team".
const KEPT: [&str; 11] = [
    "a", "an", "the", "en", "ett", "et", "ei", "att", "at", "å", "to",
];

/// "At least 5 years of experience with Python" is about Python.
pub(crate) fn topic<'s>(skill: &'s str, reader: &Reader) -> &'s str {
    let list = words(skill);
    let telling = |w: &Word<'_>| w.number().is_none() && reader.is_telling(&w.folded);
    let kept =
        |i: usize| KEPT.contains(&list[i].folded.as_ref()) && list.get(i + 1).is_some_and(telling);
    let leading = (0..list.len())
        .take_while(|i| !telling(&list[*i]) && !kept(*i))
        .count();
    // "Ability to lead" would lose its sense without "ability".
    match list.get(leading) {
        Some(first) if first.folded != "to" => trim_edges(&skill[first.start..]),
        Some(_) | None => skill,
    }
}

/// The words that tell which skill is meant, for finding it in a conversation.
pub(crate) fn key_words(skill: &str, reader: &Reader) -> Vec<String> {
    let list = words(skill);
    let telling = list
        .iter()
        .filter(|w| w.number().is_none() && reader.is_telling(&w.folded));
    let mut keys: Vec<String> = Vec::new();
    for word in telling {
        if !keys.contains(&word.folded.to_string()) {
            keys.push(word.folded.to_string());
        }
    }
    keys
}

/// The years a requirement asks for: "at least 5 years".
pub(crate) fn years(text: &str, reader: &Reader) -> Option<u32> {
    let list = words(text);
    list.windows(2).find_map(|pair| {
        let near = reader.years.contains(pair[1].folded.as_ref());
        pair[0].number().filter(|n| near && *n < 60)
    })
}
