//! Strengths and weaknesses: the criteria in which a candidate is in the first or last quarter.

use super::{Criterion, Scores};

const STRENGTH: f64 = 75.0;
const WEAKNESS: f64 = 25.0;
const AT_MOST: usize = 3;

/// Strengths, the strongest first, and weaknesses, the weakest first.
pub(super) fn of(own: &Scores, field: &Field) -> (Vec<Criterion>, Vec<Criterion>) {
    let mut placed: Vec<(Criterion, f64)> = field
        .0
        .iter()
        .filter_map(|(criterion, known)| {
            Some((*criterion, percentile(own.get(*criterion)?, known)?))
        })
        .collect();
    placed.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let strengths = placed
        .iter()
        .filter(|(_, place)| *place >= STRENGTH)
        .map(|(criterion, _)| *criterion)
        .take(AT_MOST)
        .collect();
    let weaknesses = placed
        .iter()
        .rev()
        .filter(|(_, place)| *place <= WEAKNESS)
        .map(|(criterion, _)| *criterion)
        .take(AT_MOST)
        .collect();
    (strengths, weaknesses)
}

/// The scores of one criterion, lowest first, for looking places up.
pub(super) struct Field(Vec<(Criterion, Vec<f64>)>);

impl Field {
    pub(super) fn of(all: &[Scores]) -> Self {
        let sorted = |criterion: Criterion| {
            let mut known: Vec<f64> = all.iter().filter_map(|one| one.get(criterion)).collect();
            known.sort_by(f64::total_cmp);
            (criterion, known)
        };
        Self(Criterion::ALL.into_iter().map(sorted).collect())
    }
}

/// 0 is the last and 100 the first of those whose score is known; equals share the middle of
/// their places, so that nobody stands out where all are alike.
fn percentile(own: f64, known: &[f64]) -> Option<f64> {
    let others = known.len().checked_sub(1).filter(|others| *others > 0)?;
    let below = known.partition_point(|other| *other < own);
    let equal = known.partition_point(|other| *other <= own) - below - 1;
    Some((count(below) + count(equal) / 2.0) / count(others) * 100.0)
}

/// Counts of people are far below what a float holds exactly.
fn count(people: usize) -> f64 {
    people as f64
}
