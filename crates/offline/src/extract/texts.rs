//! Free text: a search, a purpose, a sentence to keep. Quoted, labelled, or what remains of a message when
//! its other values and the request itself are taken away.

use std::cmp::Reverse;

use serde_json::Value;

use super::Reading;
use crate::catalog::Intent;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::{Clause, clauses, same_stem, words};

/// Opening and closing quotation marks.
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”')];

/// Bytes of the message.
type Span = (usize, usize);

impl Reading<'_> {
    pub(super) fn read_texts(&mut self) {
        for param in self.params(|kind| matches!(kind, Kind::Text)) {
            let quoted = self.quotation().filter(|_| param.required);
            let found = quoted
                .or_else(|| self.labelled(param))
                .or_else(|| self.after_context(param))
                .or_else(|| self.left_over_name(param))
                .or_else(|| self.remaining(param));
            let Some((start, end)) = found else { continue };
            let text = self.text[start..end].trim();
            if param.fits(text) && !text.is_empty() {
                self.take(param, Value::from(text), start, end);
            }
        }
    }

    fn quotation(&self) -> Option<Span> {
        QUOTES.iter().find_map(|(open, close)| {
            let start = self.text.find(*open)? + open.len_utf8();
            let end = start + self.text[start..].find(*close)?;
            (end > start && !self.is_used(start, end)).then_some((start, end))
        })
    }

    /// `purpose: end of contract`, by the parameter's own words.
    fn labelled(&self, param: &Param) -> Option<Span> {
        let labels = param
            .own_words
            .iter()
            .filter(|_| param.own_words.len() == 1);
        let labels: Vec<&String> = labels.chain(param.keywords.iter().take(2)).collect();
        let label = self.words.iter().find_map(|word| {
            let rest = self.text[word.end..].trim_start();
            let value = [":", "=", "is "]
                .iter()
                .find_map(|mark| rest.strip_prefix(mark));
            value.filter(|_| word.lower.len() > 4 && labels.contains(&&word.lower))
        })?;
        let value = label.trim_start();
        let start = self.text.len() - value.len();
        let length = value.find([',', ';', '.', '\n']).unwrap_or(value.len());
        (length > 0).then_some((start, start + length))
    }

    /// A name behind the same words as in an example: `with skill React`.
    fn after_context(&self, param: &Param) -> Option<Span> {
        let contexts = self.tool().contexts.get(&param.name)?;
        let proper = |at: usize| {
            self.words
                .get(at)
                .is_some_and(|word| self.is_proper(at, word.start))
        };
        let agreement = |at: &usize| contexts.agreement(&self.words, *at);
        let places = (1..self.words.len()).filter(|at| proper(*at));
        let at = places.max_by_key(|at| (agreement(at), Reverse(*at)))?;
        let others = self
            .tool()
            .contexts
            .iter()
            .filter(|(name, _)| **name != param.name);
        let rival = others
            .map(|(_, other)| other.agreement(&self.words, at))
            .max();
        let adjacent = |last: &usize| {
            let gap = self
                .words
                .get(last + 1)
                .map(|next| &self.text[self.words[*last].end..next.start]);
            (gap == Some(" ") && proper(last + 1)).then_some(last + 1)
        };
        let last = std::iter::successors(Some(at), adjacent)
            .last()
            .unwrap_or(at);
        let clear = agreement(&at) > 0 && agreement(&at) >= rival.unwrap_or(0);
        let found = clear && (param.required || param.is_short());
        found.then(|| (self.words[at].start, self.words[last].end))
    }

    fn is_proper(&self, at: usize, start: usize) -> bool {
        let word = &self.words[at];
        let capital = word.in_text(self.text).chars().any(char::is_uppercase);
        capital && !self.is_used(start, word.end)
    }

    /// A name that nothing else took, for the short optional text whose words the message has.
    fn left_over_name(&self, param: &Param) -> Option<Span> {
        if param.required || !param.is_short() || !self.tool().contexts.contains_key(&param.name) {
            return None;
        }
        let texts = self.params(|kind| matches!(kind, Kind::Text)).into_iter();
        let rivals: Vec<&Param> = texts
            .filter(|other| other.name != param.name && other.is_short())
            .collect();
        let said = |own: &Param, other: &Param| {
            let cues: Vec<&String> = own
                .keywords
                .iter()
                .filter(|cue| !other.keywords.contains(cue))
                .collect();
            let cued = |lower: &str| cues.iter().any(|cue| same_stem(cue, lower));
            self.words.iter().filter(|word| cued(&word.lower)).count()
        };
        let better = rivals
            .iter()
            .any(|other| self.has(other) || said(other, param) > said(param, other));
        let ordinary = |at: &usize| self.catalog.is_ordinary(&self.words[*at].lower);
        let mut places = (1..self.words.len()).filter(|at| self.is_capital(*at) && !ordinary(at));
        let at = places.find(|at| self.is_proper(*at, self.words[*at].start))?;
        (!better).then(|| (self.words[at].start, self.words[at].end))
    }

    /// What is left of the message, where it can only be this parameter's value. A search takes all of it;
    /// else the request, the values and asides are left out and the first clause that says something counts.
    fn remaining(&self, param: &Param) -> Option<Span> {
        let tool = self.tool();
        let texts = tool
            .required()
            .filter(|other| matches!(other.kind, Kind::Text));
        if !param.required || tool.takes_passage() || texts.count() > 1 || self.words.is_empty() {
            return None;
        }
        if tool.search_param().is_some() {
            return Some((0, self.text.len()));
        }
        let parts = clauses(self.text);
        let request = self.request_clause(&parts).filter(|_| !self.answer);
        let own = request.and_then(|place| self.purpose_in(&parts[place], true));
        let values = self.value_clauses(&parts);
        let rest = || (0..parts.len()).filter(|at| Some(*at) != request);
        let purpose = |at: usize| self.purpose_in(&parts[at], false);
        own.or_else(|| rest().filter(|at| !values.contains(at)).find_map(purpose))
            .or_else(|| rest().find_map(purpose))
    }

    /// The first clause that asks for this tool, else the one that most probably does.
    fn request_clause(&self, parts: &[Clause]) -> Option<usize> {
        const CLEAR: f32 = 0.3;
        let probability = |clause: &Clause| {
            let ranked = self.catalog.intents(&self.text[clause.start..clause.end]);
            let own = ranked
                .iter()
                .find(|(intent, _)| *intent == Intent::Tool(self.place));
            own.map_or(0.0, |(_, probability)| *probability)
        };
        let scores: Vec<f32> = parts.iter().map(probability).collect();
        let best = || {
            (0..parts.len())
                .rev()
                .max_by(|a, b| scores[*a].total_cmp(&scores[*b]))
        };
        scores
            .iter()
            .position(|score| *score >= CLEAR)
            .or_else(best)
    }

    /// The clauses that express choices, such as "she comes back later": the clearest one of each.
    fn value_clauses(&self, parts: &[Clause]) -> Vec<usize> {
        const LEAST: f32 = 0.5;
        let choices = self.params(|kind| matches!(kind, Kind::Boolean | Kind::Choice(_)));
        let clearest = choices.into_iter().filter_map(|param| {
            let scored = parts.iter().enumerate().filter_map(|(at, clause)| {
                let text = &self.text[clause.start..clause.end];
                Some((at, self.catalog.choice(self.place, &param.name, text)?.1))
            });
            let best = scored.max_by(|a, b| a.1.total_cmp(&b.1))?;
            (best.1 >= LEAST).then_some(best.0)
        });
        clearest.collect()
    }

    /// The part of a clause behind its last value, without the words that lead to it. In the clause of the
    /// request only words behind a value count: before it stands the request.
    fn purpose_in(&self, clause: &Clause, behind_value: bool) -> Option<Span> {
        let inside = |span: &&Span| clause.start <= span.0 && span.1 <= clause.end;
        let last = self.used.iter().filter(inside).map(|span| span.1).max();
        let from = last.or((!behind_value).then_some(clause.start))?;
        let rest = words(&self.text[from..clause.end]);
        let mut rest = rest
            .iter()
            .skip_while(|word| lists::contains("lead to purpose", &word.lower));
        let start = from + rest.clone().next()?.start;
        rest.any(|word| word.lower.chars().count() > 2)
            .then_some((start, clause.end))
    }
}
