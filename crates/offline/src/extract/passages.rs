//! Long texts: by handle, after a colon, below the first line, or the message itself.

use serde_json::Value;

use super::Reading;
use crate::schema::{Kind, Param};
use crate::text::{same_stem, words};

impl Reading<'_> {
    pub(super) fn read_passages(&mut self) {
        let mut open = self.params(|kind| matches!(kind, Kind::Passage));
        let lead = self.said.text.lines().next_back().unwrap_or_default();
        let pasted = self.said.texts.iter();
        let mut passages: Vec<(&str, String)> = pasted
            .map(|number| (lead, format!("text:{number}")))
            .collect();
        if passages.is_empty() {
            let parted = self.said.parted();
            passages.extend(parted.map(|(lead, text)| (lead, text.to_owned())));
        }
        for (lead, passage) in passages {
            if let Some(place) = named(&open, lead) {
                self.put(open.remove(place), Value::from(passage));
            }
        }
        let needed = open.first().filter(|param| param.required);
        if let Some(param) = needed.filter(|_| self.found.is_empty() && self.replaces_text()) {
            self.put(param, Value::from(self.text));
        }
    }

    /// True if a message without a text says more than its request, so that it can replace one: "We
    /// need a cook. Must have …". Only if that is harmless.
    fn replaces_text(&self) -> bool {
        const FEWEST_WORDS: usize = 6;
        let tool = self.tool();
        let sentences = self.text.split_inclusive(['.', '!', '?', '\n']);
        let full = sentences.filter(|sentence| words(sentence).len() >= FEWEST_WORDS);
        !self.answer && (tool.undoable || !tool.writes) && full.count() > 1
    }
}

/// The parameter that the words before a text name; otherwise the first one, required ones first.
fn named(params: &[&Param], lead: &str) -> Option<usize> {
    let lead = words(lead);
    let is_named = |own: &&String| lead.iter().any(|word| same_stem(own, &word.lower));
    let score = |place: &usize| params[*place].own_words.iter().filter(is_named).count();
    (0..params.len()).rev().max_by_key(score)
}
