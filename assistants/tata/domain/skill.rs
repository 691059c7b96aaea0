//! What kind of skill a statement is, and the thing it is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::notes::cues::Reader;
use super::notes::items::trim_edges;
use super::text::words::{Word, words};

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

/// "At least 5 years of experience with Python" is about Python.
pub(crate) fn topic<'s>(skill: &'s str, reader: &Reader) -> &'s str {
    let list = words(skill);
    let says_nothing = |w: &&Word<'_>| w.number().is_some() || !reader.is_telling(&w.folded);
    let leading = list.iter().take_while(says_nothing).count();
    // "Good at selling" has a verb to keep; only a lead-in that ends in "with", "of", "in" is taken away.
    let ends_in_link = leading > 0 && reader.stop_words.contains(list[leading - 1].folded.as_ref());
    let quantity = list.first().is_some_and(|w| w.number().is_some());
    match list.get(leading) {
        Some(first) if ends_in_link || quantity => trim_edges(&skill[first.start..]),
        Some(_) | None => skill,
    }
}

/// The words that tell which skill is meant, for finding it in a conversation.
pub(crate) fn key_words(skill: &str, reader: &Reader) -> Vec<String> {
    let list = words(skill);
    let telling = list.iter().filter(|w| w.number().is_none() && reader.is_telling(&w.folded));
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
