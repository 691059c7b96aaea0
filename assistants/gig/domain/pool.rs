//! All candidates of one gig, ranked, and finding one of them by name. A pool holds the rows of one gig
//! only.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::candidate::CandidateContext;
use super::gig_context::GigContext;
use super::language::Language;
use super::names::{Likeness, name_words};
use super::ranking;
use super::rates::Rates;
use super::statistics::{Figures, Statistics};

#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    pub gig: GigContext,
    /// Best first; those without a place last, in the order of their responses.
    pub candidates: Vec<CandidateContext>,
    pub stats: Statistics,
    pub rates: Arc<Rates>,
    /// When it was built: the days that are left depend on it.
    pub now: DateTime<Utc>,
}

/// The candidates that a name may mean.
#[derive(Clone, Debug, PartialEq)]
pub enum NameMatch<'a> {
    One(&'a CandidateContext),
    /// More than one fits as well.
    Several(Vec<&'a CandidateContext>),
    /// Nobody; these names are similar, nearest first.
    Nobody(Vec<&'a CandidateContext>),
}

const MOST_NEAR: usize = 5;

impl Pool {
    pub fn build(
        gig: GigContext,
        mut candidates: Vec<CandidateContext>,
        rates: &Arc<Rates>,
        now: DateTime<Utc>,
    ) -> Self {
        for one in &mut candidates {
            let (currency, wanted) = (&one.proposed_currency, &gig.budget_currency);
            let convert = |price| rates.convert(price, currency, wanted);
            one.comparable_price = one.proposed_price.and_then(convert);
        }
        let ranked = ranking::rank(&gig, &candidates, now);
        for (candidate, ranked) in candidates.iter_mut().zip(ranked) {
            candidate.composite_score = ranked.as_ref().and_then(|one| whole(one.composite?));
            candidate.recommendation = ranked.as_ref().and_then(|one| one.recommendation);
            candidate.ranked = ranked;
            candidate.strengths = named(candidate.strengths(Language::Russian), candidate);
            candidate.weaknesses = named(candidate.weaknesses(Language::Russian), candidate);
        }
        candidates.sort_by_key(|one| (one.place().unwrap_or(usize::MAX), one.responded_at, one.id));
        let stats = Statistics::of(&candidates);
        Self {
            gig,
            candidates,
            stats,
            rates: Arc::clone(rates),
            now,
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

    /// Finds candidates by name, in any grammatical case and in Cyrillic or Latin letters.
    pub fn find(&self, asked: &str) -> NameMatch<'_> {
        if let Some(exact) = self.mentioned(asked) {
            return NameMatch::One(exact);
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
        let mut best: Vec<&CandidateContext> = meant
            .into_iter()
            .filter(|(likeness, _)| likeness.mean >= best - 0.02)
            .map(|(_, one)| one)
            .collect();
        // A whole name is preferred to a part of a longer one: Петрова to Петрова-Водкина.
        let asked = name_words(asked);
        if asked > 1 && best.iter().any(|one| name_words(&one.name()) == asked) {
            best.retain(|one| name_words(&one.name()) == asked);
        }
        match best.as_slice() {
            [] => {
                like.truncate(MOST_NEAR);
                NameMatch::Nobody(like.into_iter().map(|(_, one)| one).collect())
            }
            [only] => NameMatch::One(only),
            [_, _, ..] => NameMatch::Several(best),
        }
    }
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
