//! Scores with their reasons; no robot is made to win.

use proptest::prelude::*;

use super::super::catalogue::{Mode, Surface, built_in};
use super::super::discovery::Profile;
use super::super::reading::facility::Facility;
use super::super::roi::{Assumptions, Edits};
use super::{Label, Recommendations, recommend};

fn club(spend: f64) -> (Profile, Assumptions) {
    let profile = Profile {
        facility: Some(Facility::PickleballClub),
        methods: vec![Mode::Vacuum],
        surfaces: vec![Surface::Concrete],
        monthly_spend: Some(spend),
        monthly_hours: Some(60.0),
        ..Profile::default()
    };
    let with = Assumptions::of(&profile, &Edits::default());
    (profile, with)
}

fn for_club(spend: f64, budget: Option<f64>, top: usize) -> Recommendations {
    let (profile, with) = club(spend);
    recommend(&built_in().unwrap(), &profile, &with, budget, top)
}

#[test]
fn a_club_is_recommended_what_cleans_courts_and_pays() {
    let found = for_club(3500.0, None, 3);
    assert_eq!(found.recommendations.len(), 3);
    let first = &found.recommendations[0];
    assert_eq!(first.label, Label::Recommended);
    assert!(first.estimated_monthly_savings > 0.0);
    let factors: Vec<&str> = first
        .reasons
        .iter()
        .map(|reason| reason.factor.as_str())
        .collect();
    assert_eq!(
        factors,
        ["facility", "surfaces", "method", "budget", "efficiency"]
    );
    assert_eq!(
        first.score,
        50 + first
            .reasons
            .iter()
            .map(|reason| reason.score_impact)
            .sum::<i32>()
    );
    assert!(found.recommendations.iter().all(|one| one.score <= 120));
    assert!(found.notes.is_empty(), "{:?}", found.notes);
}

#[test]
fn a_budget_below_every_lease_recommends_nothing_and_says_why() {
    let found = for_club(3500.0, Some(500.0), 3);
    assert!(
        found
            .recommendations
            .iter()
            .all(|one| one.label == Label::Alternative && one.within_budget == Some(false))
    );
    assert_eq!(
        found.notes,
        [
            "No robot leases for $500 a month or less; the cheapest is the Keenon Kleenbot C30 at $600 (indicative)."
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
            .all(|one| one.label == Label::Alternative || one.label == Label::Upgrade)
    );
    assert!(
        found
            .recommendations
            .iter()
            .all(|one| one.label != Label::Recommended)
    );
    assert!(
        found.notes[0].contains("no robot of the catalogue saves money"),
        "{:?}",
        found.notes
    );
}

#[test]
fn what_fits_the_budget_comes_first() {
    let found = for_club(3500.0, Some(900.0), 11);
    let within: Vec<bool> = found
        .recommendations
        .iter()
        .map(|one| one.within_budget.unwrap())
        .collect();
    let mut sorted = within.clone();
    sorted.sort_by(|a, b| b.cmp(a));
    assert_eq!(within, sorted);
    assert_eq!(found.recommendations[0].label, Label::Recommended);
}

proptest! {
    #[test]
    fn recommended_means_that_it_pays_and_fits(spend in 0.0..20_000.0_f64, budget in proptest::option::of(0.0..5_000.0_f64), top in 1_usize..50) {
        let found = for_club(spend, budget, top);
        prop_assert!(found.recommendations.len() <= top.min(11));
        for one in &found.recommendations {
            if matches!(one.label, Label::Recommended | Label::BestValue) {
                prop_assert!(one.estimated_monthly_savings >= 0.0 && one.within_budget != Some(false));
            }
        }
        let recommended = found.recommendations.iter().filter(|one| one.label == Label::Recommended).count();
        prop_assert!(recommended <= 1);
    }
}
