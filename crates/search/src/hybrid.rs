//! Combines rankings by reciprocal rank fusion. Deterministic.

use std::collections::HashMap;

/// The usual constant of reciprocal rank fusion: a larger value flattens the first ranks.
pub(crate) const K: u32 = 60;

/// Merges rankings of ids, best first. Ties are ordered by id.
pub fn fuse(rankings: &[&[i64]]) -> Vec<i64> {
    let mut scores: HashMap<i64, f64> = HashMap::new();
    for ranking in rankings {
        for (rank, id) in ranking.iter().enumerate() {
            *scores.entry(*id).or_default() += 1.0 / (f64::from(K) + 1.0 + rank as f64);
        }
    }
    let mut fused: Vec<(i64, f64)> = scores.into_iter().collect();
    fused.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    fused.into_iter().map(|(id, _)| id).collect()
}

#[cfg(test)]
#[path = "hybrid_tests.rs"]
mod hybrid_tests;
