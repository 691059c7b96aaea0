//! A request that waits for an answer to our own question, rebuilt from the messages:
//! the question in the history says which tool it was about, the person's messages
//! before it say the rest.

use super::cues::Cue;
use super::dialogue::{Dialogue, Entry, Said};
use super::fill::{Filled, answered, fill};
use super::index::Index;
use super::mood::{self, Doubt};
use super::param::Kind;
use super::plan::{Mind, Step};
use super::question::{self, Question};
use super::rank::rank;
use super::reading::Reading;
use super::recall::Memory;
use super::words::Text;

/// A question is followed back through so many answers.
const LONGEST_CHAIN: usize = 8;

/// One exchange: what the person said, and what was asked back.
struct Exchange {
    person: usize,
    question: Question,
}

/// A request that is not complete yet.
struct Begun {
    state: Filled,
    /// The message it began with, and what was taken from it.
    base: Reading,
    first: Filled,
}

impl Mind<'_> {
    /// What follows from an answer to the open question; `None` when there is none or
    /// the message is about something else.
    pub(super) fn answer_pending(&self, said: &Said, text: &Text) -> Option<Vec<Step>> {
        let chain = chain(self.dialogue, self.index);
        let open = chain.last()?.question.clone();
        let phrases = self.language.phrases();
        if mood::is_cancel(text) {
            return Some(vec![Step::Say(phrases.dropped.to_owned())]);
        }
        let reading = self.read(&said.text);
        match &open {
            Question::Which(tools) => {
                if mood::is_no(text) && reading.terms.is_empty() {
                    return Some(vec![Step::Say(phrases.dropped.to_owned())]);
                }
                let tool = self.picked(tools, &reading)?;
                let begun = self.rebuilt(&chain, Some(tool))?;
                let mut state = self.with_handles(tool, begun.state, said);
                state.taken = begun.first.taken;
                state.chosen = begun.first.chosen;
                Some(self.act(tool, state, &begun.base, true))
            }
            Question::Confirm { tool } => self.confirmed(*tool, &chain, said, text, &reading),
            Question::Missing { tool, params } => {
                let begun = self.rebuilt(&chain, None)?;
                if self.is_other_request(*tool, params, &reading, said) || thanks(&reading, said) {
                    return None;
                }
                let memory = Memory::new(self.dialogue);
                let sources = self.sources(&reading, said, &memory);
                let now = answered(self.tool(*tool), params, begun.state.clone(), sources);
                let now = self.in_direction(*tool, now, &begun, &reading, said);
                let learned =
                    now.values != begun.state.values || now.moments != begun.state.moments;
                if !learned && self.has_own_request(&reading, said) {
                    return None;
                }
                // What made the first request doubtful still does.
                let doubt = mood::doubt(&begun.base, &begun.first.taken_freely());
                let drafts = self.tool(*tool).drafts;
                let doubtful = doubt.is_some_and(|doubt| !drafts || doubt != Doubt::Reported);
                Some(self.act(*tool, now, &reading, !doubtful))
            }
        }
    }

    /// "take one off" – "the CC1": where one of two lists takes the name, the first message says which.
    fn in_direction(
        &self,
        tool: usize,
        now: Filled,
        begun: &Begun,
        reading: &Reading,
        said: &Said,
    ) -> Filled {
        let def = self.tool(tool);
        let is_list = |name: &String| {
            let param = def.param(name);
            param.is_some_and(|param| matches!(param.kind, Kind::List(_)))
        };
        let lists = def.params.iter().filter(|param| is_list(&param.name));
        let new = now.values.keys().filter(|name| is_list(name)).count();
        if lists.count() < 2 || new != 1 || !begun.state.values.is_empty() {
            return now;
        }
        let first = begun.base.text.raw.trim_end_matches(['.', '!', '?', ' ']);
        let whole = self.read(&format!("{first} {}", reading.text.raw));
        let memory = Memory::new(self.dialogue);
        let both = fill(def, self.sources(&whole, said, &memory));
        Filled {
            values: if both.values.is_empty() {
                now.values
            } else {
                both.values
            },
            ..now
        }
    }

    fn confirmed(
        &self,
        tool: usize,
        chain: &[Exchange],
        said: &Said,
        text: &Text,
        reading: &Reading,
    ) -> Option<Vec<Step>> {
        let state = self.rebuilt(chain, None)?.state;
        let memory = Memory::new(self.dialogue);
        let now = answered(
            self.tool(tool),
            &[],
            state.clone(),
            self.sources(reading, said, &memory),
        );
        let changed = now.values != state.values;
        // "ok, no problem, have a nice day" takes leave.
        let leaves = [Cue::Remark, Cue::Bye].iter().any(|cue| cue.is_in(text));
        let agrees = mood::is_yes(text) && !leaves;
        if agrees && !changed && now.missing(self.tool(tool)).is_empty() {
            return Some(self.calls(tool, state));
        }
        if changed {
            return Some(vec![Step::Say(question::confirm(
                self.tool(tool),
                &now,
                self.language,
            ))]);
        }
        if mood::is_no(text) && !self.has_own_request(reading, said) {
            return Some(vec![Step::Say(self.language.phrases().dropped.to_owned())]);
        }
        None
    }

    /// The request as it stood when the last question of the chain was asked.
    fn rebuilt(&self, chain: &[Exchange], picked: Option<usize>) -> Option<Begun> {
        let wanted = picked.or_else(|| chain.last()?.question.tool())?;
        // The request begins with the first exchange from which on only this tool is asked about.
        let start = chain
            .iter()
            .rposition(|exchange| exchange.question.tool().is_some_and(|tool| tool != wanted))
            .map_or(0, |other| other + 1);
        let chain = chain.get(start..)?;
        let first = chain.first()?;
        let Entry::Person(said) = self.dialogue.before.get(first.person)? else {
            return None;
        };
        let dialogue = self.dialogue.until(first.person);
        let (mut state, base) = match self.followed(&dialogue, said) {
            Some(next) if next.tool == wanted => (next.state, self.read(&said.text)),
            Some(_) | None => {
                let base = self.part_for(wanted, said);
                let memory = Memory::new(&dialogue);
                let state = fill(self.tool(wanted), self.sources(&base, said, &memory));
                (state, base)
            }
        };
        let first = state.clone();
        for pair in chain.windows(2) {
            let Entry::Person(said) = self.dialogue.before.get(pair[1].person)? else {
                return None;
            };
            let asked = match &pair[0].question {
                Question::Missing { params, .. } => params.clone(),
                Question::Which(_) | Question::Confirm { .. } => Vec::new(),
            };
            // The answer to "which of these?" says which, and nothing else.
            if matches!(pair[0].question, Question::Which(_)) {
                continue;
            }
            let dialogue = self.dialogue.until(pair[1].person);
            let memory = Memory::new(&dialogue);
            let reading = self.read(&said.text);
            state = answered(
                self.tool(wanted),
                &asked,
                state,
                self.sources(&reading, said, &memory),
            );
        }
        Some(Begun { state, base, first })
    }

    /// The part of a message that is about this tool.
    fn part_for(&self, tool: usize, said: &Said) -> Reading {
        let whole = self.read(&said.text);
        let parts = self.requests_in(&whole, said);
        let fits = |part: &String| {
            let reading = self.read(part);
            let ranked = rank(self.index, &reading, said);
            ranked
                .into_iter()
                .find(|s| s.tool == tool)
                .map_or(0.0, |s| s.score)
        };
        let best = parts
            .iter()
            .map(|part| (fits(part), part))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((_, part)) if parts.len() > 1 => self.read(part),
            Some(_) | None => whole,
        }
    }

    /// The tool that an answer to "which of these?" names: by place or by its words.
    fn picked(&self, tools: &[usize], reading: &Reading) -> Option<usize> {
        let place = super::recall::ordinal(&reading.text, tools.len()).or_else(|| {
            let number = reading
                .numbers
                .first()
                .filter(|_| reading.text.words.len() <= 3)?;
            let place = number.value as usize;
            (1..=tools.len()).contains(&place).then(|| place - 1)
        });
        if let Some(place) = place {
            return tools.get(place).copied();
        }
        let share = |tool: usize| {
            let def = self.tool(tool);
            let said = |word: &&Vec<String>| {
                reading
                    .terms
                    .iter()
                    .any(|term| term.keys.iter().any(|(key, _)| word.contains(key)))
            };
            // A word that all of them have tells nothing.
            let telling = def
                .title_terms
                .iter()
                .chain(&def.name_terms)
                .filter(|word| {
                    tools.iter().any(|other| {
                        let other = self.tool(*other);
                        !other
                            .title_terms
                            .iter()
                            .chain(&other.name_terms)
                            .any(|w| w.iter().any(|k| word.contains(k)))
                    })
                });
            telling.filter(said).count()
        };
        let best = tools
            .iter()
            .map(|tool| share(*tool))
            .max()
            .filter(|best| *best > 0)?;
        let mut named = tools.iter().filter(|tool| share(**tool) == best);
        let tool = named.next()?;
        named.next().is_none().then_some(*tool)
    }

    fn with_handles(&self, tool: usize, state: Filled, said: &Said) -> Filled {
        if said.files.is_empty() && !said.has_text() {
            return state;
        }
        let reading = self.read("");
        let memory = Memory::new(self.dialogue);
        answered(
            self.tool(tool),
            &[],
            state,
            self.sources(&reading, said, &memory),
        )
    }

    fn has_own_request(&self, reading: &Reading, said: &Said) -> bool {
        let ranked = rank(self.index, reading, said);
        let best = ranked.first();
        mood::small_talk(&reading.text).is_some()
            || best.is_some_and(|best| best.action && super::plan::is_clear(best))
    }

    /// Whether the message leaves the open question for another request. Where free text
    /// was asked for, almost anything is an answer.
    fn is_other_request(
        &self,
        tool: usize,
        asked: &[String],
        reading: &Reading,
        said: &Said,
    ) -> bool {
        let ranked = rank(self.index, reading, said);
        let Some(best) = ranked.first() else {
            return false;
        };
        let def = self.tool(tool);
        let free = asked
            .iter()
            .filter_map(|name| def.param(name))
            .any(|param| matches!(param.kind, Kind::Name | Kind::Text | Kind::LongText));
        let orders = best.tool != tool && best.action && super::plan::is_clear(best);
        let names_code = !reading.codes.is_empty()
            && self
                .tool(best.tool)
                .params
                .iter()
                .any(|p| p.kind.pattern().is_some());
        let help = mood::small_talk(&reading.text)
            .is_some_and(|talk| matches!(talk, mood::Talk::Help | mood::Talk::Identity));
        // "we recommend her" may be an order elsewhere; to a question which of these, it is an answer.
        const SHORT: usize = 3;
        let chosen = || {
            let memory = Memory::new(self.dialogue);
            let given = fill(def, self.sources(reading, said, &memory)).values;
            asked
                .iter()
                .filter_map(|name| def.param(name))
                .any(|param| matches!(param.kind, Kind::Enum(_)) && given.contains_key(&param.name))
        };
        // "Mark Stone and Julia Weber": nothing but names orders nothing where names were asked for.
        let text = &reading.text;
        let is_name = |at: usize| text.is_capitalised(at) || Cue::Join.at(text, at) > 0;
        let takes_names = |kind: &Kind| matches!(kind, Kind::Name) || kind.lists_words();
        let mut params = asked.iter().filter_map(|name| def.param(name));
        let names = params.any(|param| takes_names(&param.kind));
        if names && text.words.len() > 1 && (0..text.words.len()).all(is_name) {
            return false;
        }
        let answers = reading.text.words.len() <= SHORT && !names_code && chosen();
        help || (orders && !answers && (!free || names_code || best.likeness >= 0.75))
    }
}

impl Question {
    fn tool(&self) -> Option<usize> {
        match self {
            Question::Missing { tool, .. } | Question::Confirm { tool } => Some(*tool),
            Question::Which(_) => None,
        }
    }
}

/// "much better, thank you!" answers nothing.
fn thanks(reading: &Reading, said: &Said) -> bool {
    const SHORT: usize = 8;
    let text = &reading.text;
    let given = said.has_text() || !said.files.is_empty() || !reading.quotes.is_empty();
    let values = reading.names > 0 || !reading.numbers.is_empty() || !reading.codes.is_empty();
    let short = text.words.len() <= SHORT;
    (Cue::Thanks.is_in(text) || Cue::Remark.is_in(text)) && short && !given && !values
}

/// The exchanges that led to the open question, oldest first.
fn chain(dialogue: &Dialogue, index: &Index) -> Vec<Exchange> {
    let mut chain = Vec::new();
    let mut at = dialogue.before.len();
    while chain.len() < LONGEST_CHAIN && at > 0 {
        let Some(Entry::Answer(answer)) = dialogue.before.get(at - 1) else {
            break;
        };
        let Some(question) = Question::recognise(answer, index) else {
            break;
        };
        let Some(person) = dialogue.before[..at - 1]
            .iter()
            .rposition(|entry| matches!(entry, Entry::Person(_)))
        else {
            break;
        };
        chain.push(Exchange { person, question });
        at = person;
    }
    chain.reverse();
    chain
}
