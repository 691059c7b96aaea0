//! Free text: a search, a purpose, a sentence to keep. Quoted, labelled, or what remains of a message when
//! its other values and the request itself are taken away.

use serde_json::Value;

use super::Reading;
use crate::catalog::Intent;
use crate::schema::{Kind, Param};
use crate::text::{Clause, Word, clauses, same_stem, words};

/// Opening and closing quotation marks.
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”')];

/// Words that lead from a request to its purpose.
const LEADS: [&str; 30] = [
    "to",
    "for",
    "who",
    "because",
    "as",
    "is",
    "has",
    "he",
    "she",
    "they",
    "will",
    "goes",
    "going",
    "must",
    "för",
    "att",
    "som",
    "for",
    "at",
    "der",
    "die",
    "um",
    "zu",
    "weil",
    "wegen",
    "чтобы",
    "для",
    "на",
    "по",
    "что",
];

impl Reading<'_> {
    pub(super) fn read_texts(&mut self) {
        for param in self.params(|kind| matches!(kind, Kind::Text)) {
            let quoted = self.quotation().filter(|_| param.required);
            let value = quoted
                .or_else(|| self.labelled(param))
                .or_else(|| self.after_context(param))
                .or_else(|| self.left_over_name(param))
                .or_else(|| {
                    self.remaining(param)
                        .filter(|_| self.takes_remaining(param))
                });
            let Some((start, end)) = value else { continue };
            let text = self.text[start..end].trim();
            let fits = param
                .limits
                .longest
                .is_none_or(|longest| text.chars().count() <= longest);
            if fits && !text.is_empty() {
                self.used.push((start, end));
                self.put(param, Value::from(text));
            }
        }
    }

    /// Whether the rest of the message can only be this parameter's value.
    fn takes_remaining(&self, param: &Param) -> bool {
        let params = || self.tool().params.iter();
        let passage = params().any(|other| matches!(other.kind, Kind::Passage));
        let texts = params().filter(|other| other.required && matches!(other.kind, Kind::Text));
        param.required && !passage && texts.count() == 1
    }

    fn quotation(&self) -> Option<(usize, usize)> {
        QUOTES.iter().find_map(|(open, close)| {
            let start = self.text.find(*open)? + open.len_utf8();
            let end = start + self.text[start..].find(*close)?;
            let free = end > start && !self.is_used(start, end);
            free.then_some((start, end))
        })
    }

    /// `purpose: end of contract`, by the parameter's own words.
    fn labelled(&self, param: &Param) -> Option<(usize, usize)> {
        let mut places = self.words.iter().enumerate();
        let label = places.find(|(at, word)| {
            let own = param.own_words.len() == 1 && word.lower == param.own_words[0];
            let described = param
                .keywords
                .iter()
                .take(2)
                .any(|key| *key == word.lower && key.len() > 4);
            let colon = self.text[word.end..].trim_start().starts_with([':', '=']);
            let verb = self
                .words
                .get(at + 1)
                .is_some_and(|next| next.lower == "is" || next.lower == "ist");
            (own || described) && (colon || verb)
        });
        let (_, label) = label?;
        let rest = &self.text[label.end..];
        let skip = rest.find(|c: char| !c.is_whitespace() && c != ':' && c != '=')?;
        let start = label.end + skip;
        let start = self.text[start..]
            .strip_prefix("is ")
            .map_or(start, |_| start + 3);
        let end = start + clause_length(&self.text[start..]);
        (end > start).then_some((start, end))
    }

    /// A name or code behind the same words as in an example: `with skill React`.
    fn after_context(&self, param: &Param) -> Option<(usize, usize)> {
        let contexts = self.tool().contexts.get(&param.name)?;
        let proper = |word: &Word| {
            let text = word.in_text(self.text);
            let capital = text.chars().any(char::is_uppercase);
            capital && !self.is_used(word.start, word.end)
        };
        let places = (1..self.words.len()).filter(|at| proper(&self.words[*at]));
        let best = places.map(|at| (contexts.agreement(&self.words, at), at));
        let (agreement, at) =
            best.max_by_key(|(agreement, at)| (*agreement, std::cmp::Reverse(*at)))?;
        let others = self
            .tool()
            .contexts
            .iter()
            .filter(|(name, _)| **name != param.name);
        let rival = others
            .map(|(_, other)| other.agreement(&self.words, at))
            .max()
            .unwrap_or(0);
        let adjacent = |last: &usize| {
            let (word, next) = (&self.words[*last], self.words.get(last + 1)?);
            let joined = &self.text[word.end..next.start] == " " && proper(next);
            joined.then_some(last + 1)
        };
        let last = std::iter::successors(Some(at), adjacent)
            .last()
            .unwrap_or(at);
        let found = (param.required || is_short(param)) && agreement > 0 && agreement >= rival;
        found.then(|| (self.words[at].start, self.words[last].end))
    }

    /// A name that nothing else took, where this is the tool's only short text or the one whose words
    /// the message has.
    fn left_over_name(&self, param: &Param) -> Option<(usize, usize)> {
        if param.required || !is_short(param) || self.tool().contexts.get(&param.name).is_none() {
            return None;
        }
        let said = |param: &Param, others: &[&Param]| {
            let shared = |cue: &&String| others.iter().any(|other| other.keywords.contains(cue));
            let cues: Vec<&String> = param.keywords.iter().filter(|cue| !shared(cue)).collect();
            let words = self.words.iter();
            words
                .filter(|word| cues.iter().any(|cue| same_stem(cue, &word.lower)))
                .count()
        };
        let rivals = self.params(|kind| matches!(kind, Kind::Text)).into_iter();
        let rivals = rivals.filter(|other| other.name != param.name && is_short(other));
        let rivals: Vec<&Param> = rivals.collect();
        let own = said(param, &rivals);
        let better = rivals
            .iter()
            .any(|other| said(other, &[param]) > own || self.has(other));
        let word = self.words.iter().skip(1).find(|word| {
            let capital = word.in_text(self.text).starts_with(char::is_uppercase);
            capital && !self.catalog.is_ordinary(&word.lower) && !self.is_used(word.start, word.end)
        });
        word.filter(|_| !better).map(|word| (word.start, word.end))
    }

    /// What is left of the message. A search takes all of it; else the request, the values and asides are
    /// left out and the first clause that says something counts.
    fn remaining(&self, param: &Param) -> Option<(usize, usize)> {
        if self.words.is_empty() {
            return None;
        }
        if self.is_search(param) {
            return Some((0, self.text.len()));
        }
        let parts = clauses(self.text);
        let request = self.request_clause(&parts).filter(|_| !self.answer);
        let own = request.and_then(|place| self.purpose_in(&parts[place], true));
        let values = self.value_clauses(&parts);
        let rest = || {
            parts
                .iter()
                .enumerate()
                .filter(|(at, _)| Some(*at) != request)
        };
        let purpose = |(_, clause): (usize, &Clause)| self.purpose_in(clause, false);
        own.or_else(|| {
            rest()
                .filter(|(at, _)| !values.contains(at))
                .find_map(purpose)
        })
        .or_else(|| rest().find_map(purpose))
    }

    /// A tool that reads and needs nothing but one text looks for that text.
    fn is_search(&self, param: &Param) -> bool {
        let tool = self.tool();
        let mut required = tool.params.iter().filter(|param| param.required);
        let only =
            required.next().is_some_and(|one| one.name == param.name) && required.next().is_none();
        only && !tool.writes
    }

    /// The clause that most clearly asks for this tool.
    fn request_clause(&self, parts: &[Clause]) -> Option<usize> {
        let probability = |clause: &Clause| {
            let ranked = self.catalog.intents(&self.text[clause.start..clause.end]);
            let own = ranked
                .iter()
                .find(|(intent, _)| *intent == Intent::Tool(self.place));
            own.map_or(0.0, |(_, probability)| *probability)
        };
        const CLEAR: f32 = 0.3;
        let scored: Vec<f32> = parts.iter().map(probability).collect();
        let best =
            || (0..parts.len()).max_by(|a, b| scored[*a].total_cmp(&scored[*b]).then(b.cmp(a)));
        scored.iter().position(|one| *one >= CLEAR).or_else(best)
    }

    /// The clauses that express choices, such as "she comes back later": the clearest one of each.
    fn value_clauses(&self, parts: &[Clause]) -> Vec<usize> {
        const LEAST: f32 = 0.5;
        let params = self.tool().params.iter();
        let choices = params.filter(|p| matches!(p.kind, Kind::Boolean | Kind::Choice(_)));
        let clearest = choices.filter_map(|param| {
            let scored = parts.iter().enumerate().filter_map(|(at, clause)| {
                let text = &self.text[clause.start..clause.end];
                let (_, probability) = self.catalog.choice(self.place, &param.name, text)?;
                Some((at, probability))
            });
            let best = scored.max_by(|a, b| a.1.total_cmp(&b.1))?;
            (best.1 >= LEAST).then_some(best.0)
        });
        clearest.collect()
    }

    /// The part of a clause behind its last value, without the words that lead to it. In the clause of the
    /// request only what follows a value counts: before it stands the request.
    fn purpose_in(&self, clause: &Clause, behind_value: bool) -> Option<(usize, usize)> {
        let inside = |span: &&(usize, usize)| clause.start <= span.0 && span.1 <= clause.end;
        let last = self.used.iter().filter(inside).map(|span| span.1).max();
        if behind_value && last.is_none() {
            return None;
        }
        let from = last.unwrap_or(clause.start);
        let mut rest = words(&self.text[from..clause.end]).into_iter().peekable();
        while rest
            .next_if(|word| LEADS.contains(&word.lower.as_str()) || word.lower == "s")
            .is_some()
        {}
        let first = rest.peek()?;
        let start = from + first.start;
        let content = rest.any(|word| word.lower.chars().count() > 2);
        content.then_some((start, clause.end))
    }
}

fn is_short(param: &Param) -> bool {
    const SHORT: usize = 120;
    param.limits.longest.is_some_and(|longest| longest <= SHORT)
}

/// How far a labelled value goes: to the next comma, semicolon, full stop or line.
fn clause_length(text: &str) -> usize {
    let ends = text.char_indices().find(|(at, c)| {
        let spaced = text[at + c.len_utf8()..]
            .chars()
            .next()
            .is_none_or(char::is_whitespace);
        matches!(c, ';' | '\n') || (spaced && matches!(c, ',' | '.'))
    });
    ends.map_or(text.len(), |(at, _)| at)
}
