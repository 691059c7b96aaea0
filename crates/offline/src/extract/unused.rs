//! Conditions in a message that no value took: times, and for tools that take limits numbers, negations and
//! exceptions. A list that ignores them would answer another question.

use super::Reading;
use super::numbers::takes_limits;
use crate::lists;
use crate::text::Word;

const TIMES: [&str; 6] = ["today", "tomorrow", "yesterday", "days", "weeks", "months"];
const NEGATIONS: [&str; 2] = ["negation", "lacking"];

impl Reading<'_> {
    pub(super) fn unused(&self) -> Vec<String> {
        let tool = self.tool();
        let searches = tool.gets_user_text || tool.search_param().is_some();
        let limits = takes_limits(&tool.params);
        let is_list = tool.required().next().is_none();
        if tool.writes || searches || !(is_list || limits) {
            return Vec::new();
        }
        // A learned choice may stand for its negation: "not interviewed".
        let mut expressed = self.learned;
        let words = self.words.iter().enumerate();
        let unused = words.filter(|(at, word)| {
            if self.is_used(word.start, word.end) {
                return false;
            }
            let negates = limits && is_in(word, &NEGATIONS);
            if negates && expressed > 0 {
                expressed -= 1;
                return false;
            }
            let excepts = lists::contains("except", &word.lower);
            let counts = self.figure_at(*at) || word.has_digit();
            negates || (limits && (excepts || counts)) || is_in(word, &TIMES)
        });
        let texts = unused.map(|(_, word)| word.in_text(self.text).to_owned());
        texts.collect()
    }
}

fn is_in(word: &Word, all: &[&str]) -> bool {
    all.iter().any(|list| lists::contains(list, &word.lower))
}
