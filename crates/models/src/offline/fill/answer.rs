//! What an answer to our own question gives: the asked parameters first, and whatever
//! else it says more clearly than before.

use serde_json::Value;

use super::super::cues::Cue;
use super::super::index::ToolIndex;
use super::super::param::{Kind, Param};
use super::super::values::names;
use super::super::values::rest::Frame;
use super::super::words::Text;
use super::{Filled, Filling, Moment, Sources};

/// The arguments after an answer.
pub(in super::super) fn answered(
    tool: &ToolIndex,
    asked: &[String],
    before: Filled,
    sources: Sources<'_>,
) -> Filled {
    if Cue::Unsure.is_in(&sources.reading.text) {
        return Filled {
            taken: Vec::new(),
            ..before
        };
    }
    let mut filling = Filling::new(tool, sources);
    filling.take_asked(asked);
    filling.take_all_but_texts();
    filling.take_asked_text(asked);
    let corrects =
        Cue::Correction.is_in(&sources.reading.text) || Cue::No.at(&sources.reading.text, 0) > 0;
    let moments = filling.filled.moments.clone();
    let said = filling.filled.clone();
    filling.filled = before;
    filling.filled.chosen = said.chosen.clone();
    for param in &tool.params {
        if let Some(values) = said.unclear.get(&param.name)
            && asked.contains(&param.name)
        {
            filling
                .filled
                .unclear
                .insert(param.name.clone(), values.clone());
        }
        let Some(value) = said.values.get(&param.name) else {
            continue;
        };
        let loose = matches!(param.kind, Kind::Name | Kind::Text | Kind::Id);
        let known = filling.has(param);
        if asked.contains(&param.name) || !known || corrects || !loose {
            filling.filled.recalled.remove(&param.name);
            filling.set(param, value.clone());
        }
    }
    filling.complete_moments(&moments);
    if said.several.is_some() {
        filling.filled.several = said.several;
    }
    filling.finish()
}

/// "he won't", "she does": yes or no by the verb alone.
fn bare_verb(text: &Text) -> Option<bool> {
    const LONGEST: usize = 4;
    let denies = |at: usize| Cue::Negation.at(text, at) > 0;
    let helps = |at: usize| Cue::Helping.at(text, at) > 0;
    let all = 0..text.words.len();
    let small = |at: usize| text.words[at].function || denies(at) || helps(at);
    if text.words.len() > LONGEST || !all.clone().all(small) {
        return None;
    }
    match (all.clone().any(denies), all.clone().any(helps)) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

/// An answer with more words is a sentence, not a name.
const LONGEST_NAME: usize = 4;

impl Filling<'_> {
    /// Yes, no and a bare number mean what was asked.
    fn take_asked(&mut self, asked: &[String]) {
        let tool = self.tool;
        let asked: Vec<&Param> = tool
            .params
            .iter()
            .filter(|p| asked.contains(&p.name))
            .collect();
        let text = &self.sources.reading.text;
        // Asked for a text alone, people send it as it is; its first line is part of it.
        if let ([param], Some(block)) = (asked.as_slice(), &self.sources.said.block)
            && matches!(param.kind, Kind::LongText)
            && !text.raw.trim_end().ends_with(':')
        {
            let whole = format!("{}\n{block}", text.raw);
            self.take_span(0..text.raw.len());
            self.set(param, Value::String(whole));
        }
        let booleans: Vec<&&Param> = asked
            .iter()
            .filter(|p| matches!(p.kind, Kind::Boolean))
            .collect();
        if let [param] = booleans.as_slice() {
            let yes = Cue::Yes.find(text);
            // "no, Bob" puts somebody else in place of what was said.
            let names_other = self.sources.reading.names > 0 && text.words.len() <= 4;
            let corrects = Cue::No.at(text, 0) > 0 && (names_other || Cue::Correction.is_in(text));
            let no = Cue::No.find(text).filter(|_| !corrects);
            let value = match (yes, no) {
                (Some(yes), Some(no)) => Some(yes < no),
                (Some(_), None) => Some(true),
                (None, Some(_)) => Some(false),
                (None, None) => None,
            };
            if let (Some(value), Some(at)) = (value, [yes, no].into_iter().flatten().min()) {
                self.take_words(&(at..at + 1));
                self.set(param, Value::Bool(value));
            } else if let Some(value) = bare_verb(text) {
                self.take_words(&(0..text.words.len()));
                self.set(param, Value::Bool(value));
            }
        }
        let numbers: Vec<&&Param> = asked
            .iter()
            .filter(|p| matches!(p.kind, Kind::Number(_)))
            .collect();
        if let ([param], [number]) = (numbers.as_slice(), self.sources.reading.numbers.as_slice()) {
            self.set_number(param, number);
        }
    }

    fn take_all_but_texts(&mut self) {
        self.take_shaped();
        self.take_lists();
    }

    /// What is told by its shape, its label or its words, whatever was asked.
    pub(super) fn take_shaped(&mut self) {
        self.take_handles();
        self.take_labelled();
        self.take_codes();
        self.take_moments();
        self.take_ids();
        self.take_called_names();
        self.take_numbers();
        self.take_choices();
        self.take_booleans();
    }

    /// Names and free texts that were asked for: parts of the answer where it has more
    /// in it, the whole of it where it has not.
    fn take_asked_text(&mut self, asked: &[String]) {
        let tool = self.tool;
        let open: Vec<&Param> = tool
            .params
            .iter()
            .filter(|p| asked.contains(&p.name) && !self.has(p))
            .collect();
        let free =
            |p: &&&Param| matches!(p.kind, Kind::Name | Kind::Text | Kind::Id | Kind::LongText);
        let wanted: Vec<&Param> = open.iter().filter(free).copied().collect();
        let untouched = self.taken.is_empty();
        match wanted.as_slice() {
            [] => self.take_names(),
            [param] if untouched => self.take_whole(param),
            [param] => self.take_part(param),
            several => {
                for param in several {
                    self.take_part(param);
                }
            }
        }
    }

    fn take_whole(&mut self, param: &Param) {
        if matches!(param.kind, Kind::Name) {
            self.take_part(param);
            if self.has(param) {
                return;
            }
        }
        let text = &self.sources.reading.text;
        let leads = [Cue::Correction, Cue::No, Cue::Polite, Cue::Yes];
        let mut start = Cue::skip(&leads, text, 0);
        if matches!(param.kind, Kind::Name | Kind::Id) {
            // "his name is …", "it is …"
            let is = ["is", "är", "er", "ist", "это"];
            let verb = text
                .words
                .iter()
                .rposition(|w| is.contains(&w.lower.as_str()));
            start = start.max(verb.map_or(0, |at| at + 1));
        }
        let Some(first) = text.words.get(start) else {
            return;
        };
        let rest = &text.words[start..];
        let is_name = rest.len() <= LONGEST_NAME && rest.iter().all(|word| !word.function);
        if matches!(param.kind, Kind::Name) && !is_name {
            return;
        }
        let value = text.raw[first.start..]
            .trim()
            .trim_end_matches(['.', '!', ','])
            .to_owned();
        if param.fits(&value) {
            self.take_span(first.start..text.raw.len());
            self.set(param, Value::String(value));
        }
    }

    fn take_part(&mut self, param: &Param) {
        let reading = self.sources.reading;
        if matches!(param.kind, Kind::Name) {
            let mut found = self.candidates();
            // An answer begins with the name itself.
            let first = names::capitalised(&reading.text, &|_| false, &|at| {
                self.is_taken(at) || reading.is_value(at)
            });
            if found.is_empty() {
                found = first;
            }
            let name = match found.as_slice() {
                [only] => Some(only.clone()),
                [] => self.introduced(param),
                [first, ..] => Some(first.clone()),
            };
            if let Some(name) = name.filter(|name| param.fits(&name.value)) {
                self.set_name(param, &name);
            }
            return;
        }
        let frame = Frame {
            reading,
            own: &|_| false,
            taken: &|at| self.is_taken(at),
            leads: &[],
            alone: false,
        };
        if let Some((words, value)) = frame.find().filter(|(_, value)| param.fits(value)) {
            self.take_words(&words);
            self.set(param, Value::String(value));
        }
    }

    /// A day that was said before and a time that is said now make a moment.
    fn complete_moments(&mut self, said: &std::collections::BTreeMap<String, Moment>) {
        let tool = self.tool;
        for param in &tool.params {
            let Some(now) = said.get(&param.name) else {
                continue;
            };
            let before = self
                .filled
                .moments
                .get(&param.name)
                .copied()
                .unwrap_or_default();
            let both = Moment {
                date: now.date.or(before.date),
                time: now.time.or(before.time),
            };
            self.set_moment(param, both);
        }
    }
}
