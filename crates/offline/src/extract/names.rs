//! Names of people and things: runs of capitalised words that are not ordinary words.

use std::cmp::Reverse;

use serde_json::Value;

use super::Reading;
use crate::schema::{Kind, Param};
use crate::text::{Clause, clauses, same_stem};

/// Words `first..=last` that form a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first: usize,
    last: usize,
}

impl Reading<'_> {
    pub(super) fn read_names(&mut self) {
        let lists = self.params(|kind| matches!(kind, Kind::Names));
        let singles = self.params(|kind| matches!(kind, Kind::Name));
        if lists.is_empty() && singles.is_empty() {
            return;
        }
        let mut runs = self.runs();
        self.read_lists(&lists, &runs);
        for param in singles
            .into_iter()
            .filter(|param| param.required || lists.is_empty())
        {
            let contexts = self.tool().contexts.get(&param.name);
            let key = |run: &Run| {
                let agreement = contexts.map_or(0, |own| own.agreement(&self.words, run.first));
                // A single word at the start of a sentence may be an interjection.
                let certain = run.first < run.last || !self.starts_sentence(run.first);
                (agreement, certain, Reverse(run.first))
            };
            let best = runs.iter().copied().max_by_key(key);
            runs.retain(|run| Some(*run) != best);
            if let Some((run, name)) = best.map(|run| (run, self.name_of(run)))
                && param.fits(&name)
            {
                let (start, end) = (self.words[run.first].start, self.words[run.last].end);
                self.take(param, Value::from(name), start, end);
            }
        }
    }

    fn read_lists(&mut self, lists: &[&Param], runs: &[Run]) {
        let parts = clauses(self.text);
        for (place, param) in lists.iter().enumerate() {
            let own = runs
                .iter()
                .filter(|run| self.list_for(**run, lists, &parts) == place);
            let own: Vec<Run> = own.copied().collect();
            let most = param.limits.most_items.unwrap_or(usize::MAX);
            let fewest = param.limits.fewest_items.unwrap_or(1).max(1);
            if (fewest..=most).contains(&own.len()) {
                let names: Vec<String> = own.iter().map(|run| self.name_of(*run)).collect();
                self.put(param, Value::from(names));
            }
        }
        let places = runs
            .iter()
            .map(|run| (self.words[run.first].start, self.words[run.last].end));
        let places: Vec<(usize, usize)> = places.filter(|_| !lists.is_empty()).collect();
        self.used.extend(places);
    }

    /// The list that the clause of a name, or the nearest clause before it, names: of `add` and
    /// `remove` the one whose own words it contains.
    fn list_for(&self, run: Run, lists: &[&Param], parts: &[Clause]) -> usize {
        let at = self.words[run.first].start;
        let before = parts.iter().rev().skip_while(|clause| clause.start > at);
        for part in before {
            let score = |param: &&Param| {
                let others = lists.iter().filter(|other| other.name != param.name);
                let shared = |cue: &String| others.clone().any(|list| list.keywords.contains(cue));
                let words = self.words.iter();
                let inside = words.filter(|word| part.start <= word.start && word.end <= part.end);
                let is_own = |lower: &str| {
                    let mut cues = param.keywords.iter();
                    cues.any(|cue| same_stem(cue, lower) && !shared(cue))
                };
                inside.filter(|word| is_own(&word.lower)).count()
            };
            let scores: Vec<usize> = lists.iter().map(score).collect();
            let best = scores.iter().copied().max().unwrap_or(0);
            if best > 0 {
                return scores.iter().position(|one| *one == best).unwrap_or(0);
            }
        }
        0
    }

    /// The names in the message, in order.
    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for at in 0..self.words.len() {
            let inside = runs.last().is_some_and(|run| at <= run.last);
            if inside || !self.begins_name(at) {
                continue;
            }
            let next = |last: &usize| self.continues_name(*last).then_some(last + 1);
            let last = std::iter::successors(Some(at), next).last().unwrap_or(at);
            // "Nah, …": a single word before a comma at the start is not a name.
            let comma = self.text[self.words[last].end..].starts_with(',');
            if !(at == last && comma && self.starts_sentence(at)) {
                runs.push(Run { first: at, last });
            }
        }
        runs
    }

    /// Ordinary words have a capital at the start of a sentence, abbreviations everywhere.
    fn begins_name(&self, at: usize) -> bool {
        let word = &self.words[at];
        if self.is_used(word.start, word.end) || !self.is_capital(at) {
            return false;
        }
        let ordinary = self.catalog.is_ordinary(bare(&word.lower));
        let continued = self.continues_name(at) && !self.starts_sentence(at);
        !ordinary || (continued && !self.is_abbreviation(at))
    }

    fn continues_name(&self, at: usize) -> bool {
        let Some(next) = self.words.get(at + 1) else {
            return false;
        };
        let word = &self.words[at];
        let adjacent = &self.text[word.end..next.start] == " " && bare(&word.lower) == word.lower;
        let model = next.has_digit() && self.is_capital(at) && !self.is_abbreviation(at);
        adjacent && (self.is_capital(at + 1) || model) && !self.is_used(next.start, next.end)
    }

    pub(super) fn is_capital(&self, at: usize) -> bool {
        self.words[at]
            .in_text(self.text)
            .starts_with(char::is_uppercase)
    }

    fn is_abbreviation(&self, at: usize) -> bool {
        let text = self.words[at].in_text(self.text);
        text.chars().count() > 1 && !text.chars().any(char::is_lowercase)
    }

    fn starts_sentence(&self, at: usize) -> bool {
        let before = self.text[..self.words[at].start].trim_end();
        before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n'])
    }

    fn name_of(&self, run: Run) -> String {
        let text = &self.text[self.words[run.first].start..self.words[run.last].end];
        bare(text).to_owned()
    }
}

/// Removes a possessive ending.
fn bare(text: &str) -> &str {
    text.strip_suffix("'s")
        .or_else(|| text.strip_suffix("’s"))
        .unwrap_or(text)
}
