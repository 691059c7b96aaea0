//! Figures about a pool of candidates. Every figure in an answer comes from here, never from a model.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::candidate::CandidateContext;
use super::gig_context::GigContext;
use super::kinds::{GigHrSelectionStatus, GigRecommendation, GigResponseStatus, Kind};
use super::skills;

/// The design's statistics. Averages ignore unknown values and are rounded; prices are in the gig's
/// currency, and prices in other currencies count only where a rate is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    pub total: usize,
    pub by_status: BTreeMap<GigResponseStatus, usize>,
    pub by_recommendation: BTreeMap<GigRecommendation, usize>,
    pub avg_price: Option<i64>,
    pub avg_delivery_days: Option<i64>,
    pub avg_screening_score: Option<i64>,
    pub avg_interview_score: Option<i64>,
}

impl Statistics {
    pub fn of(candidates: &[CandidateContext]) -> Self {
        let mut by_status: BTreeMap<_, _> = zeroes(GigResponseStatus::ALL);
        let mut by_recommendation: BTreeMap<_, _> = zeroes(GigRecommendation::ALL);
        for candidate in candidates {
            *by_status.entry(candidate.status).or_default() += 1;
            if let Some(recommendation) = candidate.recommendation {
                *by_recommendation.entry(recommendation).or_default() += 1;
            }
        }
        let whole = |value: fn(&CandidateContext) -> Option<i64>| {
            average(candidates.iter().filter_map(value).map(number))
        };
        let score = |value: fn(&CandidateContext) -> Option<f64>| {
            average(candidates.iter().filter_map(value))
        };
        Self {
            total: candidates.len(),
            by_status,
            by_recommendation,
            avg_price: whole(|one| one.comparable_price),
            avg_delivery_days: whole(|one| one.proposed_delivery_days),
            avg_screening_score: score(CandidateContext::screening),
            avg_interview_score: score(CandidateContext::interview),
        }
    }
}

/// Further figures that recruiters ask about.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    pub min_price: Option<i64>,
    pub max_price: Option<i64>,
    pub median_price: Option<i64>,
    /// Offers within the budget; `None` when it has no maximum.
    pub within_budget: Option<usize>,
    pub without_price: usize,
    /// Prices that cannot be compared with the budget, by currency.
    pub other_currencies: Vec<CurrencyFigures>,
    pub screenings_held: usize,
    pub interviews_held: usize,
    pub by_decision: BTreeMap<GigHrSelectionStatus, usize>,
    pub undecided: usize,
    /// Candidates with each required skill, in the gig's order.
    pub required_skills: Vec<SkillCount>,
    /// The most frequent skills of all.
    pub frequent_skills: Vec<SkillCount>,
    /// Required skills that nobody has.
    pub missing_skills: Vec<String>,
}

/// Offers in one currency for which no rate is configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyFigures {
    pub currency: String,
    pub people: usize,
    pub min_price: i64,
    pub max_price: i64,
    pub avg_price: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillCount {
    pub skill: String,
    pub people: usize,
}

const MOST_SKILLS: usize = 10;

impl Figures {
    pub fn of(gig: &GigContext, candidates: &[CandidateContext]) -> Self {
        let mut prices: Vec<i64> = candidates
            .iter()
            .filter_map(|one| one.comparable_price)
            .collect();
        prices.sort_unstable();
        let count =
            |is: fn(&CandidateContext) -> bool| candidates.iter().filter(|one| is(one)).count();
        let mut by_decision: BTreeMap<_, _> = zeroes(GigHrSelectionStatus::ALL);
        for decision in candidates.iter().filter_map(|one| one.hr_selection_status) {
            *by_decision.entry(decision).or_default() += 1;
        }
        let required: Vec<SkillCount> = gig
            .required_skills()
            .iter()
            .map(|skill| SkillCount {
                skill: skill.clone(),
                people: candidates
                    .iter()
                    .filter(|one| skills::has(one.skills(), skill))
                    .count(),
            })
            .collect();
        Self {
            min_price: prices.first().copied(),
            max_price: prices.last().copied(),
            median_price: median(&prices),
            within_budget: gig
                .budget_max
                .map(|max| prices.partition_point(|price| *price <= max)),
            without_price: count(|one| one.proposed_price.is_none()),
            other_currencies: other_currencies(candidates),
            screenings_held: count(|one| one.screening().is_some()),
            interviews_held: count(|one| one.interview().is_some()),
            undecided: count(|one| one.hr_selection_status.is_none()),
            by_decision,
            missing_skills: required
                .iter()
                .filter(|count| count.people == 0)
                .map(|count| count.skill.clone())
                .collect(),
            required_skills: required,
            frequent_skills: frequent(candidates),
        }
    }
}

fn other_currencies(candidates: &[CandidateContext]) -> Vec<CurrencyFigures> {
    let mut prices: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for one in candidates
        .iter()
        .filter(|one| one.comparable_price.is_none())
    {
        let known = one.proposed_price.into_iter();
        let own = prices.entry(one.proposed_currency.as_str()).or_default();
        own.extend(known);
    }
    let figures = prices.into_iter().filter_map(|(currency, prices)| {
        Some(CurrencyFigures {
            currency: currency.to_owned(),
            people: prices.len(),
            min_price: *prices.iter().min()?,
            max_price: *prices.iter().max()?,
            avg_price: average(prices.iter().copied().map(number))?,
        })
    });
    figures.collect()
}

fn frequent(candidates: &[CandidateContext]) -> Vec<SkillCount> {
    let mut counts: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for candidate in candidates {
        let mut own: Vec<String> = candidate
            .skills()
            .iter()
            .map(|skill| skill.trim().to_lowercase())
            .collect();
        own.sort();
        own.dedup();
        for skill in own {
            let spelled = candidate
                .skills()
                .iter()
                .find(|one| one.trim().to_lowercase() == skill)
                .map_or_else(|| skill.clone(), |one| one.trim().to_owned());
            counts.entry(skill).or_insert((spelled, 0)).1 += 1;
        }
    }
    let mut counts: Vec<SkillCount> = counts
        .into_values()
        .map(|(skill, people)| SkillCount { skill, people })
        .collect();
    counts.sort_by(|a, b| b.people.cmp(&a.people).then_with(|| a.skill.cmp(&b.skill)));
    counts.truncate(MOST_SKILLS);
    counts
}

fn zeroes<K: Ord + Copy>(keys: &[K]) -> BTreeMap<K, usize> {
    keys.iter().map(|key| (*key, 0)).collect()
}

fn average(values: impl Iterator<Item = f64>) -> Option<i64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| rounded(sum / count))
}

fn median(sorted: &[i64]) -> Option<i64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *sorted.get(middle - 1)?;
    Some(lower.midpoint(upper))
}

/// Money, days and scores are far below what a float holds exactly.
fn number(value: i64) -> f64 {
    value as f64
}

pub fn rounded(value: f64) -> i64 {
    value.round() as i64
}

#[cfg(test)]
#[path = "statistics_tests.rs"]
mod statistics_tests;
