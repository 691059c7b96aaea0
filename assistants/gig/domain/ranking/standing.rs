//! What stands out: the criteria in which somebody is among the best or the last quarter.

use super::{Criterion, Scores};

const STRENGTH: f64 = 75.0;
const WEAKNESS: f64 = 25.0;
const AT_MOST: usize = 3;

/// Strengths, the strongest first, and weaknesses, the weakest first.
pub(super) fn of(index: usize, all: &[Scores]) -> (Vec<Criterion>, Vec<Criterion>) {
    let mut placed: Vec<(Criterion, f64)> = Criterion::ALL
        .into_iter()
        .filter_map(|criterion| Some((criterion, percentile(index, criterion, all)?)))
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

/// 0 is the last and 100 the first of those whose score is known; equals share the middle of
/// their places, so that nobody stands out where all are alike.
fn percentile(index: usize, criterion: Criterion, all: &[Scores]) -> Option<f64> {
    let own = all[index].get(criterion)?;
    let mut below = 0.0;
    let mut equal = 0.0;
    let mut others = 0.0;
    for (other_index, scores) in all.iter().enumerate() {
        let Some(other) = scores.get(criterion) else {
            continue;
        };
        if other_index == index {
            continue;
        }
        others += 1.0;
        if other < own {
            below += 1.0;
        } else if other <= own {
            equal += 1.0;
        }
    }
    (others > 0.0).then(|| (below + equal / 2.0) / others * 100.0)
}
