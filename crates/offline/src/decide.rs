//! What to do about the person's newest message: calls, or a sentence with choices. A pure function of the
//! messages and the tools.

mod answers;
mod requests;
mod wording;

use serde_json::{Map, Value};

use crate::catalog::{Catalog, Intent};
use crate::dialogue::{Dialogue, PersonMessage};
use crate::extract::extract;
use crate::language::Language;
use crate::say::phrase;
use crate::short_reply::ShortReply;

/// From this probability on an intent is acted on. On held-out phrasings (`intent::cross_validation`) at
/// least 96 % of messages reach it, and 86 to 90 % of those are right.
const ACT: f32 = 0.4;
/// From this probability on a message is a request of its own rather than the answer to a question, and a
/// tool runs that takes effect without a form.
const SURE: f32 = 0.6;
/// From this probability on a clause is a request beside another one.
const CERTAIN: f32 = 0.8;

/// A call to make: the place of the tool and its arguments.
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

/// Everything that a decision depends on.
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
        let Some(said) = &self.dialogue.said else {
            return self.introduced(self.help());
        };
        if !said.has_content() {
            return self.introduced(self.choices("unreadable", ""));
        }
        let decision = self
            .selected(said)
            .or_else(|| self.answered(said))
            .or_else(|| self.short_reply(said))
            .or_else(|| self.completed(said))
            .or_else(|| self.followed_up(said))
            .unwrap_or_else(|| self.requested(said));
        self.introduced(decision)
    }

    fn phrase(&self, key: &str) -> &'static str {
        phrase(self.language, key)
    }

    /// The first answer in words also says what answers here.
    fn introduced(&self, mut decision: Decision) -> Decision {
        let known = |answer: &str| is_phrase(answer, "intro");
        if !decision.text.is_empty() && !self.dialogue.answers().any(known) {
            decision.text = format!("{}\n\n{}", decision.text, self.phrase("intro"));
        }
        decision
    }

    fn short_reply(&self, said: &PersonMessage) -> Option<Decision> {
        Some(match ShortReply::of(&said.text)? {
            ShortReply::Yes => self.choices("which", &said.text),
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

    /// The last call that failed, once more. A write becomes a form again.
    fn repeated(&self) -> Decision {
        let failed = self.dialogue.earlier_calls().find(|call| call.failed());
        let again =
            failed.and_then(|call| Some((self.catalog.named(&call.name)?, &call.arguments)));
        match again {
            Some((place, arguments)) => Decision::call(place, arguments.clone()),
            None => self.choices("which", ""),
        }
    }

    fn extract(&self, place: usize, said: &PersonMessage, answer: bool) -> Map<String, Value> {
        extract(self.catalog, place, said, self.dialogue.today, answer)
    }

    /// The most probable intent of a message. Where a text follows the request and the request alone asks
    /// for a tool that takes a text, the text is not searched for requests.
    fn intent(&self, said: &PersonMessage) -> (Intent, f32) {
        let best = |text: &str| {
            let ranked = self.catalog.intents(text);
            ranked.first().copied().unwrap_or((Intent::Nothing, 0.0))
        };
        if let Some((Intent::Tool(place), probability)) = said.parted().map(|(lead, _)| best(lead))
            && probability >= ACT
            && self.catalog.tools[place].takes_passage()
        {
            return (Intent::Tool(place), probability);
        }
        best(&said.text)
    }

    /// Whether a message asks for something other than this tool, at least this probably.
    fn asks_otherwise(&self, said: &PersonMessage, place: usize, least: f32) -> bool {
        let (intent, probability) = self.intent(said);
        let other = !matches!(intent, Intent::Nothing) && intent != Intent::Tool(place);
        other && probability >= least
    }

    fn asks_nothing(&self, said: &PersonMessage) -> bool {
        let (intent, probability) = self.intent(said);
        intent == Intent::Nothing && probability >= SURE
    }
}

/// Whether an answer contains a phrase, in whichever language.
fn is_phrase(answer: &str, key: &str) -> bool {
    let mut languages = Language::ALL.iter();
    languages.any(|language| answer.contains(phrase(*language, key)))
}
