//! Requests of a new message: one or several, each a call, a question or a sentence.

use serde_json::Map;

use super::{ACT, CERTAIN, Call, Decider, Decision, SURE};
use crate::catalog::Intent;
use crate::dialogue::Said;
use crate::extract::extract;
use crate::schema::{Kind, Param};
use crate::text::{clauses, words};

/// Calls that one message may lead to; beyond them a person loses track.
const MOST_CALLS: usize = 3;

/// Words that point to something mentioned before.
const POINTING: [&str; 40] = [
    "it", "its", "that", "this", "them", "they", "those", "these", "one", "him", "her", "his",
    "he", "she", "den", "det", "dem", "dess", "denne", "dette", "ihn", "ihm", "ihr", "sie", "es",
    "das", "diese", "diesen", "его", "её", "ее", "ему", "ей", "их", "им", "него", "неё", "это",
    "этот", "эту",
];

impl Decider<'_> {
    /// A message that is the title of a tool chooses it; the message before the choice says the rest.
    pub(super) fn selected(&self, said: &Said) -> Option<Decision> {
        let place = self.catalog.titled(&said.text)?;
        let mut sources = Vec::new();
        if self.offered_choices() {
            sources.extend(self.last_said().cloned());
        }
        Some(self.request(place, &sources, false))
    }

    pub(super) fn requested(&self, said: &Said) -> Decision {
        let parts = self.split(said);
        if parts.len() > 1 {
            return self.several(&parts);
        }
        let ranked = self.ranked(said);
        match ranked.first() {
            Some((Intent::Tool(place), probability))
                if *probability >= self.least_for(*place, said) =>
            {
                let codes = self.one_for_each_code(*place, said);
                if codes.len() > 1 {
                    return self.several(&codes);
                }
                self.request(*place, std::slice::from_ref(said), false)
            }
            Some((Intent::Elsewhere(other), probability)) if *probability >= SURE => {
                self.barred(*other)
            }
            Some((Intent::Nothing, probability)) if *probability >= ACT => {
                self.choices(self.phrases().not_understood, &said.text)
            }
            Some(_) | None => self.choices(self.phrases().which, &said.text),
        }
    }

    /// A tool that takes effect without a form needs more certainty, and so does an empty form.
    fn least_for(&self, place: usize, said: &Said) -> f32 {
        let tool = &self.catalog.tools[place];
        let empty = || extract(self.catalog, place, said, self.dialogue.today, false).is_empty();
        if tool.writes && (tool.undoable || empty()) {
            SURE
        } else {
            ACT
        }
    }

    fn several(&self, parts: &[(usize, Said)]) -> Decision {
        let mut all = Decision::default();
        let mut earlier: Vec<Call> = Vec::new();
        for (place, part) in parts.iter().take(MOST_CALLS) {
            let mut decision =
                self.request_after(*place, std::slice::from_ref(part), true, &earlier);
            earlier.extend(decision.calls.iter().cloned());
            all.calls.append(&mut decision.calls);
            if all.text.is_empty() {
                all.text = decision.text;
                all.quick_replies = decision.quick_replies;
            }
        }
        // Questions wait until the calls are done: a reply has either.
        if !all.calls.is_empty() {
            all.text.clear();
            all.quick_replies.clear();
        }
        all
    }

    /// A call with what the sources say, or a question for what is missing. A write that a person
    /// completes in its form is called as it is.
    pub(super) fn request(&self, place: usize, sources: &[Said], answer: bool) -> Decision {
        let pointing = answer || sources.last().is_some_and(|said| points_back(&said.text));
        self.request_after(place, sources, pointing, &[])
    }

    fn request_after(
        &self,
        place: usize,
        sources: &[Said],
        pointing: bool,
        earlier: &[Call],
    ) -> Decision {
        let mut arguments = Map::new();
        for said in sources {
            arguments.extend(extract(
                self.catalog,
                place,
                said,
                self.dialogue.today,
                false,
            ));
        }
        self.complete(place, arguments, pointing, earlier)
    }

    pub(super) fn complete(
        &self,
        place: usize,
        mut arguments: Map<String, serde_json::Value>,
        pointing: bool,
        earlier: &[Call],
    ) -> Decision {
        let tool = &self.catalog.tools[place];
        if tool.is_proposed() {
            return Decision::call((place, arguments));
        }
        if pointing && !tool.writes {
            for param in tool.params.iter().filter(|param| param.required) {
                if !arguments.contains_key(&param.name)
                    && let Some(value) = self.mentioned(param, earlier)
                {
                    arguments.insert(param.name.clone(), value);
                }
            }
        }
        let missing = |param: &&Param| param.required && !arguments.contains_key(&param.name);
        let missing: Vec<&Param> = tool.params.iter().filter(missing).collect();
        if missing.is_empty() {
            Decision::call((place, arguments))
        } else {
            self.question(tool, &missing)
        }
    }

    /// The thing that "it" means for a read: the same argument of the newest call that has one, or the only
    /// such code in what that call brought.
    fn mentioned(&self, param: &Param, earlier: &[Call]) -> Option<serde_json::Value> {
        let here = earlier.iter().rev().map(|(_, arguments)| (arguments, None));
        let before = self.dialogue.earlier_calls();
        let before = before.map(|call| (&call.arguments, call.result.as_deref()));
        for (arguments, result) in here.chain(before) {
            let Kind::Pattern(pattern) = &param.kind else {
                match (arguments.get(&param.name), &param.kind) {
                    (Some(value), Kind::Identifier | Kind::Name) => return Some(value.clone()),
                    _ => continue,
                }
            };
            let texts = arguments.values().filter_map(|value| value.as_str());
            let mut codes: Vec<&str> = texts.filter(|text| pattern.is_match(text)).collect();
            if codes.is_empty() {
                codes = pattern
                    .find_iter(result.unwrap_or_default())
                    .map(|m| m.as_str())
                    .collect();
            }
            codes.sort_unstable();
            codes.dedup();
            match codes.as_slice() {
                [] => {}
                [one] => return Some(serde_json::Value::from(*one)),
                [_, ..] => return None,
            }
        }
        None
    }

    /// The requests of a message: clauses that each clearly ask for a tool, other than the one before.
    fn split(&self, said: &Said) -> Vec<(usize, Said)> {
        let mut parts: Vec<(usize, usize)> = Vec::new();
        for clause in clauses(&said.text) {
            let text = &said.text[clause.start..clause.end];
            let Some(place) = self.clear_request(text) else {
                continue;
            };
            match parts.last_mut() {
                None => parts.push((place, 0)),
                Some((last, start)) if *last == place => {
                    let before = self.subject(place, &said.text[*start..clause.start]);
                    let own = self.subject(place, text);
                    if own.is_some() && before.is_some() && own != before {
                        parts.push((place, clause.start));
                    }
                }
                Some(_) => parts.push((place, clause.start)),
            }
        }
        if parts.len() < 2
            || !said.texts.is_empty()
            || said
                .parted()
                .is_some_and(|_| parts.iter().any(|p| self.takes_passage(p.0)))
        {
            return Vec::new();
        }
        let ends: Vec<usize> = parts[1..]
            .iter()
            .map(|part| part.1)
            .chain([said.text.len()])
            .collect();
        let files = said.files.len() >= parts.len();
        let requests = parts.iter().zip(ends).enumerate();
        requests
            .map(|(at, ((place, start), end))| {
                let files = if files {
                    vec![said.files[at]]
                } else {
                    said.files.clone()
                };
                let text = said.text[*start..end].trim().to_owned();
                (
                    *place,
                    Said {
                        text,
                        files,
                        ..Said::default()
                    },
                )
            })
            .collect()
    }

    /// The code or name that a part of a message is about. A tool that needs more than that takes its
    /// values from several clauses, so a second name is no second request.
    fn subject(&self, place: usize, text: &str) -> Option<serde_json::Value> {
        const FEW: usize = 2;
        let tool = &self.catalog.tools[place];
        let params = || tool.params.iter().filter(|param| param.required);
        if params().count() > FEW {
            return None;
        }
        let subject = params().find(|param| matches!(param.kind, Kind::Pattern(_) | Kind::Name))?;
        let mut found = extract(self.catalog, place, &Said::of(text), None, false);
        found.remove(&subject.name)
    }

    fn clear_request(&self, clause: &str) -> Option<usize> {
        const FEWEST_WORDS: usize = 2;
        let long = words(clause).len() >= FEWEST_WORDS;
        match self.catalog.intents(clause).first() {
            Some((Intent::Tool(place), probability)) if long && *probability >= CERTAIN => {
                Some(*place)
            }
            Some(_) | None => None,
        }
    }

    /// "Print GP-1 and GP-2": the same request for each code that it names.
    fn one_for_each_code(&self, place: usize, said: &Said) -> Vec<(usize, Said)> {
        let tool = &self.catalog.tools[place];
        let mut codes = tool.params.iter().filter(|param| param.required);
        let pattern = codes.find_map(|param| match &param.kind {
            Kind::Pattern(pattern) => Some(pattern),
            _ => None,
        });
        let Some(pattern) = pattern else {
            return Vec::new();
        };
        let mut found: Vec<&str> = pattern.find_iter(&said.text).map(|m| m.as_str()).collect();
        found.dedup();
        let place_of = |code: &&str| {
            (
                place,
                Said {
                    text: (*code).to_owned(),
                    ..said.clone()
                },
            )
        };
        found.iter().map(place_of).collect()
    }

    pub(super) fn takes_passage(&self, place: usize) -> bool {
        let mut params = self.catalog.tools[place].params.iter();
        params.any(|param| matches!(param.kind, Kind::Passage))
    }
}

pub(super) fn points_back(text: &str) -> bool {
    words(text)
        .iter()
        .any(|word| POINTING.contains(&word.lower.as_str()))
}
