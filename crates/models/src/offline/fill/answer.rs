//! What an answer to our own question gives: the asked parameters first, and whatever
//! else it says more clearly than before.

use serde_json::Value;

use super::super::cues::Cue;
use super::super::index::ToolIndex;
use super::super::param::{Kind, Param};
use super::super::values::names;
use super::super::values::rest::Frame;
use super::super::words::{Text, normal};
use super::{Filled, Filling, Moment, Sources, named_in};

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
    filling.take_handed_over(asked, &before);
    filling.take_asked(asked);
    filling.take_all_but_texts();
    filling.take_other_name(asked);
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
        // "compare Anna" – "with Boris": who is still missing comes to who is there.
        let before = filling.filled.values.get(&param.name).cloned();
        if let (Some(Value::Array(mut all)), Value::Array(more)) = (before, value)
            && all.len() < param.least_items
        {
            all.extend(
                more.iter()
                    .filter(|one| !all.contains(one))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
            filling.set(param, Value::Array(all));
            continue;
        }
        if filling.is_known_already(param, value) {
            continue;
        }
        let loose = matches!(param.kind, Kind::Name | Kind::Text | Kind::Id);
        let known = filling.has(param);
        // What the conversation holds is no answer.
        if known && said.recalled.contains(&param.name) {
            continue;
        }
        let replaces = known && !corrects && !asked.contains(&param.name);
        if replaces && filling.put_beside(param, value) {
            continue;
        }
        // "hiring manager is Eva Lind" answers who that is, and does not choose another interview.
        let answers = asked.iter().any(|name| said.values.contains_key(name));
        let chosen = matches!(param.kind, Kind::Enum(_)) && answers;
        let chosen = chosen || known && !asked.contains(&param.name) && filling.has_no_unit(param);
        if asked.contains(&param.name) || !known || corrects || !loose && !chosen {
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
    /// "Silje is away then": who is known already is nobody else.
    fn is_known_already(&self, param: &Param, value: &Value) -> bool {
        let said = value.as_str().map(normal);
        let is_known = |(name, known): (&String, &Value)| {
            let known = known.as_str().map(normal).unwrap_or_default();
            let mut words = known.split_whitespace();
            *name != param.name && words.any(|word| said.as_deref() == Some(word))
        };
        matches!(param.kind, Kind::Name) && self.filled.values.iter().any(is_known)
    }

    /// "quarter past ten" puts no other length right: where a length is asked for, figures have a unit.
    fn has_no_unit(&self, param: &Param) -> bool {
        let unit = matches!(&param.kind, Kind::Number(rule) if rule.unit.is_some());
        let mut numbers = self.sources.reading.numbers.iter();
        unit && numbers.all(|number| number.unit.is_none())
    }

    /// Asked what a text is that came with the message before, people name it rather than send it again.
    fn take_handed_over(&mut self, asked: &[String], before: &Filled) {
        let reading = self.sources.reading;
        let is_used = |handle: &String| before.values.values().any(|value| value == handle);
        let unplaced = self.sources.memory.handed_over();
        let unplaced: Vec<String> = unplaced.into_iter().filter(|one| !is_used(one)).collect();
        let mut open = self.open(|kind| matches!(kind, Kind::LongText));
        open.retain(|param| asked.contains(&param.name) && !param.required);
        let ([handle], false) = (unplaced.as_slice(), open.is_empty()) else {
            return;
        };
        if self.sources.said.has_text() {
            return;
        }
        let words = 0..reading.text.words.len();
        let named = named_in(self.tool, reading, words, &open);
        let yes = open
            .first()
            .filter(|_| open.len() == 1 && Cue::Yes.at(&reading.text, 0) > 0);
        if let Some(param) = named.or(yes.copied()) {
            self.set(param, Value::String(handle.clone()));
        }
        // Whatever was said of it, it is not the text itself.
        self.take_span(0..reading.text.raw.len());
    }

    /// "forgot her CV": one more text does not take the place of the one that is there, as long as there
    /// is another place for it.
    fn put_beside(&mut self, param: &Param, value: &Value) -> bool {
        let free = self.open(|kind| matches!(kind, Kind::LongText));
        let text = matches!(param.kind, Kind::LongText) && !self.sources.said.texts.is_empty();
        if !text || free.is_empty() {
            return false;
        }
        let reading = self.sources.reading;
        let words = 0..reading.text.words.len();
        if let Some(named) = named_in(self.tool, reading, words, &free) {
            self.set(named, value.clone());
        }
        true
    }

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
            let names_other = self.sources.reading.names > 0
                && (text.words.len() <= 4 || text.words.len() > 1 && text.is_capitalised(1));
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

    /// "no, Bob Fernandes. Airport pickup": somebody else than who was named before, whatever was asked.
    fn take_other_name(&mut self, asked: &[String]) {
        let text = &self.sources.reading.text;
        let next = Cue::No.at(text, 0);
        let named = next > 0 && next < text.words.len() && text.is_capitalised(next);
        let names = self.open(|kind| matches!(kind, Kind::Name));
        if let ([param], true) = (names.as_slice(), named)
            && !asked.contains(&param.name)
        {
            let found = names::capitalised(text, &|_| false, &|at| at < next || self.is_taken(at));
            let first = found.into_iter().find(|name| name.words.start == next);
            if let Some(name) = first.filter(|name| param.fits(&name.value)) {
                self.set_name(param, &name);
            }
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
        // "it is about the role Purchaser": the title stands at the end, behind small letters.
        if let ([only], true) = (self.candidates().as_slice(), param.is_title) {
            let behind = only.words.start > start && only.words.end == text.words.len();
            if behind && !text.is_capitalised(only.words.start - 1) && param.fits(&only.value) {
                self.set_name(param, only);
                return;
            }
        }
        if matches!(param.kind, Kind::Name | Kind::Id) || param.is_title {
            // "his name is …", "it is …", "the position is called …"
            let is = [
                "is",
                "called",
                "named",
                "är",
                "heter",
                "er",
                "hedder",
                "ist",
                "heißt",
                "это",
                "называется",
            ];
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
        let is_id = rest.len() == 1;
        if matches!(param.kind, Kind::Name) && !is_name || matches!(param.kind, Kind::Id) && !is_id
        {
            return;
        }
        // "as slides instead?" calls nothing by a name.
        let idle = [
            Cue::Correction,
            Cue::Again,
            Cue::Polite,
            Cue::Thanks,
            Cue::Remark,
        ];
        let says = |at: usize| {
            let small = text.words[at].function || self.is_taken(at);
            !small && idle.iter().all(|cue| cue.at(text, at) == 0)
        };
        if !(start..text.words.len()).any(says) {
            return;
        }
        let rest = &text.raw[first.start..];
        // "Finance Controller, here are the notes": what comes with it is no part of it.
        let brings = self.sources.said.has_text() || !self.sources.said.files.is_empty();
        let rest = rest.split(',').next().filter(|_| brings).unwrap_or(rest);
        let value = rest.trim().trim_end_matches(['.', '!', ',']).to_owned();
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
                found.retain(|name| !self.is_called_text(name));
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
        let idle = |at: usize| Cue::Correction.at(&reading.text, at) > 0;
        let frame = Frame {
            reading,
            own: &idle,
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
