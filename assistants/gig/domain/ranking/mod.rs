//! Ranks a gig's candidates by the weighted mean of six scores. Computed from the stored data on each load;
//! rejected candidates are left out.

mod scores;
mod standing;

use chrono::{DateTime, Utc};

use super::candidate::CandidateContext;
use super::gig_context::GigContext;
use super::kinds::GigRecommendation;
use super::language::Language;

pub use scores::Scores;

/// The criteria of the ranking, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    Screening,
    Interview,
    Price,
    Delivery,
    Skills,
    Experience,
}

impl Criterion {
    pub const ALL: [Self; 6] = [
        Self::Screening,
        Self::Interview,
        Self::Price,
        Self::Delivery,
        Self::Skills,
        Self::Experience,
    ];

    /// The weight when all criteria are known. The weights sum to one.
    pub fn weight(self) -> f64 {
        match self {
            Self::Screening | Self::Interview => 0.25,
            Self::Price | Self::Skills => 0.15,
            Self::Delivery | Self::Experience => 0.10,
        }
    }

    pub fn label(self, language: Language) -> &'static str {
        match self {
            Self::Screening => language.pick("Скрининг", "Screening"),
            Self::Interview => language.pick("Интервью", "Interview"),
            Self::Price => language.pick("Цена", "Price"),
            Self::Delivery => language.pick("Сроки", "Delivery"),
            Self::Skills => language.pick("Навыки", "Skills"),
            Self::Experience => language.pick("Опыт", "Experience"),
        }
    }
}

/// The result of the ranking for one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    pub scores: Scores,
    /// 0–100; `None` when nothing is known to judge by.
    pub composite: Option<f64>,
    /// From 1; candidates without a composite score have no place.
    pub position: Option<usize>,
    pub strengths: Vec<Criterion>,
    pub weaknesses: Vec<Criterion>,
    pub recommendation: Option<GigRecommendation>,
}

/// Ranks candidates; the result has one entry for each, in the given order. `None` for those whom
/// the recruiter rejected.
pub fn rank(
    gig: &GigContext,
    candidates: &[CandidateContext],
    now: DateTime<Utc>,
) -> Vec<Option<Ranking>> {
    let judged: Vec<&CandidateContext> = candidates
        .iter()
        .filter(|candidate| !candidate.is_rejected())
        .collect();
    let scores = scores::of_all(gig, &judged, now);
    let composites: Vec<Option<f64>> = scores.iter().map(Scores::composite).collect();
    let positions = positions(&judged, &composites);
    let alone = judged.len() == 1;
    let field = standing::Field::of(&scores);
    let mut ranked = (0..judged.len()).map(|index| {
        let (strengths, weaknesses) = if alone {
            (Vec::new(), Vec::new())
        } else {
            standing::of(&scores[index], &field)
        };
        Ranking {
            scores: scores[index].clone(),
            composite: composites[index],
            position: positions[index],
            strengths,
            weaknesses,
            recommendation: recommendation(composites[index], alone),
        }
    });
    candidates
        .iter()
        .map(|candidate| {
            if candidate.is_rejected() {
                None
            } else {
                ranked.next()
            }
        })
        .collect()
}

/// A single candidate cannot be compared and is neutral.
fn recommendation(composite: Option<f64>, alone: bool) -> Option<GigRecommendation> {
    let composite = composite?;
    Some(match alone {
        true => GigRecommendation::Neutral,
        false => band(composite),
    })
}

/// The recommendation for a composite score.
pub fn band(composite: f64) -> GigRecommendation {
    match composite {
        80.0.. => GigRecommendation::HighlyRecommended,
        60.0.. => GigRecommendation::Recommended,
        40.0.. => GigRecommendation::Neutral,
        _ => GigRecommendation::NotRecommended,
    }
}

/// Best first; of equals, the earlier response.
fn positions(candidates: &[&CandidateContext], composites: &[Option<f64>]) -> Vec<Option<usize>> {
    let mut order: Vec<(usize, f64)> = composites
        .iter()
        .enumerate()
        .filter_map(|(index, composite)| Some((index, (*composite)?)))
        .collect();
    order.sort_by(|(a, a_score), (b, b_score)| {
        let earlier = |index: usize| (candidates[index].responded_at, candidates[index].id);
        b_score
            .total_cmp(a_score)
            .then_with(|| earlier(*a).cmp(&earlier(*b)))
    });
    let mut positions = vec![None; composites.len()];
    for (place, (index, _)) in order.into_iter().enumerate() {
        positions[index] = Some(place + 1);
    }
    positions
}

#[cfg(test)]
#[path = "ranking_tests.rs"]
pub(crate) mod ranking_tests;
