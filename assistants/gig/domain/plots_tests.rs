//! Plots lose nobody, whatever people ask for.

use proptest::prelude::*;

use super::*;
use crate::domain::ranking::ranking_tests::{candidate, gig};

#[test]
fn bars_begin_at_round_prices_and_know_the_budget() {
    let all = [12_000, 19_000, 31_000, 47_500].map(|price| candidate(Some(price), None));
    let bars = Plots::of(&gig(Some(10_000), Some(20_000)), &all).prices;
    let first = bars.first().unwrap();
    assert_eq!((first.from, first.to), (10_000, 15_000));
    assert_eq!(bars.iter().map(|bar| bar.people).sum::<usize>(), 4);
    let affordable = bars.iter().filter_map(|bar| bar.within_budget);
    assert_eq!(affordable.sum::<usize>(), 2);
}

#[test]
fn nobody_means_no_bars() {
    let plots = Plots::of(&gig(None, None), &[candidate(None, None)]);
    assert_eq!((plots.prices.len(), plots.points.len()), (0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_price_stands_in_one_bar(prices in prop::collection::vec(prop::option::of(0_i64..i64::MAX / 4), 0..60)) {
        let all: Vec<_> = prices.iter().map(|price| candidate(*price, None)).collect();
        let bars = Plots::of(&gig(None, Some(50_000)), &all).prices;
        prop_assert!(bars.len() <= 15, "{}", bars.len());
        prop_assert_eq!(bars.iter().map(|bar| bar.people).sum::<usize>(), prices.iter().flatten().count());
        prop_assert!(bars.windows(2).all(|pair| pair[0].to == pair[1].from));
    }

    #[test]
    fn every_score_stands_in_one_bar(scores in prop::collection::vec(prop::option::of(0_u8..=100), 0..60)) {
        let all: Vec<_> = scores
            .iter()
            .map(|score| CandidateContext { composite_score: *score, ..candidate(None, None) })
            .collect();
        let bars = Plots::of(&gig(None, None), &all).scores;
        prop_assert_eq!(bars.iter().map(|bar| bar.people).sum::<usize>(), scores.iter().flatten().count());
    }
}
