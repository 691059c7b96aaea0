//! All candidates of one gig, ranked, and every way of looking one or some of them up. Nothing but
//! this gig's rows is ever in it.

use chrono::{DateTime, Utc};

use super::candidate::CandidateContext;
use super::gig_context::GigContext;
use super::kinds::{GigHrSelectionStatus, GigRecommendation, GigResponseStatus};
use super::names::Likeness;
use super::ranking;
use super::skills;
use super::statistics::{Figures, Statistics};
use super::tongue::Tongue;

#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    pub gig: GigContext,
    /// Best first; those without a place last, in the order of their responses.
    pub candidates: Vec<CandidateContext>,
    pub stats: Statistics,
}

/// Who may have been meant by a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<'a> {
    One(&'a CandidateContext),
    /// More than one fits as well.
    Several(Vec<&'a CandidateContext>),
    /// Nobody; these are called something like it, nearest first.
    UnavailableApi(Vec<&'a CandidateContext>),
}

/// Which candidates are wanted. Everything that is given must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    pub max_price: Option<i64>,
    pub max_days: Option<i64>,
    pub within_budget: bool,
    pub status: Option<GigResponseStatus>,
    pub hr_status: Option<GigHrSelectionStatus>,
    pub recommendation: Option<GigRecommendation>,
    pub with_skill: Option<String>,
    pub without_skill: Option<String>,
    pub order: Order,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Rating,
    Price,
    Delivery,
    Screening,
    Interview,
}

const MOST_NEAR: usize = 5;

impl Pool {
    pub fn build(
        gig: GigContext,
        mut candidates: Vec<CandidateContext>,
        now: DateTime<Utc>,
    ) -> Self {
        let ranked = ranking::rank(&gig, &candidates, now);
        for (candidate, ranked) in candidates.iter_mut().zip(ranked) {
            candidate.composite_score = ranked.as_ref().and_then(|one| whole(one.composite?));
            candidate.recommendation = ranked.as_ref().and_then(|one| one.recommendation);
            candidate.ranked = ranked;
            candidate.strengths = named(candidate.strengths(Tongue::Russian), candidate);
            candidate.weaknesses = named(candidate.weaknesses(Tongue::Russian), candidate);
        }
        candidates.sort_by_key(|one| (one.place().unwrap_or(usize::MAX), one.responded_at, one.id));
        let stats = Statistics::of(&candidates);
        Self {
            gig,
            candidates,
            stats,
        }
    }

    pub fn figures(&self) -> Figures {
        Figures::of(&self.gig, &self.candidates)
    }

    /// The candidate with this id, id at the source, or exact name: how replies refer to them.
    pub fn mentioned(&self, text: &str) -> Option<&CandidateContext> {
        let text = text.trim();
        self.candidates.iter().find(|one| {
            one.id.to_string() == text || one.candidate_id == text || one.name() == text
        })
    }

    /// Whoever is called so, in any case and in Cyrillic or Latin letters.
    pub fn find(&self, asked: &str) -> Found<'_> {
        if let Some(exact) = self.mentioned(asked) {
            return Found::One(exact);
        }
        let mut like: Vec<(Likeness, &CandidateContext)> = self
            .candidates
            .iter()
            .map(|one| (Likeness::of(asked, &one.name()), one))
            .filter(|(likeness, _)| likeness.is_near())
            .collect();
        like.sort_by(|(a, _), (b, _)| b.mean.total_cmp(&a.mean));
        let meant: Vec<(Likeness, &CandidateContext)> = like
            .iter()
            .copied()
            .filter(|(likeness, _)| likeness.is_meant())
            .collect();
        let best = meant.first().map_or(0.0, |(likeness, _)| likeness.mean);
        let best: Vec<&CandidateContext> = meant
            .into_iter()
            .filter(|(likeness, _)| likeness.mean >= best - 0.02)
            .map(|(_, one)| one)
            .collect();
        match best.as_slice() {
            [] => {
                like.truncate(MOST_NEAR);
                Found::UnavailableApi(like.into_iter().map(|(_, one)| one).collect())
            }
            [only] => Found::One(only),
            [_, _, ..] => Found::Several(best),
        }
    }

    /// Those who fit, in the wanted order. What is not known does not fit a limit.
    pub fn filter(&self, filter: &Filter) -> Vec<&CandidateContext> {
        let mut fitting: Vec<&CandidateContext> = self
            .candidates
            .iter()
            .filter(|one| self.fits(one, filter))
            .collect();
        match filter.order {
            Order::Rating => {}
            Order::Price => fitting.sort_by_key(|one| one.proposed_price.unwrap_or(i64::MAX)),
            Order::Delivery => {
                fitting.sort_by_key(|one| one.proposed_delivery_days.unwrap_or(i64::MAX));
            }
            Order::Screening => fitting.sort_by(|a, b| descending(a.screening(), b.screening())),
            Order::Interview => fitting.sort_by(|a, b| descending(a.interview(), b.interview())),
        }
        fitting
    }

    fn fits(&self, one: &CandidateContext, filter: &Filter) -> bool {
        let within = |value: Option<i64>, limit: Option<i64>| match (value, limit) {
            (_, None) => true,
            (Some(value), Some(limit)) => value <= limit,
            (None, Some(_)) => false,
        };
        let is = |wanted: Option<bool>| wanted.unwrap_or(true);
        within(one.proposed_price, filter.max_price)
            && within(one.proposed_delivery_days, filter.max_days)
            && (!filter.within_budget || self.gig.affords(one.proposed_price) == Some(true))
            && is(filter.status.map(|status| one.status == status))
            && is(filter
                .hr_status
                .map(|status| one.hr_selection_status == Some(status)))
            && is(filter
                .recommendation
                .map(|wanted| one.recommendation == Some(wanted)))
            && is(filter
                .with_skill
                .as_ref()
                .map(|skill| skills::has(one.skills(), skill)))
            && is(filter
                .without_skill
                .as_ref()
                .map(|skill| !skills::has(one.skills(), skill)))
    }
}

fn descending(a: Option<f64>, b: Option<f64>) -> std::cmp::Ordering {
    b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0))
}

/// A score of 100 as people read it.
fn whole(score: f64) -> Option<u8> {
    Some(score.clamp(0.0, 100.0).round() as u8)
}

fn named(labels: Vec<&'static str>, of: &CandidateContext) -> Option<Vec<String>> {
    of.ranked
        .as_ref()
        .map(|_| labels.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod pool_tests;
