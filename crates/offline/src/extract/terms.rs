//! Lists of terms, such as skills: words in capitals or in foreign letters, in groups that a list or
//! "and" joins.

use serde_json::Value;

use super::Reading;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::Word;

/// Terms that stand together, as bytes of the message.
struct Group {
    terms: Vec<(usize, usize)>,
    /// Joined by "or".
    alternatives: bool,
    /// Negations before it: "without", "не знает".
    negations: Vec<(usize, usize)>,
    /// The place of the first word.
    first: usize,
}

/// Words before a group in which a negation counts.
const REACH: usize = 4;

impl Reading<'_> {
    pub(super) fn read_terms(&mut self) {
        let params = self.params(|kind| matches!(kind, Kind::Terms));
        if params.is_empty() || self.tool().writes {
            return;
        }
        for group in self.groups(&params) {
            let is = |param: &&&Param, list: &str| {
                param
                    .own_words
                    .iter()
                    .any(|word| lists::contains(list, word))
            };
            let negative = |param: &&&Param| is(param, "negation");
            let any = |param: &&&Param| is(param, "any");
            let mut all = params.iter();
            let param = match (!group.negations.is_empty(), group.alternatives) {
                (true, _) => all.find(negative),
                (false, true) => all.find(any),
                (false, false) => all.find(|param| !negative(param) && !any(param)),
            };
            let Some(param) = param else { continue };
            let terms = group
                .terms
                .iter()
                .map(|(start, end)| Value::from(&self.text[*start..*end]));
            let terms: Vec<Value> = terms.collect();
            self.used.extend(group.terms.iter().chain(&group.negations));
            match self.found.get_mut(&param.name) {
                Some(Value::Array(found)) => found.extend(terms),
                Some(_) | None => self.put(param, Value::Array(terms)),
            }
        }
    }

    fn groups(&self, params: &[&Param]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let Some((last, end)) = self.term(at) else {
                at += 1;
                continue;
            };
            let span = (self.words[at].start, end);
            let joint = groups.last().and_then(|group| {
                let before = group.terms.last()?;
                joins(&self.text[before.1..span.0])
            });
            match (joint, groups.last_mut()) {
                (Some(alternative), Some(group)) => {
                    group.terms.push(span);
                    group.alternatives |= alternative;
                }
                (Some(_) | None, _) => groups.push(Group {
                    terms: vec![span],
                    alternatives: false,
                    negations: self.negations(at),
                    first: at,
                }),
            }
            at = last + 1;
        }
        groups.retain(|group| self.is_certain(group, params));
        groups
    }

    /// The negations before a group in its own clause.
    fn negations(&self, at: usize) -> Vec<(usize, usize)> {
        let is = |word: &Word, list: &str| lists::contains(list, &word.lower);
        let before = (0..at).rev().take(REACH);
        let same_clause = before.take_while(|place| {
            let word = &self.words[*place];
            let gap = &self.text[word.end..self.words[place + 1].start];
            !gap.contains([',', ';', '.']) && !is(word, "conjunction")
        });
        let words = same_clause.map(|place| &self.words[place]);
        let negations = words.filter(|word| is(word, "negation") || is(word, "lacking"));
        negations.map(|word| (word.start, word.end)).collect()
    }

    /// The last word and the end of a term that begins here: `Node.js`, `C++`, `React Native`.
    fn term(&self, at: usize) -> Option<(usize, usize)> {
        if !self.is_term_word(at) {
            return None;
        }
        let mut last = at;
        while let Some(next) = self.words.get(last + 1) {
            let gap = &self.text[self.words[last].end..next.start];
            if !(gap == "." || (gap == " " && self.is_term_word(last + 1))) {
                break;
            }
            last += 1;
        }
        let end = self.words[last].end;
        let signs = self.text[end..]
            .chars()
            .take_while(|c| matches!(c, '+' | '#'));
        Some((last, end + signs.count()))
    }

    /// A word with a capital letter, or in Latin letters within a Cyrillic message. A capital at the beginning
    /// of a sentence says nothing.
    fn is_term_word(&self, at: usize) -> bool {
        let word = &self.words[at];
        let text = word.in_text(self.text);
        if self.is_used(word.start, word.end) || lists::contains("question", &word.lower) {
            return false;
        }
        let capitals = text.chars().filter(|c| c.is_uppercase()).count();
        let begins = capitals == 1 && self.is_capital(at) && self.starts_sentence(at);
        (capitals > 0 && !begins) || self.is_foreign(at)
    }

    fn is_foreign(&self, at: usize) -> bool {
        let cyrillic = |c: char| ('\u{400}'..='\u{4ff}').contains(&c);
        let letters = || self.text.chars().filter(|c| c.is_alphabetic());
        let russian = letters().filter(|c| cyrillic(*c)).count() * 2 > letters().count();
        let text = self.words[at].in_text(self.text);
        russian && text.chars().any(|c| c.is_ascii_alphabetic()) && !text.chars().any(cyrillic)
    }

    /// Foreign letters and several capitals make a term; another word with a capital counts beside such a term,
    /// or behind the words of an example.
    fn is_certain(&self, group: &Group, params: &[&Param]) -> bool {
        let capitals = |(start, end): &(usize, usize)| {
            let letters = self.text[*start..*end].chars();
            letters.filter(|c| c.is_uppercase()).count() > 1
        };
        let known = params.iter().any(|param| {
            let contexts = self.tool().contexts.get(&param.name);
            contexts.is_some_and(|own| own.agreement(&self.words, group.first) > 0)
        });
        self.is_foreign(group.first) || group.terms.iter().any(capitals) || known
    }
}

/// Whether the text between two terms joins them, and as alternatives.
fn joins(gap: &str) -> Option<bool> {
    let words = crate::text::normalized(gap);
    let listed = gap
        .chars()
        .all(|c| c.is_whitespace() || c.is_alphabetic() || matches!(c, ',' | '/' | '&' | '+'));
    match words.as_str() {
        "" => (listed && !gap.trim().is_empty()).then_some(false),
        word if lists::contains("or", word) => Some(true),
        word if lists::contains("and", word) => listed.then_some(false),
        _ => None,
    }
}
