//! What a person says about themselves, where a tool declares that it listens: such a tool
//! is told that there was a statement, and takes from the person's own words what it keeps.
//! So nothing is written here that was not said, and a wrong guess writes nothing.

use serde_json::Map;

use super::super::cues::Cue;
use super::super::dialogue::Said;
use super::super::lexicon::LEXICON;
use super::super::mood;
use super::super::reading::Reading;
use super::super::recall::Memory;
use super::choose::Choice;
use super::{Mind, Step};

impl Mind<'_> {
    /// The call of the tool that listens, unless the message asks for or about something
    /// else.
    pub(super) fn heard(&self, reading: &Reading, said: &Said) -> Option<Step> {
        let mut listening = (0..self.index.tools.len()).filter(|tool| self.tool(*tool).listens);
        let tool = listening.next()?;
        if listening.next().is_some() || !states(&said.text) {
            return None;
        }
        let memory = Memory::new(self.dialogue);
        let choice = self.choose(&self.sources(reading, said, &memory));
        let statement = match &choice {
            Choice::Tool {
                tool: other,
                commanded,
            } => {
                let ordered = *commanded && !tells(reading) || orders(reading);
                *other == tool || !ordered
            }
            Choice::Unclear(_) => !orders(reading),
            Choice::Nothing => !reading.question && !orders(reading),
        };
        let statement = statement && !forbids(reading);
        if statement && !says_something(reading) && self.beyond(reading, said, &choice).is_some() {
            return None;
        }
        (statement && mood::small_talk(&reading.text).is_none()).then(|| Step::Call {
            tool,
            arguments: Map::new(),
            settled: true,
        })
    }
}

/// Whether there is anything beside questions.
fn states(text: &str) -> bool {
    let mut rest = text;
    while let Some(end) = rest.find('?') {
        let asked = &rest[..end];
        let begin = asked.rfind(['.', '!', '\n', ';']).map_or(0, |at| at + 1);
        if asked[..begin].chars().any(char::is_alphanumeric) {
            return true;
        }
        rest = &rest[end + 1..];
    }
    rest.chars().any(char::is_alphanumeric)
}

/// Whether it begins with a command.
fn orders(reading: &Reading) -> bool {
    let Some(head) = reading.head.as_ref().filter(|head| head.command) else {
        return false;
    };
    let begins = Cue::skip(&[Cue::Greeting, Cue::Polite], &reading.text, 0);
    // "We need it before May" tells what they need.
    let needs = |word: usize| {
        let mut means = reading.meanings[word].concepts.iter();
        means.any(|concept| LEXICON.name(*concept) == "need")
    };
    head.word.is_some_and(|word| word == begins && !needs(word))
}

/// "don't add anything yet": what is not to be done is no fact.
fn forbids(reading: &Reading) -> bool {
    let begins = Cue::skip(&[Cue::Greeting, Cue::Polite], &reading.text, 0);
    let denied = Cue::Negation.at(&reading.text, begins);
    let next = reading.meanings.get(begins + denied);
    denied > 0 && next.is_some_and(|next| !next.commands.is_empty())
}

/// Whether anything is said of somebody or something: who, how much, what it is like. "Next phase:
/// selection" says nothing.
fn says_something(reading: &Reading) -> bool {
    let text = &reading.text;
    let small = |at: usize| {
        let word = text.words[at].lower.as_str();
        let owner = Cue::Possessive.at(text, at) > 0;
        owner || WE.contains(&word) || Cue::Helping.at(text, at) > 0
    };
    !reading.numbers.is_empty() || (0..text.words.len()).any(small)
}

/// "our people get 22 dollars": the verb is what somebody does, not what is to be done.
fn tells(reading: &Reading) -> bool {
    let behind = |word: usize| {
        let begins = Cue::skip(&[Cue::Greeting, Cue::Polite], &reading.text, 0);
        let owner = Cue::Possessive.at(&reading.text, begins) > 0;
        word > begins && (owner || WE.contains(&reading.text.words[begins].lower.as_str()))
    };
    let head = reading.head.as_ref().and_then(|head| head.word);
    !reading.question && head.is_some_and(behind)
}

const WE: [&str; 12] = [
    "we", "i", "they", "he", "she", "it", "мы", "я", "vi", "jag", "jeg", "wir",
];
