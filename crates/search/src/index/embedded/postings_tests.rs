//! Merging of postings, and the bound of their cache.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn postings(passages: &BTreeMap<u32, u32>) -> Vec<Posting> {
    let passages = passages.iter();
    let posting = |(at, times): (&u32, &u32)| Posting {
        at: *at,
        times: *times,
    };
    passages.map(posting).collect()
}

proptest! {
    #[test]
    fn merging_adds_the_counts(
        one in prop::collection::btree_map(0_u32..500, 1_u32..9, 0..100),
        other in prop::collection::btree_map(0_u32..500, 1_u32..9, 0..100),
    ) {
        let mut sums = one.clone();
        for (at, times) in &other {
            *sums.entry(*at).or_default() += times;
        }
        let merged = merge(postings(&one).into(), &postings(&other));
        prop_assert_eq!(merged.to_vec(), postings(&sums));
    }
}

#[test]
fn the_cache_is_bounded() {
    let cache = PostingsCache::default();
    let many: Vec<Posting> = (0..200_000).map(|at| Posting { at, times: 1 }).collect();
    let many: Arc<[Posting]> = many.into();
    for n in 0..40 {
        cache.keep(format!("1wword{n}"), WordPostings::In(many.clone()));
        assert!(cache.0.lock().unwrap().bytes <= MAX_CACHE_BYTES);
    }
    assert!(cache.of("1wword0").is_none(), "forgotten");
    assert!(cache.of("1wword39").is_some(), "just kept");
}

#[test]
fn words_without_postings_count_towards_the_bound() {
    let cache = PostingsCache::default();
    for n in 0..MAX_CACHE_BYTES / ENTRY_OVERHEAD + 10 {
        cache.keep(n.to_string(), WordPostings::In(Arc::default()));
    }
    assert!(cache.0.lock().unwrap().words.len() <= MAX_CACHE_BYTES / ENTRY_OVERHEAD);
}
