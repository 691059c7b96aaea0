//! `inclusive_words.toml`: the words to avoid in a language, ready for searching.

use serde::Deserialize;

use super::Category;
use crate::tata::domain::text::phrasebook::{Hit, Phrasebook};
use crate::tata::domain::text::words::Word;

/// `inclusive_words.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InclusiveWords {
    accepted: Vec<String>,
    terms: Vec<InclusiveTerm>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InclusiveTerm {
    pub(crate) category: Category,
    pub(crate) words: Vec<String>,
    pub(crate) alternatives: Vec<String>,
}

/// The word list of a language, ready for searching.
#[derive(Debug)]
pub(crate) struct WordPool {
    pub(crate) terms: Vec<InclusiveTerm>,
    /// The position of a term, or nothing for a phrase that is fine.
    book: Phrasebook<Option<usize>>,
}

impl WordPool {
    pub(crate) fn new(list: InclusiveWords) -> Self {
        let accepted = list.accepted.iter().map(|a| (a.clone(), None));
        let terms = list.terms.iter().enumerate();
        let flagged = terms.flat_map(|(i, t)| t.words.iter().map(move |w| (w.clone(), Some(i))));
        let book = Phrasebook::new(accepted.chain(flagged));
        WordPool {
            terms: list.terms,
            book,
        }
    }

    /// The flagged terms of a text in its order.
    pub(super) fn find(&self, list: &[Word<'_>]) -> Vec<(Hit<()>, &InclusiveTerm)> {
        let hits = self.book.find(list).into_iter();
        let flagged = hits.filter_map(|hit| Some((hit, &self.terms[hit.value?])));
        flagged
            .map(|(hit, term)| {
                (
                    Hit {
                        value: (),
                        first: hit.first,
                        last: hit.last,
                    },
                    term,
                )
            })
            .collect()
    }

    /// Comparisons made for a text, to show that they grow no faster than the text.
    #[cfg(test)]
    pub(crate) fn steps(&self, list: &[Word<'_>]) -> usize {
        self.book.find_counting(list).1
    }
}
