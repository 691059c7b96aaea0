//! Values that are words: choices, truths, names, free text.

use std::ops::Range;

use serde_json::Value;

use super::super::index::Lesson;
use super::super::lexicon::LEXICON;
use super::super::param::{Choice, Kind, Param};
use super::super::reading::{ONE, Reading};
use super::super::values::choices::{self, Chosen};
use super::super::values::names;
use super::super::values::rest::Frame;
use super::super::words::{Text, Word, normal};
use super::{Filling, Sources};

/// No word of its own, but what ties one to the rest.
const PREPOSITION: usize = 3;

impl<'a> Filling<'a> {
    /// "name: Ali Khan, purpose: bank": the label says which parameter is meant.
    pub(super) fn take_labelled(&mut self) {
        let text = &self.sources.reading.text;
        let labels: Vec<usize> = (0..text.words.len().saturating_sub(1))
            .filter(|at| text.gap_before(at + 1).trim_start().starts_with([':', '=']))
            .collect();
        for (place, at) in labels.iter().enumerate() {
            let next = labels.get(place + 1).copied();
            let end = (at + 2..text.words.len())
                .find(|w| {
                    let gap = text.gap_before(*w);
                    gap.contains([',', ';', '\n']) || gap.contains(". ") || next == Some(*w)
                })
                .unwrap_or(text.words.len());
            let Some(param) = self.labelled_param(*at) else {
                continue;
            };
            // "for the Scrum Master role: on Teams, …" says more of it, and does not name it.
            let named = matches!(param.kind, Kind::Name) || param.is_title;
            if named && text.words[at + 1].function {
                continue;
            }
            if let Some(value) = names::name_of(text, at + 1..end).filter(|v| param.fits(&v.value))
            {
                self.take_words(&(*at..end));
                self.set(param, Value::String(value.value));
            }
        }
    }

    /// The free parameter that goes by the word here: by its name, else by its description.
    fn labelled_param(&self, at: usize) -> Option<&'a Param> {
        let reading = self.sources.reading;
        let word = &reading.text.words[at];
        // The last word of "gate pass" stands for all of it.
        let first = (0..=at).rev().find(|w| !reading.meanings[*w].continues);
        if self.names_tool(first.unwrap_or(at)) {
            return None;
        }
        let concepts = LEXICON.of_keys(&word.keys);
        let called = |keys: &[String]| {
            let own = word.keys.iter().any(|key| keys.contains(key));
            own || concepts.iter().any(|c| keys.contains(&LEXICON.key(*c)))
        };
        let free = self.open(|kind| matches!(kind, Kind::Name | Kind::Text | Kind::Id));
        let by_name = free.iter().find(|param| called(&param.labels));
        let by_part = || free.iter().find(|param| param.called.contains(&word.lower));
        let by_hint = || free.iter().find(|param| called(&param.hints));
        by_name.or_else(by_part).or_else(by_hint).copied()
    }

    /// "set his status to «contract sent»": a choice in quotation marks is what it says.
    fn take_quoted_choices(&mut self) {
        let Sources { reading, index, .. } = self.sources;
        for param in self.open(|kind| matches!(kind, Kind::Enum(_))) {
            let Kind::Enum(choices) = &param.kind else {
                continue;
            };
            for quote in &reading.quotes {
                let said = &reading.text.raw[quote.clone()];
                let said = Reading::new(index, said, reading.text.language, None);
                let found = choices::find_all(&said, choices, &|_| false);
                let only = choices::only(&found).ok().flatten();
                if let Some(chosen) = only.filter(|_| !self.is_span_taken(quote)) {
                    self.filled.chosen.push(quote.clone());
                    self.take_span(quote.clone());
                    self.set(param, choices[chosen.choice].value.clone());
                    break;
                }
            }
        }
    }

    /// "on 9 March at 10:30", where the date is "needed when the recruiter sets the time": what is given chooses
    /// the one value that it is needed for.
    pub(super) fn take_choices_of_others(&mut self) {
        const ENOUGH: usize = 2;
        for param in self.open(|kind| matches!(kind, Kind::Enum(_))) {
            let Kind::Enum(choices) = &param.kind else {
                continue;
            };
            let given = self.tool.params.iter().filter(|other| self.has(other));
            let needed = given.filter_map(|other| other.description.split_once("needed when "));
            let needed: Vec<Text> = needed
                .map(|(_, when)| Text::new(when.split([',', '.']).next().unwrap_or_default()))
                .collect();
            let fits = |choice: &&Choice| {
                needed.iter().any(|when| {
                    let telling = || when.words.iter().filter(|word| !word.function);
                    let said =
                        |word: &&Word| word.keys.iter().any(|key| choice.hints.contains(key));
                    telling().count() >= ENOUGH && telling().all(|word| said(&word))
                })
            };
            let mut fitting = choices.iter().filter(fits);
            if let (Some(choice), None, true) = (fitting.next(), fitting.next(), param.required) {
                self.set(param, choice.value.clone());
            }
        }
    }

    pub(super) fn take_choices(&mut self) {
        self.take_quoted_choices();
        let reading = self.sources.reading;
        let all = self.open(|kind| matches!(kind, Kind::Enum(_)));
        // "a team interview": what is one parameter's very word is not another's "Teams".
        let mut words: Vec<(&str, usize)> = Vec::new();
        for param in &all {
            if let Kind::Enum(choices) = &param.kind {
                let named = choices::find_all(reading, choices, &|at| self.is_taken(at));
                // "на интервью" stands in what is said of one, "по интервью" in what is said of the other.
                let described = |chosen: &Chosen| {
                    let before = chosen.words.start.checked_sub(1);
                    before.is_some_and(|before| {
                        let words = &reading.text.words[before..chosen.words.end];
                        let words: Vec<&str> = words.iter().map(|w| w.lower.as_str()).collect();
                        words[0].chars().count() <= PREPOSITION
                            && normal(&param.description).contains(&words.join(" "))
                    })
                };
                let exact = named
                    .into_iter()
                    .filter(|chosen| chosen.is_by_word() || described(chosen));
                words.extend(
                    exact
                        .flat_map(|one| one.words)
                        .map(|at| (param.name.as_str(), at)),
                );
            }
        }
        for param in all {
            let Kind::Enum(choices) = &param.kind else {
                continue;
            };
            let others = |at: usize| {
                let own = words
                    .iter()
                    .any(|(name, word)| *word == at && *name == param.name);
                !own && words.iter().any(|(_, word)| *word == at)
            };
            let found = choices::find_all(reading, choices, &|at| {
                self.is_taken(at) || others(at) || self.introduces(at)
            });
            let found = self.chosen_by_more_than_hint(param, found);
            let only = choices::only(&found);
            let named = matches!(only, Ok(Some(chosen)) if !chosen.is_by_hint());
            let learned = self.learned_choice(param).filter(|_| !named);
            match (only, learned) {
                (_, Some(value)) => self.set(param, value),
                (Ok(Some(chosen)), None) => {
                    self.filled.guessed |= chosen.is_by_hint() && !param.required;
                    self.take_words(&chosen.words);
                    self.filled.chosen.extend(self.taken.last().cloned());
                    self.set(param, choices[chosen.choice].value.clone());
                }
                (Ok(None), None) => {
                    if let Some(value) = self.implied(param) {
                        self.set(param, value);
                    }
                }
                (Err(()), None) => self.unclear_choice(param, choices, &found),
            }
        }
    }

    /// "put a robot on the list" does not choose "see the robot at work": what a choice is only described
    /// by, and the tool is about anyway, chooses nothing that is written.
    fn chosen_by_more_than_hint(&self, param: &Param, mut found: Vec<Chosen>) -> Vec<Chosen> {
        let reading = self.sources.reading;
        let described = Text::new(&self.tool.description);
        let own = |at: usize| {
            let term = reading.terms.iter().find(|term| term.word == at);
            let mut keys = term.into_iter().flat_map(|term| &term.keys);
            keys.any(|(key, _)| described.words.iter().any(|word| word.keys.contains(key)))
        };
        // "an interview" is no kind of interview where the tool is about nothing else.
        found.retain(|chosen| !chosen.is_by_part() || !self.names_tool(chosen.words.start));
        if self.tool.writes && !param.required {
            found.retain(|chosen| !chosen.is_by_hint() || !chosen.words.clone().all(own));
        }
        found
    }

    /// "Hiring manager: …" names whose value follows, not the kind of an interview.
    fn introduces(&self, at: usize) -> bool {
        const LONGEST: usize = 3;
        let text = &self.sources.reading.text;
        let last = text.words.len().min(at + LONGEST + 1);
        let Some(end) = (at + 1..last).find(|next| !text.gap_before(*next).trim().is_empty())
        else {
            return false;
        };
        let mut names = self
            .tool
            .params
            .iter()
            .filter(|param| matches!(param.kind, Kind::Name));
        let named = |param: &Param| {
            let mut words = text.words[at..end].iter();
            words.all(|word| param.is_called_by(word))
        };
        text.gap_before(end).trim() == ":" && names.any(named)
    }

    fn unclear_choice(&mut self, param: &Param, choices: &[Choice], found: &[Chosen]) {
        let named = found.iter().map(|chosen| choices[chosen.choice].in_words());
        self.filled
            .unclear
            .insert(param.name.clone(), named.collect());
    }

    pub(super) fn take_booleans(&mut self) {
        for param in self.open(|kind| matches!(kind, Kind::Boolean)) {
            if let Some(value) = self.implied(param) {
                self.set(param, value);
            }
            let stated =
                choices::stated(self.sources.reading, &param.labels, &param.hints, &|at| {
                    self.is_taken(at) || self.is_head(at)
                });
            if let Some(stated) = stated {
                self.take_words(&stated.words);
                self.set(param, Value::Bool(stated.value));
            } else if !self.has(param) && self.says_when_false(param) {
                self.set(param, Value::Bool(false));
            } else if let Some(value) = self.learned_choice(param).filter(|_| !self.has(param)) {
                self.set(param, value);
            }
        }
    }

    /// "… takes his tools with him for good": two words of what the description says of "false".
    fn says_when_false(&self, param: &Param) -> bool {
        let description = normal(&param.description);
        let Some((_, clause)) = description.split_once("false if ") else {
            return false;
        };
        let clause = clause.split(['.', ';']).next().unwrap_or_default();
        let clause = Text::new(clause);
        let text = &self.sources.reading.text;
        let labelled = choices::stated(self.sources.reading, &param.labels, &param.hints, &|_| {
            false
        });
        let mut pairs = clause.words.windows(2).filter(|pair| !pair[1].function);
        // What is affirmed elsewhere is not denied by it.
        labelled.is_none_or(|stated| !stated.value)
            && pairs.any(|pair| {
                let pair: Vec<String> = pair.iter().map(|word| word.lower.clone()).collect();
                (0..text.words.len()).any(|at| text.has_at(at, &pair))
            })
    }

    /// A value that an example gives without naming it, when the words that set this
    /// example apart from those with another value are said here too.
    fn implied(&self, param: &Param) -> Option<Value> {
        const ENOUGH: f32 = 0.6;
        let value_in = |lesson: &'a Lesson| {
            lesson
                .implied
                .iter()
                .find(|(name, _)| *name == param.name)
                .map(|(_, v)| v)
        };
        let mut best: Option<(f32, &Value)> = None;
        let mut tied = false;
        for lesson in &self.tool.lessons {
            let Some(value) = value_in(lesson) else {
                continue;
            };
            let telling: Vec<&Vec<String>> = lesson
                .terms
                .iter()
                .filter(|term| self.tells(term, param, value))
                .collect();
            let said = telling.iter().filter(|term| self.says(term)).count();
            let share = said as f32 / telling.len().max(1) as f32;
            if said == 0 || share < ENOUGH {
                continue;
            }
            match best {
                Some((found, other)) if found >= share => {
                    tied |= other != value && (found - share).abs() < f32::EPSILON
                }
                Some(_) | None => {
                    tied = false;
                    best = Some((share, value));
                }
            }
        }
        best.filter(|_| !tied).map(|(_, value)| value.clone())
    }

    /// Whether a word stands in no example that gives the parameter another value or none.
    fn tells(&self, term: &[String], param: &Param, value: &Value) -> bool {
        let names = self
            .tool
            .name_terms
            .iter()
            .chain(&self.tool.title_terms)
            .flatten();
        let common = ["#show", "#find", "#need"];
        // "the next step" names the parameter, and none of its values.
        let label = term.iter().any(|key| param.labels.contains(key));
        if label
            || names.into_iter().any(|key| term.contains(key))
            || common.iter().any(|c| term.iter().any(|k| k == c))
        {
            return false;
        }
        let shared = |lesson: &Lesson| {
            lesson
                .terms
                .iter()
                .any(|other| other.iter().any(|key| term.contains(key)))
        };
        self.tool
            .lessons
            .iter()
            .all(|lesson| lesson.arguments.get(&param.name) == Some(value) || !shared(lesson))
    }

    fn says(&self, term: &[String]) -> bool {
        let said = &self.sources.reading.terms;
        // A quality of the same thing is another quality.
        said.iter()
            .filter(|word| !self.is_taken(word.word))
            .any(|word| {
                let mut own = word.keys.iter().filter(|(_, share)| *share >= 1.0);
                own.any(|(key, _)| term.contains(key))
            })
    }

    /// Whether this word says what is to be done.
    pub(super) fn is_head(&self, at: usize) -> bool {
        self.sources
            .reading
            .head
            .as_ref()
            .is_some_and(|head| head.word == Some(at))
    }

    /// Whether this word belongs to the request itself.
    pub(super) fn is_own(&self, at: usize) -> bool {
        self.sources.reading.is_known(self.sources.index, at)
    }

    /// Whether this word stands in the tool's name or title, or is what is to be done.
    pub(super) fn names_tool(&self, at: usize) -> bool {
        let reading = self.sources.reading;
        let in_title = |keys: &[(String, f32)]| {
            let terms = self.tool.name_terms.iter().chain(&self.tool.title_terms);
            terms
                .flatten()
                .any(|key| keys.iter().any(|(own, _)| own == key))
        };
        let term = reading.terms.iter().find(|term| term.word == at);
        self.is_head(at) || term.is_some_and(|term| in_title(&term.keys))
    }

    pub(super) fn bytes(&self, words: &Range<usize>) -> Range<usize> {
        let all = &self.sources.reading.text.words;
        all[words.start].start..all[words.end - 1].end
    }

    /// The one free text that is required gets what is left; others only what an example
    /// or quotation marks single out.
    pub(super) fn take_texts(&mut self) {
        let open = self.open(|kind| matches!(kind, Kind::Text));
        let required = open.iter().filter(|param| param.required).count();
        let texts = open.len();
        for param in open {
            let leads = self.leads(param);
            let reading = self.sources.reading;
            if let Some(whole) = self.whole_question(param) {
                self.set(param, Value::String(whole));
                continue;
            }
            let quoted = reading
                .quotes
                .iter()
                .find(|span| !self.is_span_taken(span))
                .cloned();
            let alone = if param.required {
                required == 1
            } else {
                // What is written takes a quotation only where it is called by its name.
                let is_called = |param: &Param| {
                    let mut words = 0..reading.text.words.len();
                    words.any(|at| self.calls(at, param))
                };
                let called = is_called(param);
                let others = self.open(|kind| matches!(kind, Kind::Text));
                let mut others = others.iter().filter(|other| other.name != param.name);
                let one = texts == 1 || called && !others.any(|other| is_called(other));
                required == 0 && one && (called || !self.tool.writes)
            };
            if let Some(span) = quoted.filter(|_| alone) {
                let value = reading.text.raw[span.clone()].trim().to_owned();
                self.take_span(span);
                self.set(param, Value::String(value));
                continue;
            }
            if !param.required || required > 1 {
                continue;
            }
            let looks_up = self.is_question_param(param);
            let frame = Frame {
                reading,
                own: &|at| {
                    if looks_up {
                        self.is_lookup_order(at) || self.leads_to_question(at)
                    } else {
                        self.names_tool(at)
                    }
                },
                taken: &|at| self.is_taken(at),
                leads: &leads,
                alone: self.tool.params.iter().filter(|p| p.required).count() == 1,
            };
            let found = match param.is_title {
                // What somebody is called stands beside their name, and is not what is left.
                true if self.is_bearers(param) => None,
                true => self.title(frame.find()),
                false => frame
                    .find()
                    .filter(|found| !self.is_others(&found.0) && !self.is_request_itself(&found.0)),
            };
            let found = found.map(|(words, value)| {
                let kept = self.without_place(words.clone());
                match looks_up && kept.len() < words.len() {
                    true => (kept.clone(), reading.text.raw[self.bytes(&kept)].to_owned()),
                    false => (words, value),
                }
            });
            if let Some((words, value)) = found.filter(|(_, value)| param.fits(value)) {
                self.take_words(&words);
                let value = self.known_target(param, value);
                self.set(param, Value::String(value));
            }
        }
    }

    /// Whether it holds somebody's title, whose name is another parameter.
    fn is_bearers(&self, param: &Param) -> bool {
        let bearer = param.name.strip_suffix("_title");
        let name = bearer.and_then(|bearer| self.tool.param(&format!("{bearer}_name")));
        name.is_some()
    }

    /// A title is the one thing that is called something, or what follows an article; never
    /// simply what is left.
    fn title(&self, left: Option<(Range<usize>, String)>) -> Option<(Range<usize>, String)> {
        const LONGEST: usize = 4;
        let reading = self.sources.reading;
        let known = |at: usize| {
            self.names_tool(at) || !reading.meanings[at].concepts.is_empty() || self.is_own(at)
        };
        let mut called = self.candidates();
        // "5 interviews with Karin": who was named in full already.
        let given = |name: &names::Name| {
            let mut values = self.filled.values.values().filter_map(Value::as_str);
            values.any(|value| value.contains(&name.value))
        };
        called.retain(|name| !name.words.clone().all(known) && !given(name));
        if called.len() > 1 {
            called.retain(|name| !self.is_somewhere(name));
        }
        if let Some(first) = called.first().filter(|name| self.is_headed(name)) {
            return Some((first.words.clone(), first.value.clone()));
        }
        if let [only] = called.as_slice() {
            return Some((only.words.clone(), only.value.clone()));
        }
        // "an interview for UX Designer at the Oslo office": of several, the one that it is for.
        const FOR: [&str; 7] = ["for", "för", "til", "für", "till", "als", "на"];
        let led = |name: &&names::Name| {
            let before = |at: usize| at.checked_sub(1);
            let first = before(name.words.start).map(|at| {
                match ONE.contains(&reading.text.words[at].lower.as_str()) {
                    true => before(at).unwrap_or(at),
                    false => at,
                }
            });
            first.is_some_and(|at| reading.text.is_one_of(at, &FOR))
        };
        let mut led = called.iter().filter(led);
        if let (Some(only), None) = (led.next(), led.next()) {
            return Some((only.words.clone(), only.value.clone()));
        }
        let (words, value) = left.filter(|_| called.is_empty())?;
        let before = words.start.checked_sub(1)?;
        let one = ONE.contains(&reading.text.words[before].lower.as_str());
        let own = words
            .clone()
            .any(|at| self.names_tool(at) || self.is_own(at));
        (one && !own && words.len() <= LONGEST).then_some((words, value))
    }

    /// "get a new fact about the company in": words that say what the tool does are no text for it.
    fn is_request_itself(&self, words: &Range<usize>) -> bool {
        const ENOUGH: usize = 2;
        let led = self
            .sources
            .reading
            .text
            .gap_before(words.start)
            .contains([':', '"', '“', '«']);
        let said = |term: &&Vec<String>| {
            let mut terms = self.sources.reading.terms.iter();
            terms.any(|one| {
                let mut keys = one.keys.iter();
                words.contains(&one.word) && keys.any(|(key, _)| term.contains(key))
            })
        };
        let titled = self.tool.title_terms.iter().filter(said);
        self.tool.writes && !led && titled.count() >= ENOUGH
    }

    /// Whether these are a word or two that other tools are about: no text of the person's own.
    fn is_others(&self, words: &Range<usize>) -> bool {
        const SHORT: usize = 2;
        let reading = self.sources.reading;
        let is_known =
            |at: usize| reading.text.words[at].function || reading.is_known(self.sources.index, at);
        self.tool.writes && words.len() <= SHORT && words.clone().all(is_known)
    }
}
