//! The words of a message that may limit what is asked for and that no value contains or expresses. An answer
//! that ignores them would answer another question.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Reading;
use super::numbers::is_count;
use crate::intent::Meaning;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::Word;

/// Lists of words that limit or exclude, in any assistant.
const LIMITING: [&str; 9] = [
    "negation", "lacking", "except", "at least", "at most", "strictly", "days", "weeks", "months",
];
/// Lists of words that limit nothing, unless they are in a list above.
const FILLERS: [&str; 5] = ["common", "question", "conjunction", "and", "or"];
/// A shorter unknown word is no condition.
const SHORTEST_UNKNOWN: usize = 3;

impl Reading<'_> {
    pub(super) fn unused(&self) -> Vec<String> {
        let tool = self.tool();
        if tool.writes || tool.gets_user_text || tool.search_param().is_some() {
            return Vec::new();
        }
        let looks_up = tool.required().next().is_some();
        let own = |at: &usize| {
            let word = &self.words[*at];
            !self.is_used(word.start, word.end)
                && (self.is_number(*at) || (!looks_up && self.may_limit(*at)))
        };
        let text = |at: &usize| self.words[*at].in_text(self.text).to_owned();
        let unused: Vec<usize> = (0..self.words.len()).filter(own).collect();
        let has_number = unused.iter().any(|at| self.is_number(*at));
        if unused.is_empty() || (!has_number && self.is_a_request()) {
            return Vec::new();
        }
        unused.iter().map(text).collect()
    }

    /// Whether a sentence that asks for this tool, and for no value, has all words that no value accounts for.
    fn is_a_request(&self) -> bool {
        let mut params = self.tool().params.iter();
        if params.any(|param| self.has(param) && !is_count(param)) {
            return false;
        }
        let rest = self.words.iter().filter(|word| {
            let filler = FILLERS
                .iter()
                .any(|list| lists::contains(list, &word.lower));
            !filler && !self.is_used(word.start, word.end)
        });
        let sentences = rest.map(|word| {
            let meaning = self.catalog.meaning(&word.lower);
            meaning.map_or_else(BTreeSet::new, |own| own.plain_sentences(self.place + 1))
        });
        let shared = sentences.reduce(|all, own| &all & &own);
        shared.is_some_and(|shared| !shared.is_empty())
    }

    fn is_number(&self, at: usize) -> bool {
        let numeric = |kind: &Kind| matches!(kind, Kind::Integer | Kind::Number);
        let counts = self.tool().params.iter().any(|param| numeric(&param.kind));
        let looks_up = self.tool().required().next().is_some();
        (counts || !looks_up) && self.figure_at(at)
    }

    fn may_limit(&self, at: usize) -> bool {
        let word = &self.words[at];
        if word.has_digit() || is_limiting(word) {
            return true;
        }
        if FILLERS
            .iter()
            .any(|list| lists::contains(list, &word.lower))
        {
            return false;
        }
        match self.catalog.meaning(&word.lower) {
            Some(meaning) => meaning.is_condition(),
            None => word.lower.chars().count() >= SHORTEST_UNKNOWN,
        }
    }

    /// Whether a word stands for this value, and for nothing beside it that was not understood.
    fn expresses(&self, meaning: &Meaning<'_>, param: &str, value: &str) -> bool {
        let class = self.place + 1;
        let has = |(param, value): &(&str, &str)| {
            let own = self.found.get(*param).map(ToString::to_string);
            own.as_deref() == Some(*value)
        };
        let companions = meaning.companions(class, param, value);
        meaning.supports(class, param, value) && companions.iter().all(has)
    }

    /// The words that express a learned value. Of several negations it takes one.
    pub(super) fn words_for(&self, param: &Param, value: &Value) -> Vec<(usize, usize)> {
        let value = value.to_string();
        let mut negated = false;
        let mut found = Vec::new();
        for word in &self.words {
            let negation = lists::contains("negation", &word.lower);
            let meaning = self.catalog.meaning(&word.lower);
            let supports =
                meaning.is_some_and(|meaning| self.expresses(&meaning, &param.name, &value));
            if supports && !(negation && negated) && !self.is_used(word.start, word.end) {
                negated |= negation;
                found.push((word.start, word.end));
            }
        }
        found
    }
}

fn is_limiting(word: &Word) -> bool {
    LIMITING
        .iter()
        .any(|list| lists::contains(list, &word.lower))
}
