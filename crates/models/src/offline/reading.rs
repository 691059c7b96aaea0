//! A request as the index sees it: its words that carry meaning, the values in it, and
//! the word that says what is to be done.

mod asks;
mod head;
mod terms;

use std::ops::Range;
use std::sync::OnceLock;

use super::cues::Cue;
use super::index::Index;
use super::language::Language;
use super::learned::Likely;
use super::lexicon::{Concept, LEXICON, Meaning};
use super::mood;
use super::spans::overlaps;
use super::values::pattern::Found;
use super::values::when::{Clock, When};
use super::values::{names, numbers};
use super::words::Text;
use head::only_writes;

pub(super) struct Reading {
    pub(super) text: Text,
    pub(super) meanings: Vec<Meaning>,
    pub(super) terms: Vec<Term>,
    pub(super) head: Option<Head>,
    /// Codes of a declared shape, whichever tool declares it.
    pub(super) codes: Vec<Found>,
    pub(super) when: When,
    pub(super) numbers: Vec<numbers::Number>,
    pub(super) quotes: Vec<Range<usize>>,
    /// Words with a capital that no tool knows.
    pub(super) names: usize,
    /// There are words that neither a tool nor the lexicon knows.
    pub(super) has_unknown: bool,
    /// Something is asked about rather than asked for.
    pub(super) question: bool,
    likely: OnceLock<Option<Likely>>,
}

/// A word that carries meaning and is no value.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) word: usize,
    pub(super) keys: Vec<(String, f32)>,
    /// Below 1 when the word had to be guessed from a slip.
    pub(super) quality: f32,
    /// The word as it was meant, in lower case.
    pub(super) lower: String,
}

/// The word that says what is to be done.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// `None` where it only follows from the question.
    pub(super) word: Option<usize>,
    pub(super) actions: Vec<Concept>,
    /// The word as it was meant.
    pub(super) lower: String,
    /// It has the form of a command; "approved" has not.
    pub(super) command: bool,
}

/// A word that points this strongly to a tool is part of a request, not of a name.
const OWN_WORD: f32 = 0.7;

/// What is said of two things at once.
pub(super) const BOTH: [&str; 7] = ["both", "båda", "bägge", "begge", "beide", "оба", "обе"];

/// Words for one that is not known yet.
pub(super) const ONE: [&str; 12] = [
    "a",
    "an",
    "another",
    "en",
    "ett",
    "et",
    "ein",
    "eine",
    "einen",
    "новый",
    "один",
    "ny",
];

impl Reading {
    pub(super) fn new(
        index: &Index,
        raw: &str,
        language: Option<Language>,
        clock: Option<&Clock>,
    ) -> Self {
        let text = Text::in_language(raw, language);
        let meanings = LEXICON.read(&text);
        let codes = codes(index, &text);
        let when = When::find(&text, clock);
        let quotes = names::quotes(&text.raw);
        let numbers: Vec<numbers::Number> = numbers::find_all(&text)
            .into_iter()
            .filter(|n| !codes.iter().any(|code| overlaps(&code.span, &n.span)))
            // "in 3 days" may be a day or how long something takes.
            .filter(|n| {
                let mut days = when.days.iter();
                n.unit.is_some() || !days.any(|day| overlaps(&day.span, &n.span))
            })
            .filter(|n| !when.times.iter().any(|time| overlaps(&time.span, &n.span)))
            .collect();
        let mut reading = Self {
            text,
            meanings,
            terms: Vec::new(),
            head: None,
            codes,
            when,
            numbers,
            quotes,
            names: 0,
            has_unknown: false,
            question: false,
            likely: OnceLock::new(),
        };
        reading.question = mood::is_question(&reading.text) && !reading.orders_by_asking(index);
        reading.find_terms(index);
        let asks_to_see = reading.asked_to_see();
        reading.head = match (reading.find_head(index), asks_to_see) {
            // "Should I approve …?" is no order to approve.
            (Some(head), Some(see)) if !only_writes(index, &head) => {
                if head.actions.is_empty() {
                    Some(see)
                } else {
                    Some(head)
                }
            }
            (_, Some(see)) => Some(see),
            (head, None) => head,
        };
        let names = reading.named(index);
        reading.names = names.len();
        reading.has_unknown = reading.terms.iter().any(|term| {
            let named = names.iter().any(|name| name.words.contains(&term.word));
            let known = |(key, _): &(String, f32)| !index.tools_by(key).is_empty();
            let head = reading
                .head
                .as_ref()
                .is_some_and(|head| head.word == Some(term.word));
            let common = !reading.meanings[term.word].concepts.is_empty();
            !named && !head && !common && !term.keys.iter().any(known)
        });
        reading
    }

    /// Whether a sentence begins here with a phrase that means something: no name.
    pub(super) fn named(&self, index: &Index) -> Vec<names::Name> {
        let known = |at: usize| self.is_known(index, at) || self.begins_with_meaning(at);
        names::capitalised(&self.text, &known, &|at| self.is_value(at))
    }

    pub(super) fn begins_with_meaning(&self, at: usize) -> bool {
        let meaning = &self.meanings[at];
        self.text.starts_sentence(at) && (meaning.phrase || !meaning.commands.is_empty())
    }

    /// How likely the request means each tool; `None` where the assistant has no list.
    pub(super) fn likely(&self, index: &Index) -> Option<&Likely> {
        let likely = self.likely.get_or_init(|| {
            let taught = index.taught.as_ref()?;
            let tools = index.tools.len();
            let whole = taught.likely(tools, &self.text);
            let mut parts = sentences(&self.text.raw);
            parts.extend(self.ordering_clause());
            if parts.len() < 2 {
                return whole;
            }
            // "Good afternoon, I hope you are well. Could you …?": what asks for something stands out.
            let parts = parts.into_iter().filter_map(|part| {
                let text = Text::in_language(part, self.text.language);
                taught.likely(tools, &text)
            });
            let all = parts.chain(whole);
            all.max_by(|a, b| a.best().1.total_cmp(&b.best().1))
        });
        likely.as_ref()
    }

    /// "reject it, he already had two this week": the clause that begins with the order.
    fn ordering_clause(&self) -> Option<&str> {
        let order = self.head.as_ref().filter(|head| head.command)?.word?;
        let end = (order + 1..self.text.words.len()).find(|at| self.text.starts_clause(*at))?;
        let clause = &self.text.raw[..self.text.words[end].start];
        (order == self.opening()).then_some(clause)
    }

    /// Where it begins, behind greetings and courtesies.
    pub(super) fn opening(&self) -> usize {
        Cue::skip(&[Cue::Greeting, Cue::Polite], &self.text, 0)
    }

    /// Whether the word here commands one of these actions.
    pub(super) fn commands_at(&self, at: usize, actions: &[&str]) -> bool {
        let commands = self.meanings.get(at).map(|meaning| &meaning.commands);
        let mut commands = commands.into_iter().flatten();
        commands.any(|concept| actions.contains(&LEXICON.name(*concept)))
    }

    /// Whether some tool uses this word for what it is about.
    pub(super) fn is_known(&self, index: &Index, at: usize) -> bool {
        let Some(term) = self.terms.iter().find(|term| term.word == at) else {
            return false;
        };
        let points = |key: &String| {
            index
                .tools_by(key)
                .iter()
                .any(|(_, weight)| *weight >= OWN_WORD)
        };
        self.head.as_ref().is_some_and(|head| head.word == Some(at))
            || term.keys.iter().any(|(key, _)| points(key))
    }

    /// Whether nothing but names was said.
    pub(super) fn is_only_names(&self) -> bool {
        let capital = |term: &Term| self.text.is_capitalised(term.word);
        self.names > 0 && !self.has_unknown && self.head.is_none() && self.terms.iter().all(capital)
    }

    /// Whether this word belongs to a day or a time.
    pub(super) fn is_moment(&self, at: usize) -> bool {
        let Some(word) = self.text.words.get(at) else {
            return false;
        };
        let span = word.span();
        let days = self.when.days.iter().map(|day| &day.span);
        let times = self.when.times.iter().map(|time| &time.span);
        days.chain(times).any(|other| overlaps(other, &span))
    }

    /// Whether a word is small, a value, or used by some tool.
    pub(super) fn is_plain(&self, index: &Index, at: usize) -> bool {
        let term = self.terms.iter().find(|term| term.word == at);
        let known = |(key, _): &(String, f32)| !index.tools_by(key).is_empty();
        term.is_none_or(|term| term.keys.iter().any(known))
    }

    /// Whether a short word was only guessed: too little to take a value from.
    pub(super) fn is_slip(&self, at: usize) -> bool {
        const LONG: usize = 6;
        let term = self.terms.iter().find(|term| term.word == at);
        term.is_some_and(|term| term.quality < 1.0 && term.lower.chars().count() < LONG)
    }

    /// Whether this word belongs to a value that was recognised by its shape.
    pub(super) fn is_value(&self, word: usize) -> bool {
        let Some(word) = self.text.words.get(word) else {
            return false;
        };
        let span = word.span();
        let inside = |other: &Range<usize>| overlaps(other, &span);
        self.codes.iter().any(|code| inside(&code.span))
            || self.when.days.iter().any(|day| inside(&day.span))
            || self.when.times.iter().any(|time| inside(&time.span))
            || self.numbers.iter().any(|number| inside(&number.digits))
            || self.quotes.iter().any(inside)
    }
}

/// The sentences of a message, those of one word left out.
fn sentences(text: &str) -> Vec<&str> {
    const MOST: usize = 12;
    let all = text.split_inclusive(['.', '!', '?', ';', '\n']);
    let all = all.map(str::trim).filter(|part| part.contains(' '));
    all.take(MOST).collect()
}

fn codes(index: &Index, text: &Text) -> Vec<Found> {
    let mut codes: Vec<Found> = Vec::new();
    for pattern in &index.patterns {
        for found in pattern.find_all(text) {
            if codes.iter().all(|code| !overlaps(&code.span, &found.span)) {
                codes.push(found);
            }
        }
    }
    codes.sort_by_key(|code| code.span.start);
    codes
}
