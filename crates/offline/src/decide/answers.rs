//! Messages that continue what came before: the answer to a question, what a form still lacks, and
//! follow-ups of a read.

use serde_json::{Map, Value};

use super::requests::points_back;
use super::{CERTAIN, Decider, Decision, SURE};
use crate::catalog::Tool;
use crate::dialogue::{CallRecord, Entry, Said};
use crate::extract::extract;
use crate::language::Language;
use crate::say::{Phrases, question_opening};
use crate::schema::{Kind, Param};
use crate::short_reply::ShortReply;
use crate::text::words;

/// First words that continue what was said before.
const CONTINUING: [&str; 20] = [
    "and",
    "or",
    "also",
    "only",
    "just",
    "what",
    "now",
    "och",
    "bara",
    "og",
    "kun",
    "bare",
    "und",
    "nur",
    "oder",
    "а",
    "и",
    "или",
    "только",
    "теперь",
];
/// A longer message stands on its own.
const SHORT_WORDS: usize = 8;

impl Decider<'_> {
    /// The answer to a question for missing values.
    pub(super) fn answered(&self, said: &Said) -> Option<Decision> {
        let place = self.open_question()?;
        let tool = &self.catalog.tools[place];
        match ShortReply::of(&said.text) {
            Some(ShortReply::Cancel) => return Some(Decision::say(self.phrases().dropped)),
            Some(ShortReply::Yes | ShortReply::No) | None => {}
            Some(
                ShortReply::Again | ShortReply::Greeting | ShortReply::Thanks | ShortReply::Help,
            ) => return None,
        }
        let known = self.arguments_so_far(place);
        let missing = |param: &&Param| param.required && !known.contains_key(&param.name);
        let missing: Vec<&Param> = tool.params.iter().filter(missing).collect();
        let given = self.answer_values(place, said, &missing);
        if given.is_empty() {
            if ShortReply::of(&said.text).is_some() {
                return Some(Decision::say(self.phrases().dropped));
            }
            let stays = !self.asks_otherwise(said, place, SURE) && !self.asks_nothing(said);
            return stays.then(|| self.question(tool, &missing));
        }
        if !is_bare(said) && self.asks_otherwise(said, place, SURE) {
            return None;
        }
        let mut arguments = known;
        arguments.extend(given);
        Some(self.complete(place, arguments, true, &[]))
    }

    /// The tool whose question is the newest answer, in whichever language it was asked.
    fn open_question(&self) -> Option<usize> {
        let Some(Entry::Answer(answer)) = self.dialogue.before.last() else {
            return None;
        };
        self.catalog
            .tools
            .iter()
            .position(|tool| asks_for(answer, tool))
    }

    /// What the messages that led to the question say.
    fn arguments_so_far(&self, place: usize) -> Map<String, Value> {
        let tool = &self.catalog.tools[place];
        let mut sources: Vec<&Said> = Vec::new();
        for entry in self.dialogue.before.iter().rev() {
            match entry {
                Entry::Person(said) => sources.push(said),
                Entry::Answer(answer) if asks_for(answer, tool) || self.is_choice(answer) => {}
                Entry::Answer(_) | Entry::Call(_) => break,
            }
        }
        let mut arguments = Map::new();
        let first = sources.len().saturating_sub(1);
        for (at, said) in sources.into_iter().rev().enumerate() {
            let answer = at > 0 && first > 0;
            arguments.extend(extract(
                self.catalog,
                place,
                said,
                self.dialogue.today,
                answer,
            ));
        }
        arguments
    }

    /// The values that an answer gives. The whole answer is the value where one text or name was asked for.
    fn answer_values(&self, place: usize, said: &Said, missing: &[&Param]) -> Map<String, Value> {
        const LONGEST_NAME: usize = 4;
        let mut given = extract(self.catalog, place, said, self.dialogue.today, true);
        given.retain(|name, _| missing.iter().any(|param| param.name == *name));
        if let [param] = missing
            && given.is_empty()
        {
            let reply = ShortReply::of(&said.text);
            let count = words(&said.text).len();
            match (&param.kind, reply) {
                (Kind::Boolean, Some(ShortReply::Yes)) => {
                    given.insert(param.name.clone(), Value::Bool(true));
                }
                (Kind::Boolean, Some(ShortReply::No)) => {
                    given.insert(param.name.clone(), Value::Bool(false));
                }
                (Kind::Name | Kind::Identifier, None) if (1..=LONGEST_NAME).contains(&count) => {
                    given.insert(param.name.clone(), Value::from(said.text.as_str()));
                }
                _ => {}
            }
        }
        given
    }

    /// What the form of the turn before still lacks: the same call with it.
    pub(super) fn completed(&self, said: &Said) -> Option<Decision> {
        let call = self.dialogue.last_call()?;
        let place = self.catalog.named(&call.name)?;
        let tool = &self.catalog.tools[place];
        let declined = call.result.as_deref().is_some_and(crate::say::is_rejection);
        let otherwise = !is_bare(said) && self.asks_otherwise(said, place, SURE);
        if !tool.is_proposed() || declined || otherwise {
            return None;
        }
        let missing = |param: &&Param| param.required && !call.arguments.contains_key(&param.name);
        let missing: Vec<&Param> = tool.params.iter().filter(missing).collect();
        let given = self.answer_values(place, said, &missing);
        let only_text = given.keys().all(|name| {
            let param = tool.param(name);
            param.is_some_and(|param| matches!(param.kind, Kind::Text))
        });
        if given.is_empty() || (only_text && self.asks_nothing(said)) {
            return None;
        }
        let mut arguments = call.arguments.clone();
        arguments.extend(given);
        Some(Decision::call((place, arguments)))
    }

    /// A short message that changes the last read, or that answers a tool which reads people's words.
    pub(super) fn followed_up(&self, said: &Said) -> Option<Decision> {
        let call = self.dialogue.last_call()?;
        let place = self.catalog.named(&call.name)?;
        let tool = &self.catalog.tools[place];
        let continues = words(&said.text)
            .first()
            .is_some_and(|word| CONTINUING.contains(&word.lower.as_str()));
        let least = if continues { CERTAIN } else { SURE };
        if self.asks_otherwise(said, place, least) {
            return None;
        }
        if tool.gets_user_text && tool.undoable {
            let asked = self
                .dialogue
                .last_answer()
                .is_some_and(|answer| answer.contains('?'));
            let free = asked && !self.asks_nothing(said);
            return free.then(|| self.complete(place, Map::new(), false, &[]));
        }
        let short = words(&said.text).len() <= SHORT_WORDS;
        if tool.writes || !(continues || short) || (!continues && self.asks_nothing(said)) {
            return None;
        }
        let arguments = match search_param(tool) {
            Some(param) if continues || points_back(&said.text) => widened(call, param, said)?,
            Some(_) => return None,
            None => self.changed(place, call, said)?,
        };
        Some(self.complete(place, arguments, continues, &[]))
    }

    /// The arguments of the last call with what this message changes.
    fn changed(&self, place: usize, call: &CallRecord, said: &Said) -> Option<Map<String, Value>> {
        let given = extract(self.catalog, place, said, self.dialogue.today, true);
        if given.is_empty() {
            return None;
        }
        let mut arguments = call.arguments.clone();
        arguments.extend(given);
        Some(arguments)
    }

    /// Whether an answer offers tools to choose from.
    pub(super) fn is_choice(&self, answer: &str) -> bool {
        let mut languages = Language::ALL.iter();
        languages.any(|language| {
            let phrases = Phrases::of(*language);
            [phrases.which, phrases.not_understood]
                .iter()
                .any(|choice| answer.contains(choice))
        })
    }

    pub(super) fn offered_choices(&self) -> bool {
        self.dialogue
            .last_answer()
            .is_some_and(|answer| self.is_choice(answer))
    }

    pub(super) fn last_said(&self) -> Option<&Said> {
        self.dialogue
            .before
            .iter()
            .rev()
            .find_map(|entry| match entry {
                Entry::Person(said) => Some(said),
                Entry::Answer(_) | Entry::Call(_) => None,
            })
    }
}

/// Whether a message is hardly more than a value.
fn is_bare(said: &Said) -> bool {
    const FEW: usize = 3;
    words(&said.text).len() <= FEW
}

fn asks_for(answer: &str, tool: &Tool) -> bool {
    let mut languages = Language::ALL.iter();
    languages.any(|language| answer.contains(&question_opening(*language, &tool.title)))
}

/// The text that a search looks for.
fn search_param(tool: &Tool) -> Option<&Param> {
    let mut required = tool.params.iter().filter(|param| param.required);
    let first = required
        .next()
        .filter(|param| matches!(param.kind, Kind::Text))?;
    required.next().is_none().then_some(first)
}

/// The last search together with this message, so that "it" and "them" keep their meaning.
fn widened(call: &CallRecord, param: &Param, said: &Said) -> Option<Map<String, Value>> {
    let before = call.arguments.get(&param.name)?.as_str()?;
    let text = format!("{before} {}", said.text);
    let fits = param
        .limits
        .longest
        .is_none_or(|longest| text.chars().count() <= longest);
    let mut arguments = call.arguments.clone();
    let text = if fits { text } else { said.text.clone() };
    arguments.insert(param.name.clone(), Value::from(text));
    Some(arguments)
}
