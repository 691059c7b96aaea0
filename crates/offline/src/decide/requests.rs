//! The requests of a new message: one or several, each a call, a question or a sentence.

use serde_json::{Map, Value};

use super::{ACT, CERTAIN, Call, Decider, Decision, SURE, is_phrase};
use crate::catalog::Intent;
use crate::dialogue::PersonMessage;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::{clauses, words};

/// Minimum probability of a tool that accounts for every word when the most probable one does not.
const POSSIBLE: f32 = 0.05;
/// Maximum number of calls per message, so that a person can keep track.
const MOST_CALLS: usize = 3;

impl Decider<'_> {
    /// A tool's title as the message selects the tool; the message before it supplies the values.
    pub(super) fn selected(&self, msg: &PersonMessage) -> Option<Decision> {
        let place = self.catalog.titled(&msg.text)?;
        let offered = self.dialogue.answers().next().is_some_and(is_choice);
        let before = self.dialogue.messages().next().filter(|_| offered);
        let arguments = before.map(|msg| self.extract(place, msg, false));
        Some(self.complete(place, arguments.unwrap_or_default(), false, &[]))
    }

    pub(super) fn requested(&self, msg: &PersonMessage) -> Decision {
        let parts = self.split(msg);
        if parts.len() > 1 {
            return self.several(&parts);
        }
        let (intent, probability) = self.intent(msg);
        match intent {
            Intent::Tool(place)
                if self.catalog.tools[place].is_proposed() && is_denied(&msg.text) =>
            {
                self.dropped()
            }
            Intent::Tool(place) => {
                let arguments = self.extract(place, msg, false);
                if probability < self.least_for(place, &arguments) {
                    return self.choices("which", &msg.text);
                }
                let unused = self.unused(place, msg);
                if !unused.is_empty() {
                    let other = self.complete_reading(place, msg);
                    let doubtful = || self.doubtful(place, &arguments, &unused, &msg.text);
                    return other.unwrap_or_else(doubtful);
                }
                let codes = self.one_for_each_code(place, msg);
                if codes.len() > 1 {
                    return self.several(&codes);
                }
                self.complete(place, arguments, points_back(&msg.text), &[])
            }
            Intent::Elsewhere(other) if probability >= SURE => self.barred(other),
            Intent::Nothing if self.may_be_searched(msg) => self.search(msg),
            Intent::Nothing if probability >= ACT => self.choices("not_understood", &msg.text),
            Intent::Elsewhere(_) | Intent::Nothing => self.choices("which", &msg.text),
        }
    }

    /// Another probable read whose values account for every word of the message.
    fn complete_reading(&self, place: usize, msg: &PersonMessage) -> Option<Decision> {
        let ranked = self.catalog.intents(&msg.text).into_iter();
        let mut likely = ranked.take_while(|(_, probability)| *probability >= POSSIBLE);
        likely.find_map(|(intent, _)| {
            let Intent::Tool(other) = intent else {
                return None;
            };
            let tool = &self.catalog.tools[other];
            let arguments = self.extract(other, msg, false);
            let reads = other != place && !tool.writes && tool.missing(&arguments).is_empty();
            let complete = reads && !arguments.is_empty() && self.unused(other, msg).is_empty();
            complete.then(|| Decision::call(other, arguments))
        })
    }

    /// True for a question if every tool here is a search: an empty result is more honest than the
    /// guess that nothing was asked.
    fn may_be_searched(&self, msg: &PersonMessage) -> bool {
        let searches = self
            .catalog
            .tools
            .iter()
            .all(|tool| tool.search_param().is_some());
        searches && msg.text.trim_end().ends_with('?')
    }

    fn search(&self, msg: &PersonMessage) -> Decision {
        self.complete(0, self.extract(0, msg, false), false, &[])
    }

    /// The minimum probability for a tool: higher without a form, or if the form would be empty.
    fn least_for(&self, place: usize, arguments: &Map<String, Value>) -> f32 {
        let tool = &self.catalog.tools[place];
        let doubtful = tool.writes && (tool.undoable || arguments.is_empty());
        if doubtful { SURE } else { ACT }
    }

    /// The calls of several requests; a question waits until the calls are done.
    fn several(&self, parts: &[(usize, PersonMessage)]) -> Decision {
        let mut calls: Vec<Call> = Vec::new();
        let mut question = None;
        for (place, part) in parts.iter().take(MOST_CALLS) {
            let arguments = self.extract(*place, part, false);
            let unused = self.unused(*place, part);
            if !unused.is_empty() {
                return self.doubtful(*place, &arguments, &unused, &part.text);
            }
            let decision = self.complete(*place, arguments, true, &calls);
            calls.extend(decision.calls.iter().cloned());
            question.get_or_insert(decision);
        }
        match question {
            Some(question) if calls.is_empty() => question,
            Some(_) | None => Decision {
                calls,
                ..Decision::default()
            },
        }
    }

    /// A call, or a question about missing values. A write with a form is called even if
    /// incomplete. `earlier` are calls for the same message.
    pub(super) fn complete(
        &self,
        place: usize,
        mut arguments: Map<String, Value>,
        pointing: bool,
        earlier: &[Call],
    ) -> Decision {
        let tool = &self.catalog.tools[place];
        if tool.is_proposed() {
            return Decision::call(place, arguments);
        }
        for param in tool.missing(&arguments) {
            let value = self
                .mentioned(param, earlier)
                .filter(|_| pointing && !tool.writes);
            if let Some(value) = value {
                arguments.insert(param.name.clone(), value);
            }
        }
        match tool.missing(&arguments).as_slice() {
            [] => Decision::call(place, arguments),
            missing => self.question(tool, missing),
        }
    }

    /// Resolves "it" for a read: the same argument of the newest call that has one, or the only
    /// such code in its result.
    fn mentioned(&self, param: &Param, earlier: &[Call]) -> Option<Value> {
        let here = earlier.iter().rev().map(|(_, arguments)| (arguments, None));
        let before = self.dialogue.earlier_calls();
        let before = before.map(|call| (&call.arguments, call.result.as_deref()));
        let mut calls = here.chain(before);
        if let Kind::Pattern(pattern) = &param.kind {
            let codes = calls.map(|(arguments, result)| {
                let own = arguments.values().filter_map(Value::as_str);
                let own: Vec<&str> = own.filter(|text| pattern.is_match(text)).collect();
                let hits = pattern
                    .find_iter(result.unwrap_or_default())
                    .map(|code| code.as_str());
                if own.is_empty() { hits.collect() } else { own }
            });
            let mut newest = codes.into_iter().find(|codes| !codes.is_empty())?;
            newest.dedup();
            return (newest.len() == 1).then(|| Value::from(newest[0]));
        }
        let named = matches!(param.kind, Kind::Identifier | Kind::Name);
        calls.find_map(|(arguments, _)| arguments.get(&param.name).filter(|_| named).cloned())
    }

    /// Splits a message into requests: clauses that clearly ask for another tool or object.
    fn split(&self, msg: &PersonMessage) -> Vec<(usize, PersonMessage)> {
        let mut parts: Vec<(usize, usize)> = Vec::new();
        for clause in clauses(&msg.text) {
            // A clause after a colon belongs to the request before it: "Reject: Elena Volkova".
            if msg.text[..clause.start].trim_end().ends_with(':') {
                continue;
            }
            let text = &msg.text[clause.start..clause.end];
            if continues_list(&msg.text[..clause.start], text) {
                continue;
            }
            // A question beside a statement asks for something; other clauses may only say more.
            let question = msg.text[clause.end..].trim_start().starts_with('?');
            let Some(place) = self.clear_request(text, if question { SURE } else { CERTAIN })
            else {
                continue;
            };
            let start = parts.last().map_or(0, |_| clause.start);
            let again = parts.last().is_some_and(|(last, from)| {
                let before = self.subject(place, &msg.text[*from..clause.start]);
                let own = self.subject(place, text);
                *last == place && (own.is_none() || before.is_none() || own == before)
            });
            if !again {
                parts.push((place, start));
            }
        }
        let passage = parts
            .iter()
            .any(|(place, _)| self.catalog.tools[*place].takes_passage());
        if passage && (msg.parted().is_some() || !msg.texts.is_empty()) {
            return Vec::new();
        }
        let ends = parts
            .iter()
            .skip(1)
            .map(|part| part.1)
            .chain([msg.text.len()]);
        let requests = parts
            .iter()
            .zip(ends)
            .enumerate()
            .map(|(at, ((place, start), end))| {
                let shared = msg.files.len() < parts.len();
                let files = if shared {
                    msg.files.clone()
                } else {
                    vec![msg.files[at]]
                };
                let text = msg.text[*start..end].trim().to_owned();
                (
                    *place,
                    PersonMessage {
                        text,
                        files,
                        ..PersonMessage::default()
                    },
                )
            });
        requests.collect()
    }

    /// The code or name that a part of a message is about. A tool with more required values takes
    /// them from several clauses, so a second name is not a second request.
    fn subject(&self, place: usize, text: &str) -> Option<Value> {
        const FEW: usize = 2;
        let tool = &self.catalog.tools[place];
        let names = |param: &&Param| matches!(param.kind, Kind::Pattern(_) | Kind::Name);
        let subject = tool
            .required()
            .find(names)
            .filter(|_| tool.required().count() <= FEW)?;
        let msg = PersonMessage {
            text: text.to_owned(),
            ..PersonMessage::default()
        };
        self.extract(place, &msg, false).remove(&subject.name)
    }

    fn clear_request(&self, clause: &str, least: f32) -> Option<usize> {
        match self.catalog.intents(clause).first()? {
            (Intent::Tool(place), probability) => {
                let clear = *probability >= least && words(clause).len() > 1;
                clear.then_some(*place)
            }
            (Intent::Elsewhere(_) | Intent::Nothing, _) => None,
        }
    }

    /// "Print GP-1 and GP-2": repeats the request for each code.
    fn one_for_each_code(&self, place: usize, msg: &PersonMessage) -> Vec<(usize, PersonMessage)> {
        let mut required = self.catalog.tools[place].required();
        let code = required.find(|param| matches!(param.kind, Kind::Pattern(_)));
        let Some(Kind::Pattern(pattern)) = code.map(|param| &param.kind) else {
            return Vec::new();
        };
        let mut codes: Vec<&str> = pattern
            .find_iter(&msg.text)
            .map(|code| code.as_str())
            .collect();
        codes.dedup();
        let one = |code: &str| {
            (
                place,
                PersonMessage {
                    text: code.to_owned(),
                    ..msg.clone()
                },
            )
        };
        codes.into_iter().map(one).collect()
    }
}

/// True if an answer offers tools to choose from.
pub(super) fn is_choice(answer: &str) -> bool {
    let mut kinds = ["which", "not_understood", "unused"].into_iter();
    kinds.any(|key| is_phrase(answer, key))
}

/// True if a message refers to something mentioned before.
pub(super) fn points_back(text: &str) -> bool {
    words(text)
        .iter()
        .any(|word| lists::contains("pointing", &word.lower))
}

/// True if a clause after "and" or a comma is only a name, as in "the Phantas and the Kleenbot C40": the rest of a
/// list asks for nothing.
fn continues_list(before: &str, clause: &str) -> bool {
    let begins = |text: &str| text.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    let before = before.trim_end_matches(' ');
    let in_sentence = !before.is_empty() && !before.ends_with(['.', '!', '?', ';', ':', '\n']);
    in_sentence
        && words(clause)
            .iter()
            .all(|word| begins(word.in_text(clause)))
}

/// "Don't create …", "never mind, no pass …": the first words revoke the request.
fn is_denied(text: &str) -> bool {
    const FIRST: usize = 3;
    let all = words(text);
    lists::any("negation", &all[..all.len().min(FIRST)])
}

#[cfg(test)]
mod tests {
    use super::continues_list;

    #[test]
    fn a_name_behind_a_conjunction_continues_a_list() {
        let before = "calculate the ROI for Pudu CC1 and ";
        assert!(continues_list(before, "Avidbots Neo 2W"));
        assert!(!continues_list(before, "show the Neo"));
        assert!(!continues_list("", "Avidbots Neo"));
        assert!(!continues_list("Reject GP-1. ", "Approve GP-2"));
    }
}
