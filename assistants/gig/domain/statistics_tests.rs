//! Every figure against a plain count over the same candidates.

use proptest::prelude::*;

use super::*;
use crate::domain::ranking::ranking_tests::{candidate, gig};

// design: 004 CandidatesContext.stats.avgPrice
#[test]
fn unknown_values_are_left_out_and_averages_rounded() {
    let all = vec![
        candidate(Some(10), Some(3)),
        candidate(Some(11), None),
        candidate(None, Some(4)),
    ];
    let stats = Statistics::of(&all);
    assert_eq!(
        (stats.total, stats.avg_price, stats.avg_delivery_days),
        (3, Some(11), Some(4))
    );
    assert_eq!(
        (stats.avg_screening_score, stats.avg_interview_score),
        (None, None)
    );
    assert_eq!(stats.by_status[&GigResponseStatus::New], 3);
    assert_eq!(stats.by_status.len(), GigResponseStatus::ALL.len());
}

// design: 004 CandidatesContext.stats.avgScreeningScore
#[test]
fn screening_of_five_and_interview_of_hundred_are_on_one_scale() {
    let mut one = candidate(None, None);
    one.screening_score = Some(4.0);
    one.interview_score = Some(70.0);
    let stats = Statistics::of(&[one]);
    assert_eq!(
        (stats.avg_screening_score, stats.avg_interview_score),
        (Some(80), Some(70))
    );
}

// design: 004 CandidatesContext.stats.total
#[test]
fn recommendations_are_counted_and_their_absence_is_none() {
    use GigRecommendation::{HighlyRecommended, Neutral, NotRecommended, Recommended};
    let given = [Some(Neutral), Some(Recommended), None, Some(Neutral)];
    let all = given.map(|recommendation| CandidateContext {
        recommendation,
        ..candidate(None, None)
    });
    let found = Statistics::of(&all).by_recommendation;
    let counts = [HighlyRecommended, Recommended, Neutral, NotRecommended].map(|one| found[&one]);
    assert_eq!(counts, [0, 1, 2, 0]);
}

#[test]
fn skills_are_counted_and_gaps_named() {
    let mut gig = gig(Some(1_000), Some(2_000));
    gig.requirements = Some(crate::domain::gig_context::GigRequirements {
        required_skills: vec!["HTML".into(), "Rust".into()],
        ..Default::default()
    });
    let mut one = candidate(Some(1_500), None);
    one.skills = Some(vec!["html".into(), "CSS".into()]);
    let mut two = candidate(Some(2_500), None);
    two.skills = Some(vec!["HTML".into()]);
    let figures = Figures::of(&gig, &[one, two]);
    assert_eq!(figures.required_skills[0].people, 2);
    assert_eq!(figures.missing_skills, ["Rust"]);
    assert_eq!(
        (figures.within_budget, figures.median_price),
        (Some(1), Some(2_000))
    );
    assert_eq!(figures.frequent_skills[0].people, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    // design: 004 CandidatesContext.stats.total
    #[test]
    fn counts_by_status_sum_to_the_total(picks in prop::collection::vec(0usize..6, 0..200)) {
        let all: Vec<_> = picks.iter().map(|pick| CandidateContext { status: GigResponseStatus::ALL[*pick], ..candidate(None, None) }).collect();
        let stats = Statistics::of(&all);
        prop_assert_eq!(stats.by_status.values().sum::<usize>(), stats.total);
        for (at, status) in GigResponseStatus::ALL.iter().enumerate() {
            prop_assert_eq!(stats.by_status[status], picks.iter().filter(|pick| **pick == at).count());
        }
    }
}

#[test]
fn another_currency_enters_no_average_and_is_counted_apart() {
    let mut dollars = candidate(Some(900), None);
    dollars.proposed_currency = "USD".into();
    dollars.comparable_price = None;
    let all = [
        candidate(Some(10_000), None),
        candidate(None, None),
        dollars,
    ];
    let figures = Figures::of(&gig(None, Some(20_000)), &all);
    assert_eq!(Statistics::of(&all).avg_price, Some(10_000));
    assert_eq!(
        (
            figures.min_price,
            figures.within_budget,
            figures.without_price
        ),
        (Some(10_000), Some(1), 1)
    );
    let other = CurrencyFigures {
        currency: "USD".to_owned(),
        people: 1,
        min_price: 900,
        max_price: 900,
        avg_price: 900,
    };
    assert_eq!(figures.other_currencies, [other]);
}
