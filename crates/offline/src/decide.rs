//! What to do about the person's newest message: calls, or a sentence with choices. A pure function of the
//! messages and the tools.

mod answers;
mod requests;
mod wording;

use serde_json::{Map, Value};

use crate::catalog::{Catalog, Intent};
use crate::dialogue::{Dialogue, Said};
use crate::language::Language;
use crate::say::Phrases;
use crate::short_reply::ShortReply;

/// From this probability on an intent is acted on. On held-out phrasings (`intent::cross_validation`) at
/// least 96 % of messages reach it, and 86 to 90 % of those are right.
pub(crate) const ACT: f32 = 0.4;
/// From this probability on a message is a request of its own rather than the answer to a question, and a
/// tool runs that takes effect without a form.
pub(crate) const SURE: f32 = 0.6;
/// From this probability on a clause is a request beside another one.
pub(crate) const CERTAIN: f32 = 0.8;

/// A call to make: the place of the tool and its arguments.
pub(crate) type Call = (usize, Map<String, Value>);

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Decision {
    pub(crate) text: String,
    pub(crate) calls: Vec<Call>,
    pub(crate) quick_replies: Vec<String>,
}

impl Decision {
    fn say(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    fn call(call: Call) -> Self {
        Self {
            calls: vec![call],
            ..Self::default()
        }
    }

    fn with_choices(mut self, choices: Vec<String>) -> Self {
        self.quick_replies = choices;
        self
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
            return Decision::say(self.phrases().no_tools);
        }
        let Some(said) = self.dialogue.said.as_ref() else {
            return self.introduced(self.help());
        };
        if !said.has_content() {
            return self.introduced(self.choices(self.phrases().unreadable, ""));
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

    pub(crate) fn phrases(&self) -> &'static Phrases {
        Phrases::of(self.language)
    }

    /// The first answer in words also says what answers here.
    fn introduced(&self, mut decision: Decision) -> Decision {
        let mut intros = Language::ALL
            .iter()
            .map(|language| Phrases::of(*language).intro);
        let known = intros.any(|intro| self.dialogue.was_said(intro));
        if !decision.text.is_empty() && !known {
            decision.text = format!("{}\n\n{}", decision.text, self.phrases().intro);
        }
        decision
    }

    fn short_reply(&self, said: &Said) -> Option<Decision> {
        let phrases = self.phrases();
        Some(match ShortReply::of(&said.text)? {
            ShortReply::Yes => self.choices(phrases.which, &said.text),
            ShortReply::No | ShortReply::Cancel => Decision::say(phrases.dropped),
            ShortReply::Again => self.repeated(),
            ShortReply::Greeting => {
                let help = self.help();
                Decision {
                    text: format!("{} {}", phrases.hello, help.text),
                    ..help
                }
            }
            ShortReply::Thanks => Decision::say(phrases.welcome),
            ShortReply::Help => self.help(),
        })
    }

    /// The last call that failed, once more. A write becomes a form again.
    fn repeated(&self) -> Decision {
        let failed = self.dialogue.earlier_calls().find(|call| call.failed());
        let again = failed.and_then(|call| {
            let place = self.catalog.named(&call.name)?;
            Some((place, call.arguments.clone()))
        });
        match again {
            Some(call) => Decision::call(call),
            None => self.choices(self.phrases().which, ""),
        }
    }

    /// The most probable intent of a message. Where a text follows the request and the request alone asks
    /// for a tool that takes a text, the text is not searched for requests.
    fn ranked(&self, said: &Said) -> Vec<(Intent, f32)> {
        if let Some((lead, _)) = said.parted() {
            let ranked = self.catalog.intents(lead);
            if let Some((Intent::Tool(place), probability)) = ranked.first()
                && *probability >= ACT
                && self.takes_passage(*place)
            {
                return ranked;
            }
        }
        self.catalog.intents(&said.text)
    }

    /// Whether a message clearly asks for something other than this tool.
    fn asks_otherwise(&self, said: &Said, place: usize, least: f32) -> bool {
        let ranked = self.ranked(said);
        match ranked.first() {
            Some((Intent::Tool(other), probability)) => *other != place && *probability >= least,
            Some((Intent::Elsewhere(_), probability)) => *probability >= least,
            Some((Intent::Nothing, _)) | None => false,
        }
    }

    fn asks_nothing(&self, said: &Said) -> bool {
        let ranked = self.ranked(said);
        matches!(ranked.first(), Some((Intent::Nothing, probability)) if *probability >= SURE)
    }
}
