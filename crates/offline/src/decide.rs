//! Decides how to answer the newest message: calls, or a sentence with choices. A pure function of
//! the messages and the tools.

mod answers;
mod requests;
mod wording;

use serde_json::{Map, Value};

use crate::catalog::{Catalog, Intent};
use crate::dialogue::{Dialogue, PersonMessage};
use crate::extract::{extract, unused};
use crate::language::Language;
use crate::say::phrase;
use crate::short_reply::ShortReply;

/// Minimum probability to act on an intent. On held-out phrasings (`intent::cross_validation`) at
/// least 96 % of messages reach it, and 86 to 90 % of those are right.
const ACT: f32 = 0.4;
/// Minimum probability that a message is a new request rather than the answer to a question, and to
/// run a tool that takes effect without a form.
const SURE: f32 = 0.6;
/// Minimum probability that a clause is an additional request.
const CERTAIN: f32 = 0.8;

/// The index of a tool and its arguments.
pub(crate) type Call = (usize, Map<String, Value>);

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Decision {
    pub(crate) text: String,
    pub(crate) calls: Vec<Call>,
    pub(crate) quick_replies: Vec<String>,
}

impl Decision {
    fn say(text: impl Into<String>, quick_replies: Vec<String>) -> Self {
        let text = text.into();
        Self {
            text,
            quick_replies,
            ..Self::default()
        }
    }

    fn call(place: usize, arguments: Map<String, Value>) -> Self {
        Self {
            calls: vec![(place, arguments)],
            ..Self::default()
        }
    }
}

/// The inputs of a decision.
pub(crate) struct Decider<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) dialogue: &'a Dialogue,
    pub(crate) language: Language,
}

impl Decider<'_> {
    pub(crate) fn decide(&self) -> Decision {
        if self.catalog.tools.is_empty() {
            return Decision::say(self.phrase("no_tools"), Vec::new());
        }
        let Some(msg) = &self.dialogue.said else {
            return self.introduced(self.help());
        };
        if !msg.has_content() {
            return self.introduced(self.choices("unreadable", ""));
        }
        let decision = self
            .selected(msg)
            .or_else(|| self.answered(msg))
            .or_else(|| self.short_reply(msg))
            .or_else(|| self.completed(msg))
            .or_else(|| self.followed_up(msg))
            .unwrap_or_else(|| self.requested(msg));
        self.introduced(decision)
    }

    fn phrase(&self, key: &str) -> &'static str {
        phrase(self.language, key)
    }

    /// The first text answer also introduces the offline model.
    fn introduced(&self, mut decision: Decision) -> Decision {
        let known = |answer: &str| is_phrase(answer, "intro");
        if !decision.text.is_empty() && !self.dialogue.answers().any(known) {
            decision.text = format!("{}\n\n{}", decision.text, self.phrase("intro"));
        }
        decision
    }

    fn short_reply(&self, msg: &PersonMessage) -> Option<Decision> {
        Some(match ShortReply::of(&msg.text)? {
            ShortReply::Yes => self.choices("which", &msg.text),
            ShortReply::No | ShortReply::Cancel => self.dropped(),
            ShortReply::Again => self.repeated(),
            ShortReply::Greeting => {
                let help = self.help();
                let text = format!("{} {}", self.phrase("hello"), help.text);
                Decision { text, ..help }
            }
            ShortReply::Thanks => Decision::say(self.phrase("welcome"), Vec::new()),
            ShortReply::Help => self.help(),
        })
    }

    fn dropped(&self) -> Decision {
        Decision::say(self.phrase("dropped"), Vec::new())
    }

    /// Repeats the last failed call. A write becomes a form again.
    fn repeated(&self) -> Decision {
        let last = self.dialogue.earlier_calls().find(|call| call.failed());
        let again = last.and_then(|call| Some((self.catalog.named(&call.name)?, &call.arguments)));
        match again {
            Some((place, arguments)) => Decision::call(place, arguments.clone()),
            None => self.choices("which", ""),
        }
    }

    fn extract(&self, place: usize, msg: &PersonMessage, answer: bool) -> Map<String, Value> {
        extract(self.catalog, place, msg, self.dialogue.today, answer)
    }

    /// Words of the message that a read would ignore although they may limit what is asked for.
    fn unused(&self, place: usize, msg: &PersonMessage) -> Vec<String> {
        unused(self.catalog, place, msg, self.dialogue.today)
    }

    /// The most probable intent of a message. Where a text follows the request and the request alone asks
    /// for a tool that takes a text, the text is not searched for requests.
    fn intent(&self, msg: &PersonMessage) -> (Intent, f32) {
        let best = |text: &str| {
            let ranked = self.catalog.intents(text);
            ranked.first().copied().unwrap_or((Intent::Nothing, 0.0))
        };
        if let Some((Intent::Tool(place), probability)) = msg.parted().map(|(lead, _)| best(lead))
            && probability >= ACT
            && self.catalog.tools[place].takes_passage()
        {
            return (Intent::Tool(place), probability);
        }
        best(&msg.text)
    }

    /// True if a message asks for something else than this tool with at least this probability.
    fn asks_otherwise(&self, msg: &PersonMessage, place: usize, least: f32) -> bool {
        let (intent, probability) = self.intent(msg);
        let other = !matches!(intent, Intent::Nothing) && intent != Intent::Tool(place);
        other && probability >= least
    }

    fn asks_nothing(&self, msg: &PersonMessage) -> bool {
        let (intent, probability) = self.intent(msg);
        intent == Intent::Nothing && probability >= SURE
    }
}

/// True if an answer contains the phrase in any language.
fn is_phrase(answer: &str, key: &str) -> bool {
    let mut languages = Language::ALL.iter();
    languages.any(|language| answer.contains(phrase(*language, key)))
}
