//! Free text: a search, a purpose, a note. Quoted, labelled, or the rest of a message without its
//! other values and the request itself.

use std::cmp::Reverse;

use serde_json::Value;

use super::Reading;
use crate::catalog::Intent;
use crate::context::BEFORE;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::{Clause, clauses, words};

const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”')];

/// A byte range of the message.
type Span = (usize, usize);

impl Reading<'_> {
    pub(super) fn read_texts(&mut self) {
        for param in self.params(|kind| matches!(kind, Kind::Text)) {
            let quoted = self.quotation().filter(|_| param.required);
            let found = quoted
                .or_else(|| self.labelled(param))
                .or_else(|| self.after_context(param))
                .or_else(|| self.remaining(param))
                .or_else(|| self.phrase_after_context(param));
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

    /// `purpose: end of contract`, labelled by the parameter's own words.
    fn labelled(&self, param: &Param) -> Option<Span> {
        let own = &param.own_words;
        let labels = own.iter().filter(|_| own.len() == 1);
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

    /// A name after the same words as in an example: `with skill React`.
    fn after_context(&self, param: &Param) -> Option<Span> {
        let contexts = self.tool().contexts.get(&param.name)?;
        let proper = |at: usize| {
            let word = self.words.get(at);
            word.is_some_and(|word| self.is_proper(at, word.start))
        };
        let agreement = |at: &usize| contexts.agreement(&self.words, *at);
        let places = (1..self.words.len()).filter(|at| proper(*at));
        let at = places.max_by_key(|at| (agreement(at), Reverse(*at)))?;
        let all = self.tool().contexts.iter();
        let others = all.filter(|(name, _)| **name != param.name);
        let rivals = others.map(|(_, other)| other.agreement(&self.words, at));
        let adjacent = |last: &usize| {
            let next = self.words.get(last + 1);
            let gap = next.map(|next| &self.text[self.words[*last].end..next.start]);
            let joined = gap == Some(" ") || gap == Some(" & ");
            (joined && proper(last + 1)).then_some(last + 1)
        };
        let run = std::iter::successors(Some(at), adjacent);
        let last = run.last().unwrap_or(at);
        let clear = agreement(&at) > 0 && agreement(&at) >= rivals.max().unwrap_or(0);
        let found = clear && (param.required || param.is_short());
        found.then(|| (self.words[at].start, self.words[last].end))
    }

    /// Ordinary words after exactly the words of an example: `hire a senior cook for our canteen`.
    fn phrase_after_context(&self, param: &Param) -> Option<Span> {
        const LONGEST: usize = 6;
        let contexts = self.tool().contexts.get(&param.name)?;
        let whole = |at: &usize| contexts.agreement(&self.words, *at) == BEFORE;
        let at = (1..self.words.len()).find(whole)?;
        let ends = |at: usize| {
            let gap = &self.text[self.words[at - 1].end..self.words[at].start];
            gap != " " || lists::contains("ends a phrase", &self.words[at].lower)
        };
        let last = (at + 1..self.words.len()).take_while(|next| !ends(*next));
        let last = last.take(LONGEST - 1).last().unwrap_or(at);
        let (start, end) = (self.words[at].start, self.words[last].end);
        let fits = param.required && !self.is_used(start, end);
        fits.then_some((start, end))
    }

    fn is_proper(&self, at: usize, start: usize) -> bool {
        let word = &self.words[at];
        let capital = word.in_text(self.text).chars().any(char::is_uppercase);
        capital && !self.is_used(start, word.end)
    }

    /// The rest of the message, if it can only be this parameter's value. A search takes all of it;
    /// otherwise the first clause with content counts, without request, values and asides.
    fn remaining(&self, param: &Param) -> Option<Span> {
        let tool = self.tool();
        let texts = tool
            .required()
            .filter(|other| matches!(other.kind, Kind::Text));
        let contexts = tool.contexts.get(&param.name);
        let names = contexts.is_some_and(|contexts| !contexts.ordinary);
        let sole = param.required && texts.count() == 1 && !names;
        if !sole || tool.takes_passage() || self.words.is_empty() {
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

    /// The first clause that clearly asks for this tool, or else the most probable one.
    fn request_clause(&self, parts: &[Clause]) -> Option<usize> {
        const CLEAR: f32 = 0.3;
        let probability = |clause: &Clause| {
            let ranked = self.catalog.intents(&self.text[clause.start..clause.end]);
            let mut ranked = ranked.iter();
            let own = ranked.find(|(intent, _)| *intent == Intent::Tool(self.place));
            own.map_or(0.0, |(_, probability)| *probability)
        };
        let scores: Vec<f32> = parts.iter().map(probability).collect();
        let clear = scores.iter().position(|score| *score >= CLEAR);
        let mut places = (0..parts.len()).rev();
        let first = places.next();
        let better = |a, b| if scores[b] >= scores[a] { b } else { a };
        clear.or_else(|| first.map(|first| places.fold(first, better)))
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

    /// The part of a clause after its last value, without introductory words. In the clause of the
    /// request only words after a value count, because the request precedes it.
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
