//! Conditions in a message that no value took: times, and for tools that take limits numbers, negations and
//! exceptions. A list that ignores them would answer another question.

use super::Reading;
use super::numbers::takes_limits;
use crate::lists;
use crate::text::Word;

const TIMES: [&str; 6] = ["today", "tomorrow", "yesterday", "days", "weeks", "months"];
/// A comparison needs a number, which counts itself.
const EXCLUSIONS: [&str; 3] = ["negation", "lacking", "except"];

impl Reading<'_> {
    pub(super) fn unused(&self) -> Vec<String> {
        let tool = self.tool();
        let searches = tool.gets_user_text || tool.search_param().is_some();
        let limits = takes_limits(&tool.params);
        let lists = tool.required().next().is_none();
        if tool.writes || searches || !(lists || limits) {
            return Vec::new();
        }
        // A learned choice may stand for its negation: "not interviewed".
        let mut expressed = self.learned;
        let words = self.words.iter().enumerate();
        let unused = words.filter(|(at, word)| {
            if self.is_used(word.start, word.end) {
                return false;
            }
            let excludes = limits && is_in(word, &EXCLUSIONS);
            if excludes && expressed > 0 {
                expressed -= 1;
                return false;
            }
            let counts = limits && (self.figure_at(*at) || word.has_digit());
            excludes || counts || is_in(word, &TIMES)
        });
        let texts = unused.map(|(_, word)| word.in_text(self.text).to_owned());
        texts.collect()
    }
}

fn is_in(word: &Word, all: &[&str]) -> bool {
    all.iter().any(|list| lists::contains(list, &word.lower))
}
