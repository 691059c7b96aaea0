//! Names: called by their parameter's words, introduced, or the only one there is.

use serde_json::Value;

use super::super::cues::Cue;
use super::super::language::Language;
use super::super::lexicon::LEXICON;
use super::super::param::{Kind, Param};
use super::super::spans::overlaps;
use super::super::values::choices;
use super::super::values::names::{self, Name};
use super::super::words::{Text, normal};
use super::Filling;

/// Verbs that begin what is taken for granted: no names.
const SUPPOSING: [&str; 11] = [
    "assume",
    "assuming",
    "suppose",
    "supposing",
    "imagine",
    "consider",
    "considering",
    "given",
    "using",
    "regarding",
    "concerning",
];

impl Filling<'_> {
    /// Names in the text that nothing else has taken; those that are denied left out.
    pub(super) fn candidates(&self) -> Vec<Name> {
        let reading = self.sources.reading;
        let mut found: Vec<Name> = reading
            .quotes
            .iter()
            .filter_map(|span| names::name_of(&reading.text, reading.text.words_in(span)))
            .filter(|name| !self.is_choice(name))
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
        // "Hang on, …"
        let pause = |at: usize| {
            let cues = [Cue::Hesitation, Cue::Remark, Cue::Greeting, Cue::Thanks];
            let said = cues.iter().any(|cue| cue.at(&reading.text, at) > 0);
            let supposes = reading.text.is_one_of(at, &SUPPOSING);
            reading.text.starts_sentence(at) && (said || supposes)
        };
        let known = |at: usize| {
            self.is_own(at) || reading.begins_with_meaning(at) || taught(at) || pause(at)
        };
        let unquoted = names::capitalised(&reading.text, &known, &|at| {
            self.is_taken(at) || reading.is_value(at)
        });
        found.extend(
            unquoted
                .into_iter()
                .filter_map(|name| self.unlabelled(name)),
        );
        found.extend(self.known_by_now(&found));
        found.sort_by_key(|name| name.span.start);
        found.retain(|name| !self.is_span_taken(&name.span) && !self.is_called_text(name));
        let denied = |name: &Name| {
            let before = name.words.start.checked_sub(1);
            before.is_some_and(|at| Cue::Negation.at(&reading.text, at) > 0)
                || self.is_taken_back(&name.span)
        };
        if found.len() > 1 {
            found.retain(|name| !denied(name));
        }
        // "… for Anders Bjørk. Transkripsjonen: …": beside a full name, one word that begins a sentence and
        // is in no list with another is just that word.
        let full = found.iter().any(|name| name.words.len() > 1);
        let alone = |name: &Name| {
            let mut others = found.iter().filter(|other| *other != name);
            let listed = |other: &Name| {
                self.is_listed(&name.span, &other.span) || self.is_listed(&other.span, &name.span)
            };
            let begins = name.words.start > 0 && reading.text.starts_sentence(name.words.start);
            begins && name.words.len() == 1 && !others.any(listed)
        };
        let kept = found.iter().filter(|name| !full || !alone(name)).cloned();
        kept.collect()
    }

    /// "take the pudu cc1 off again": what a call was given is a name however it is written now.
    fn known_by_now(&self, found: &[Name]) -> Vec<Name> {
        let text = &self.sources.reading.text;
        let mut known: Vec<Name> = Vec::new();
        for value in self.sources.memory.given_names(self.sources.index) {
            let words = Text::new(&value).words;
            let words: Vec<String> = words.into_iter().map(|word| word.lower).collect();
            let several = words.len() > 1;
            let at = (0..text.words.len()).find(|at| several && text.has_at(*at, &words));
            let Some(at) = at else {
                continue;
            };
            let words = at..at + words.len();
            let span = text.words[words.start].start..text.words[words.end - 1].end;
            let new = found
                .iter()
                .chain(&known)
                .all(|name| !overlaps(&name.span, &span));
            if new {
                known.push(Name { value, span, words });
            }
        }
        known
    }

    /// "set him to «done»": what is called by a choice is nobody's name.
    fn is_choice(&self, name: &Name) -> bool {
        let reading = self.sources.reading;
        let small = !name.value.contains(char::is_uppercase);
        let mut kinds = self.tool.params.iter().map(|param| &param.kind);
        kinds.any(|kind| {
            let Kind::Enum(choices) = kind else {
                return false;
            };
            let outside = |at: usize| !name.words.contains(&at);
            let found = choices::find_all(reading, choices, &outside);
            small && !found.is_empty() || found.iter().any(|chosen| !chosen.is_by_hint())
        })
    }

    /// "her CV": what a long text or a file is called by is nobody's name.
    pub(super) fn is_called_text(&self, name: &Name) -> bool {
        let people = |key: &String| {
            let mut others = self.tool.params.iter();
            others.any(|p| matches!(p.kind, Kind::Name) && p.labels.contains(key))
        };
        let calls = |at: usize| {
            let keys = &self.sources.reading.text.words[at].keys;
            let mut keys = keys.iter().filter(|key| !people(key));
            keys.any(|key| {
                let mut params = self.tool.params.iter();
                params.any(|param| {
                    let text = matches!(param.kind, Kind::LongText | Kind::File);
                    text && param.labels.contains(key)
                })
            })
        };
        name.words.clone().all(calls)
    }

    /// Whether a word calls a parameter: by its name, by another word for it, or by the letters it
    /// begins with ("HM" for the hiring manager).
    pub(super) fn calls(&self, at: usize, param: &Param) -> bool {
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
        // "the hiring manager is Per Dahl"
        const IS: [&str; 10] = [
            "is", "will", "be", "called", "är", "heter", "er", "hedder", "ist", "heißt",
        ];
        for param in self.open(|kind| matches!(kind, Kind::Name)) {
            let text = &self.sources.reading.text;
            let label = |at: usize| self.calls(at, param);
            let labels = |name: &Name| {
                let linked = (0..name.words.start)
                    .rev()
                    .take_while(|at| text.is_one_of(*at, &IS) && text.gap_before(at + 1) == " ")
                    .count();
                let end = name.words.start - linked;
                let labels = (0..end)
                    .rev()
                    .take_while(|at| label(*at) && text.gap_before(at + 1) == " ")
                    .count();
                if labels > 0 { labels + linked } else { 0 }
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

    /// "an invitation for the Scrum Master role": a title in front of what it is a title of.
    fn called_title(&self, param: &Param) -> Option<Name> {
        let text = &self.sources.reading.text;
        let mut named = self.candidates().into_iter();
        named.find(|name| {
            let next = name.words.end;
            let close = next < text.words.len() && text.gap_before(next) == " ";
            close && param.fits(&name.value) && self.calls(next, param) && !self.names_tool(next)
        })
    }

    pub(super) fn take_called_titles(&mut self) {
        for param in self.open(|kind| matches!(kind, Kind::Name | Kind::Text)) {
            let titled = param.is_title || matches!(param.kind, Kind::Name);
            if let Some(title) = self.called_title(param).filter(|_| titled) {
                self.set_name(param, &title);
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
            found.retain(|name| {
                !self.is_of_target(name, param) && !self.is_called_otherwise(name, param)
            });
            if found.iter().any(|name| !self.is_somewhere(name)) {
                found.retain(|name| !self.is_somewhere(name));
            }
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
                (_, _, [first, ..]) if param.required && self.is_headed(first) => {
                    Some(first.clone())
                }
                (_, [name, ..], _) if params.len() == 1 => Some((*name).clone()),
                (_, _, [only]) if params.len() == 1 && (param.required || self.is_for(only)) => {
                    Some(only.clone())
                }
                ([], [], []) if param.required && params.len() == 1 => {
                    self.signed(param).or_else(|| self.introduced(param))
                }
                _ => None,
            };
            let joined = |pair: &[Name]| self.is_listed(&pair[0].span, &pair[1].span);
            // "reject Anna Orlova, Boris Popov is on leave": what goes on behind a mere comma is no list.
            let closed = || match found.as_slice() {
                [.., before, last] => {
                    let text = &self.sources.reading.text;
                    let between = before.words.end..last.words.start;
                    let next = last.words.end;
                    let ends = next >= text.words.len() || text.starts_clause(next);
                    ends || between.into_iter().any(|at| Cue::Join.at(text, at) > 0)
                }
                [_] | [] => false,
            };
            if found.len() > 1
                && params.len() == 1
                && (self.is_target(param)
                    || param.required && self.tool.writes && !self.tool.drafts)
                && found.windows(2).all(joined)
                && closed()
            {
                let all = found.iter().map(|name| name.value.clone()).collect();
                for name in found.iter().rev() {
                    self.set_name(param, name);
                }
                self.filled.several = Some((param.name.clone(), all));
                continue;
            }
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

    /// "no, Copenhagen", "at the office in Oslo": a name goes to the text whose description has it.
    pub(super) fn take_what_descriptions_name(&mut self) {
        let tool = self.tool;
        for name in self.candidates() {
            let said = normal(&name.value);
            let mut naming = tool.params.iter().filter(|param| {
                let free = matches!(param.kind, Kind::Name | Kind::Text) && !self.has(param);
                free && normal(&param.description).contains(&said)
            });
            if let (Some(param), None) = (naming.next(), naming.next()) {
                self.set_name(param, &name);
            }
        }
    }

    /// "the Controller role": what stands behind the name says that it is another parameter's.
    fn is_called_otherwise(&self, name: &Name, param: &Param) -> bool {
        let text = &self.sources.reading.text;
        let next = name.words.end;
        let close = next < text.words.len() && text.gap_before(next) == " ";
        let mut others = self.tool.params.iter().filter(|other| {
            let free = matches!(other.kind, Kind::Name | Kind::Text);
            free && other.name != param.name
        });
        close && !self.calls(next, param) && others.any(|other| self.calls(next, other))
    }

    /// "the case for the Omega": what a draft is for, where it may say so.
    fn is_for(&self, name: &Name) -> bool {
        const FOR: [&str; 16] = [
            "for", "with", "of", "about", "on", "using", "för", "med", "om", "til", "für", "mit",
            "über", "для", "с", "про",
        ];
        const THE: [&str; 6] = ["the", "our", "my", "den", "der", "die"];
        let text = &self.sources.reading.text;
        let before = |at: usize| at.checked_sub(1);
        let lead = before(name.words.start).map(|at| match text.is_one_of(at, &THE) {
            true => before(at).unwrap_or(at),
            false => at,
        });
        self.tool.drafts && lead.is_some_and(|at| text.is_one_of(at, &FOR))
    }

    /// "over to the Leeds plant", "in Malmö": where something is, and nobody's name.
    pub(super) fn is_somewhere(&self, name: &Name) -> bool {
        const BEFORE: [&str; 12] = [
            "the", "our", "in", "at", "near", "в", "во", "из", "i", "på", "im", "bei",
        ];
        let text = &self.sources.reading.text;
        let before = name.words.start.checked_sub(1);
        name.words.len() == 1 && before.is_some_and(|at| text.is_one_of(at, &BEFORE))
    }

    /// "Interview invite: Product Owner, …": what the tool makes, and what it is made for.
    pub(super) fn is_headed(&self, name: &Name) -> bool {
        const REACH: usize = 2;
        let text = &self.sources.reading.text;
        let start = name.words.start;
        let mut before = start.saturating_sub(REACH)..start;
        let headed = text.gap_before(start).trim() == ":";
        headed && before.any(|at| self.names_tool(at))
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
