//! Texts that are introduced: by the words that stood before them in an example, or by the
//! name of their parameter ("position Sales Lead", "headline: …").

use std::ops::Range;

use serde_json::Value;

use super::super::param::{Kind, Param};
use super::Filling;

/// Small words inside a title ("Head of Sales").
const INSIDE: [&str; 8] = ["of", "and", "for", "och", "og", "und", "för", "&"];

impl Filling<'_> {
    pub(super) fn take_led_texts(&mut self) {
        for param in self.open(|kind| matches!(kind, Kind::Text)) {
            if let Some((words, value)) = self.led(param).filter(|(_, value)| param.fits(value)) {
                self.take_words(&words);
                self.set(param, Value::String(value));
            }
        }
    }

    fn led(&self, param: &Param) -> Option<(Range<usize>, String)> {
        let text = &self.sources.reading.text;
        let mut leads = self.leads(param);
        leads.retain(|lead| lead.iter().any(|word| self.introduces(word)));
        leads.extend(
            param
                .called
                .iter()
                .filter(|w| self.introduces(w))
                .map(|w| vec![w.clone()]),
        );
        leads.sort_by_key(|lead| std::cmp::Reverse(lead.len()));
        leads.into_iter().find_map(|lead| {
            let ends = (0..text.words.len()).filter(|at| text.has_at(*at, &lead));
            ends.map(|at| at + lead.len())
                .find_map(|at| self.value_at(at))
        })
    }

    /// Whether a word is more than a small one that stands before anything.
    fn introduces(&self, word: &str) -> bool {
        const LEAST: usize = 2;
        let text = &self.sources.reading.text;
        let said = text.words.iter().find(|known| known.lower == word);
        said.is_some_and(|known| !known.function) && word.chars().count() >= LEAST
    }

    /// All that follows a colon, or a run of words with capitals.
    fn value_at(&self, start: usize) -> Option<(Range<usize>, String)> {
        let text = &self.sources.reading.text;
        let first = text.words.get(start).filter(|_| !self.is_taken(start))?;
        let gap = text.gap_before(start);
        let is_free = |at: &usize| !self.is_taken(*at);
        let end = if gap.trim() == ":" {
            let rest = text.raw.get(first.start..)?;
            // With more to say, what follows a comma may be another value.
            let required = self.tool.params.iter().filter(|p| p.required).count();
            if required > 1 && rest.contains(',') {
                return None;
            }
            (start..text.words.len()).take_while(is_free).last()? + 1
        } else if gap == " " && text.is_capitalised(start) {
            self.end_of_run(start)
        } else {
            return None;
        };
        let last = text.words.get(end.checked_sub(1)?)?;
        let value = text.raw.get(first.start..last.end)?.trim().to_owned();
        Some((start..end, value))
    }

    fn end_of_run(&self, start: usize) -> usize {
        let text = &self.sources.reading.text;
        let goes_on = |at: usize| text.gap_before(at) == " " && !self.is_taken(at);
        let capital = |at: usize| at < text.words.len() && text.is_capitalised(at) && goes_on(at);
        let mut end = start + 1;
        loop {
            let inside = text.words.get(end).is_some_and(|word| {
                INSIDE.contains(&word.lower.as_str()) && goes_on(end) && capital(end + 1)
            });
            if capital(end) {
                end += 1;
            } else if inside {
                end += 2;
            } else {
                return end;
            }
        }
    }
}
