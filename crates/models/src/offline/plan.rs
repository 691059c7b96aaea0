//! What to do about the person's newest message: calls in order, or words.
//!
//! A plan is worked out anew in each round from the same messages, so nothing needs to
//! be remembered between rounds; what has been done already is a prefix of it.

mod act;
mod choose;
mod hear;
mod likely;
mod ordered;
mod several;
mod taken_back;
mod talk;

use serde_json::{Map, Value};

use super::OfflineSettings;
use super::dialogue::{Dialogue, Said};
use super::fill::{Sources, fill};
use super::index::{Index, ToolIndex};
use super::language::Language;
use super::meaning::Vectors;
use super::mood;
use super::param::Kind;
use super::question;
use super::reading::Reading;
use super::recall::Memory;
use super::requests;
use super::words::Text;
pub(super) use choose::{Choice, is_clear};
pub(super) use hear::tells_of_somebody;
use taken_back::TakenBack;

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Call {
        tool: usize,
        arguments: Map<String, Value>,
        /// All values were said; none may change by what an earlier call brings.
        settled: bool,
    },
    /// Words; nothing comes after them.
    Say(String),
}

impl Step {
    /// Whether both do or say the same thing, however it came to be known.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Step::Call {
                    tool, arguments, ..
                },
                Step::Call {
                    tool: same,
                    arguments: alike,
                    ..
                },
            ) => tool == same && arguments == alike,
            _ => self == other,
        }
    }
}

/// Everything that a reply is worked out from.
#[derive(Clone, Copy)]
pub(super) struct Mind<'a> {
    pub(super) index: &'a Index,
    pub(super) dialogue: &'a Dialogue,
    pub(super) settings: &'a OfflineSettings,
    pub(super) language: Language,
    /// Where meaning can be asked for.
    pub(super) vectors: Option<&'a Vectors<'a>>,
}

impl<'a> Mind<'a> {
    pub(super) fn plan(&self) -> Vec<Step> {
        let Some(said) = &self.dialogue.said else {
            return vec![Step::Say(self.hello())];
        };
        match self.taken_back(said) {
            TakenBack::Nothing => self.plan_for(said),
            TakenBack::All => vec![Step::Say(self.language.phrases().dropped.to_owned())],
            TakenBack::For(other) => self.plan_for(&other),
        }
    }

    fn plan_for(&self, said: &Said) -> Vec<Step> {
        let text = Text::in_language(&said.text, Some(self.language));
        if let Some(steps) = self.answer_pending(said, &text) {
            return steps;
        }
        if let Some(words) = self.without_request(said, &text) {
            return vec![Step::Say(words)];
        }
        if let Some(steps) = self.follow_up(said) {
            return steps;
        }
        let reading = self.read(&said.text);
        if let Some(step) = self.heard(&reading, said) {
            return vec![step];
        }
        let mut parts = self.requests_in(&reading, said);
        let is_known = |lower: &str| !self.index.tools_by(lower).is_empty();
        let signature = requests::take_signature(&mut parts, &is_known);
        let mut steps = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let more = self.steps_for(part, said, &parts[..place], signature.as_deref());
            let stops = more.iter().any(|step| matches!(step, Step::Say(_)));
            // "I agree with it, lock it in": the same thing said twice is wanted once.
            let known = |step: &Step| steps.iter().any(|known: &Step| known.is_same(step));
            let new = more.into_iter().filter(|step| !known(step));
            let new: Vec<Step> = new.collect();
            for step in new {
                self.join(&mut steps, step);
            }
            if stops {
                break;
            }
        }
        self.share_what_is_said_of_both(&mut steps, parts.last());
        steps
    }

    /// The requests of a message, each with what is said of it.
    pub(super) fn requests_in(&self, reading: &Reading, said: &Said) -> Vec<String> {
        let is_request = |part: &str| self.is_request(part, said);
        let parts = match self.declared(reading, said) {
            Some(_) => vec![said.text.clone()],
            None => requests::by_code(reading).unwrap_or_else(|| {
                let is_another = |left: &str, right: &str| self.is_another(left, right, said);
                requests::split(self.index, reading, &is_request, &is_another)
            }),
        };
        let parts = parts.into_iter().flat_map(|part| {
            let both = self
                .two_looks(&part)
                .or_else(|| self.two_things(&part, said));
            both.map_or_else(|| vec![part], |both| both.to_vec())
        });
        // "take the one off and add the other instead": what it is instead of was said before.
        let parts: Vec<String> = parts.collect();
        let several = parts.len() > 1;
        let parts = parts
            .into_iter()
            .map(|part| match part.strip_suffix(" instead") {
                Some(rest) if several => rest.to_owned(),
                Some(_) | None => part,
            });
        self.with_what_belongs_to_them(parts.collect(), said)
    }

    pub(super) fn read(&self, text: &str) -> Reading {
        Reading::new(
            self.index,
            text,
            Some(self.language),
            self.dialogue.clock.as_ref(),
        )
    }

    pub(super) fn tool(&self, number: usize) -> &'a ToolIndex {
        &self.index.tools[number]
    }

    /// The steps for one request. `earlier` are the requests before it in the message.
    fn steps_for(
        &self,
        part: &str,
        said: &Said,
        earlier: &[String],
        signature: Option<&str>,
    ) -> Vec<Step> {
        let reading = self.read(part);
        let memory = Memory::new(self.dialogue).after(earlier);
        let sources = self.sources(&reading, said, &memory);
        let choice = self.choose(&sources);
        let choice = self.with_place_for_figures(choice, &sources);
        let tells = mood::begins_with_somebody(&reading.text)
            && !self.index.looks_up()
            && !self.is_likely_request(&reading);
        let open = tells || matches!(choice, Choice::Unclear(_));
        if let Some(asked) = reading.asked_later().filter(|_| open) {
            // "I forgot why we issued GP-7, what was it for?"
            let asked = match reading.codes.as_slice() {
                [only] if self.read(asked).codes.is_empty() => format!("{asked} {}", only.value),
                _ => asked.to_owned(),
            };
            return self.steps_for(&asked, said, earlier, signature);
        }
        if let Some(words) = self.beyond(&reading, said, &choice) {
            return vec![Step::Say(words)];
        }
        if let Some(steps) = self.ordered_in_a_sentence(&sources, &choice) {
            return steps;
        }
        match choice {
            Choice::Tool { tool, commanded } => {
                let filled = fill(self.tool(tool), sources);
                let each = self.one_each(tool, &filled, &sources);
                if let Some(steps) = each.filter(|_| commanded) {
                    return steps;
                }
                let filled = act::unless_all_is_text(self.tool(tool), &reading, filled);
                let commanded = commanded && !mood::is_denial(&reading, &filled.taken);
                let lacks_name = filled
                    .missing(self.tool(tool))
                    .iter()
                    .any(|p| matches!(p.kind, Kind::Name));
                let Some(signature) = signature.filter(|_| lacks_name) else {
                    return self.act(tool, filled, &reading, commanded);
                };
                let signed = self.read(&format!("{part}, {signature}"));
                let filled = fill(self.tool(tool), self.sources(&signed, said, &memory));
                self.act(tool, filled, &signed, commanded)
            }
            // One of one is no choice; before a write the person is asked anyway.
            Choice::Unclear(tools) if tools.len() == 1 => {
                let filled = fill(self.tool(tools[0]), sources);
                let judged = self.is_judged(tools[0], &sources);
                self.act(tools[0], filled, &reading, judged)
            }
            Choice::Unclear(tools) => {
                vec![Step::Say(question::which(
                    self.index,
                    &tools,
                    self.language,
                ))]
            }
            Choice::Nothing => vec![Step::Say(self.out_of_scope())],
        }
    }

    pub(super) fn sources<'b>(
        &'b self,
        reading: &'b Reading,
        said: &'b Said,
        memory: &'b Memory<'b>,
    ) -> Sources<'b> {
        Sources {
            index: self.index,
            reading,
            said,
            memory,
            clock: self.dialogue.clock.as_ref(),
        }
    }
}
