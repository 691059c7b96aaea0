//! Ranking and labels; a robot that loses, cannot do the work or exceeds the budget is not recommended.

use proptest::prelude::*;

use super::super::catalogue::built_in;
use super::super::discovery::Discovery;
use super::super::roi::{Edits, Inputs};
use super::{Label, Recommendations, recommend};

fn for_club(spend: f64, budget: Option<f64>, top: usize) -> Recommendations {
    let edits = Edits {
        manual_monthly_spend: Some(spend),
        ..Edits::default()
    };
    let inputs = Inputs::of(&Discovery::example(), &edits).unwrap();
    recommend(&built_in().unwrap(), &inputs, budget, top)
}

#[test]
fn the_largest_savings_come_first_with_reasons() {
    let found = for_club(3500.0, None, 11);
    let first = &found.recommendations[0];
    assert_eq!(
        (first.robot.as_str(), first.label),
        ("Keenon Kleenbot C30", Label::Recommended)
    );
    assert_eq!(
        first.reasons,
        [
            "It can do all of your cleaning on your floors.",
            "It takes over 80 % of the work.",
            "One is enough: it cleans about 600 m²/h.",
        ]
    );
    let savings: Vec<f64> = found
        .recommendations
        .iter()
        .map(|one| one.estimated_monthly_savings.low)
        .collect();
    assert!(savings.is_sorted_by(|a, b| a >= b), "{savings:?}");
    // Four of the eleven only scrub.
    assert_eq!(savings.len(), 7);
    // The best value is the best of all, so it is not a second prize.
    assert!(
        found
            .recommendations
            .iter()
            .all(|one| one.label != Label::BestValue)
    );
}

#[test]
fn a_budget_below_every_lease_recommends_nothing_and_says_why() {
    let found = for_club(3500.0, Some(500.0), 3);
    let none = |one: &super::Recommendation| {
        one.label == Label::Alternative && one.within_budget == Some(false)
    };
    assert!(found.recommendations.iter().all(none));
    assert_eq!(
        found.notes,
        [
            "No robot that can do the work leases for $500 a month or less; the cheapest is the Keenon Kleenbot C30 at $600 (indicative)."
        ]
    );
}

#[test]
fn where_every_robot_loses_none_is_recommended() {
    let found = for_club(300.0, None, 11);
    assert!(
        found
            .recommendations
            .iter()
            .all(|one| one.label == Label::Alternative)
    );
    assert_eq!(
        found.notes,
        ["With these figures no robot of the catalogue saves money on a lease."]
    );
}

proptest! {
    #[test]
    fn recommended_means_that_it_pays_and_fits(spend in 0.0..20_000.0_f64, budget in proptest::option::of(0.0..5_000.0_f64), top in 1_usize..50) {
        let found = for_club(spend, budget, top);
        prop_assert!(found.recommendations.len() <= top.min(11));
        for one in &found.recommendations {
            if one.label != Label::Alternative {
                prop_assert!(one.estimated_monthly_savings.low >= 0.0 && one.within_budget != Some(false));
            }
        }
        let recommended = found.recommendations.iter().filter(|one| one.label == Label::Recommended).count();
        prop_assert!(recommended <= 1);
    }
}
