//! Fusion depends on ranks alone and is deterministic.

use proptest::prelude::*;

use super::fuse;

#[test]
fn ids_in_both_rankings_come_first() {
    assert_eq!(fuse(&[&[1, 2, 3], &[4, 3, 5]])[0], 3);
    assert_eq!(fuse(&[&[7, 8], &[]]), [7, 8]);
    assert!(fuse(&[]).is_empty());
}

proptest! {
    #[test]
    fn fusion_is_deterministic_and_loses_nothing(
        a in prop::collection::hash_set(0_i64..50, 0..30),
        b in prop::collection::hash_set(0_i64..50, 0..30),
    ) {
        let (a, b): (Vec<i64>, Vec<i64>) = (a.into_iter().collect(), b.into_iter().collect());
        let fused = fuse(&[&a, &b]);
        prop_assert_eq!(&fused, &fuse(&[&a, &b]));
        let mut sorted = fused.clone();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), fused.len());
        prop_assert!(a.iter().chain(&b).all(|id| fused.contains(id)));
        // An id that is ahead in both rankings is ahead in the result.
        for (i, x) in a.iter().enumerate() {
            for y in &a[i + 1..] {
                let in_b = |id: &i64| b.iter().position(|other| other == id);
                let higher = match (in_b(x), in_b(y)) {
                    (Some(x), Some(y)) => x < y,
                    (Some(_), None) => true,
                    (None, _) => false,
                };
                if higher {
                    let at = |id: &i64| fused.iter().position(|other| other == id);
                    prop_assert!(at(x) < at(y));
                }
            }
        }
    }
}
