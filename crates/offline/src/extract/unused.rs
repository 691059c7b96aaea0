//! Conditions in a message that no value took: numbers, negations and exceptions. A filter that ignores
//! them would answer another question.

use super::Reading;
use super::numbers::takes_limits;
use crate::lists;
use crate::schema::Kind;
use crate::text::Word;

/// Lists of words that exclude, in any assistant. A comparison needs a number, which counts itself.
const EXCLUDING: [&str; 3] = ["negation", "lacking", "except"];

impl Reading<'_> {
    pub(super) fn unused(&self) -> Vec<String> {
        let tool = self.tool();
        let searches = tool.gets_user_text || tool.search_param().is_some();
        let lists = tool.required().next().is_none();
        if tool.writes || searches || !(lists || takes_limits(&tool.params)) {
            return Vec::new();
        }
        // A choice may stand for its negation: "not interviewed", "outside the budget".
        let chosen = self.params(|kind| matches!(kind, Kind::Choice(_) | Kind::Boolean));
        let mut chosen = chosen.iter().filter(|param| self.has(param));
        let words = self.words.iter().enumerate();
        let unused = words.filter(|(at, word)| {
            let excludes = is_excluding(word) && chosen.next().is_none();
            !self.is_used(word.start, word.end)
                && (excludes || self.figure_at(*at) || word.has_digit())
        });
        let texts = unused.map(|(_, word)| word.in_text(self.text).to_owned());
        texts.collect()
    }
}

fn is_excluding(word: &Word) -> bool {
    EXCLUDING
        .iter()
        .any(|list| lists::contains(list, &word.lower))
}
