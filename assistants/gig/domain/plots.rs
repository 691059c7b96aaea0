//! The figures of a gig's plots, counted here so that the page only draws them.

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::candidate::CandidateContext;
use super::gig_context::GigContext;
use super::kinds::GigRecommendation;
use super::ranking;

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plots {
    /// Offers by price, in the gig's currency.
    pub prices: Vec<PriceBar>,
    /// Candidates by composite score.
    pub scores: Vec<ScoreBar>,
    /// Price against composite score, best first.
    pub points: Vec<Point>,
    /// Further candidates with both that are not among the points.
    pub points_left_out: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceBar {
    pub from: i64,
    /// Exclusive.
    pub to: i64,
    pub people: usize,
    /// Those within the budget; `null` when it has no maximum.
    pub within_budget: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScoreBar {
    pub from: u8,
    /// Inclusive.
    pub to: u8,
    pub people: usize,
    /// The recommendation for such a score.
    pub recommendation: GigRecommendation,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Point {
    pub id: Uuid,
    pub name: String,
    pub price: i64,
    pub score: u8,
    pub recommendation: Option<GigRecommendation>,
}

/// More cannot be told apart on a screen.
const MOST_POINTS: usize = 400;
/// About as many bars as are read at a glance.
const BARS: i64 = 12;

impl Plots {
    /// Candidates come best first.
    pub fn of(gig: &GigContext, candidates: &[CandidateContext]) -> Self {
        let mut points: Vec<Point> = candidates.iter().filter_map(point).collect();
        let points_left_out = points.len().saturating_sub(MOST_POINTS);
        points.truncate(MOST_POINTS);
        Self {
            prices: prices(gig, candidates),
            scores: scores(candidates),
            points,
            points_left_out,
        }
    }
}

fn point(candidate: &CandidateContext) -> Option<Point> {
    Some(Point {
        id: candidate.id,
        name: candidate.name(),
        price: candidate.comparable_price?,
        score: candidate.composite_score?,
        recommendation: candidate.recommendation,
    })
}

fn prices(gig: &GigContext, candidates: &[CandidateContext]) -> Vec<PriceBar> {
    let asked = || candidates.iter().filter_map(|one| one.comparable_price);
    let (Some(lowest), Some(highest)) = (asked().min(), asked().max()) else {
        return Vec::new();
    };
    let step = round_step(highest.saturating_sub(lowest) / BARS);
    let first = lowest.div_euclid(step);
    let last = highest.div_euclid(step);
    (first..=last)
        .map(|index| {
            let from = index.saturating_mul(step);
            let to = from.saturating_add(step);
            let inside = || asked().filter(|price| (from..to).contains(price));
            PriceBar {
                from,
                to,
                people: inside().count(),
                within_budget: gig
                    .budget_max
                    .map(|max| inside().filter(|price| *price <= max).count()),
            }
        })
        .collect()
}

/// The least of 1, 2, 5, 10, 20, 50 … that is enough.
fn round_step(least: i64) -> i64 {
    let mut decade: i64 = 1;
    loop {
        let steps = [1, 2, 5].map(|factor| decade.saturating_mul(factor));
        if let Some(step) = steps.into_iter().find(|step| *step >= least) {
            return step;
        }
        decade = decade.saturating_mul(10);
    }
}

fn scores(candidates: &[CandidateContext]) -> Vec<ScoreBar> {
    let reached: Vec<u8> = candidates
        .iter()
        .filter_map(|one| one.composite_score)
        .collect();
    if reached.is_empty() {
        return Vec::new();
    }
    (0..10_u8)
        .map(|tenth| {
            let from = tenth * 10;
            let to = if tenth == 9 { 100 } else { from + 9 };
            ScoreBar {
                from,
                to,
                people: reached
                    .iter()
                    .filter(|score| (from..=to).contains(score))
                    .count(),
                recommendation: ranking::band(f64::from(from)),
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "plots_tests.rs"]
mod plots_tests;
