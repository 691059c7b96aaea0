//! Where the words of questions stand, kept from one question to the next: people ask with the
//! same words, and to read an occurrence from the file costs a hundred times as much.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are kept for all words together. When there would be more, all are forgotten:
/// what is asked for often is soon back.
const MOST_KEPT: usize = 16_000_000;
/// What a word takes beside its passages.
const A_WORD: usize = 128;

/// Where a passage with the word stands on its shelf, and how often it has the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) at: u32,
    pub(super) times: u32,
}

/// Postings in order, one or two bytes each: how far it is from the one before, doubled, and one
/// more where the number of times follows because it is not 1. Seven bits a byte, lowest first;
/// the eighth says that more follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed {
    bytes: Arc<[u8]>,
    count: usize,
}

impl Packed {
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

    /// Those of both; a passage that is in both has the word as often as both say together.
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

/// What a place has of a word.
#[derive(Clone, Debug)]
pub(super) enum Standing {
    /// In too many of its passages to tell anything.
    Common,
    In(Packed),
}

/// By the word as the index holds it, with the number of its place in front.
#[derive(Default)]
pub(super) struct Postings(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    words: HashMap<String, Standing>,
    bytes: usize,
}

impl Postings {
    pub(super) fn of(&self, token: &str) -> Option<Standing> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.words.get(token).cloned()
    }

    pub(super) fn keep(&self, token: String, standing: Standing) {
        let bytes = A_WORD
            + match &standing {
                Standing::Common => 0,
                Standing::In(packed) => packed.bytes.len(),
            };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + bytes > MOST_KEPT {
            *kept = Kept::default();
        }
        // Two questions may have read the same word at once.
        if kept.words.insert(token, standing).is_none() {
            kept.bytes += bytes;
        }
    }
}

#[cfg(test)]
#[path = "postings_tests.rs"]
mod postings_tests;
