//! Finds tools that a model would confuse because their descriptions are nearly equal.

use std::collections::{BTreeSet, HashMap};

use super::words::words;

/// Share of common words from which two descriptions count as nearly equal.
const ALIKE: f64 = 0.8;
/// More pairs tell nothing new.
const MAX_PAIRS: usize = 10;

/// Pairs of names, given names and descriptions.
pub(crate) fn twins(tools: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut ids: HashMap<String, u32> = HashMap::new();
    let sets: Vec<BTreeSet<u32>> = tools
        .iter()
        .map(|(_, description)| {
            let mut known = |word: String| {
                let next = u32::try_from(ids.len()).unwrap_or(u32::MAX);
                *ids.entry(word).or_insert(next)
            };
            words(description).into_iter().map(&mut known).collect()
        })
        .collect();
    let mut pairs = Vec::new();
    for (at, one) in sets.iter().enumerate() {
        for (other_at, other) in sets.iter().enumerate().skip(at + 1) {
            if pairs.len() < MAX_PAIRS && are_alike(one, other) {
                pairs.push((tools[at].0.to_owned(), tools[other_at].0.to_owned()));
            }
        }
    }
    pairs
}

fn are_alike(one: &BTreeSet<u32>, other: &BTreeSet<u32>) -> bool {
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    // The sizes alone can already exclude it.
    if short == 0 || (short as f64) < ALIKE * long as f64 {
        return false;
    }
    let common = one.intersection(other).count();
    common as f64 >= ALIKE * (one.len() + other.len() - common) as f64
}

#[cfg(test)]
mod tests {
    use super::twins;

    #[test]
    fn only_nearly_equal_descriptions_are_twins() {
        let found = twins(&[
            ("get_user", "Gets a user by id"),
            ("fetch_user", "Gets a user by its id"),
            ("list_users", "Lists the users of a company, newest first"),
            ("empty", ""),
        ]);
        assert_eq!(found, [("get_user".to_owned(), "fetch_user".to_owned())]);
    }
}
