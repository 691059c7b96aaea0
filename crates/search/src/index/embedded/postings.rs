//! A cache of postings of query words. Words repeat between queries, and reading an
//! occurrence from the file costs about a hundred times as much.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// In bytes, for all words. The cache is cleared when it would exceed this; frequent words
/// soon return.
const MAX_CACHE_BYTES: usize = 16_000_000;
/// Estimated overhead of one cache entry, in bytes.
const ENTRY_OVERHEAD: usize = 128;

/// A passage's position within its place, and how often the word occurs in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) at: u32,
    pub(super) times: u32,
}

/// Merges two lists; occurrence counts of the same passage are added.
pub(super) fn merge(one: Arc<[Posting]>, other: &[Posting]) -> Arc<[Posting]> {
    if other.is_empty() {
        return one;
    }
    let mut all = [&one, other].concat();
    all.sort_unstable_by_key(|posting| posting.at);
    all.dedup_by(|later, first| {
        let same = later.at == first.at;
        if same {
            first.times = first.times.saturating_add(later.times);
        }
        same
    });
    all.into()
}

/// The postings of a word in one place.
#[derive(Clone, Debug)]
pub(super) enum WordPostings {
    /// The word occurs in too many passages to be selective.
    Common,
    In(Arc<[Posting]>),
}

/// Keyed by the indexed token, which includes the place number.
#[derive(Default)]
pub(super) struct PostingsCache(Mutex<CachedWords>);

#[derive(Default)]
struct CachedWords {
    words: HashMap<String, WordPostings>,
    bytes: usize,
}

impl PostingsCache {
    pub(super) fn of(&self, token: &str) -> Option<WordPostings> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.words.get(token).cloned()
    }

    pub(super) fn keep(&self, token: String, standing: WordPostings) {
        let bytes = ENTRY_OVERHEAD
            + match &standing {
                WordPostings::Common => 0,
                WordPostings::In(found) => size_of_val(&**found),
            };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes > MAX_CACHE_BYTES {
            *kept = CachedWords::default();
        }
        // Two queries may have read the same word concurrently.
        if kept.words.insert(token, standing).is_none() {
            kept.bytes += bytes;
        }
    }
}

#[cfg(test)]
#[path = "postings_tests.rs"]
mod postings_tests;
