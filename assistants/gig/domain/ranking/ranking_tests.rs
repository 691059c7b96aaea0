//! The whole ranking: weights, bands, ties, rejections, and a pool of one.

use chrono::{Duration, TimeZone, Utc};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::domain::kinds::{GigHrSelectionStatus, GigResponseStatus, GigType, Kind};

pub(crate) fn gig(min: Option<i64>, max: Option<i64>) -> GigContext {
    GigContext {
        id: Uuid::from_u128(1),
        title: "Лендинг".into(),
        description: None,
        requirements: None,
        r#type: GigType::Development,
        budget_min: min,
        budget_max: max,
        budget_currency: "RUB".into(),
        deadline: None,
        estimated_duration: None,
        custom_bot_instructions: None,
    }
}

pub(crate) fn candidate(price: Option<i64>, days: Option<i64>) -> CandidateContext {
    CandidateContext {
        id: Uuid::from_u128(7),
        candidate_id: "kwork-1029384756".into(),
        candidate_name: None,
        proposed_price: price,
        proposed_currency: "RUB".into(),
        proposed_delivery_days: days,
        cover_letter: None,
        experience: None,
        skills: None,
        rating: None,
        status: GigResponseStatus::New,
        hr_selection_status: None,
        screening_score: None,
        screening_detailed_score: None,
        screening_analysis: None,
        interview_score: None,
        interview_detailed_score: None,
        interview_analysis: None,
        composite_score: None,
        strengths: None,
        weaknesses: None,
        recommendation: None,
        comparable_price: price,
        responded_at: Utc.timestamp_opt(1_800_000_000, 0).unwrap(),
        experience_score: None,
        ranked: None,
    }
}

fn screened(score: f64) -> CandidateContext {
    CandidateContext {
        screening_detailed_score: Some(score),
        ..candidate(None, None)
    }
}

fn ranked(candidates: &[CandidateContext]) -> Vec<Option<Ranking>> {
    rank(&gig(None, None), candidates, Utc::now())
}

#[test]
fn the_weights_sum_to_one() {
    let sum: f64 = Criterion::ALL.into_iter().map(Criterion::weight).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn weights_are_shared_among_what_is_known() {
    let mut one = screened(90.0);
    one.interview_score = Some(50.0);
    one.experience_score = Some(20.0);
    let scores = rank(&gig(None, None), &[one, screened(10.0)], Utc::now());
    let composite = scores[0].as_ref().unwrap().composite.unwrap();
    assert!((composite - (0.25 * 90.0 + 0.25 * 50.0 + 0.1 * 20.0) / 0.6).abs() < 1e-9);
}

#[test]
fn screening_of_five_and_of_a_hundred_are_one_scale() {
    let mut of_five = candidate(None, None);
    of_five.screening_score = Some(4.0);
    assert_eq!(of_five.screening(), Some(80.0));
    of_five.screening_detailed_score = Some(77.0);
    assert_eq!(of_five.screening(), Some(77.0));
}

// design: 004 CandidateContext.compositeScore
#[test]
fn bands() {
    let all = [80.0, 79.9, 60.0, 59.9, 40.0, 39.9].map(screened);
    let bands: Vec<_> = ranked(&all)
        .into_iter()
        .map(|one| one.unwrap().recommendation.unwrap().as_str())
        .collect();
    assert_eq!(
        bands,
        [
            "HIGHLY_RECOMMENDED",
            "RECOMMENDED",
            "RECOMMENDED",
            "NEUTRAL",
            "NEUTRAL",
            "NOT_RECOMMENDED"
        ]
    );
}

#[test]
fn of_equals_the_earlier_response_is_first() {
    let late = screened(70.0);
    let early = CandidateContext {
        id: Uuid::from_u128(9),
        responded_at: late.responded_at - Duration::days(1),
        ..late.clone()
    };
    let places: Vec<_> = ranked(&[late, early])
        .into_iter()
        .map(|one| one.unwrap().position)
        .collect();
    assert_eq!(places, [Some(2), Some(1)]);
}

#[test]
fn rejected_candidates_are_left_out_and_change_nothing() {
    let rejected = CandidateContext {
        hr_selection_status: Some(GigHrSelectionStatus::Rejected),
        ..screened(100.0)
    };
    let with = ranked(&[screened(70.0), rejected, screened(50.0)]);
    let without = ranked(&[screened(70.0), screened(50.0)]);
    assert_eq!(with[1], None);
    assert_eq!(
        [with[0].clone(), with[2].clone()],
        [without[0].clone(), without[1].clone()]
    );
}

#[test]
fn one_candidate_is_not_compared() {
    let only = ranked(&[screened(95.0)]).remove(0).unwrap();
    assert_eq!(only.recommendation, Some(GigRecommendation::Neutral));
    assert!(only.strengths.is_empty() && only.weaknesses.is_empty());
}

#[test]
fn nothing_known_is_no_judgement() {
    let both = ranked(&[candidate(None, None), screened(50.0)]);
    let blank = both[0].as_ref().unwrap();
    assert_eq!(
        (blank.composite, blank.position, blank.recommendation),
        (None, None, None)
    );
}

proptest! {
    #[test]
    fn places_are_a_permutation_and_follow_the_scores(scores in prop::collection::vec(prop::option::of(0.0f64..100.0), 0..40)) {
        let all: Vec<_> = scores.iter().map(|score| CandidateContext { screening_detailed_score: *score, ..candidate(None, None) }).collect();
        let ranked = ranked(&all);
        let mut placed: Vec<(usize, f64)> = ranked.iter().flatten().filter_map(|one| Some((one.position?, one.composite?))).collect();
        placed.sort_by_key(|(place, _)| *place);
        prop_assert!(placed.iter().enumerate().all(|(index, (place, _))| *place == index + 1));
        prop_assert!(placed.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        prop_assert!(ranked.iter().flatten().all(|one| one.strengths.len() <= 3 && one.weaknesses.len() <= 3));
        prop_assert!(ranked.iter().flatten().all(|one| one.strengths.iter().all(|strong| !one.weaknesses.contains(strong))));
    }
}
