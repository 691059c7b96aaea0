//! Sparse vectors of words: each stem is a dimension, weighted by BM25's term frequency.
//! Qdrant adds the inverse document frequency.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::language;

const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Words of an average passage.
const USUAL: f32 = 300.0;

pub(super) fn of_passage(text: &str) -> Value {
    let stems = language::stems_of(text);
    let length = stems.split(' ').count() as f32;
    let mut counts: BTreeMap<u32, f32> = BTreeMap::new();
    for stem in stems.split(' ').filter(|stem| !stem.is_empty()) {
        *counts.entry(dimension(stem)).or_default() += 1.0;
    }
    let weight = |count: f32| count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / USUAL));
    json!({
        "indices": counts.keys().collect::<Vec<_>>(),
        "values": counts.values().map(|count| weight(*count)).collect::<Vec<_>>(),
    })
}

/// The sparse vector of a query: each stem once.
pub(super) fn of_question(text: &str) -> Value {
    let stems: std::collections::BTreeSet<u32> = language::query_words(text)
        .stems
        .iter()
        .map(|stem| dimension(stem))
        .collect();
    json!({
        "values": vec![1.0; stems.len()],
        "indices": stems.into_iter().collect::<Vec<_>>(),
    })
}

fn dimension(stem: &str) -> u32 {
    let digest = Sha256::digest(stem.as_bytes());
    u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])
}
