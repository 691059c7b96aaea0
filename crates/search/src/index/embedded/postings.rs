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

/// Delta-encoded postings, one or two bytes each: the distance from the previous posting,
/// doubled, plus 1 if an occurrence count other than 1 follows. Variable-length numbers, 7
/// bits per byte, lowest first.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedPostings {
    bytes: Arc<[u8]>,
    count: usize,
}

impl PackedPostings {
    pub(super) fn new(postings: &[Posting]) -> Self {
        let mut bytes = Vec::with_capacity(2 * postings.len());
        let mut next = 0;
        for posting in postings {
            let ahead = u64::from(posting.at.saturating_sub(next));
            put(&mut bytes, 2 * ahead + u64::from(posting.times != 1));
            if posting.times != 1 {
                put(&mut bytes, u64::from(posting.times));
            }
            next = posting.at.saturating_add(1);
        }
        Self {
            bytes: bytes.into(),
            count: postings.len(),
        }
    }

    /// Merges two lists; occurrence counts of the same passage are added.
    pub(super) fn merged(self, other: &Self) -> Self {
        if other.count == 0 {
            return self;
        }
        let mut all: Vec<Posting> = self.iter().chain(other.iter()).collect();
        all.sort_unstable_by_key(|posting| posting.at);
        all.dedup_by(|later, first| {
            let same = later.at == first.at;
            if same {
                first.times = first.times.saturating_add(later.times);
            }
            same
        });
        Self::new(&all)
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Posting> {
        let mut bytes = self.bytes.iter();
        let mut next = 0;
        (0..self.count).map(move |_| {
            let head = take(&mut bytes);
            let at = next + (head >> 1) as u32;
            next = at.saturating_add(1);
            let times = if head & 1 == 1 {
                take(&mut bytes) as u32
            } else {
                1
            };
            Posting { at, times }
        })
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push((number & 127) as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut std::slice::Iter<'_, u8>) -> u64 {
    let (mut number, mut shift) = (0, 0);
    for byte in bytes {
        number |= u64::from(byte & 127) << shift;
        if byte & 128 == 0 {
            break;
        }
        shift += 7;
    }
    number
}

/// The postings of a word in one place.
#[derive(Clone, Debug)]
pub(super) enum WordPostings {
    /// The word occurs in too many passages to be selective.
    Common,
    In(PackedPostings),
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
                WordPostings::In(packed) => packed.bytes.len(),
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
