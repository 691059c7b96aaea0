//! What a question asks for: an order in the form of a question, a look at something, or who
//! has to do with what is named.

use super::super::cues::Cue;
use super::super::index::Index;
use super::super::lexicon::LEXICON;
use super::super::words::Word;
use super::{Head, Reading};

/// What stands between "who" and a name that is asked about.
const BEING: [&str; 17] = [
    "is",
    "was",
    "are",
    "были",
    "был",
    "была",
    "такой",
    "такая",
    "это",
    "är",
    "var",
    "er",
    "ist",
    "war",
    "sind",
    "the",
    "mr",
];

impl Reading {
    /// "What do you think of this text?", "How does it look? Make a report": what is asked first
    /// only leads to what is wanted.
    pub(super) fn orders_by_asking(&self, index: &Index) -> bool {
        let orders = |at: usize| {
            let commands = self.meanings.get(at).map(|meaning| &meaning.commands);
            let mut commands = commands.into_iter().flatten();
            commands.any(|c| {
                let mut doing = index.tools.iter().filter(|tool| tool.actions.contains(c));
                doing.any(|tool| tool.writes)
            })
        };
        let text = &self.text;
        let begins = Cue::skip(&[Cue::Greeting], text, 0);
        let opinion = self
            .meanings
            .get(begins)
            .is_some_and(|meaning| meaning.phrase && orders(begins));
        let after = text.raw.rfind('?').map_or(0, |at| at + 1);
        let next = text.words.partition_point(|word| word.start < after);
        let next = Cue::skip(&[Cue::Polite, Cue::Join], text, next);
        let goes_on = after > 0 && next < text.words.len() && orders(next);
        opinion || goes_on
    }

    /// "I'm back, which are open?": the question, where something else is said before it.
    pub(in super::super) fn asked_later(&self) -> Option<&str> {
        let text = &self.text;
        let mut later = (1..text.words.len()).filter(|at| text.starts_clause(*at));
        let at = later.find(|at| Cue::Question.at(text, *at) > 0)?;
        Some(&text.raw[text.words[at].start..])
    }

    /// "I'd like to know how …", "show me what …": the question stands behind the order.
    pub(in super::super) fn asks_indirectly(&self) -> bool {
        const BEFORE: [&str; 23] = [
            "know",
            "me",
            "us",
            "wonder",
            "wondering",
            "explain",
            "understand",
            "learn",
            "out",
            "see",
            "знать",
            "узнать",
            "понять",
            "мне",
            "veta",
            "vide",
            "vite",
            "wissen",
            "mig",
            "meg",
            "mir",
            "förstå",
            "verstehen",
        ];
        let words = &self.text.words;
        (1..words.len()).any(|at| {
            Cue::Question.at(&self.text, at) > 0 && BEFORE.contains(&words[at - 1].lower.as_str())
        })
    }

    /// A question is an order to look.
    pub(super) fn asked_to_see(&self) -> Option<Head> {
        self.question.then(|| Head {
            word: None,
            actions: LEXICON.named("show").into_iter().collect(),
            lower: String::new(),
            command: false,
        })
    }

    /// Whether a question is about the one who is named, rather than about who has to do with
    /// the named thing ("who knows SQL?").
    pub(in super::super) fn asks_about_one(&self) -> bool {
        const WHOSE: [&str; 19] = [
            "which",
            "whose",
            "whom",
            "anyone",
            "anybody",
            "any",
            "кого",
            "кому",
            "какие",
            "какой",
            "какая",
            "vilka",
            "vilken",
            "hvilke",
            "hvilken",
            "welche",
            "welcher",
            "wem",
            "wessen",
        ];
        const WHO: [&str; 5] = ["who", "кто", "vem", "hvem", "wer"];
        let words = &self.text.words;
        let begins = self.opening();
        let mut first = words.iter().skip(begins).take(2);
        let asks = |word: &Word| WHOSE.contains(&word.lower.as_str());
        let who = words
            .get(begins)
            .is_some_and(|word| WHO.contains(&word.lower.as_str()));
        // "who is Ali Khan?", unlike "who can do SQL?"
        let is_it = (begins + 1..words.len())
            .find(|at| !words[*at].function && !BEING.contains(&words[*at].lower.as_str()))
            .is_some_and(|at| {
                let being = (begins + 1..at).all(|at| BEING.contains(&words[at].lower.as_str()));
                let name = self.text.is_capitalised(at);
                being && name && self.meanings[at].concepts.is_empty()
            })
            && !(begins..words.len()).any(|at| Cue::Negation.at(&self.text, at) > 0);
        // "anybody with React?": what somebody has, not who it is.
        const HAVING: [&str; 10] = [
            "with", "without", "с", "со", "без", "med", "utan", "uden", "mit", "ohne",
        ];
        let had = (0..words.len()).any(|at| {
            self.text.is_one_of(at, &HAVING)
                && words
                    .get(at + 1)
                    .is_some_and(|_| self.text.is_capitalised(at + 1))
        });
        self.question && self.names == 1 && !had && !first.any(asks) && (!who || is_it)
    }
}
