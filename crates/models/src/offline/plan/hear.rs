//! What a person says about themselves, where a tool declares that it listens: such a tool
//! is told that there was a statement, and takes from the person's own words what it keeps.
//! So nothing is written here that was not said, and a wrong guess writes nothing.

use serde_json::Map;

use super::super::dialogue::Said;
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
        let statement = match self.choose(&self.sources(reading, said, &memory)) {
            Choice::Tool {
                tool: other,
                commanded,
            } => other == tool || !(commanded || orders(reading)),
            Choice::Unclear(_) => !orders(reading),
            Choice::Nothing => !reading.question && !orders(reading),
        };
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
    head.word.is_some_and(|word| word == 0)
}
