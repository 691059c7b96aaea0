//! Lists: all names, all codes, all choices that are said, and what takes another's place.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;

use super::super::cues::Cue;
use super::super::index::Lesson;
use super::super::param::{Kind, Param};
use super::super::values::choices;
use super::super::values::names;
use super::super::words::Text;
use super::Filling;

/// In per cent: from here on what is said follows an example of a list.
const ALIKE: usize = 20;
/// The same for what is said as a parameter's description says it.
const DESCRIBED: usize = 200;

impl Filling<'_> {
    /// "swap the one for the other", "this one instead of that": the first goes out, the second comes in.
    fn take_exchanged(&mut self) {
        let open = self.open(Kind::lists_words);
        let named = |verbs: &[&str]| {
            let mut open = open.iter();
            let own =
                |param: &&&Param| verbs.contains(&param.name.split('_').next().unwrap_or_default());
            open.find(own).copied()
        };
        let (Some(out), Some(into)) = (
            named(&["remove", "drop", "exclude"]),
            named(&["add", "include"]),
        ) else {
            return;
        };
        let text = &self.sources.reading.text;
        let names = self.candidates();
        let instead = |name: &names::Name| {
            let first = name.words.start;
            let article = first.checked_sub(1).filter(|at| text.words[*at].function);
            Cue::InsteadOf.before(text, first)
                || article.is_some_and(|at| Cue::InsteadOf.before(text, at))
        };
        let pair = match names.as_slice() {
            [one, other] if instead(other) => Some((other, one)),
            [one, other] if instead(one) || Cue::Exchange.is_in(text) => Some((one, other)),
            _ => None,
        };
        // Without the two of them nobody knows what goes and what comes.
        let Some((goes, comes)) = pair.map(|(goes, comes)| (goes.clone(), comes.clone())) else {
            self.filled.guessed |= Cue::Exchange.is_in(text);
            return;
        };
        for (param, name) in [(out, goes), (into, comes)] {
            self.take_span(name.span.clone());
            self.set(param, Value::Array(vec![Value::String(name.value)]));
        }
    }

    /// Lists: all names, all codes, all choices that are said.
    pub(super) fn take_lists(&mut self) {
        self.take_exchanged();
        let mut lists = self.open(|kind| matches!(kind, Kind::List(_)));
        lists.sort_by_key(|param| std::cmp::Reverse(self.likeness(param)));
        for param in lists {
            let Kind::List(items) = &param.kind else {
                continue;
            };
            let (values, spans): (Vec<Value>, Vec<Range<usize>>) = match items.as_ref() {
                Kind::Pattern(pattern) => pattern
                    .find_all(&self.sources.reading.text)
                    .into_iter()
                    .map(|code| (Value::String(code.value), code.span))
                    .unzip(),
                Kind::Enum(choices) => {
                    choices::find_all(self.sources.reading, choices, &|at| self.is_taken(at))
                        .into_iter()
                        .map(|chosen| {
                            (
                                choices[chosen.choice].value.clone(),
                                self.bytes(&chosen.words),
                            )
                        })
                        .unzip()
                }
                // What nobody must say and no example says is not guessed from a capital, and what is
                // written only where it is said as in an example.
                Kind::Text
                    if !param.required
                        && !self.is_taught(param)
                        && self.likeness(param) < DESCRIBED =>
                {
                    continue;
                }
                Kind::Text if self.tool.writes && self.likeness(param) < ALIKE => continue,
                Kind::Text if self.is_called_with_quotes(param) => {
                    let quotes = self.sources.reading.quotes.iter();
                    let free = quotes.filter(|span| !self.is_span_taken(span));
                    free.map(|span| {
                        let value = self.sources.reading.text.raw[span.clone()].trim();
                        (Value::String(value.to_owned()), span.clone())
                    })
                    .unzip()
                }
                Kind::Name | Kind::Text => self
                    .listed_names()
                    .into_iter()
                    // Letters alone stand for something else than a name of one's own.
                    .filter(|name| self.is_taught(param) || name.value.contains(char::is_lowercase))
                    .filter(|name| self.is_spoken_of(param, items, name))
                    .map(|name| {
                        let known = self.sources.memory.known_name(&name.value);
                        (Value::String(known.unwrap_or(name.value)), name.span)
                    })
                    .unzip(),
                Kind::Boolean
                | Kind::Number(_)
                | Kind::Date { .. }
                | Kind::Time { .. }
                | Kind::DateTime { .. }
                | Kind::LongText
                | Kind::File
                | Kind::Id
                | Kind::List(_)
                | Kind::Other => continue,
            };
            if !values.is_empty() {
                spans.into_iter().for_each(|span| self.take_span(span));
                self.set(param, Value::Array(values));
            }
        }
    }

    /// `only the skills "SQL" and "Stakeholder management"`
    fn is_called_with_quotes(&self, param: &Param) -> bool {
        let reading = self.sources.reading;
        let mut words = 0..reading.text.words.len();
        !reading.quotes.is_empty() && words.any(|at| self.calls(at, param))
    }

    /// "The Product Designer profile is confirmed. … with the good-to-haves": a text that nobody must give
    /// stands in a sentence that calls its list by name, or is worded as an example of it.
    fn is_spoken_of(&self, param: &Param, items: &Kind, name: &names::Name) -> bool {
        let free = matches!(items, Kind::Text) && self.tool.writes && !param.required;
        let text = &self.sources.reading.text;
        let begins = |at: &usize| text.starts_sentence(*at);
        let start = (0..=name.words.start).rev().find(begins).unwrap_or(0);
        let end = (name.words.end..text.words.len()).find(begins);
        let sentence = start..end.unwrap_or(text.words.len());
        let whole = sentence.len() == text.words.len();
        let said: BTreeSet<String> = text.words[sentence.clone()]
            .iter()
            .map(|word| word.lower.clone())
            .collect();
        let mut words = sentence;
        !free
            || whole
            || words.any(|at| self.calls(at, param))
            || self.likeness_to_examples(&said, param) >= ALIKE
    }

    /// Names for a list. Where something is written, one word that merely begins a sentence is none, unless
    /// it stands with others.
    fn listed_names(&self) -> Vec<names::Name> {
        let text = &self.sources.reading.text;
        let found = self.candidates();
        let begins = |name: &names::Name| {
            let plain = !name.value.contains(|c: char| c.is_ascii_digit());
            let mut others = found.iter().filter(|other| *other != name);
            let listed = others.any(|other| self.is_listed(&name.span, &other.span));
            let start = text.starts_sentence(name.words.start);
            start && name.words.len() == 1 && plain && !listed
        };
        let kept = found
            .iter()
            .filter(|name| !self.tool.writes || !begins(name));
        kept.cloned().collect()
    }

    /// How much of what is said stands in an example that gives this parameter a value, in
    /// per cent of all words in either: "take … off the shortlist" is not "shortlist …".
    pub(super) fn likeness(&self, param: &Param) -> usize {
        let reading = self.sources.reading;
        let said = words(&reading.text);
        // "remove … from the list" names the parameter `remove`.
        let named = reading.terms.iter().any(|term| {
            let mut keys = term.keys.iter().filter(|(_, share)| *share >= 1.0);
            keys.any(|(key, _)| param.labels.contains(key))
        });
        // "… as the people who decide": what they are taken for is what the description says.
        const AS: [&str; 4] = ["as", "som", "als", "как"];
        let text = &reading.text;
        let taken_for = (1..text.words.len()).find(|at| text.is_one_of(at - 1, &AS));
        let role = taken_for.and_then(|at| reading.terms.iter().find(|term| term.word >= at));
        let described = role.is_some_and(|term| {
            let mut keys = term.keys.iter();
            keys.any(|(key, _)| param.hints.contains(key)) && !self.names_tool(term.word)
        });
        // "… that Dana and Phil decide": a word that only this one's description has.
        let lists = self
            .tool
            .params
            .iter()
            .filter(|other| other.name != param.name && matches!(other.kind, Kind::List(_)));
        let others: Vec<&Param> = lists.collect();
        let told = reading.terms.iter().any(|term| {
            let mut keys = term.keys.iter().filter(|(key, _)| key.starts_with('#'));
            let own = |key: &String| {
                let alone = others.iter().all(|other| !other.hints.contains(key));
                param.hints.contains(key) && alone
            };
            keys.any(|(key, _)| own(key)) && !self.names_tool(term.word)
        });
        let by_name = match (described || told, named) {
            (true, _) => DESCRIBED,
            (false, true) => 100,
            (false, false) => 0,
        };
        self.likeness_to_examples(&said, param) + by_name
    }

    fn likeness_to_examples(&self, said: &BTreeSet<String>, param: &Param) -> usize {
        let gives = |lesson: &&Lesson| lesson.slots.iter().any(|slot| slot.param == param.name);
        let shares = self.tool.lessons.iter().filter(gives).map(|lesson| {
            let taught = words(&lesson.without_values);
            100 * said.intersection(&taught).count() / said.union(&taught).count().max(1)
        });
        shares.max().unwrap_or(0)
    }

    /// Whether some example gives this parameter a value.
    fn is_taught(&self, param: &Param) -> bool {
        let mut lessons = self.tool.lessons.iter();
        lessons.any(|lesson| lesson.arguments.get(&param.name).is_some())
    }
}

fn words(text: &Text) -> BTreeSet<String> {
    text.words.iter().map(|word| word.lower.clone()).collect()
}
