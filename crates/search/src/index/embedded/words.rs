//! The passages that share words with a question, by BM25 over words and stems.
//!
//! Every word is kept with the number of its place in front of it. A search reads the
//! occurrences of its words in the places that it may look at, and nothing else; how often a
//! word occurs elsewhere changes no ranking.

use frontdesk_core::search::SearchError;
use rusqlite::{Connection, params};

use super::broken;
use super::memory::Shelf;
use super::postings::{Packed, Posting, Postings, Standing};
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
    /// The passages with it, shelf by shelf; none when it is too common to be read.
    found: Vec<Packed>,
    common: bool,
}

/// The text that the index is given for a passage, and how many words it has. A word that is its
/// own stem is there once.
pub(super) fn marked(place: i64, text: &str) -> (String, u32) {
    let (words, stems) = language::indexed(text);
    let mut marked = String::with_capacity(2 * text.len());
    let mut add = |form, word: &str| {
        marked.push_str(&token(place, form, word));
        marked.push(' ');
    };
    for (word, stem) in words.iter().zip(&stems) {
        add(Form::Written, word);
        if stem != word {
            add(Form::Stem, stem);
        }
    }
    (marked, u32::try_from(words.len()).unwrap_or(u32::MAX))
}

fn token(place: i64, form: Form, word: &str) -> String {
    format!("{place}{}{word}", form.mark())
}

/// What a question's words are looked up in.
pub(super) struct Look<'a> {
    pub(super) db: &'a Connection,
    /// What is known of words from earlier questions, where it is of the same moment.
    pub(super) postings: Option<&'a Postings>,
}

/// A question's words, with what the places it may look at have of them.
pub(super) struct Terms<'a> {
    shelves: &'a [&'a Shelf],
    passages: usize,
    terms: Vec<Term>,
}

impl<'a> Terms<'a> {
    pub(super) fn look_up(
        look: &Look<'_>,
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
            term.read(look, shelves).map_err(broken)?;
            terms.push(term);
        }
        let only_common = terms.iter().all(|term| term.passages() == 0);
        if only_common && let Some(term) = longest_common(&mut terms) {
            for shelf in shelves {
                let token = token(shelf.number, term.form, &term.word);
                let read = look.read(shelf, &token, MOST_OF_THE_ONLY).map_err(broken)?;
                term.found.push(Packed::new(&read.found));
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
        let mut best = Best::new(most);
        let terms = self.rarest();
        for (n, shelf) in self.shelves.iter().enumerate() {
            let mut scores = vec![0.0_f64; shelf.passages()];
            let mut scored = Vec::new();
            for term in &terms {
                let rarity = self.rarity(term);
                for posting in term.found.get(n).into_iter().flat_map(Packed::iter) {
                    let at = posting.at;
                    let (Some((id, words)), Some(score)) =
                        (shelf.passage(at), scores.get_mut(at as usize))
                    else {
                        continue;
                    };
                    if within.is_some_and(|ranges| !is_within(ranges, id)) {
                        continue;
                    }
                    if *score == 0.0 {
                        scored.push((at, id));
                    }
                    let times = term.form.weight() * f64::from(posting.times);
                    let length = 1.0 - B + B * f64::from(words) / usual;
                    *score += rarity * times * (K1 + 1.0) / (times + K1 * length);
                }
            }
            for (at, id) in scored {
                best.offer(scores[at as usize] as f32, id);
            }
        }
        best.into_ids()
    }

    /// The terms to rank by.
    fn rarest(&self) -> Vec<&Term> {
        let mut terms: Vec<&Term> = self
            .terms
            .iter()
            .filter(|term| term.passages() > 0)
            .collect();
        terms.sort_by(|a, b| {
            let by_rows = a.passages().cmp(&b.passages());
            by_rows.then_with(|| a.word.cmp(&b.word))
        });
        let mut total = 0;
        terms.retain(|term| {
            let is_first = total == 0;
            total += term.passages();
            is_first || total <= MOST_OCCURRENCES
        });
        terms.truncate(MOST_TERMS);
        terms
    }

    /// The inverse document frequency, as FTS5 counts it.
    fn rarity(&self, term: &Term) -> f64 {
        let (all, with) = (self.passages as f64, term.passages() as f64);
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
                term.passages()
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
    fn passages(&self) -> usize {
        self.found.iter().map(Packed::count).sum()
    }

    fn read(&mut self, look: &Look<'_>, shelves: &[&Shelf]) -> rusqlite::Result<()> {
        for shelf in shelves {
            match self.standing(look, shelf)? {
                Standing::In(found) => self.found.push(found),
                Standing::Common => {
                    self.found.clear();
                    self.common = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn standing(&self, look: &Look<'_>, shelf: &Shelf) -> rusqlite::Result<Standing> {
        let standing = |form| look.standing(shelf, token(shelf.number, form, &self.word));
        let written = standing(Form::Written)?;
        match (self.form, written) {
            (Form::Written, written) => Ok(written),
            (Form::Stem, Standing::Common) => Ok(Standing::Common),
            // A word that is its own stem is kept as written.
            (Form::Stem, Standing::In(written)) => Ok(match standing(Form::Stem)? {
                Standing::In(stems) if stems.count() + written.count() <= MOST_OCCURRENCES => {
                    Standing::In(stems.merged(&written))
                }
                Standing::In(_) | Standing::Common => Standing::Common,
            }),
        }
    }
}

/// What the file says of a word.
struct Read {
    found: Vec<Posting>,
    /// How often it stands there, one above what was asked for when it is more.
    occurrences: usize,
}

impl Look<'_> {
    fn standing(&self, shelf: &Shelf, token: String) -> rusqlite::Result<Standing> {
        if let Some(known) = self.postings.and_then(|postings| postings.of(&token)) {
            return Ok(known);
        }
        let read = self.read(shelf, &token, MOST_OCCURRENCES)?;
        let standing = if read.occurrences > MOST_OCCURRENCES {
            Standing::Common
        } else {
            Standing::In(Packed::new(&read.found))
        };
        if let Some(postings) = self.postings {
            postings.keep(token, standing.clone());
        }
        Ok(standing)
    }

    /// Reads where the word stands, each occurrence a row.
    fn read(&self, shelf: &Shelf, token: &str, most: usize) -> rusqlite::Result<Read> {
        let mut statement = self
            .db
            .prepare_cached("SELECT doc FROM occurrences WHERE term = ?1 LIMIT ?2")?;
        let mut rows = statement.query(params![token, most as i64 + 1])?;
        let mut found: Vec<Posting> = Vec::new();
        let (mut occurrences, mut last) = (0, None);
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            occurrences += 1;
            if last == Some(id) {
                if let Some(posting) = found.last_mut() {
                    posting.times += 1;
                }
            } else if let Some(at) = shelf.position(id, found.last().map_or(0, |last| last.at)) {
                found.push(Posting { at, times: 1 });
                last = Some(id);
            }
        }
        Ok(Read { found, occurrences })
    }
}
