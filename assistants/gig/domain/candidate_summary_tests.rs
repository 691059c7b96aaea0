//! The design's words for what is known and for what is not.

use super::*;
use crate::domain::pool::Pool;
use crate::domain::ranking::ranking_tests::{candidate, gig};

// design: 004 CandidateSummary.name, CandidateSummary.screeningScore
// design: 004 CandidateSummary.compositeScore, CandidateSummary.status
// design: 004 CandidateSummary.strengths
#[test]
fn what_is_not_known_is_said_in_the_designs_words() {
    let summary = CandidateSummary::of(&candidate(None, None), Language::Russian);
    assert_eq!(summary.name, "Кандидат kwork-10");
    assert_eq!(
        (summary.price.as_str(), summary.delivery.as_str()),
        ("не указана", "не указано")
    );
    assert_eq!(
        (
            summary.screening_score.as_str(),
            summary.interview_score.as_str(),
            summary.composite_score.as_str()
        ),
        ("не оценен", "не проведено", "не рассчитан")
    );
    assert_eq!(
        (summary.recommendation.as_str(), summary.status.as_str()),
        ("Не оценен", "Новый")
    );
    assert_eq!(
        (summary.strengths.as_str(), summary.weaknesses.as_str()),
        ("не определены", "не определены")
    );
}

// design: 004 CandidateSummary.name, CandidateSummary.screeningScore
// design: 004 CandidateSummary.compositeScore, CandidateSummary.strengths
// design: 004 CandidateContext.compositeScore
#[test]
fn what_is_known_is_said_with_its_scale() {
    let mut one = candidate(Some(15_000), Some(5));
    one.screening_score = Some(4.25);
    one.interview_score = Some(72.0);
    let pool = Pool::build(
        gig(Some(10_000), Some(20_000)),
        vec![one, candidate(Some(20_000), Some(9))],
        &std::sync::Arc::default(),
        chrono::Utc::now(),
    );
    let summary = CandidateSummary::of(&pool.candidates[0], Language::Russian);
    assert_eq!(
        (summary.price.as_str(), summary.delivery.as_str()),
        ("15000 RUB", "5 дней")
    );
    assert_eq!(
        (
            summary.screening_score.as_str(),
            summary.interview_score.as_str()
        ),
        ("85/100", "72/100")
    );
    assert!(summary.composite_score.ends_with("/100"));
    assert!(summary.strengths.contains("Цена"), "{}", summary.strengths);
    let english = CandidateSummary::of(&pool.candidates[1], Language::English);
    assert_eq!(
        (english.interview_score.as_str(), english.status.as_str()),
        ("not held", "New")
    );
}
