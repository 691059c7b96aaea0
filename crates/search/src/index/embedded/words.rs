//! The passages that share words with a question, by BM25 over words and stems.
//!
//! Every word is kept with the number of its place in front of it. A search reads the
//! occurrences of its words in the places that it may look at, and nothing else; how often a
//! word occurs elsewhere changes no ranking.

use std::collections::HashMap;

use frontdesk_core::search::SearchError;
use rusqlite::{Connection, params};

use super::broken;
use super::memory::{Memory, Shelf};
use super::scan::{Best, is_within};
use crate::language::{self, Asked};

/// Passages are ranked for the rarest words of a question first, until this many occurrences
/// would have to be looked at: words that stand everywhere tell nothing and cost most.
const MOST_OCCURRENCES: usize = 8_000;
/// Of a word that stands everywhere, when a question has no other.
const MOST_OF_THE_ONLY: usize = 32_000;
/// A question has no more words than this that matter.
const MOST_TERMS: usize = 32;

/// The usual constants of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// As a word was written, or reduced to its stem.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Written,
    Stem,
}

impl Form {
    /// Stands between a place's number and the word.
    fn mark(self) -> char {
        match self {
            Self::Written => 'w',
            Self::Stem => 's',
        }
    }

    /// A word as it was asked for tells more than its stem.
    fn weight(self) -> f64 {
        match self {
            Self::Written => 1.0,
            Self::Stem => 0.7,
        }
    }
}

/// A word of the question.
struct Term {
    form: Form,
    word: String,
    /// Passages with it and how often they have it.
    found: Vec<(i64, u32)>,
    /// Too common to be read.
    common: bool,
}

/// The text that the index is given for a passage, and how many words it has.
pub(super) fn marked(place: i64, text: &str) -> (String, u32) {
    let (words, stems) = language::indexed(text);
    let mut marked = String::with_capacity(2 * text.len());
    let forms = [(Form::Written, &words), (Form::Stem, &stems)];
    for (form, words) in forms {
        for word in words {
            marked.push_str(&token(place, form, word));
            marked.push(' ');
        }
    }
    (marked, u32::try_from(words.len()).unwrap_or(u32::MAX))
}

fn token(place: i64, form: Form, word: &str) -> String {
    format!("{place}{}{word}", form.mark())
}

/// A question's words, with what the places it may look at have of them.
pub(super) struct Terms<'a> {
    shelves: &'a [&'a Shelf],
    passages: usize,
    terms: Vec<Term>,
}

impl<'a> Terms<'a> {
    pub(super) fn look_up(
        db: &Connection,
        memory: &Memory,
        shelves: &'a [&'a Shelf],
        question: &str,
    ) -> Result<Self, SearchError> {
        let Asked { words, stems } = language::asked(question);
        let written = words.into_iter().map(|word| (Form::Written, word));
        let stems = stems.into_iter().map(|stem| (Form::Stem, stem));
        let mut terms = Vec::new();
        for (form, word) in written.chain(stems).take(2 * MOST_TERMS) {
            let mut term = Term {
                form,
                word,
                found: Vec::new(),
                common: false,
            };
            term.read(db, memory, shelves).map_err(broken)?;
            terms.push(term);
        }
        let only_common = terms.iter().all(|term| term.found.is_empty());
        if only_common && let Some(term) = longest_common(&mut terms) {
            for shelf in shelves {
                term.read_place(db, shelf, MOST_OF_THE_ONLY)
                    .map_err(broken)?;
            }
        }
        Ok(Self {
            shelves,
            passages: shelves.iter().map(|shelf| shelf.passages()).sum(),
            terms,
        })
    }

    /// Ids of passages with some of the words, best first.
    pub(super) fn ranked(&self, within: Option<&[(i64, i64)]>, most: usize) -> Vec<i64> {
        let all_words: u64 = self.shelves.iter().map(|shelf| shelf.all_words()).sum();
        let usual = (all_words as f64 / self.passages.max(1) as f64).max(1.0);
        let mut scores: HashMap<i64, f64> = HashMap::new();
        for term in self.rarest() {
            let rarity = self.rarity(term);
            for (id, times) in &term.found {
                if within.is_some_and(|ranges| !is_within(ranges, *id)) {
                    continue;
                }
                let Some(words) = self.shelves.iter().find_map(|shelf| shelf.words_of(*id)) else {
                    continue;
                };
                let times = term.form.weight() * f64::from(*times);
                let length = 1.0 - B + B * f64::from(words) / usual;
                *scores.entry(*id).or_default() +=
                    rarity * times * (K1 + 1.0) / (times + K1 * length);
            }
        }
        let mut best = Best::new(most);
        for (id, score) in scores {
            best.offer(score as f32, id);
        }
        best.into_ids()
    }

    /// The terms to rank by.
    fn rarest(&self) -> Vec<&Term> {
        let mut terms: Vec<&Term> = self
            .terms
            .iter()
            .filter(|term| !term.found.is_empty())
            .collect();
        terms.sort_by(|a, b| {
            let by_rows = a.found.len().cmp(&b.found.len());
            by_rows.then_with(|| a.word.cmp(&b.word))
        });
        let mut total = 0;
        terms.retain(|term| {
            let is_first = total == 0;
            total += term.found.len();
            is_first || total <= MOST_OCCURRENCES
        });
        terms.truncate(MOST_TERMS);
        terms
    }

    /// The inverse document frequency, as FTS5 counts it.
    fn rarity(&self, term: &Term) -> f64 {
        let (all, with) = (self.passages as f64, term.found.len() as f64);
        ((all - with + 0.5) / (with + 0.5)).ln().max(1e-6)
    }

    /// How much of the question a passage holds, from 0 to 1: rare words count more. Stands
    /// in for similarity where nothing is embedded.
    pub(super) fn share(&self, passage: &str) -> f32 {
        let (words, stems) = language::indexed(passage);
        let weight = |term: &Term| {
            let rows = if term.common {
                MOST_OCCURRENCES
            } else {
                term.found.len()
            };
            (1.0 + self.passages as f32 / (1.0 + rows as f32)).ln()
        };
        let (mut all, mut held) = (0.0, 0.0);
        for term in &self.terms {
            let has = match term.form {
                Form::Written => &words,
                Form::Stem => &stems,
            };
            all += weight(term);
            if has.contains(&term.word) {
                held += weight(term);
            }
        }
        if all > 0.0 { held / all } else { 0.0 }
    }
}

/// The longest says most where all stand everywhere.
fn longest_common(terms: &mut [Term]) -> Option<&mut Term> {
    let common = terms.iter_mut().filter(|term| term.common);
    common.max_by_key(|term| (term.word.len(), term.form == Form::Written))
}

impl Term {
    fn read(
        &mut self,
        db: &Connection,
        memory: &Memory,
        shelves: &[&Shelf],
    ) -> rusqlite::Result<()> {
        for shelf in shelves {
            let token = token(shelf.number, self.form, &self.word);
            let is_common = memory.is_common(&token);
            if is_common || self.read_place(db, shelf, MOST_OCCURRENCES)? > MOST_OCCURRENCES {
                if !is_common {
                    memory.found_common(token);
                }
                self.found.clear();
                self.common = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads where the word stands, each occurrence a row; says how many rows there were, one
    /// above `most` when there are more.
    fn read_place(
        &mut self,
        db: &Connection,
        shelf: &Shelf,
        most: usize,
    ) -> rusqlite::Result<usize> {
        let token = token(shelf.number, self.form, &self.word);
        let mut statement =
            db.prepare_cached("SELECT doc FROM occurrences WHERE term = ?1 LIMIT ?2")?;
        let mut rows = statement.query(params![token, most as i64 + 1])?;
        let mut read = 0;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            read += 1;
            match self.found.last_mut() {
                Some((last, times)) if *last == id => *times += 1,
                Some(_) | None => self.found.push((id, 1)),
            }
        }
        Ok(read)
    }
}
