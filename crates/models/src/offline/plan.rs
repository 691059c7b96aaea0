//! What to do about the person's newest message: calls in order, or words.
//!
//! A plan is worked out anew in each round from the same messages, so nothing needs to
//! be remembered between rounds; what has been done already is a prefix of it.

mod choose;
mod hear;
mod ordered;
mod talk;

use serde_json::{Map, Value};

use super::OfflineSettings;
use super::cues::Cue;
use super::dialogue::{Dialogue, Said};
use super::fill::{Filled, Sources, fill};
use super::index::{Index, ToolIndex, template};
use super::language::Language;
use super::lexicon::LEXICON;
use super::meaning::Vectors;
use super::mood::{self, Doubt};
use super::param::{Kind, Param};
use super::question;
use super::rank::{self, rank};
use super::reading::Reading;
use super::recall::Memory;
use super::requests;
use super::spans::is_among;
use super::words::{Text, Word};
pub(super) use choose::{Choice, is_clear};
pub(super) use hear::tells_of_somebody;

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
        let is_request = |part: &str| self.is_request(part, said);
        let mut parts = match self.declared(&reading, said) {
            Some(_) => vec![said.text.clone()],
            None => requests::split(self.index, &reading, &is_request),
        };
        parts = parts
            .into_iter()
            .flat_map(|part| match self.two_things(&part, said) {
                Some(both) => both.to_vec(),
                None => vec![part],
            })
            .collect();
        let is_known = |lower: &str| !self.index.tools_by(lower).is_empty();
        let signature = requests::take_signature(&mut parts, &is_known);
        let mut steps = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let more = self.steps_for(part, said, &parts[..place], signature.as_deref());
            let stops = more.iter().any(|step| matches!(step, Step::Say(_)));
            // "I agree with it, lock it in": the same thing said twice is wanted once.
            let new = more.into_iter().filter(|step| !steps.contains(step));
            let new: Vec<Step> = new.collect();
            steps.extend(new);
            if stops {
                break;
            }
        }
        steps
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

    /// "list the passes and my notifications", "write the ad and the messages": two things to look
    /// at or to draft after one verb. Each must be known for what it is, and by another tool.
    fn two_things(&self, part: &str, said: &Said) -> Option<[String; 2]> {
        let reading = self.read(part);
        let text = &reading.text;
        let head = reading.head.as_ref()?;
        let verb = head.word.map_or("", |at| text.of(&text.words[at]));
        let join = (head.word.map_or(0, |at| at + 1)..text.words.len())
            .find(|at| Cue::Join.at(text, *at) > 0)?;
        let behind = join + Cue::Join.at(text, join);
        let after = text.words.get(behind)?;
        // "who is it for, and when did they leave?" goes on about the same.
        if Cue::Question.at(text, behind) > 0 {
            return None;
        }
        let left = text.raw[..text.words[join].start].trim_end().to_owned();
        let right = format!("{verb} {}", &text.raw[after.start..]);
        let best = |part: &str| {
            let reading = self.read(part);
            let known = (0..reading.text.words.len()).all(|at| reading.is_plain(self.index, at));
            let mut ranked = rank::rank(self.index, &reading, said).into_iter();
            let (first, second) = (ranked.next()?, ranked.next()?);
            let clear = known
                && is_clear(&first)
                && first.score - second.score >= self.settings.draft_margin;
            let def = self.tool(first.tool);
            let looked_at = rank::is_looking(&head.actions) && !def.writes;
            let drafted = def.drafts && first.action && self.is_called(first.tool, &reading);
            (clear && (looked_at || drafted)).then_some(first.tool)
        };
        (best(&left)? != best(&right)?).then_some([left, right])
    }

    fn is_request(&self, part: &str, said: &Said) -> bool {
        let reading = self.read(part);
        let ranked = rank(self.index, &reading, said);
        let Some(best) = ranked.first().filter(|best| is_clear(best)) else {
            return false;
        };
        // "… and leave the salary out": what names no document of its own belongs to the one before.
        let whole = part.len() == said.text.len();
        let named = self.is_called(best.tool, &reading) || Cue::Reference.is_in(&reading.text);
        whole || named || !self.tool(best.tool).drafts
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
        let tells = mood::begins_with_somebody(&reading.text) && !self.index.looks_up();
        let open = tells || matches!(choice, Choice::Unclear(_));
        if let Some(asked) = reading.asked_later().filter(|_| open) {
            return self.steps_for(asked, said, earlier, signature);
        }
        if let Some(words) = self.beyond(&reading, said, &choice) {
            return vec![Step::Say(words)];
        }
        match choice {
            Choice::Tool { tool, commanded } => {
                let filled = fill(self.tool(tool), sources);
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
            Choice::Unclear(tools) if tools.len() == 1 && self.tool(tools[0]).writes => {
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

    /// Calls the tool if everything is known and nothing speaks against it, and asks
    /// otherwise. A write needs an order in so many words.
    pub(super) fn act(
        &self,
        tool: usize,
        filled: Filled,
        reading: &Reading,
        commanded: bool,
    ) -> Vec<Step> {
        let def = self.tool(tool);
        let phrases = self.language.phrases();
        let say = |text: String| vec![Step::Say(text)];
        let doubt = if def.writes {
            mood::doubt(reading, &filled.taken_freely())
        } else {
            None
        };
        // What the tool itself declares to be an order is one.
        let declared = def.writes && self.is_declared(def, reading, &filled);
        // To ask or to speak about a text that was handed over is to have it judged.
        let idle = |doubt: &Doubt| matches!(doubt, Doubt::Question | Doubt::Reported);
        let judged = |doubt: &Doubt| commanded && def.judges() && idle(doubt);
        // A draft that somebody wants, and all that it needs: nothing is lost by making it.
        let needs = def.params.iter().any(|param| param.required);
        let given = commanded && def.drafts && needs && filled.missing(def).is_empty();
        let wanted = |doubt: &Doubt| given && *doubt == Doubt::Reported;
        let doubt = doubt.filter(|doubt| !declared && !judged(doubt) && !wanted(doubt));
        let commanded = commanded || declared;
        let doubt = doubt.or_else(|| {
            self.is_deferred(def, reading, &filled)
                .then_some(Doubt::Deferred)
        });
        // "don't search for anything yet": what was not to be looked at is no value.
        let unasked = !def.writes && def.question_param().is_some() && mood::forbids(reading);
        if doubt == Some(Doubt::Denied) || unasked {
            return say(phrases.not_done.to_owned());
        }
        // "Compare all candidates": a tool that is told of nothing does it for all.
        let told_of = def.target.is_some() || def.params.iter().any(|param| param.required);
        if def.writes && told_of && self.names_more(reading, &filled) {
            let mut open = filled;
            if let Some(target) = &def.target {
                open.values.remove(target);
            }
            let question = question::missing(def, &open, self.language);
            return say(format!("{}\n\n{question}", phrases.one_by_one));
        }
        let missing = filled.missing(def);
        if missing
            .iter()
            .any(|param| matches!(param.kind, Kind::Other))
        {
            return say(phrases.form_only.replace("{title}", &def.title));
        }
        if !missing.is_empty() {
            return say(question::missing(def, &filled, self.language));
        }
        let loses = loses_number(def, reading, &filled) || loses_quote(reading, &filled);
        // "remove it": a change that nothing is told of.
        let told_nothing = !def.drafts
            && !def.params.is_empty()
            && filled.values.is_empty()
            && !self.is_like_bare_example(def, reading);
        if def.writes && told_nothing {
            return say(question::which_value(def, self.language));
        }
        if def.writes && (doubt.is_some() || !commanded || loses) {
            return say(question::confirm(def, &filled, self.language));
        }
        self.calls(tool, filled)
    }

    /// The one tool of which this is an example, word for word and apart from its values.
    pub(super) fn declared(&self, reading: &Reading, said: &Said) -> Option<usize> {
        let memory = Memory::new(self.dialogue);
        let sources = self.sources(reading, said, &memory);
        let words: Vec<&str> = reading
            .text
            .words
            .iter()
            .map(|w| w.lower.as_str())
            .collect();
        let mut declared = (0..self.index.tools.len()).filter(|tool| {
            let def = self.tool(*tool);
            // Cheap first: its words stand here in their order.
            let mut likely = def.lessons.iter().filter(|lesson| {
                let mut rest = words.iter();
                let mut all = lesson.without_values.words.iter();
                all.all(|word| rest.any(|said| *said == word.lower))
            });
            likely.next().is_some() && self.is_declared(def, reading, &fill(def, sources))
        });
        let tool = declared.next()?;
        declared.next().is_none().then_some(tool)
    }

    /// Whether this is, word for word and apart from its values, an example of the tool.
    fn is_declared(&self, def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
        let is_value = |at: usize| is_among(&filled.taken, &reading.text.words[at].span());
        let said = template(&reading.text, &is_value);
        let mut lessons = def.lessons.iter();
        said.len() > 1 && lessons.any(|lesson| lesson.template == said)
    }

    /// Whether the thing is named that an example without any value is about.
    fn is_like_bare_example(&self, def: &ToolIndex, reading: &Reading) -> bool {
        let said = |word: &&Word| reading.text.words.iter().any(|own| own.lower == word.lower);
        let looks = |word: &&Word| rank::is_looking(&LEXICON.of_keys(&word.keys));
        let mut lessons = def.lessons.iter();
        lessons.any(|lesson| {
            let bare = lesson.arguments.as_object().is_none_or(Map::is_empty);
            let words = lesson.without_values.words.iter();
            let words: Vec<&Word> = words.filter(|word| !word.function).collect();
            // "show the shortlist" is about the shortlist; "show the list" about all of itself.
            let things: Vec<&Word> = words.iter().copied().filter(|word| !looks(word)).collect();
            let telling = if things.is_empty() { words } else { things };
            bare && !telling.is_empty() && telling.iter().all(said)
        })
    }

    /// Whether a day or a time is named that an action on an existing thing cannot take.
    fn is_deferred(&self, def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
        let days = reading.when.days.iter().map(|day| &day.span);
        let times = reading.when.times.iter().map(|time| &time.span);
        def.writes
            && def.target.is_some()
            && days.chain(times).any(|span| !is_among(&filled.taken, span))
    }

    /// "all", "all but …": more is meant than what is named.
    fn names_more(&self, reading: &Reading, filled: &Filled) -> bool {
        let free = |at: usize| !is_among(&filled.taken, &reading.text.words[at].span());
        let has = |cue: Cue| {
            (0..reading.text.words.len()).any(|at| cue.at(&reading.text, at) > 0 && free(at))
        };
        has(Cue::Exclusion)
            || (has(Cue::Everything) && filled.several.is_none() && reading.codes.is_empty())
    }

    /// One call, or one for each of several values.
    pub(super) fn calls(&self, tool: usize, filled: Filled) -> Vec<Step> {
        let settled = filled.recalled.is_empty();
        let call = |arguments| Step::Call {
            tool,
            arguments,
            settled,
        };
        match &filled.several {
            Some((param, values)) => values
                .iter()
                .map(|value| {
                    let mut arguments = filled.values.clone();
                    arguments.insert(param.clone(), Value::String(value.clone()));
                    call(arguments)
                })
                .collect(),
            None => vec![call(filled.values)],
        }
    }
}

/// Whether something was quoted that found no place.
fn loses_quote(reading: &Reading, filled: &Filled) -> bool {
    let mut quotes = reading.quotes.iter();
    quotes.any(|quote| !is_among(&filled.taken, quote))
}

/// Whether a figure was said that found no place although there is one for figures: what is
/// written would lack it.
fn loses_number(def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
    let open = |param: &Param| {
        matches!(param.kind, Kind::Number(_)) && !filled.values.contains_key(&param.name)
    };
    let mut numbers = reading.numbers.iter();
    def.params.iter().any(open) && numbers.any(|number| !is_among(&filled.taken, &number.digits))
}
