//! Words as sparse vectors: each stem is a dimension, its weight is BM25's for how often it
//! stands in the passage. How rare it is, Qdrant knows itself.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::language;

const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Words of a usual passage.
const USUAL: f32 = 300.0;

/// The sparse vector of a passage.
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

/// The sparse vector of a question: each stem once.
pub(super) fn of_question(text: &str) -> Value {
    let stems: std::collections::BTreeSet<u32> = language::asked(text)
        .stems
        .iter()
        .map(|stem| dimension(stem))
        .collect();
    json!({
        "values": vec![1.0; stems.len()],
        "indices": stems.into_iter().collect::<Vec<_>>(),
    })
}

/// The share of a question's words that a passage holds, where nothing is embedded.
pub(super) fn share(question: &str, passage: &str) -> f32 {
    let stems = language::asked(question).stems;
    if stems.is_empty() {
        return 0.0;
    }
    let held = format!(" {} ", language::stems_of(passage));
    let count = stems
        .iter()
        .filter(|stem| held.contains(&format!(" {stem} ")))
        .count();
    count as f32 / stems.len() as f32
}

fn dimension(stem: &str) -> u32 {
    let digest = Sha256::digest(stem.as_bytes());
    u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])
}
