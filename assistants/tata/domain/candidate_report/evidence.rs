//! Rates a skill from what a candidate said about it. The rule is fixed and explained with each rating.

use crate::tata::domain::candidate_report::transcript::Statement;
use crate::tata::domain::notes::cues::Reader;
use crate::tata::domain::screening::skill::{key_words, years};
use crate::tata::domain::text::words::{Word, shorten, words};

/// What the conversation shows about one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    pub(crate) rating: u8,
    pub(crate) level: Level,
    /// Passages about the skill.
    pub(crate) passages: usize,
    /// The best passages, in the order of the conversation.
    pub(crate) examples: Vec<String>,
    /// Required and stated years, when the stated ones are fewer.
    pub(crate) too_few_years: Option<(u32, u32)>,
}

/// Why a rating is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    OwnWorkWithResults,
    OwnWork,
    Mentioned,
    Limited,
    None,
    NotDiscussed,
}

impl Level {
    fn rating(self) -> u8 {
        match self {
            Level::OwnWorkWithResults => 5,
            Level::OwnWork => 4,
            Level::Mentioned => 3,
            // What nobody asked about must not count as met, and one gap alone does not reject anyone.
            Level::Limited | Level::NotDiscussed => 2,
            Level::None => 1,
        }
    }
}

const MAX_EXAMPLES: usize = 3;
const MAX_EXAMPLE_CHARS: usize = 240;
/// Shorter answers ("Yes, a lot.") are no passage.
const SHORTEST_PASSAGE: usize = 4;
/// After a question about the skill, this much of the answer is about it.
const ANSWER_STATEMENTS: usize = 4;
const CAPPED_BY_YEARS: u8 = 3;

/// What the candidate said, with everything about it that does not depend on a skill.
pub(crate) struct Heard<'s> {
    text: &'s str,
    list: Vec<Word<'s>>,
    /// The words of the question, for the beginning of an answer.
    question: Vec<Word<'s>>,
    own_work: bool,
    results: bool,
    hedged: bool,
    denied: bool,
}

impl Heard<'_> {
    fn weight(&self) -> u8 {
        2 * u8::from(self.own_work) + u8::from(self.results)
    }
}

/// Statements long enough to say something.
pub(crate) fn hear<'s>(statements: &'s [Statement], reader: &Reader) -> Vec<Heard<'s>> {
    let cues = &reader.interview;
    let heard = statements.iter().filter_map(|statement| {
        let list = words(&statement.text);
        let asked = statement
            .question
            .as_deref()
            .filter(|_| statement.place < ANSWER_STATEMENTS);
        (list.len() >= SHORTEST_PASSAGE).then(|| Heard {
            text: &statement.text,
            own_work: cues.own_work.contains(&list),
            results: cues.results.contains(&list) || list.iter().any(|w| w.number().is_some()),
            hedged: cues.hedges.contains(&list),
            denied: cues.denials.contains(&list),
            question: asked.map(words).unwrap_or_default(),
            list,
        })
    });
    heard.collect()
}

pub(crate) fn assess(skill: &str, heard: &[Heard<'_>], reader: &Reader) -> Evidence {
    let keys = key_words(skill, reader);
    let passages: Vec<&Heard<'_>> = heard
        .iter()
        .filter(|h| is_about(&h.list, &keys) || is_about(&h.question, &keys))
        .collect();
    let level = level(&passages);
    let too_few_years = too_few_years(skill, &passages, reader);
    let rating = if too_few_years.is_some() {
        level.rating().min(CAPPED_BY_YEARS)
    } else {
        level.rating()
    };
    Evidence {
        rating,
        level,
        passages: passages.len(),
        examples: examples(&passages),
        too_few_years,
    }
}

/// At least half of the skill's telling words occur, in any inflection.
fn is_about(list: &[Word<'_>], keys: &[String]) -> bool {
    let found = keys
        .iter()
        .filter(|key| list.iter().any(|w| same_word(&w.folded, key)))
        .count();
    !keys.is_empty() && found * 2 >= keys.len()
}

/// Equal, or the same stem: negotiate, negotiated, negotiation.
fn same_word(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    shared >= 5 && shared * 5 >= a.chars().count().max(b.chars().count()) * 3
}

fn level(passages: &[&Heard<'_>]) -> Level {
    if passages.is_empty() {
        return Level::NotDiscussed;
    }
    let any = |test: fn(&Heard<'_>) -> bool| passages.iter().any(|p| test(p));
    // "I have worked with it a little" is little.
    let own_work = any(|p| p.own_work && !p.denied && !p.hedged);
    let results = any(|p| p.results && !p.denied);
    if own_work && results && passages.len() > 1 {
        Level::OwnWorkWithResults
    } else if own_work && !any(|p| p.denied) {
        Level::OwnWork
    } else if any(|p| p.denied) && !own_work {
        Level::None
    } else if any(|p| p.hedged) && !own_work {
        Level::Limited
    } else {
        Level::Mentioned
    }
}

fn too_few_years(skill: &str, passages: &[&Heard<'_>], reader: &Reader) -> Option<(u32, u32)> {
    let required = years(skill, reader)?;
    let stated = passages
        .iter()
        .filter_map(|p| years(p.text, reader))
        .max()?;
    (stated < required).then_some((required, stated))
}

fn examples(passages: &[&Heard<'_>]) -> Vec<String> {
    let mut best: Vec<(usize, &&Heard<'_>)> = passages.iter().enumerate().collect();
    best.sort_by_key(|(i, p)| (std::cmp::Reverse(p.weight()), *i));
    best.truncate(MAX_EXAMPLES);
    best.sort_by_key(|(i, _)| *i);
    best.into_iter()
        .map(|(_, p)| shorten(p.text, MAX_EXAMPLE_CHARS))
        .collect()
}
