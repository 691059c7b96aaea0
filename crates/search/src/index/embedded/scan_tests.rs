//! The quantised scan against the scan in full precision.

use std::path::Path;

use frontdesk_core::embed::{Embedder, Purpose};
use frontdesk_testkit::weights;
use proptest::prelude::*;

use super::{QuantizedQuery, TopK, Vectors, is_within};
use crate::embed::local::LocalEmbedder;

fn unit(values: &[f32]) -> Vec<f32> {
    let length = values.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
    values.iter().map(|v| v / length).collect()
}

fn exact(vectors: &[Vec<f32>], question: &[f32], most: usize) -> Vec<f32> {
    let mut all: Vec<f32> = vectors
        .iter()
        .map(|vector| vector.iter().zip(question).map(|(a, b)| a * b).sum())
        .collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all.truncate(most);
    all
}

fn nearest(vectors: &[Vec<f32>], question: &[f32], most: usize) -> Vec<i64> {
    let mut kept = Vectors::new(question.len());
    for (id, vector) in (1..).zip(vectors) {
        kept.push(id, vector);
    }
    let mut best = TopK::new(most);
    kept.offer_all(&QuantizedQuery::new(question), None, &mut best);
    best.into_ids()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The re-scored candidates include the true best, also with an outlier dimension.
    #[test]
    fn the_best_by_bytes_hold_the_true_best(
        seed in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 40), 60..200),
        asked in prop::collection::vec(-1.0_f32..1.0, 40),
        spike in 0_usize..40,
    ) {
        let vectors: Vec<Vec<f32>> = seed
            .into_iter()
            .map(|mut values| {
                values[spike] += 4.0;
                unit(&values)
            })
            .collect();
        let question = unit(&asked);
        let truth = exact(&vectors, &question, 10);
        let again: Vec<Vec<f32>> = nearest(&vectors, &question, 30)
            .into_iter()
            .map(|id| vectors[id as usize - 1].clone())
            .collect();
        prop_assert_eq!(exact(&again, &question, 10), truth);
    }

    #[test]
    fn a_range_is_found_by_its_ends(
        lengths in prop::collection::vec((1_i64..5, 1_i64..5), 0..20),
        id in 0_i64..120,
    ) {
        let mut ranges = Vec::new();
        let mut next = 1;
        for (gap, length) in lengths {
            ranges.push((next + gap, next + gap + length));
            next += gap + length + 1;
        }
        let plainly = ranges.iter().any(|(first, last)| (*first..=*last).contains(&id));
        prop_assert_eq!(is_within(&ranges, id), plainly);
    }
}

#[test]
fn scan_skips_vectors_out_of_range_and_deleted_ones() {
    let mut kept = Vectors::new(2);
    for id in 1..=10 {
        kept.push(id, &[1.0, id as f32]);
    }
    kept.drop_within(&[(3, 4), (9, 9)]);
    let offered = |within: Option<&[(i64, i64)]>| {
        let mut best = TopK::new(20);
        kept.offer_all(&QuantizedQuery::new(&[0.0, 1.0]), within, &mut best);
        let mut ids = best.into_ids();
        ids.sort_unstable();
        ids
    };
    assert_eq!(offered(None), [1, 2, 5, 6, 7, 8, 10]);
    assert_eq!(offered(Some(&[(2, 3), (8, 9)])), [2, 8]);
    assert!(offered(Some(&[])).is_empty());
}

/// The sum over the longest supported vectors fits in 32 bits.
#[test]
fn long_vectors_do_not_overflow() {
    let vector = vec![1.0_f32; 8_000];
    assert_eq!(nearest(std::slice::from_ref(&vector), &vector, 1), [1]);
}

/// Sentences of the handbook, embedded by the real model: re-scoring twenty candidates
/// yields the true ten best, in order.
#[tokio::test]
async fn the_best_of_real_vectors_are_the_true_best() {
    let handbook = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assistants/docs/handbook");
    let mut pages = Vec::new();
    for folder in std::fs::read_dir(handbook).unwrap() {
        for page in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            pages.push(std::fs::read_to_string(page.unwrap().path()).unwrap());
        }
    }
    pages.sort();
    let sentences: Vec<&str> = pages
        .iter()
        .flat_map(|page| page.split(". "))
        .map(str::trim)
        .filter(|sentence| (40..300).contains(&sentence.len()))
        .collect();
    assert!(sentences.len() >= 150, "{}", sentences.len());
    let embedder = LocalEmbedder::find(&weights::folder()).unwrap();
    let embedded = embedder.embed(&sentences, Purpose::Document).await.unwrap();
    let vectors: Vec<Vec<f32>> = embedded.iter().map(|one| one.values().to_vec()).collect();
    for question in &vectors {
        let again: Vec<Vec<f32>> = nearest(&vectors, question, 20)
            .into_iter()
            .map(|id| vectors[id as usize - 1].clone())
            .collect();
        assert_eq!(exact(&again, question, 10), exact(&vectors, question, 10));
    }
}
