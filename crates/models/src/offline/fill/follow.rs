//! What a message gives that goes on with an earlier call: values by their kind, and what has none
//! for the parameter that held such a value before.

use serde_json::{Map, Value};

use super::super::cues::Cue;
use super::super::index::ToolIndex;
use super::super::lexicon::LEXICON;
use super::super::param::{Kind, Param};
use super::super::values::names::{self, Name};
use super::super::values::rest::Frame;
use super::{Filled, Filling, Sources};

/// The values that are new; `before` are those of the call.
pub(in super::super) fn followed(
    tool: &ToolIndex,
    before: &Map<String, Value>,
    sources: Sources<'_>,
) -> Filled {
    let mut filling = Filling::new(tool, sources);
    // "and up to 60?": a figure alone is of the kind that the one before was.
    if sources.reading.terms.is_empty() {
        filling.take_number_in_its_place(before);
    }
    filling.take_ends_of_codes(before);
    filling.take_shaped();
    filling.take_subject();
    filling.take_number_in_its_place(before);
    // "and who knows Kubernetes?" after who does not know something else
    if tool
        .params
        .iter()
        .any(|param| param.twin_in(&tool.params).is_some())
    {
        filling.take_led_texts();
    }
    filling.take_in_its_place(before);
    filling.take_lists();
    if tool.drafts {
        filling.take_names();
    }
    filling.take_opposite(before);
    filling.finish()
}

/// Longer than this it is no name for something.
const LONGEST: usize = 4;

impl Filling<'_> {
    /// "sorry, 0065": the end of another code of the same kind.
    fn take_ends_of_codes(&mut self, before: &Map<String, Value>) {
        let tool = self.tool;
        let coded = |param: &&Param| matches!(param.kind, Kind::Pattern(_) | Kind::Id);
        for param in tool.params.iter().filter(coded) {
            if before.contains_key(&param.name) {
                self.take_end_of_code(param);
            }
        }
    }

    /// "no, downloads", "and two on API keys": what is looked up is what is left.
    fn take_subject(&mut self) {
        let text = &self.sources.reading.text;
        let begins = self.begins();
        let tool = self.tool;
        let Some(param) = tool.question_param().filter(|_| begins > 0) else {
            return;
        };
        if Cue::Question.at(text, begins) > 0 {
            return;
        }
        let frame = Frame {
            reading: self.sources.reading,
            own: &|at| at < begins,
            taken: &|at| self.is_taken(at),
            leads: &[],
            alone: true,
        };
        if let Some((words, value)) = frame.find().filter(|(_, value)| param.fits(value)) {
            self.take_words(&words);
            // "and for contractors?" belongs to what was asked before; "and leases?" takes its place.
            let tied = text.words.get(begins).is_some_and(|word| word.function);
            let value = if tied {
                self.with_subject(param, &value)
            } else {
                value
            };
            self.set(param, Value::String(value));
        }
    }

    /// The first word behind those that only go on or correct.
    fn begins(&self) -> usize {
        let leads = [
            Cue::Join,
            Cue::No,
            Cue::Correction,
            Cue::About,
            Cue::Polite,
            Cue::Again,
            Cue::Yes,
        ];
        Cue::skip(&leads, &self.sources.reading.text, 0)
    }

    /// "and the Avidbots Kas too": a name goes where the one before stood.
    fn take_in_its_place(&mut self, before: &Map<String, Value>) {
        let tool = self.tool;
        let held = |param: &&Param| {
            let free = matches!(param.kind, Kind::Name | Kind::Text) || param.kind.lists_words();
            let looked_up = self.is_question_param(param);
            free && !looked_up && before.contains_key(&param.name) && !self.has(param)
        };
        let mut held: Vec<&Param> = tool.params.iter().filter(held).collect();
        // Of a name and a text beside it, the name is what is called by one.
        if held.iter().any(|param| matches!(param.kind, Kind::Name)) {
            held.retain(|param| matches!(param.kind, Kind::Name));
        }
        let [param] = held.as_slice() else {
            self.take_what_descriptions_name();
            return;
        };
        // "the ending as well: …": what is called by its name goes there.
        let words = 0..self.sources.reading.text.words.len();
        let called = |param: &&Param| words.clone().any(|at| self.calls(at, param));
        let mut others = tool.params.iter().filter(|other| {
            let free = matches!(other.kind, Kind::Name | Kind::Text);
            free && other.name != param.name && !self.has(other)
        });
        if others.any(|other| called(&other)) && !called(param) {
            self.take_texts();
            return;
        }
        // "of those, who charges 40k at most?": beside a value, only what is written as a name is one.
        let names = match self.filled.values.is_empty() {
            true => self.named(),
            false => self.candidates(),
        };
        let Some(first) = names.first() else {
            return;
        };
        if param.kind.lists_words() {
            let all = names.iter().map(|name| Value::String(name.value.clone()));
            let all = Value::Array(all.collect());
            names
                .iter()
                .for_each(|name| self.take_span(name.span.clone()));
            self.set(param, all);
        } else if names.len() == 1 && param.fits(&first.value) {
            self.set_name(param, first);
        }
    }

    /// "and 32?": a bare figure goes where the one before stood.
    fn take_number_in_its_place(&mut self, before: &Map<String, Value>) {
        let numbers = self.sources.reading.numbers.iter();
        let numbers: Vec<_> = numbers.filter(|one| !self.is_ruled_out(one)).collect();
        let tool = self.tool;
        let held = |param: &&Param| {
            let number = matches!(param.kind, Kind::Number(_));
            number && before.contains_key(&param.name) && !self.has(param)
        };
        let held: Vec<&Param> = tool.params.iter().filter(held).collect();
        // "quarter past ten in the morning" is no length in minutes.
        const BARE: usize = 4;
        let bare = self.sources.reading.text.words.len() <= BARE;
        let unit = |param: &Param| matches!(&param.kind, Kind::Number(rule) if rule.unit.is_some());
        if let ([number], [param]) = (numbers.as_slice(), held.as_slice())
            && !self.is_span_taken(&number.span)
            && (bare || number.unit.is_some() || !tool.writes || !unit(param))
        {
            let mut number = (*number).clone();
            // "up to 50 thousand" – "and 60?": thousands, too.
            let thousands = before.get(&param.name).and_then(Value::as_f64);
            let thousands = thousands.is_some_and(|old| old >= 1000.0 && old % 1000.0 == 0.0);
            if thousands && number.value < 1000.0 && !number.percent {
                number.value *= 1000.0;
            }
            self.set_number(param, &number);
        }
    }

    /// What is called by a name: words with a capital, or the only ones that nobody knows.
    fn named(&self) -> Vec<Name> {
        let found = self.candidates();
        if !found.is_empty() {
            return found;
        }
        let reading = self.sources.reading;
        let text = &reading.text;
        let is_unknown = |at: usize| {
            let known = reading.is_plain(self.sources.index, at)
                || !reading.meanings[at].concepts.is_empty();
            let all = Cue::Everything.at(text, at) > 0;
            let free = !self.is_taken(at) && !reading.is_value(at);
            !text.words[at].function && !known && !all && free
        };
        let Some(start) = (self.begins()..text.words.len()).find(|at| is_unknown(*at)) else {
            return Vec::new();
        };
        let length = (start..text.words.len())
            .take_while(|at| is_unknown(*at))
            .count();
        let name = names::name_of(text, start..start + length).filter(|_| length <= LONGEST);
        name.into_iter().collect()
    }

    /// "and who doesn't?": what had to be there must not be, or the other way round.
    fn take_opposite(&mut self, before: &Map<String, Value>) {
        let text = &self.sources.reading.text;
        let lack = LEXICON.named("lack");
        let lacks = |at: usize| {
            let mut means = self.sources.reading.meanings[at].concepts.iter();
            Cue::Negation.at(text, at) > 0 || means.any(|concept| Some(*concept) == lack)
        };
        let small =
            |at: usize| text.words[at].function || lacks(at) || Cue::Reference.at(text, at) > 0;
        let all = 0..text.words.len();
        let denies = all.clone().any(lacks);
        if !denies || !all.into_iter().all(small) || !self.filled.values.is_empty() {
            return;
        }
        let tool = self.tool;
        let mut twins = tool.params.iter().filter_map(|param| {
            let value = before.get(&param.name)?;
            Some((param.twin_in(&tool.params)?, value))
        });
        if let (Some((twin, value)), None) = (twins.next(), twins.next()) {
            self.take_span(0..text.raw.len());
            self.set(twin, value.clone());
        }
    }
}
