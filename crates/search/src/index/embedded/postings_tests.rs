//! PackedPostings postings round-trip, and the cache is bounded.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn packed_postings_round_trip(
        passages in prop::collection::btree_map(any::<u32>(), 1_u32.., 0..300)
    ) {
        let postings: Vec<Posting> = passages
            .into_iter()
            .map(|(at, times)| Posting { at, times })
            .collect();
        let packed = PackedPostings::new(&postings);
        prop_assert_eq!(packed.count(), postings.len());
        prop_assert_eq!(packed.iter().collect::<Vec<_>>(), postings);
    }

    #[test]
    fn merging_adds_the_counts(
        one in prop::collection::btree_map(0_u32..500, 1_u32..9, 0..100),
        other in prop::collection::btree_map(0_u32..500, 1_u32..9, 0..100),
    ) {
        let packed = |passages: &BTreeMap<u32, u32>| {
            let postings = passages.iter().map(|(at, times)| Posting { at: *at, times: *times });
            PackedPostings::new(&postings.collect::<Vec<_>>())
        };
        let mut sums = one.clone();
        for (at, times) in &other {
            *sums.entry(*at).or_default() += times;
        }
        let merged = packed(&one).merged(&packed(&other));
        let merged: BTreeMap<u32, u32> = merged.iter().map(|each| (each.at, each.times)).collect();
        prop_assert_eq!(merged, sums);
    }
}

#[test]
fn a_passage_with_a_word_once_takes_a_byte_or_two() {
    let postings: Vec<Posting> = (0..1_000)
        .map(|n| Posting {
            at: 100 * n,
            times: 1,
        })
        .collect();
    assert!(PackedPostings::new(&postings).bytes.len() <= 2_000);
}

#[test]
fn the_cache_is_bounded() {
    let postings = PostingsCache::default();
    let many: Vec<Posting> = (0..1_000_000).map(|at| Posting { at, times: 1 }).collect();
    let many = PackedPostings::new(&many);
    for n in 0..40 {
        postings.keep(format!("1wword{n}"), WordPostings::In(many.clone()));
        assert!(postings.0.lock().unwrap().bytes <= MAX_CACHE_BYTES);
    }
    assert!(postings.of("1wword0").is_none(), "forgotten");
    assert!(postings.of("1wword39").is_some(), "just kept");
}

#[test]
fn words_without_postings_count_towards_the_bound() {
    let postings = PostingsCache::default();
    for n in 0..MAX_CACHE_BYTES / ENTRY_OVERHEAD + 10 {
        postings.keep(n.to_string(), WordPostings::In(PackedPostings::default()));
    }
    assert!(postings.0.lock().unwrap().words.len() <= MAX_CACHE_BYTES / ENTRY_OVERHEAD);
}
