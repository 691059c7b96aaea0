//! Names: called by their parameter's words, introduced, or the only one there is.

use serde_json::Value;

use super::super::cues::Cue;
use super::super::language::Language;
use super::super::lexicon::LEXICON;
use super::super::param::{Kind, Param};
use super::super::values::names::{self, Name};
use super::Filling;

impl Filling<'_> {
    /// Names in the text that nothing else has taken; those that are denied left out.
    pub(super) fn candidates(&self) -> Vec<Name> {
        let reading = self.sources.reading;
        let mut found: Vec<Name> = reading
            .quotes
            .iter()
            .filter_map(|span| names::name_of(&reading.text, reading.text.words_in(span)))
            .collect();
        // "Take the Pudu CC1 off": a word of the examples that only has a capital for its place.
        let taught = |at: usize| {
            let words = self
                .tool
                .lessons
                .iter()
                .flat_map(|lesson| &lesson.without_values.words);
            let mut words = words.map(|word| &word.lower);
            reading.text.starts_sentence(at)
                && words.any(|word| *word == reading.text.words[at].lower)
        };
        let known = |at: usize| self.is_own(at) || reading.begins_with_meaning(at) || taught(at);
        let unquoted = names::capitalised(&reading.text, &known, &|at| {
            self.is_taken(at) || reading.is_value(at)
        });
        found.extend(
            unquoted
                .into_iter()
                .filter_map(|name| self.unlabelled(name)),
        );
        found.retain(|name| !self.is_span_taken(&name.span));
        let denied = |name: &Name| {
            name.words.start > 0 && Cue::Negation.at(&reading.text, name.words.start - 1) > 0
        };
        if found.len() > 1 {
            found.retain(|name| !denied(name));
        }
        found
    }

    /// Whether a word calls a parameter: by its name, by another word for it, or by the letters it
    /// begins with ("HM" for the hiring manager).
    fn calls(&self, at: usize, param: &Param) -> bool {
        let reading = self.sources.reading;
        let word = &reading.text.words[at];
        let own = !word.function && param.is_called_by(word);
        let mut means = reading.meanings[at].concepts.iter();
        let meant = means.any(|concept| {
            !LEXICON.is_action(*concept) && param.labels.contains(&LEXICON.key(*concept))
        });
        own || meant || param.initials.as_ref() == Some(&word.lower)
    }

    /// "HM Eva Lind", "Führungskraft Eva Lind": what somebody is stands before the name with a capital
    /// of its own.
    fn unlabelled(&self, mut name: Name) -> Option<Name> {
        let text = &self.sources.reading.text;
        let people = || {
            self.tool
                .params
                .iter()
                .filter(|p| matches!(p.kind, Kind::Name))
        };
        let initials =
            |at: usize| people().any(|p| p.initials.as_ref() == Some(&text.words[at].lower));
        let german = text.language == Some(Language::German);
        let label = |at: usize| initials(at) || german && people().any(|p| self.calls(at, p));
        while name.words.len() > 1 && label(name.words.start) {
            name = names::name_of(text, name.words.start + 1..name.words.end)?;
        }
        let bare = name.words.len() == 1 && initials(name.words.start);
        (!bare).then_some(name)
    }

    /// "hiring manager Anna Berg": the parameter's own words right before a name. They
    /// come before the choices, which may be called the same.
    pub(super) fn take_called_names(&mut self) {
        for param in self.open(|kind| matches!(kind, Kind::Name)) {
            let text = &self.sources.reading.text;
            let label = |at: usize| self.calls(at, param);
            let labels = |name: &Name| {
                (0..name.words.start)
                    .rev()
                    .take_while(|at| label(*at) && text.gap_before(at + 1) == " ")
                    .count()
            };
            let found = self
                .candidates()
                .into_iter()
                .map(|name| (labels(&name), name));
            let best = found
                .filter(|(count, _)| *count > 0)
                .max_by_key(|(count, name)| (*count, std::cmp::Reverse(name.words.start)));
            if let Some((count, name)) = best.filter(|(_, name)| param.fits(&name.value)) {
                self.take_words(&(name.words.start - count..name.words.start));
                self.set_name(param, &name);
            }
        }
    }

    /// "hiring manager Anna Berg, Head of Sales", "Anna Berg (CTO)": what stands right behind a name
    /// says what its bearer is, where a parameter asks for that.
    pub(super) fn take_bearers_titles(&mut self) {
        const LONGEST: usize = 5;
        for param in self.open(|kind| matches!(kind, Kind::Text)) {
            let Some(bearer) = param.name.strip_suffix("_title") else {
                continue;
            };
            let named = self.filled.values.get(&format!("{bearer}_name"));
            let Some(name) = named.and_then(Value::as_str) else {
                continue;
            };
            let text = &self.sources.reading.text;
            let Some(end) = text.raw.find(name).map(|at| at + name.len()) else {
                continue;
            };
            let first = text.words.partition_point(|word| word.start < end);
            if first >= text.words.len() || ![",", "("].contains(&text.gap_before(first).trim()) {
                continue;
            }
            // "…, title Sales Director"
            let labelled = param.is_called_by(&text.words[first]) && !text.is_capitalised(first);
            let first = first + usize::from(labelled);
            let goes_on = |at: &usize| *at == first || text.gap_before(*at) == " ";
            let free = |at: &usize| !self.is_taken(*at) && !self.sources.reading.is_value(*at);
            let words = (first..text.words.len())
                .take_while(goes_on)
                .take_while(free)
                .count();
            if words == 0 || words > LONGEST {
                continue;
            }
            if let Some(title) = names::name_of(text, first..first + words) {
                self.take_span(title.span);
                self.set(param, Value::String(title.value));
            }
        }
    }

    pub(super) fn take_names(&mut self) {
        let params = self.open(|kind| matches!(kind, Kind::Name));
        for param in &params {
            let mut found = self.candidates();
            found.retain(|name| !self.is_of_target(name, param));
            let labelled: Vec<&Name> = found
                .iter()
                .filter(|name| self.is_called(name, param))
                .collect();
            let led: Vec<&Name> = found
                .iter()
                .filter(|name| self.is_led(name, param))
                .collect();
            let chosen = match (labelled.as_slice(), led.as_slice(), found.as_slice()) {
                ([name, ..], _, _) => Some((*name).clone()),
                (_, [name, ..], _) if params.len() == 1 => Some((*name).clone()),
                (_, _, [only]) if params.len() == 1 && param.required => Some(only.clone()),
                ([], [], []) if param.required && params.len() == 1 => {
                    self.signed(param).or_else(|| self.introduced(param))
                }
                _ => None,
            };
            match chosen {
                Some(name) if param.fits(&name.value) => self.set_name(param, &name),
                Some(_) => {}
                None if found.len() > 1 && param.required && params.len() == 1 => {
                    let values = found.into_iter().map(|name| name.value);
                    self.filled
                        .unclear
                        .insert(param.name.clone(), values.collect());
                }
                None => {}
            }
        }
    }

    pub(super) fn set_name(&mut self, param: &Param, name: &Name) {
        self.take_span(name.span.clone());
        // Somebody new may have the first name of somebody known.
        let is_known = !self.tool.writes || self.is_target(param);
        let known = self
            .sources
            .memory
            .known_name(&name.value)
            .filter(|_| is_known);
        self.set(
            param,
            Value::String(known.unwrap_or_else(|| name.value.clone())),
        );
    }

    /// What is acted on is there already: by the name it is known by.
    pub(super) fn known_target(&self, param: &Param, value: String) -> String {
        let known = self.sources.memory.known_name(&value);
        known.filter(|_| self.is_target(param)).unwrap_or(value)
    }

    fn is_target(&self, param: &Param) -> bool {
        self.tool.target.as_ref() == Some(&param.name)
    }

    /// Whether a name belongs to the thing that is acted on ("Bob's pass", "the pass for
    /// Bob"), not to whoever the parameter asks for. Examples may teach otherwise.
    fn is_of_target(&self, name: &Name, param: &Param) -> bool {
        if self.tool.target.is_none() || self.is_target(param) {
            return false;
        }
        let text = &self.sources.reading.text;
        let start = name.words.start;
        let after = text.raw.get(name.span.end..).unwrap_or_default();
        let owns = after.starts_with("'s") || after.starts_with("’s");
        let behind = Cue::OfTarget.before(text, start) && !Cue::Behalf.before(text, start);
        let taught = self
            .leads(param)
            .iter()
            .any(|lead| start >= lead.len() && text.has_at(start - lead.len(), lead));
        (owns || behind) && !taught
    }

    /// Whether the parameter's own words stand right before or after the name.
    fn is_called(&self, name: &Name, param: &Param) -> bool {
        const REACH: usize = 3;
        let text = &self.sources.reading.text;
        let near = |at: usize| self.calls(at, param);
        let before = (name.words.start.saturating_sub(REACH)..name.words.start)
            .rev()
            .take_while(|at| !text.gap_before(at + 1).contains([',', ';', '.', '\n']));
        let all: Vec<usize> = before.collect();
        all.into_iter().any(near)
    }

    /// Whether what stands before the name introduces one, as in the examples.
    fn is_led(&self, name: &Name, param: &Param) -> bool {
        let text = &self.sources.reading.text;
        let start = name.words.start;
        let learned = self.leads(param);
        let stands =
            |lead: &Vec<String>| start >= lead.len() && text.has_at(start - lead.len(), lead);
        if learned.iter().any(stands) {
            return true;
        }
        (start.saturating_sub(3)..start).any(|at| Cue::NameLead.at(text, at) == start - at)
    }

    pub(super) fn introduced(&self, param: &Param) -> Option<Name> {
        let reading = self.sources.reading;
        let name = names::introduced(&reading.text, &self.leads(param), &|at| {
            self.is_taken(at)
                || reading.is_value(at)
                || self.is_own(at)
                || !reading.meanings[at].concepts.is_empty()
        })?;
        (!self.is_of_target(&name, param)).then_some(name)
    }

    /// "approve GP-1, omar sheikh": unknown words after the last comma, where a thing is
    /// acted on and who acts is asked for.
    fn signed(&self, param: &Param) -> Option<Name> {
        const LONGEST: usize = 3;
        let reading = self.sources.reading;
        let text = &reading.text;
        let last = text.words.len().checked_sub(1)?;
        let start = (1..=last).rev().find(|at| {
            text.gap_before(*at)
                .contains([',', '-', '–', '—', '.', '('])
        })?;
        let is_unknown = |at: usize| {
            let known = reading.is_plain(self.sources.index, at)
                || !reading.meanings[at].concepts.is_empty();
            !text.words[at].function && !known && !self.is_taken(at) && !reading.is_value(at)
        };
        let acts = self.tool.target.is_some() && !self.is_target(param);
        let is_name = acts && last - start < LONGEST && (start..=last).all(is_unknown);
        is_name
            .then(|| names::name_of(text, start..last + 1))
            .flatten()
    }
}
