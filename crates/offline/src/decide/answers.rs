//! Messages that continue the dialogue: answers, missing form values, and follow-ups to a read.

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
use crate::text::{Word, words};

/// A longer message is a request of its own.
const SHORT_WORDS: usize = 8;

impl Decider<'_> {
    /// Handles the answer to a question about missing values.
    pub(super) fn answered(&self, msg: &PersonMessage) -> Option<Decision> {
        let place = self.open_question()?;
        let tool = &self.catalog.tools[place];
        let reply = ShortReply::of(&msg.text);
        match reply {
            Some(ShortReply::Cancel) => return Some(self.dropped()),
            Some(ShortReply::Yes | ShortReply::No) | None => {}
            Some(_) => return None,
        }
        let mut arguments = self.arguments_so_far(place);
        let missing = tool.missing(&arguments);
        let given = self.answer_values(place, msg, &missing);
        if given.is_empty() && reply.is_some() {
            return Some(self.dropped());
        }
        // A value may contain words of other requests; with one value missing, more evidence counts.
        let last = missing.len() == 1 && !given.is_empty();
        let least = if last { CERTAIN } else { SURE };
        if !is_bare(msg) && self.asks_otherwise(msg, place, least) {
            return None;
        }
        if given.is_empty() {
            return (!self.asks_nothing(msg)).then(|| self.question(tool, &missing));
        }
        arguments.extend(given);
        Some(self.complete(place, arguments, true, &[]))
    }

    /// The tool that the newest answer asks about, in any language.
    fn open_question(&self) -> Option<usize> {
        let answer = self.dialogue.answers().next()?;
        self.catalog
            .tools
            .iter()
            .position(|tool| asks_for(answer, tool))
    }

    /// The values in the messages that led to the question.
    fn arguments_so_far(&self, place: usize) -> Map<String, Value> {
        let mut sources: Vec<&PersonMessage> = Vec::new();
        for entry in self.dialogue.before.iter().rev() {
            match entry {
                Entry::Person(msg) => sources.push(msg),
                Entry::Answer(answer)
                    if asks_for(answer, &self.catalog.tools[place]) || is_choice(answer) => {}
                Entry::Answer(_) | Entry::Call(_) => break,
            }
        }
        let mut arguments = Map::new();
        for (at, msg) in sources.into_iter().rev().enumerate() {
            arguments.extend(self.extract(place, msg, at > 0));
        }
        arguments
    }

    /// The values in an answer. If one name was asked for, the whole answer is the value.
    fn answer_values(
        &self,
        place: usize,
        msg: &PersonMessage,
        missing: &[&Param],
    ) -> Map<String, Value> {
        let mut given = self.extract(place, msg, true);
        given.retain(|name, _| missing.iter().any(|param| param.name == *name));
        if let [param] = missing
            && given.is_empty()
        {
            let named = is_bare(msg) && matches!(param.kind, Kind::Name | Kind::Identifier);
            let value = match ShortReply::of(&msg.text) {
                Some(ShortReply::Yes) => Some(Value::Bool(true)),
                Some(ShortReply::No) => Some(Value::Bool(false)),
                Some(_) => None,
                None => named.then(|| Value::from(msg.text.as_str())),
            };
            let fits = |value: &Value| value.is_string() || matches!(param.kind, Kind::Boolean);
            given.extend(value.filter(fits).map(|value| (param.name.clone(), value)));
        }
        given
    }

    /// Repeats the form of the previous turn with the values that it lacked.
    pub(super) fn completed(&self, msg: &PersonMessage) -> Option<Decision> {
        let call = self.dialogue.last_call()?;
        let place = self.catalog.named(&call.name)?;
        let tool = &self.catalog.tools[place];
        let declined = call.result.as_deref().is_some_and(is_rejection);
        let otherwise = !is_bare(msg) && self.asks_otherwise(msg, place, SURE);
        if !tool.is_proposed() || declined || otherwise {
            return None;
        }
        let missing = tool.missing(&call.arguments);
        let given = self.answer_values(place, msg, &missing);
        let text = |param: &&&Param| matches!(param.kind, Kind::Text);
        let texts = missing
            .iter()
            .filter(text)
            .filter(|param| given.contains_key(&param.name));
        if texts.count() == given.len() && (given.is_empty() || self.asks_nothing(msg)) {
            return None;
        }
        Some(Decision::call(place, merged(call, given)))
    }

    /// Handles a short message that changes the last read or answers a tool that gets words.
    pub(super) fn followed_up(&self, msg: &PersonMessage) -> Option<Decision> {
        let call = self.dialogue.last_call()?;
        let place = self.catalog.named(&call.name)?;
        let tool = &self.catalog.tools[place];
        let all = words(&msg.text);
        let continues = continues(&all);
        let mut answers = self.dialogue.answers();
        let asked = answers.next().is_some_and(|answer| answer.contains('?'));
        let keeps = tool.gets_user_text && tool.undoable;
        // A single word after a question is its answer, whatever else it may mean.
        let answered = keeps && asked && all.len() == 1;
        let least = if continues { CERTAIN } else { SURE };
        if !answered && self.asks_otherwise(msg, place, least) {
            return None;
        }
        if keeps {
            // A question is no answer to a question.
            let question = msg.text.trim_end().ends_with('?');
            let free = answered || (asked && !question && !self.asks_nothing(msg));
            return free.then(|| self.complete(place, Map::new(), false, &[]));
        }
        let short = continues || (all.len() <= SHORT_WORDS && !self.asks_nothing(msg));
        if tool.writes || !short || is_question(msg) {
            return None;
        }
        let given = match tool.search_param() {
            Some(param) if continues || points_back(&msg.text) => widened(call, param, msg)?,
            Some(_) => return None,
            None => self.extract(place, msg, true),
        };
        if given.is_empty() {
            return None;
        }
        let unused = self.unused(place, msg);
        if unused.is_empty() || tool.search_param().is_some() {
            return Some(self.complete(place, merged(call, given), continues, &[]));
        }
        // A title after this would not include the earlier values.
        let doubtful = || self.doubtful(place, &merged(call, given), &unused, &msg.text);
        let own = !continues && !points_back(&msg.text);
        (!own).then(|| Decision::say(doubtful().text, Vec::new()))
    }
}

/// The arguments of a call, updated by a later message.
fn merged(call: &CallRecord, given: Map<String, Value>) -> Map<String, Value> {
    let mut arguments = call.arguments.clone();
    arguments.extend(given);
    arguments
}

/// True if a message is hardly more than a value: a few words, or a longer name in capitals such as
/// a job title.
fn is_bare(msg: &PersonMessage) -> bool {
    const FEW: usize = 4;
    let all = words(&msg.text);
    let capital = |word: &Word| word.in_text(&msg.text).starts_with(char::is_uppercase);
    let is_name = all.len() <= SHORT_WORDS && all.iter().all(capital);
    !msg.text.contains('?') && !all.is_empty() && (all.len() <= FEW || is_name)
}

/// "And in April?", "what about April?"
fn continues(all: &[Word]) -> bool {
    let is = |place: usize, list| {
        all.get(place)
            .is_some_and(|word| lists::contains(list, &word.lower))
    };
    is(0, "continuing") || (is(0, "question") && is(1, "continuing question"))
}

/// True if a message is a question of its own: what an earlier one asked for does not limit it. "Who is new?" is
/// about everybody; "who of them is new?" and "and who is new?" are not.
fn is_question(msg: &PersonMessage) -> bool {
    let all = words(&msg.text);
    // "У кого" and "in which" begin with a preposition.
    let asks = all
        .iter()
        .take(2)
        .any(|word| lists::contains("question", &word.lower));
    asks && !continues(&all) && !points_back(&msg.text)
}

fn asks_for(answer: &str, tool: &Tool) -> bool {
    let mut languages = Language::ALL.iter();
    languages.any(|language| answer.contains(&question_opening(*language, &tool.title)))
}

/// Appends the message to the last search, so that "it" and "them" keep their meaning.
fn widened(call: &CallRecord, param: &Param, msg: &PersonMessage) -> Option<Map<String, Value>> {
    let before = call.arguments.get(&param.name)?.as_str()?;
    let both = format!("{before} {}", msg.text);
    let text = if param.fits(&both) {
        both
    } else {
        msg.text.clone()
    };
    Some(Map::from_iter([(param.name.clone(), Value::from(text))]))
}
