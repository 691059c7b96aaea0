//! Each score against figures worked out by hand, and what must hold of any figures.

use proptest::prelude::*;

use super::*;
use crate::domain::ranking::ranking_tests::{candidate, gig};

fn near(left: Option<f64>, right: f64) -> bool {
    left.is_some_and(|left| (left - right).abs() < 1e-9)
}

#[test]
fn a_price_in_the_budget_falls_from_100_to_50() {
    let gig = gig(Some(10_000), Some(20_000));
    for (asked, score) in [
        (5_000, 100.0),
        (10_000, 100.0),
        (15_000, 75.0),
        (20_000, 50.0),
        (30_000, 50.0),
        (40_000, 0.0),
        (90_000, 0.0),
    ] {
        assert!(near(price(asked, &gig), score), "{asked}");
    }
}

#[test]
fn a_budget_may_be_half_known() {
    assert!(near(price(10_000, &gig(None, Some(20_000))), 75.0));
    assert!(near(price(20_000, &gig(Some(20_000), Some(20_000))), 100.0));
    assert_eq!(price(10_000, &gig(Some(5_000), None)), None);
    assert!(near(price(1, &gig(None, Some(0))), 0.0));
}

#[test]
fn in_time_is_at_least_twice_as_good_as_late() {
    assert!(near(Some(delivery(5, 10)), 100.0));
    assert!(near(Some(delivery(10, 10)), 100.0));
    assert!(near(Some(delivery(0, 10)), 100.0));
    assert!(near(Some(delivery(20, 10)), 25.0));
    assert!(near(Some(delivery(3, -1)), 0.0));
}

#[test]
fn the_cheapest_gains_by_its_place() {
    let gig = gig(Some(10_000), Some(20_000));
    let all: Vec<_> = [10_000, 15_000, 20_000]
        .map(|price| candidate(Some(price), None))
        .to_vec();
    let scores = of_all(&gig, &all.iter().collect::<Vec<_>>(), Utc::now());
    assert!(near(scores[0].price, 100.0));
    assert!(near(scores[1].price, 0.7 * 75.0 + 0.3 * 50.0));
    assert!(near(scores[2].price, 0.7 * 50.0));
}

#[test]
fn required_skills_count_for_seventy() {
    let mut gig = gig(None, None);
    gig.requirements = Some(crate::domain::gig_context::GigRequirements {
        required_skills: vec!["HTML".into(), "CSS".into()],
        nice_to_have_skills: vec!["Figma".into()],
        ..Default::default()
    });
    let mut one = candidate(None, None);
    assert_eq!(skill_match(&one, &gig), None);
    one.skills = Some(vec!["html".into(), "Figma".into()]);
    assert!(near(skill_match(&one, &gig), 65.0));
}

proptest! {
    #[test]
    fn every_score_is_between_0_and_100(
        offers in prop::collection::vec((prop::option::of(0i64..1_000_000), prop::option::of(0i64..400)), 1..30),
        min in prop::option::of(0i64..500_000),
        max in prop::option::of(0i64..500_000),
        left in prop::option::of(-30i64..200),
    ) {
        let mut gig = gig(min, max);
        let now = Utc::now();
        gig.deadline = left.map(|days| now + chrono::Duration::days(days));
        let all: Vec<_> = offers.iter().map(|(price, days)| candidate(*price, *days)).collect();
        for scores in of_all(&gig, &all.iter().collect::<Vec<_>>(), now) {
            for score in Criterion::ALL.into_iter().filter_map(|one| scores.get(one)).chain(scores.composite()) {
                prop_assert!((0.0..=100.0).contains(&score), "{score}");
            }
        }
    }

    // Above the budget the formula starts again from 100.
    #[test]
    fn within_the_budget_a_lower_price_never_scores_lower(a in 0i64..=60_000, b in 0i64..=60_000, more in prop::collection::vec(0i64..100_000, 0..10)) {
        let gig = gig(Some(20_000), Some(60_000));
        let mut all = vec![candidate(Some(a.min(b)), None), candidate(Some(a.max(b)), None)];
        all.extend(more.into_iter().map(|price| candidate(Some(price), None)));
        let scores = of_all(&gig, &all.iter().collect::<Vec<_>>(), Utc::now());
        prop_assert!(scores[0].price >= scores[1].price);
    }
}
