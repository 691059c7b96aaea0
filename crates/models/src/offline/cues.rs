//! Turns of phrase that steer a conversation: greetings, yes and no, corrections,
//! conditions, polite beginnings.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{Text, normal};

/// A kind of phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cue {
    Greeting,
    Thanks,
    Bye,
    Help,
    Identity,
    Yes,
    No,
    Cancel,
    /// "forget it", behind an order: it is not to be carried out.
    TakeBack,
    /// "hang on", "wait, no", behind an order: what follows puts it right, or nothing does.
    Hesitation,
    /// "the same thing": what held for the last call holds for this one.
    Same,
    /// "do it over", "I forgot …": the last call is to be made again with what comes now.
    Redo,
    Correction,
    Negation,
    /// "if", "when", "after": what follows may never happen.
    Condition,
    Exclusion,
    /// "all", "each": more than what is named.
    Everything,
    /// What people put before the thing they want.
    Polite,
    Question,
    /// "it", "this one".
    Reference,
    Again,
    /// What joins one request to the next.
    Join,
    /// What stands before a purpose or a subject.
    Purpose,
    /// What stands before a name.
    NameLead,
    /// "up to", "under": the number after it is a limit from above.
    AtMost,
    AtLeast,
    /// The person does not know either.
    Unsure,
    /// Verbs that speak of somebody's doing ("will", "has").
    Helping,
    /// Verbs of wish and possibility: nothing has happened yet.
    Intended,
    Or,
    /// Before a name: it belongs to the thing ("the pass of Bob").
    OfTarget,
    /// Before a name: it is who speaks.
    Behalf,
    /// Before a value: it is the one not meant.
    InsteadOf,
    /// One thing is to take the place of another.
    Exchange,
    /// Before what somebody is to do: "needs to", "must".
    Obliged,
    /// The rest of a verb that is said in two parts ("let Bob out").
    Particle,
    /// Points to a file that came with the message.
    Attached,
    /// "my", "his": part of what is said, unlike an article.
    Possessive,
    /// Something is asked for, whatever it is.
    Please,
    /// "what about": the same is asked of something else.
    About,
    /// What people say to fill a pause, to praise or to take leave: it asks for nothing.
    Remark,
    /// "after all", "at all": words that elsewhere set a condition or mean everything, and here do not.
    Idiom,
    /// Something does not work.
    Trouble,
    /// How things are in general is asked: no tool that looks at one thing or lists some tells that.
    Generic,
    /// An opinion is asked for: of somebody or something that is named, what is known of it.
    Advice,
    /// The weather, jokes: what no tool of an office knows.
    Chat,
    /// What is there gets one more.
    More,
}

impl Cue {
    fn named(name: &str) -> Option<Cue> {
        Some(match name {
            "greeting" => Cue::Greeting,
            "thanks" => Cue::Thanks,
            "bye" => Cue::Bye,
            "help" => Cue::Help,
            "identity" => Cue::Identity,
            "yes" => Cue::Yes,
            "no" => Cue::No,
            "cancel" => Cue::Cancel,
            "takeback" => Cue::TakeBack,
            "hesitation" => Cue::Hesitation,
            "same" => Cue::Same,
            "redo" => Cue::Redo,
            "correction" => Cue::Correction,
            "negation" => Cue::Negation,
            "condition" => Cue::Condition,
            "exclusion" => Cue::Exclusion,
            "everything" => Cue::Everything,
            "polite" => Cue::Polite,
            "question" => Cue::Question,
            "reference" => Cue::Reference,
            "again" => Cue::Again,
            "join" => Cue::Join,
            "purpose" => Cue::Purpose,
            "namelead" => Cue::NameLead,
            "atmost" => Cue::AtMost,
            "atleast" => Cue::AtLeast,
            "unsure" => Cue::Unsure,
            "helping" => Cue::Helping,
            "intended" => Cue::Intended,
            "or" => Cue::Or,
            "oftarget" => Cue::OfTarget,
            "behalf" => Cue::Behalf,
            "insteadof" => Cue::InsteadOf,
            "exchange" => Cue::Exchange,
            "obliged" => Cue::Obliged,
            "particle" => Cue::Particle,
            "attached" => Cue::Attached,
            "possessive" => Cue::Possessive,
            "please" => Cue::Please,
            "about" => Cue::About,
            "remark" => Cue::Remark,
            "idiom" => Cue::Idiom,
            "trouble" => Cue::Trouble,
            "generic" => Cue::Generic,
            "advice" => Cue::Advice,
            "more" => Cue::More,
            "chat" => Cue::Chat,
            _ => return None,
        })
    }

    /// How many words of this cue start here; 0 when none does.
    pub(super) fn at(self, text: &Text, index: usize) -> usize {
        let Some(word) = text.words.get(index) else {
            return 0;
        };
        let strict = matches!(self, Cue::Condition | Cue::Everything);
        if strict && Cue::Idiom.covers(text, index) {
            return 0;
        }
        CUES.get(&(self, word.lower.as_str()))
            .into_iter()
            .flatten()
            .find(|phrase| text.has_at(index, phrase))
            .map_or(0, Vec::len)
    }

    /// Whether words of this cue end right before this word.
    pub(super) fn before(self, text: &Text, index: usize) -> bool {
        const LONGEST: usize = 4;
        (index.saturating_sub(LONGEST)..index).any(|at| {
            let length = self.at(text, at);
            length > 0 && at + length == index
        })
    }

    /// Whether this word is one of a phrase of this cue.
    pub(super) fn covers(self, text: &Text, index: usize) -> bool {
        const LONGEST: usize = 4;
        (index.saturating_sub(LONGEST)..=index).any(|at| at + self.at(text, at) > index)
    }

    /// The first place where this cue stands, if it does.
    pub(super) fn find(self, text: &Text) -> Option<usize> {
        (0..text.words.len()).find(|index| self.at(text, *index) > 0)
    }

    pub(super) fn is_in(self, text: &Text) -> bool {
        self.find(text).is_some()
    }

    /// The first word after as many cues of these kinds as stand here.
    pub(super) fn skip(cues: &[Cue], text: &Text, mut index: usize) -> usize {
        loop {
            let step = cues
                .iter()
                .map(|cue| cue.at(text, index))
                .max()
                .unwrap_or(0);
            if step == 0 {
                return index;
            }
            index += step;
        }
    }

    /// Whether the whole text is made of these.
    pub(super) fn cover(cues: &[Cue], text: &Text) -> bool {
        !text.words.is_empty() && Self::skip(cues, text, 0) == text.words.len()
    }
}

type Phrases = Vec<Vec<String>>;

struct Table(HashMap<Cue, HashMap<String, Phrases>>);

impl Table {
    fn get(&self, (cue, first): &(Cue, &str)) -> Option<&Phrases> {
        self.0.get(cue)?.get(*first)
    }
}

/// By cue and first word, longest phrases first.
static CUES: LazyLock<Table> = LazyLock::new(|| {
    let mut table: HashMap<Cue, HashMap<String, Phrases>> = HashMap::new();
    let lines = include_str!("cues.txt")
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter_map(|(name, phrases)| Some((Cue::named(name.trim())?, phrases)));
    for (cue, phrases) in lines {
        for phrase in phrases.split(',').map(normal) {
            let words: Vec<String> = phrase.split_whitespace().map(str::to_owned).collect();
            if let Some(first) = words.first() {
                let known = table.entry(cue).or_default();
                known.entry(first.clone()).or_default().push(words);
            }
        }
    }
    for phrases in table.values_mut().flat_map(HashMap::values_mut) {
        phrases.sort_by_key(|words| std::cmp::Reverse(words.len()));
    }
    Table(table)
});
