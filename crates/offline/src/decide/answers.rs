//! Messages that continue what came before: the answer to a question, what a form still lacks, and
//! follow-ups of a read.

use serde_json::{Map, Value};

use super::requests::{is_choice, points_back};
use super::{CERTAIN, Decider, Decision, SURE};
use crate::catalog::Tool;
use crate::dialogue::{CallRecord, Entry, PersonMessage};
use crate::language::Language;
use crate::lists;
use crate::say::{is_rejection, question_opening};
use crate::schema::{Kind, Param};
use crate::short_reply::ShortReply;
use crate::text::words;

/// A longer message stands on its own.
const SHORT_WORDS: usize = 8;

impl Decider<'_> {
    /// The answer to a question for missing values.
    pub(super) fn answered(&self, said: &PersonMessage) -> Option<Decision> {
        let place = self.open_question()?;
        let tool = &self.catalog.tools[place];
        let reply = ShortReply::of(&said.text);
        match reply {
            Some(ShortReply::Cancel) => return Some(self.dropped()),
            Some(ShortReply::Yes | ShortReply::No) | None => {}
            Some(_) => return None,
        }
        let mut arguments = self.arguments_so_far(place);
        let missing = tool.missing(&arguments);
        let given = self.answer_values(place, said, &missing);
        if given.is_empty() && reply.is_some() {
            return Some(self.dropped());
        }
        if !is_bare(said) && self.asks_otherwise(said, place, SURE) {
            return None;
        }
        if given.is_empty() {
            return (!self.asks_nothing(said)).then(|| self.question(tool, &missing));
        }
        arguments.extend(given);
        Some(self.complete(place, arguments, true, &[]))
    }

    /// The tool whose question is the newest answer, in whichever language it was asked.
    fn open_question(&self) -> Option<usize> {
        let answer = self.dialogue.answers().next()?;
        self.catalog
            .tools
            .iter()
            .position(|tool| asks_for(answer, tool))
    }

    /// What the messages that led to the question say.
    fn arguments_so_far(&self, place: usize) -> Map<String, Value> {
        let mut sources: Vec<&PersonMessage> = Vec::new();
        for entry in self.dialogue.before.iter().rev() {
            match entry {
                Entry::Person(said) => sources.push(said),
                Entry::Answer(answer)
                    if asks_for(answer, &self.catalog.tools[place]) || is_choice(answer) => {}
                Entry::Answer(_) | Entry::Call(_) => break,
            }
        }
        let mut arguments = Map::new();
        for (at, said) in sources.into_iter().rev().enumerate() {
            arguments.extend(self.extract(place, said, at > 0));
        }
        arguments
    }

    /// The values that an answer gives. The whole answer is the value where one name was asked for.
    fn answer_values(
        &self,
        place: usize,
        said: &PersonMessage,
        missing: &[&Param],
    ) -> Map<String, Value> {
        const LONGEST_NAME: usize = 4;
        let mut given = self.extract(place, said, true);
        given.retain(|name, _| missing.iter().any(|param| param.name == *name));
        if let [param] = missing
            && given.is_empty()
        {
            let short = (1..=LONGEST_NAME).contains(&words(&said.text).len());
            let named = short && matches!(param.kind, Kind::Name | Kind::Identifier);
            let value = match ShortReply::of(&said.text) {
                Some(ShortReply::Yes) => Some(Value::Bool(true)),
                Some(ShortReply::No) => Some(Value::Bool(false)),
                Some(_) => None,
                None => named.then(|| Value::from(said.text.as_str())),
            };
            let fits = |value: &Value| value.is_string() || matches!(param.kind, Kind::Boolean);
            given.extend(value.filter(fits).map(|value| (param.name.clone(), value)));
        }
        given
    }

    /// What the form of the turn before still lacks: the same call with it.
    pub(super) fn completed(&self, said: &PersonMessage) -> Option<Decision> {
        let call = self.dialogue.last_call()?;
        let place = self.catalog.named(&call.name)?;
        let tool = &self.catalog.tools[place];
        let declined = call.result.as_deref().is_some_and(is_rejection);
        let otherwise = !is_bare(said) && self.asks_otherwise(said, place, SURE);
        if !tool.is_proposed() || declined || otherwise {
            return None;
        }
        let missing = tool.missing(&call.arguments);
        let given = self.answer_values(place, said, &missing);
        let text = |param: &&&Param| matches!(param.kind, Kind::Text);
        let texts = missing
            .iter()
            .filter(text)
            .filter(|param| given.contains_key(&param.name));
        if texts.count() == given.len() && (given.is_empty() || self.asks_nothing(said)) {
            return None;
        }
        Some(Decision::call(place, merged(call, given)))
    }

    /// A short message that changes the last read, or that answers a tool which reads people's words.
    pub(super) fn followed_up(&self, said: &PersonMessage) -> Option<Decision> {
        let call = self.dialogue.last_call()?;
        let place = self.catalog.named(&call.name)?;
        let tool = &self.catalog.tools[place];
        let all = words(&said.text);
        let continues = all
            .first()
            .is_some_and(|word| lists::contains("continuing", &word.lower));
        let mut answers = self.dialogue.answers();
        let asked = answers.next().is_some_and(|answer| answer.contains('?'));
        let keeps = tool.gets_user_text && tool.undoable;
        // One word after a question answers it, whatever else the word may mean.
        let answered = keeps && asked && all.len() == 1;
        let least = if continues { CERTAIN } else { SURE };
        if !answered && self.asks_otherwise(said, place, least) {
            return None;
        }
        if keeps {
            let free = answered || (asked && !self.asks_nothing(said));
            return free.then(|| self.complete(place, Map::new(), false, &[]));
        }
        let short = continues || (all.len() <= SHORT_WORDS && !self.asks_nothing(said));
        if tool.writes || !short {
            return None;
        }
        let given = match tool.search_param() {
            Some(param) if continues || points_back(&said.text) => widened(call, param, said)?,
            Some(_) => return None,
            None => self.extract(place, said, true),
        };
        let changed = !given.is_empty();
        changed.then(|| self.complete(place, merged(call, given), continues, &[]))
    }
}

/// The arguments of a call with what a later message gives.
fn merged(call: &CallRecord, given: Map<String, Value>) -> Map<String, Value> {
    let mut arguments = call.arguments.clone();
    arguments.extend(given);
    arguments
}

/// Whether a message is hardly more than a value.
fn is_bare(said: &PersonMessage) -> bool {
    const FEW: usize = 3;
    words(&said.text).len() <= FEW
}

fn asks_for(answer: &str, tool: &Tool) -> bool {
    let mut languages = Language::ALL.iter();
    languages.any(|language| answer.contains(&question_opening(*language, &tool.title)))
}

/// The last search together with this message, so that "it" and "them" keep their meaning.
fn widened(call: &CallRecord, param: &Param, said: &PersonMessage) -> Option<Map<String, Value>> {
    let before = call.arguments.get(&param.name)?.as_str()?;
    let both = format!("{before} {}", said.text);
    let text = if param.fits(&both) {
        both
    } else {
        said.text.clone()
    };
    Some(Map::from_iter([(param.name.clone(), Value::from(text))]))
}
