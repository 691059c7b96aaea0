//! Names of people and things: runs of words with capital letters that are no ordinary words.

use serde_json::Value;

use super::Reading;
use crate::schema::{Kind, Param};
use crate::text::{Clause, Word, clauses, same_stem};

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
        let runs = self.runs();
        self.read_lists(&lists, &runs);
        let mut left = runs;
        for param in singles
            .into_iter()
            .filter(|param| param.required || lists.is_empty())
        {
            let contexts = self.tool().contexts.get(&param.name);
            let agreement =
                |run: &Run| contexts.map_or(0, |own| own.agreement(&self.words, run.first));
            // A single word that begins a sentence may be an interjection.
            let certain = |run: &Run| run.first < run.last || !self.starts_sentence(run.first);
            let best = left
                .iter()
                .copied()
                .enumerate()
                .max_by_key(|(at, run)| (agreement(run), certain(run), std::cmp::Reverse(*at)));
            let Some((at, run)) = best else { continue };
            left.remove(at);
            self.take_run(run, param);
        }
    }

    fn take_run(&mut self, run: Run, param: &Param) {
        let name = self.name_of(run);
        let fits = param
            .limits
            .longest
            .is_none_or(|longest| name.chars().count() <= longest);
        if fits {
            self.used
                .push((self.words[run.first].start, self.words[run.last].end));
            self.put(param, Value::from(name));
        }
    }

    fn read_lists(&mut self, lists: &[&Param], runs: &[Run]) {
        if lists.is_empty() {
            return;
        }
        let mut names: Vec<Vec<Run>> = vec![Vec::new(); lists.len()];
        let parts = clauses(self.text);
        for run in runs {
            names[self.list_for(*run, lists, &parts)].push(*run);
        }
        for (param, runs) in lists.iter().zip(names) {
            let most = param.limits.most_items.unwrap_or(usize::MAX);
            let fewest = param.limits.fewest_items.unwrap_or(1).max(1);
            if !(fewest..=most).contains(&runs.len()) {
                continue;
            }
            let values = runs.iter().map(|run| Value::from(self.name_of(*run)));
            let values: Vec<Value> = values.collect();
            let spans = runs
                .iter()
                .map(|run| (self.words[run.first].start, self.words[run.last].end));
            self.used.extend(spans.collect::<Vec<_>>());
            self.put(param, Value::from(values));
        }
    }

    /// The list whose own words are nearest: of `add` and `remove`, the one that the clause of the name
    /// or the one before it speaks of.
    fn list_for(&self, run: Run, lists: &[&Param], parts: &[Clause]) -> usize {
        let at = self.words[run.first].start;
        let here = parts
            .iter()
            .rposition(|clause| clause.start <= at)
            .unwrap_or(0);
        for clause in parts[..=here.min(parts.len().saturating_sub(1))]
            .iter()
            .rev()
        {
            let inside = |word: &&Word| clause.start <= word.start && word.end <= clause.end;
            let words: Vec<&Word> = self.words.iter().filter(inside).collect();
            let score = |param: &&Param| {
                let others = lists.iter().filter(|other| other.name != param.name);
                let shared =
                    |cue: &&String| others.clone().any(|other| other.keywords.contains(cue));
                let cues = param.keywords.iter().filter(|cue| !shared(cue));
                let cues: Vec<&String> = cues.collect();
                let said = |word: &&&Word| cues.iter().any(|cue| same_stem(cue, &word.lower));
                words.iter().filter(said).count()
            };
            let scores: Vec<usize> = lists.iter().map(score).collect();
            let best = scores.iter().copied().max().unwrap_or(0);
            if best > 0 {
                return scores.iter().position(|one| *one == best).unwrap_or(0);
            }
        }
        0
    }

    /// The names of the message, in order.
    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            if !self.begins_name(at) {
                at += 1;
                continue;
            }
            let mut last = at;
            while last + 1 < self.words.len() && self.continues_name(last) {
                last += 1;
            }
            // "Nah, …": a single word before a comma at the beginning addresses somebody or nobody.
            let aside = at == last
                && self.starts_sentence(at)
                && self.text[self.words[at].end..].starts_with(',');
            if !aside {
                runs.push(Run { first: at, last });
            }
            at = last + 1;
        }
        runs
    }

    fn begins_name(&self, at: usize) -> bool {
        let word = &self.words[at];
        if self.is_used(word.start, word.end) || !self.is_capital(at) || word.is_number() {
            return false;
        }
        // Ordinary words have a capital at the beginning of a sentence, abbreviations everywhere.
        let ordinary = self.catalog.is_ordinary(bare(&word.lower));
        let continued =
            at + 1 < self.words.len() && self.continues_name(at) && !self.starts_sentence(at);
        !ordinary || (continued && !self.is_abbreviation(at))
    }

    fn continues_name(&self, at: usize) -> bool {
        let (word, next) = (&self.words[at], &self.words[at + 1]);
        let adjacent = &self.text[word.end..next.start] == " ";
        let part = self.is_capital(at + 1) || (next.has_digit() && !next.is_number());
        let model = next.is_number() && self.is_capital(at) && !self.is_abbreviation(at);
        let ends = word.lower.ends_with("'s") || word.lower.ends_with("’s");
        adjacent && !ends && (part || model) && !self.is_used(next.start, next.end)
    }

    fn is_capital(&self, at: usize) -> bool {
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

/// Without a possessive ending.
fn bare(text: &str) -> &str {
    let endings = ["'s", "’s"].into_iter();
    endings
        .filter_map(|ending| text.strip_suffix(ending))
        .next()
        .unwrap_or(text)
}
