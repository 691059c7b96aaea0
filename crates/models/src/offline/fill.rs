//! Finds a tool's arguments in a request. Each kind of parameter looks for its own kind
//! of value; what one has taken no other takes. Nothing is ever made up: what is not in
//! the words, in the files or in the conversation stays open.

mod answer;
mod figures;
mod follow;
mod handles;
mod led;
mod lookup;
mod named;
mod said;
mod typed;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};
use serde_json::{Map, Value};

use super::dialogue::Said;
use super::index::{Index, ToolIndex};
use super::param::{Kind, Param};
use super::reading::Reading;
use super::recall::{Memory, Recalled};
use super::spans::is_among;
use super::values::when::Clock;
pub(super) use answer::answered;
pub(super) use follow::followed;

/// Arguments as far as they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Filled {
    pub(super) values: Map<String, Value>,
    /// Where more than one value could be meant: what they are.
    pub(super) unclear: BTreeMap<String, Vec<String>>,
    /// Parameters whose value is not in the person's newest words.
    pub(super) recalled: BTreeSet<String>,
    /// Several values for a parameter that takes one: as many calls.
    pub(super) several: Option<(String, Vec<String>)>,
    /// A day without a time, or the other way round.
    pub(super) moments: BTreeMap<String, Moment>,
    /// Where in the newest words the values stand.
    pub(super) taken: Vec<Range<usize>>,
    /// Those of them that name a choice: still what the person says, not what they quote.
    pub(super) chosen: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) date: Option<NaiveDate>,
    pub(super) time: Option<NaiveTime>,
}

/// What the arguments are looked for in.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) index: &'a Index,
    pub(super) reading: &'a Reading,
    pub(super) said: &'a Said,
    pub(super) memory: &'a Memory<'a>,
    pub(super) clock: Option<&'a Clock>,
}

pub(super) struct Filling<'a> {
    tool: &'a ToolIndex,
    sources: Sources<'a>,
    taken: Vec<Range<usize>>,
    pub(super) filled: Filled,
}

/// The arguments that the person's words give, completed by what the conversation holds.
pub(super) fn fill(tool: &ToolIndex, sources: Sources<'_>) -> Filled {
    let mut filling = Filling::new(tool, sources);
    filling.take_all();
    filling.recall_open();
    filling.finish()
}

impl Filled {
    /// Where values stand that are the person's own matter: names, texts, numbers.
    pub(super) fn taken_freely(&self) -> Vec<Range<usize>> {
        let free = self.taken.iter().filter(|span| !self.chosen.contains(span));
        free.cloned().collect()
    }

    /// Required parameters that have no value, in the order of the schema.
    pub(super) fn missing<'a>(&self, tool: &'a ToolIndex) -> Vec<&'a Param> {
        tool.params
            .iter()
            .filter(|param| param.required && !self.values.contains_key(&param.name))
            .collect()
    }
}

impl<'a> Filling<'a> {
    fn new(tool: &'a ToolIndex, sources: Sources<'a>) -> Self {
        Self {
            tool,
            sources,
            taken: Vec::new(),
            filled: Filled::default(),
        }
    }

    /// Kinds with a shape of their own come first, so that free text gets what is left.
    fn take_all(&mut self) {
        self.take_handles();
        self.take_labelled();
        self.take_codes();
        self.take_moments();
        self.take_ids();
        self.take_called_names();
        self.take_bearers_titles();
        self.take_led_texts();
        self.take_numbers();
        self.take_choices();
        self.take_booleans();
        self.take_lists();
        self.take_names();
        self.take_texts();
    }

    fn recall_open(&mut self) {
        let tool = self.tool;
        for param in &tool.params {
            let remembers = matches!(param.kind, Kind::Pattern(_) | Kind::Id);
            if !param.required || !remembers || self.filled.values.contains_key(&param.name) {
                continue;
            }
            match self
                .sources
                .memory
                .recall(param, self.sources.reading, &|at| self.is_taken(at))
            {
                Recalled::Nothing => {}
                Recalled::One(value) => {
                    self.filled.recalled.insert(param.name.clone());
                    self.set(param, Value::String(value));
                }
                Recalled::Several(values) => {
                    self.filled.unclear.insert(param.name.clone(), values);
                }
            }
        }
        self.repeat_given();
        self.recall_person();
    }

    /// "invite her": the one person that the call before was about.
    fn recall_person(&mut self) {
        const THEM: [&str; 19] = [
            "him", "her", "them", "его", "ее", "ему", "ей", "их", "им", "ним", "ней", "honom",
            "henne", "ham", "hende", "ihn", "ihm", "ihr", "sie",
        ];
        let tool = self.tool;
        let words = &self.sources.reading.text.words;
        let spoken_of = words.iter().any(|word| THEM.contains(&word.lower.as_str()));
        let open = tool.params.iter().find(|param| {
            tool.target.as_ref() == Some(&param.name)
                && matches!(param.kind, Kind::Name)
                && !self.filled.values.contains_key(&param.name)
        });
        let Some(param) = open.filter(|_| spoken_of) else {
            return;
        };
        if let Some(name) = self.sources.memory.last_person(self.sources.index) {
            self.filled.recalled.insert(param.name.clone());
            self.set(param, Value::String(name));
        }
    }

    /// "… too", "the same for …": what was said for the last call holds for this one.
    fn repeat_given(&mut self) {
        let tool = self.tool;
        if !super::cues::Cue::Again.is_in(&self.sources.reading.text) {
            return;
        }
        for param in &tool.params {
            let free = matches!(
                param.kind,
                Kind::Name | Kind::Text | Kind::Boolean | Kind::Enum(_)
            );
            if param.required
                && free
                && !self.filled.values.contains_key(&param.name)
                && let Some(value) = self.sources.memory.given_before(param)
            {
                self.filled.recalled.insert(param.name.clone());
                self.set(param, value);
            }
        }
    }

    fn finish(mut self) -> Filled {
        self.filled.taken = self.taken;
        self.filled
    }

    fn set(&mut self, param: &Param, value: Value) {
        self.filled.unclear.remove(&param.name);
        self.filled.values.insert(param.name.clone(), value);
    }

    fn has(&self, param: &Param) -> bool {
        self.filled.values.contains_key(&param.name)
    }

    /// Parameters of some kind that have no value yet.
    fn open(&self, is_kind: impl Fn(&Kind) -> bool) -> Vec<&'a Param> {
        let tool = self.tool;
        tool.params
            .iter()
            .filter(|param| is_kind(&param.kind) && !self.has(param))
            .collect()
    }

    fn take_span(&mut self, span: Range<usize>) {
        self.taken.push(span);
    }

    fn take_words(&mut self, words: &Range<usize>) {
        let all = &self.sources.reading.text.words;
        if let (Some(first), Some(last)) = (
            all.get(words.start),
            words.end.checked_sub(1).and_then(|at| all.get(at)),
        ) {
            self.taken.push(first.start..last.end);
        }
    }

    /// Whether a word is part of a value that was already taken.
    fn is_taken(&self, word: usize) -> bool {
        self.sources
            .reading
            .text
            .words
            .get(word)
            .is_some_and(|word| self.is_span_taken(&word.span()))
    }

    fn is_span_taken(&self, span: &Range<usize>) -> bool {
        is_among(&self.taken, span)
    }

    /// Words that stood before this parameter's value in examples.
    fn leads(&self, param: &Param) -> Vec<Vec<String>> {
        self.tool
            .lessons
            .iter()
            .flat_map(|lesson| &lesson.slots)
            .filter(|slot| slot.param == param.name && !slot.lead.is_empty())
            .flat_map(|slot| {
                let short = slot.lead[slot.lead.len() - 1..].to_vec();
                [slot.lead.clone(), short]
            })
            .collect()
    }
}
