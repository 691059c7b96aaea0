//! Requests of a new message: one or several, each a call, a question or a sentence.

use serde_json::{Map, Value};

use super::{ACT, CERTAIN, Call, Decider, Decision, SURE, is_phrase};
use crate::catalog::Intent;
use crate::dialogue::PersonMessage;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::{clauses, words};

/// Calls that one message may lead to; beyond them a person loses track.
const MOST_CALLS: usize = 3;

impl Decider<'_> {
    /// A message that is the title of a tool chooses it; the message before the choice says the rest.
    pub(super) fn selected(&self, said: &PersonMessage) -> Option<Decision> {
        let place = self.catalog.titled(&said.text)?;
        let offered = self.dialogue.answers().next().is_some_and(is_choice);
        let before = self.dialogue.messages().next().filter(|_| offered);
        let arguments = before.map(|said| self.extract(place, said, false));
        Some(self.complete(place, arguments.unwrap_or_default(), false, &[]))
    }

    pub(super) fn requested(&self, said: &PersonMessage) -> Decision {
        let parts = self.split(said);
        if parts.len() > 1 {
            return self.several(&parts);
        }
        let (intent, probability) = self.intent(said);
        match intent {
            Intent::Tool(place)
                if self.catalog.tools[place].is_proposed() && is_denied(&said.text) =>
            {
                self.dropped()
            }
            Intent::Tool(place) => {
                let arguments = self.extract(place, said, false);
                if probability < self.least_for(place, &arguments) {
                    return self.choices("which", &said.text);
                }
                let codes = self.one_for_each_code(place, said);
                if codes.len() > 1 {
                    return self.several(&codes);
                }
                self.complete(place, arguments, points_back(&said.text), &[])
            }
            Intent::Elsewhere(other) if probability >= SURE => self.barred(other),
            Intent::Nothing if self.may_be_searched(said) => self.search(said),
            Intent::Nothing if probability >= ACT => self.choices("not_understood", &said.text),
            Intent::Elsewhere(_) | Intent::Nothing => self.choices("which", &said.text),
        }
    }

    /// Every question is looked up where everything here is looked up: a search that finds nothing
    /// says so, which is more honest than a guess that nothing was asked.
    fn may_be_searched(&self, said: &PersonMessage) -> bool {
        let searches = self
            .catalog
            .tools
            .iter()
            .all(|tool| tool.search_param().is_some());
        searches && said.text.trim_end().ends_with('?')
    }

    fn search(&self, said: &PersonMessage) -> Decision {
        self.complete(0, self.extract(0, said, false), false, &[])
    }

    /// A tool that takes effect without a form needs more certainty, and so does an empty form.
    fn least_for(&self, place: usize, arguments: &Map<String, Value>) -> f32 {
        let tool = &self.catalog.tools[place];
        let doubtful = tool.writes && (tool.undoable || arguments.is_empty());
        if doubtful { SURE } else { ACT }
    }

    /// All calls of several requests; a question waits until the calls are done.
    fn several(&self, parts: &[(usize, PersonMessage)]) -> Decision {
        let mut calls: Vec<Call> = Vec::new();
        let mut question = None;
        for (place, part) in parts.iter().take(MOST_CALLS) {
            let arguments = self.extract(*place, part, false);
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

    /// A call, or a question for the values that are missing. A write that a person completes in its form
    /// is called as it is. `earlier` are calls for the same message.
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

    /// The thing that "it" means for a read: the same argument of the newest call that has one, or the only
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
                let told = pattern
                    .find_iter(result.unwrap_or_default())
                    .map(|code| code.as_str());
                if own.is_empty() { told.collect() } else { own }
            });
            let mut newest = codes.into_iter().find(|codes| !codes.is_empty())?;
            newest.dedup();
            return (newest.len() == 1).then(|| Value::from(newest[0]));
        }
        let named = matches!(param.kind, Kind::Identifier | Kind::Name);
        calls.find_map(|(arguments, _)| arguments.get(&param.name).filter(|_| named).cloned())
    }

    /// The requests of a message: clauses that each clearly ask for a tool or thing other than the one
    /// before.
    fn split(&self, said: &PersonMessage) -> Vec<(usize, PersonMessage)> {
        let mut parts: Vec<(usize, usize)> = Vec::new();
        for clause in clauses(&said.text) {
            let text = &said.text[clause.start..clause.end];
            let Some(place) = self.clear_request(text) else {
                continue;
            };
            let start = parts.last().map_or(0, |_| clause.start);
            let again = parts.last().is_some_and(|(last, from)| {
                let before = self.subject(place, &said.text[*from..clause.start]);
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
        if passage && (said.parted().is_some() || !said.texts.is_empty()) {
            return Vec::new();
        }
        let ends = parts
            .iter()
            .skip(1)
            .map(|part| part.1)
            .chain([said.text.len()]);
        let requests = parts
            .iter()
            .zip(ends)
            .enumerate()
            .map(|(at, ((place, start), end))| {
                let shared = said.files.len() < parts.len();
                let files = if shared {
                    said.files.clone()
                } else {
                    vec![said.files[at]]
                };
                let text = said.text[*start..end].trim().to_owned();
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

    /// The code or name that a part of a message is about. A tool that needs more than that takes its
    /// values from several clauses, so a second name is no second request.
    fn subject(&self, place: usize, text: &str) -> Option<Value> {
        const FEW: usize = 2;
        let tool = &self.catalog.tools[place];
        let names = |param: &&Param| matches!(param.kind, Kind::Pattern(_) | Kind::Name);
        let subject = tool
            .required()
            .find(names)
            .filter(|_| tool.required().count() <= FEW)?;
        let said = PersonMessage {
            text: text.to_owned(),
            ..PersonMessage::default()
        };
        self.extract(place, &said, false).remove(&subject.name)
    }

    fn clear_request(&self, clause: &str) -> Option<usize> {
        match self.catalog.intents(clause).first()? {
            (Intent::Tool(place), probability) => {
                let clear = *probability >= CERTAIN && words(clause).len() > 1;
                clear.then_some(*place)
            }
            (Intent::Elsewhere(_) | Intent::Nothing, _) => None,
        }
    }

    /// "Print GP-1 and GP-2": the same request for each code that it names.
    fn one_for_each_code(&self, place: usize, said: &PersonMessage) -> Vec<(usize, PersonMessage)> {
        let mut required = self.catalog.tools[place].required();
        let code = required.find(|param| matches!(param.kind, Kind::Pattern(_)));
        let Some(Kind::Pattern(pattern)) = code.map(|param| &param.kind) else {
            return Vec::new();
        };
        let mut codes: Vec<&str> = pattern
            .find_iter(&said.text)
            .map(|code| code.as_str())
            .collect();
        codes.dedup();
        let one = |code: &str| {
            (
                place,
                PersonMessage {
                    text: code.to_owned(),
                    ..said.clone()
                },
            )
        };
        codes.into_iter().map(one).collect()
    }
}

/// Whether an answer offers tools to choose from.
pub(super) fn is_choice(answer: &str) -> bool {
    is_phrase(answer, "which") || is_phrase(answer, "not_understood")
}

/// Whether a message points to something mentioned before.
pub(super) fn points_back(text: &str) -> bool {
    words(text)
        .iter()
        .any(|word| lists::contains("pointing", &word.lower))
}

/// "Don't create …", "never mind, no pass …": the first words take the request back.
fn is_denied(text: &str) -> bool {
    const FIRST: usize = 3;
    let said = words(text);
    lists::any("negation", &said[..said.len().min(FIRST)])
}
