//! The table of candidates as somebody wants to see it: which of them, and in which order.

use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::candidate::CandidateContext;
use super::names::Likeness;
use super::pool::{Filter, Pool};

#[derive(Clone, Debug, Default)]
pub struct Listing {
    pub filter: Filter,
    /// A name, or a part of one.
    pub text: Option<String>,
    /// Nobody but these; everyone where none is named.
    pub among: Vec<Uuid>,
    pub column: Column,
    pub direction: Direction,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// The place in the ranking.
    #[default]
    Place,
    Name,
    Price,
    Delivery,
    Screening,
    Interview,
    Score,
    Status,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    #[default]
    Asc,
    Desc,
}

/// What a column is sorted by.
enum Key {
    Number(f64),
    Text(String),
}

impl Pool {
    /// Those who are wanted, in the wanted order. Whoever has nothing in that column comes last,
    /// in both directions; equals stand by their place.
    pub fn list(&self, listing: &Listing) -> Vec<&CandidateContext> {
        let mut found: Vec<&CandidateContext> = self.filter(&listing.filter);
        found.retain(|one| listing.among.is_empty() || listing.among.contains(&one.id));
        if let Some(text) = &listing.text {
            found.retain(|one| is_called(one, text));
        }
        let mut keyed: Vec<(Option<Key>, &CandidateContext)> = found
            .into_iter()
            .map(|one| (key(one, listing.column), one))
            .collect();
        keyed.sort_by(|(a, _), (b, _)| match (a, b) {
            (Some(a), Some(b)) => match listing.direction {
                Direction::Asc => compared(a, b),
                Direction::Desc => compared(b, a),
            },
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        keyed.into_iter().map(|(_, one)| one).collect()
    }
}

fn is_called(one: &CandidateContext, text: &str) -> bool {
    let wanted = text.trim().to_lowercase();
    one.name().to_lowercase().contains(&wanted)
        || one.candidate_id.to_lowercase().contains(&wanted)
        || Likeness::of(&wanted, &one.name()).is_meant()
}

fn key(one: &CandidateContext, column: Column) -> Option<Key> {
    let whole = |number: i64| Key::Number(number as f64);
    match column {
        Column::Place => one.place().map(|place| Key::Number(place as f64)),
        Column::Name => Some(Key::Text(one.name().to_lowercase())),
        Column::Price => one.proposed_price.map(whole),
        Column::Delivery => one.proposed_delivery_days.map(whole),
        Column::Screening => one.screening().map(Key::Number),
        Column::Interview => one.interview().map(Key::Number),
        Column::Score => one
            .composite_score
            .map(|score| Key::Number(f64::from(score))),
        Column::Status => Some(Key::Number(f64::from(one.status as u8))),
    }
}

fn compared(a: &Key, b: &Key) -> std::cmp::Ordering {
    match (a, b) {
        (Key::Number(a), Key::Number(b)) => a.total_cmp(b),
        (Key::Text(a), Key::Text(b)) => a.cmp(b),
        // A column has keys of one kind.
        (Key::Number(_), Key::Text(_)) => std::cmp::Ordering::Less,
        (Key::Text(_), Key::Number(_)) => std::cmp::Ordering::Greater,
    }
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod listing_tests;
