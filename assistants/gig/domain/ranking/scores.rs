//! The six scores of a candidate, each 0–100 or unknown.

use chrono::{DateTime, Utc};

use super::Criterion;
use crate::domain::candidate::CandidateContext;
use crate::domain::gig_context::GigContext;
use crate::domain::skills;

/// Shares of the offer itself and of its rank among all offers.
const OWN: f64 = 0.7;
const AMONG_OTHERS: f64 = 0.3;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    pub screening: Option<f64>,
    pub interview: Option<f64>,
    pub price: Option<f64>,
    pub delivery: Option<f64>,
    pub skills: Option<f64>,
    pub experience: Option<f64>,
}

impl Scores {
    pub fn get(&self, criterion: Criterion) -> Option<f64> {
        match criterion {
            Criterion::Screening => self.screening,
            Criterion::Interview => self.interview,
            Criterion::Price => self.price,
            Criterion::Delivery => self.delivery,
            Criterion::Skills => self.skills,
            Criterion::Experience => self.experience,
        }
    }

    /// The mean by weight of what is known.
    pub fn composite(&self) -> Option<f64> {
        let known = Criterion::ALL
            .into_iter()
            .filter_map(|criterion| Some((criterion.weight(), self.get(criterion)?)));
        let (weights, sum) = known.fold((0.0, 0.0), |(weights, sum), (weight, score)| {
            (weights + weight, sum + weight * score)
        });
        (weights > 0.0).then(|| sum / weights)
    }
}

pub(super) fn of_all(
    gig: &GigContext,
    candidates: &[&CandidateContext],
    now: DateTime<Utc>,
) -> Vec<Scores> {
    let prices = sorted(candidates.iter().filter_map(|one| one.comparable_price));
    let days = sorted(
        candidates
            .iter()
            .filter_map(|one| one.proposed_delivery_days),
    );
    let time_left = gig.deadline.map(|deadline| (deadline - now).num_days());
    candidates
        .iter()
        .map(|candidate| Scores {
            screening: candidate.screening(),
            interview: candidate.interview(),
            price: candidate
                .comparable_price
                .and_then(|own| blended(price(own, gig), own, &prices)),
            delivery: candidate
                .proposed_delivery_days
                .and_then(|own| blended(time_left.map(|left| delivery(own, left)), own, &days)),
            skills: skill_match(candidate, gig),
            experience: candidate
                .experience_score
                .map(|score| score.clamp(0.0, 100.0)),
        })
        .collect()
}

/// The score of a price within the budget. `None` without a maximum.
fn price(price: i64, gig: &GigContext) -> Option<f64> {
    let price = number(price);
    let max = number(gig.budget_max?);
    let min = number(gig.budget_min.unwrap_or(0)).min(max);
    Some(if price < min || (price <= max && max <= min) {
        100.0
    } else if price <= max {
        100.0 - 50.0 * (price - min) / (max - min)
    } else if max > 0.0 {
        (100.0 - 100.0 * (price - max) / max).max(0.0)
    } else {
        0.0
    })
}

/// In time: all points. Late: below 50, and falling.
fn delivery(days: i64, left: i64) -> f64 {
    match days <= left.max(0) {
        true => 100.0,
        false => 50.0 * number(left.max(0)) / number(days),
    }
}

fn skill_match(candidate: &CandidateContext, gig: &GigContext) -> Option<f64> {
    let had = candidate.skills.as_deref()?;
    let required = skills::share(had, gig.required_skills());
    let nice = skills::share(had, gig.nice_to_have_skills());
    match (required, nice) {
        (Some(required), Some(nice)) => Some(70.0 * required + 30.0 * nice),
        (Some(only), None) | (None, Some(only)) => Some(100.0 * only),
        (None, None) => None,
    }
}

/// An offer by itself and its place among all offers, of which less is better. With nobody to
/// compare with, the offer by itself.
fn blended(own: Option<f64>, value: i64, all: &[i64]) -> Option<f64> {
    let others = all.len().checked_sub(1)?;
    if others == 0 {
        return own;
    }
    let below = all.partition_point(|other| *other < value);
    let place = (1.0 - count(below) / count(others)) * 100.0;
    Some(match own {
        Some(own) => OWN * own + AMONG_OTHERS * place,
        None => place,
    })
}

fn sorted(values: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut values: Vec<i64> = values.collect();
    values.sort_unstable();
    values
}

/// Money and days are far below what a float holds exactly.
fn number(value: i64) -> f64 {
    value as f64
}

fn count(value: usize) -> f64 {
    value as f64
}

#[cfg(test)]
#[path = "scores_tests.rs"]
mod scores_tests;
