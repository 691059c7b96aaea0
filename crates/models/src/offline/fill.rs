//! Finds a tool's arguments in a request. Each kind of parameter looks for its own kind
//! of value; what one has taken no other takes. Nothing is ever made up: what is not in
//! the words, in the files or in the conversation stays open.

mod answer;
mod figures;
mod follow;
mod handles;
mod learned;
mod led;
mod lists;
mod lookup;
mod named;
mod said;
mod typed;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};
use serde_json::{Map, Value};

use super::cues::Cue;
use super::dialogue::Said;
use super::index::{Index, ToolIndex};
use super::param::{Choice, Kind, Param};
use super::reading::Reading;
use super::recall::{Memory, Recalled};
use super::spans::is_among;
use super::values::when::Clock;
pub(super) use answer::answered;
pub(super) use follow::followed;
pub(super) use handles::named_in;

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
    /// A choice stands on a word of its description alone.
    pub(super) guessed: bool,
    /// "for it", where nobody can tell which one is meant.
    pub(super) points_nowhere: bool,
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

    /// Whether there is a value, and a list has as many as it must.
    pub(super) fn has_enough(&self, param: &Param) -> bool {
        let value = self.values.get(&param.name);
        let few = |value: &Value| {
            let items = value.as_array();
            items.is_some_and(|items| items.len() < param.least_items)
        };
        value.is_some_and(|value| !few(value))
    }

    /// Required parameters that have no value, in the order of the schema.
    pub(super) fn missing<'a>(&self, tool: &'a ToolIndex) -> Vec<&'a Param> {
        tool.params
            .iter()
            .filter(|param| param.required && !self.has_enough(param))
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
        self.take_called_titles();
        self.take_bearers_titles();
        self.take_led_texts();
        self.take_numbers();
        self.take_choices();
        self.take_booleans();
        self.take_subjects();
        self.take_lists();
        self.take_names();
        self.take_texts();
        self.take_what_descriptions_name();
        self.take_choices_of_others();
    }

    fn recall_open(&mut self) {
        let tool = self.tool;
        for param in &tool.params {
            let remembers = matches!(param.kind, Kind::Pattern(_) | Kind::Id);
            if !param.required || !remembers || self.filled.values.contains_key(&param.name) {
                continue;
            }
            if self.take_end_of_code(param) {
                continue;
            }
            let Sources {
                memory, reading, ..
            } = self.sources;
            let writes = tool.writes && !tool.drafts;
            match memory.recall(param, reading, &|at| self.is_taken(at), writes) {
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
        self.repeat_shared();
        self.recall_person();
        self.recall_one_of_them();
        self.recall_it();
    }

    /// "… and make the business case for it": the one thing that was just named.
    fn recall_it(&mut self) {
        const IT: [&str; 12] = [
            "it", "this", "that", "one", "него", "нее", "den", "det", "ihn", "es", "dafür",
            "darüber",
        ];
        let tool = self.tool;
        let text = &self.sources.reading.text;
        let points = |at: usize| {
            let article = usize::from(text.is_one_of(at, &["this", "that", "den", "det"]));
            let courtesies = [Cue::Please, Cue::Thanks, Cue::Polite];
            let ends = |next: usize| {
                let next = Cue::skip(&courtesies, text, next);
                next >= text.words.len() || text.starts_clause(next)
            };
            let last = text.is_one_of(at, &IT) && ends(at + 1);
            let one = article == 1 && text.is_one_of(at + 1, &["one"]) && ends(at + 2);
            at > 0 && Cue::OfTarget.at(text, at - 1) > 0 && (last || one)
        };
        let mut open = tool.params.iter().filter(|param| {
            let name = matches!(param.kind, Kind::Name) && !param.required;
            name && self.leads(param).iter().any(|lead| !lead.is_empty()) && !self.has(param)
        });
        let param = match (open.next(), open.next()) {
            (Some(only), None) if (0..text.words.len()).any(points) => only,
            _ => return,
        };
        let mut named = self.sources.memory.just_named(self.sources.index);
        match named.len() {
            1 => self.set(param, Value::String(named.remove(0))),
            _ => self.filled.points_nowhere = true,
        }
    }

    /// "invite her": the one person that the call before was about.
    fn speaks_of_them(&self) -> bool {
        const THEM: [&str; 19] = [
            "him", "her", "them", "его", "ее", "ему", "ей", "их", "им", "ним", "ней", "honom",
            "henne", "ham", "hende", "ihn", "ihm", "ihr", "sie",
        ];
        let words = &self.sources.reading.text.words;
        words.iter().any(|word| THEM.contains(&word.lower.as_str()))
    }

    fn recall_person(&mut self) {
        let tool = self.tool;
        let spoken_of = self.speaks_of_them();
        let open = tool.params.iter().find(|param| {
            tool.target.as_ref() == Some(&param.name)
                && matches!(param.kind, Kind::Name)
                && !self.filled.values.contains_key(&param.name)
        });
        let Some(param) = open.filter(|_| spoken_of) else {
            return;
        };
        // Where something would be written, "her" must be one person; to look at the last one costs nothing.
        let people = self.sources.memory.people(self.sources.index);
        if tool.writes && people.len() > 1 {
            self.filled.unclear.insert(param.name.clone(), people);
            return;
        }
        let last = self.sources.memory.last_person(self.sources.index);
        let only = people.into_iter().next();
        if let Some(name) = last.or(only) {
            self.filled.recalled.insert(param.name.clone());
            self.set(param, Value::String(name));
        }
    }

    /// "compare her with Boris": who was spoken of is one of them.
    fn recall_one_of_them(&mut self) {
        let tool = self.tool;
        let short = |param: &&Param| {
            let value = self.filled.values.get(&param.name);
            let items = value.and_then(Value::as_array);
            items.is_some_and(|items| items.len() < param.least_items)
        };
        let Some(param) = tool
            .params
            .iter()
            .find(short)
            .filter(|_| self.speaks_of_them())
        else {
            return;
        };
        let person = self.sources.memory.last_person(self.sources.index);
        let items = self
            .filled
            .values
            .get(&param.name)
            .and_then(Value::as_array);
        if let (Some(name), Some(items)) = (person, items) {
            let mut all = vec![Value::String(name)];
            all.extend(items.iter().cloned());
            self.filled.recalled.insert(param.name.clone());
            self.set(param, Value::Array(all));
        }
    }

    /// "… too", "the same for …": what was said for the last call holds for this one.
    fn repeat_given(&mut self) {
        let tool = self.tool;
        let text = &self.sources.reading.text;
        let again = Cue::Again.is_in(text);
        // "and is the language inclusive?"
        let goes_on = tool.judges() && Cue::Join.at(text, 0) > 0;
        for param in tool.params.iter().filter(|_| again || goes_on) {
            let free = matches!(
                param.kind,
                Kind::Name | Kind::Text | Kind::Boolean | Kind::Enum(_)
            );
            // "now check the same ad": the text that was handed over before.
            let text = matches!(param.kind, Kind::LongText);
            if (again && param.required && free || text)
                && !self.filled.values.contains_key(&param.name)
                && let Some(value) = self.given_before(param)
            {
                self.filled.recalled.insert(param.name.clone());
                self.set(param, value);
            }
        }
    }

    /// What the same parameter was given before, or the one text that came with the message before.
    fn given_before(&self, param: &Param) -> Option<Value> {
        let memory = self.sources.memory;
        let mut texts = memory.handed_over();
        let only = matches!(param.kind, Kind::LongText) && texts.len() == 1;
        let text = only.then(|| texts.remove(0)).map(Value::String);
        memory.given_before(param).or(text)
    }

    /// "now the same thing for the hiring manager": what another tool was told holds for this one, too,
    /// where both take it.
    fn repeat_shared(&mut self) {
        let tool = self.tool;
        let Sources { index, memory, .. } = self.sources;
        let last = memory.last_call().filter(|last| last.name != tool.name);
        let Some(last) = last.filter(|_| Cue::Same.is_in(&self.sources.reading.text)) else {
            return;
        };
        let Some(other) = index.by_name(&last.name) else {
            return;
        };
        for param in &tool.params {
            let settled = matches!(param.kind, Kind::Boolean | Kind::Enum(_) | Kind::Number(_));
            let twin = index.tools[other].param(&param.name);
            let shared = twin.is_some_and(|twin| is_alike(&twin.kind, &param.kind));
            let value = last.arguments.get(&param.name);
            if let Some(value) = value.filter(|_| settled && shared && !self.has(param)) {
                self.set(param, value.clone());
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

/// Whether two parameters of one name take the same values.
fn is_alike(one: &Kind, other: &Kind) -> bool {
    match (one, other) {
        (Kind::Enum(one), Kind::Enum(other)) => {
            let known = |choice: &Choice| other.iter().any(|same| same.value == choice.value);
            one.iter().all(known)
        }
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
