//! Keyword ranking: BM25 over words and stems.
//!
//! Each indexed token starts with its place number. A search therefore reads occurrences in
//! visible places only, and the frequency of a word elsewhere changes no ranking.

use std::sync::Arc;

use frontdesk_core::search::SearchError;
use rusqlite::{Connection, params};

use super::broken;
use super::cache::PlaceCache;
use super::postings::{Posting, PostingsCache, WordPostings, merge};
use super::scan::{TopK, is_within};
use crate::language::{self, QueryWords};

/// Occurrences read per query. The rarest words come first: frequent words are the least
/// selective and the most expensive.
const MAX_OCCURRENCES: usize = 8_000;
/// Occurrences read for a word that is everywhere, when the query has no other.
const MAX_OCCURRENCES_OF_SINGLE: usize = 32_000;
/// Further words of a query are ignored.
const MAX_TERMS: usize = 32;

/// The usual constants of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The word as written, or its stem.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Written,
    Stem,
}

impl Form {
    /// Separates the place number from the word.
    fn mark(self) -> char {
        match self {
            Self::Written => 'w',
            Self::Stem => 's',
        }
    }

    /// A literal match weighs more than a match of stems.
    fn weight(self) -> f64 {
        match self {
            Self::Written => 1.0,
            Self::Stem => 0.7,
        }
    }
}

/// A word of the query.
struct Term {
    form: Form,
    word: String,
    /// By place; empty if the word is too common to be read.
    found: Vec<Arc<[Posting]>>,
    common: bool,
}

/// The text that FTS5 indexes for a passage, and its number of words. A word that equals
/// its stem is indexed once.
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

/// FTS5 separates ASCII signs, so those of identifiers are replaced.
fn token(place: i64, form: Form, word: &str) -> String {
    let word = word.replace(['_', '.'], "·");
    format!("{place}{}{word}", form.mark())
}

/// The sources for looking up a query's words.
pub(super) struct TermLookup<'a> {
    pub(super) db: &'a Connection,
    /// Cached postings, if they are of the same generation.
    pub(super) postings: Option<&'a PostingsCache>,
}

/// The query's words with their postings in the visible places.
pub(super) struct Terms<'a> {
    places: &'a [&'a PlaceCache],
    passages: usize,
    terms: Vec<Term>,
}

impl<'a> Terms<'a> {
    pub(super) fn look_up(
        look: &TermLookup<'_>,
        places: &'a [&'a PlaceCache],
        question: &str,
    ) -> Result<Self, SearchError> {
        let QueryWords { words, stems } = language::query_words(question);
        let written = words.into_iter().map(|word| (Form::Written, word));
        let stems = stems.into_iter().map(|stem| (Form::Stem, stem));
        let mut terms = Vec::new();
        for (form, word) in written.chain(stems).take(2 * MAX_TERMS) {
            let mut term = Term {
                form,
                word,
                found: Vec::new(),
                common: false,
            };
            term.read(look, places).map_err(broken)?;
            terms.push(term);
        }
        let only_common = terms.iter().all(|term| term.passages() == 0);
        if only_common && let Some(term) = longest_common(&mut terms) {
            for place in places {
                let token = token(place.number, term.form, &term.word);
                let read = look
                    .read(place, &token, MAX_OCCURRENCES_OF_SINGLE)
                    .map_err(broken)?;
                term.found.push(read.found.into());
            }
        }
        Ok(Self {
            places,
            passages: places.iter().map(|place| place.passages()).sum(),
            terms,
        })
    }

    /// Ids of passages that contain some of the words, best first.
    pub(super) fn ranked(&self, within: Option<&[(i64, i64)]>, most: usize) -> Vec<i64> {
        let all_words: u64 = self.places.iter().map(|place| place.all_words()).sum();
        let usual = (all_words as f64 / self.passages.max(1) as f64).max(1.0);
        let mut best = TopK::new(most);
        let terms = self.rarest();
        for (n, place) in self.places.iter().enumerate() {
            let mut scores = vec![0.0_f64; place.passages()];
            let mut scored = Vec::new();
            for term in &terms {
                let rarity = self.rarity(term);
                for posting in term.found.get(n).into_iter().flat_map(|found| found.iter()) {
                    let at = posting.at;
                    let (Some((id, words)), Some(score)) =
                        (place.passage(at), scores.get_mut(at as usize))
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

    /// The terms to rank by, within the occurrence limit.
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
            is_first || total <= MAX_OCCURRENCES
        });
        terms.truncate(MAX_TERMS);
        terms
    }

    /// Inverse document frequency, as FTS5 computes it.
    fn rarity(&self, term: &Term) -> f64 {
        let (all, with) = (self.passages as f64, term.passages() as f64);
        ((all - with + 0.5) / (with + 0.5)).ln().max(1e-6)
    }
}

/// If all words are common, the longest is the most selective.
fn longest_common(terms: &mut [Term]) -> Option<&mut Term> {
    let common = terms.iter_mut().filter(|term| term.common);
    common.max_by_key(|term| (term.word.len(), term.form == Form::Written))
}

impl Term {
    fn passages(&self) -> usize {
        self.found.iter().map(|found| found.len()).sum()
    }

    fn read(&mut self, look: &TermLookup<'_>, places: &[&PlaceCache]) -> rusqlite::Result<()> {
        for place in places {
            match self.standing(look, place)? {
                WordPostings::In(found) => self.found.push(found),
                WordPostings::Common => {
                    self.found.clear();
                    self.common = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn standing(
        &self,
        look: &TermLookup<'_>,
        place: &PlaceCache,
    ) -> rusqlite::Result<WordPostings> {
        let standing = |form| look.standing(place, token(place.number, form, &self.word));
        let written = standing(Form::Written)?;
        match (self.form, written) {
            (Form::Written, written) => Ok(written),
            (Form::Stem, WordPostings::Common) => Ok(WordPostings::Common),
            // A word that equals its stem is indexed as written only.
            (Form::Stem, WordPostings::In(written)) => Ok(match standing(Form::Stem)? {
                WordPostings::In(stems) if stems.len() + written.len() <= MAX_OCCURRENCES => {
                    WordPostings::In(merge(stems, &written))
                }
                WordPostings::In(_) | WordPostings::Common => WordPostings::Common,
            }),
        }
    }
}

/// The postings of a word as read from the file.
struct StoredPostings {
    found: Vec<Posting>,
    /// The number of occurrences; one above the limit if there are more.
    occurrences: usize,
}

impl TermLookup<'_> {
    fn standing(&self, place: &PlaceCache, token: String) -> rusqlite::Result<WordPostings> {
        if let Some(known) = self.postings.and_then(|postings| postings.of(&token)) {
            return Ok(known);
        }
        let read = self.read(place, &token, MAX_OCCURRENCES)?;
        let standing = if read.occurrences > MAX_OCCURRENCES {
            WordPostings::Common
        } else {
            WordPostings::In(read.found.into())
        };
        if let Some(postings) = self.postings {
            postings.keep(token, standing.clone());
        }
        Ok(standing)
    }

    /// Reads the word's occurrences, one row each.
    fn read(
        &self,
        place: &PlaceCache,
        token: &str,
        most: usize,
    ) -> rusqlite::Result<StoredPostings> {
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
            } else if let Some(at) = place.position(id, found.last().map_or(0, |last| last.at)) {
                found.push(Posting { at, times: 1 });
                last = Some(id);
            }
        }
        Ok(StoredPostings { found, occurrences })
    }
}
