//! One question about the candidates of a gig: who fits the conditions, and in which order.

use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::candidate::CandidateContext;
use super::kinds::{GigHrSelectionStatus, GigRecommendation, GigResponseStatus};
use super::names::Likeness;
use super::pool::Pool;
use super::skills;
use super::statistics::rounded;

/// Every condition that is given must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    pub filter: Filter,
    /// The place in the ranking where absent.
    pub sort: Option<Column>,
    /// The best, cheapest or first where absent.
    pub direction: Option<Direction>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// In `currency`, or in the gig's currency.
    pub price: Bounds,
    /// Without limits of the price: offers in this currency.
    pub currency: Option<String>,
    pub days: Bounds,
    /// Of 100, as it is shown.
    pub screening: Bounds,
    pub interview: Bounds,
    pub score: Bounds,
    pub within_budget: Option<bool>,
    /// Whether the offered days end before the gig's deadline.
    pub before_deadline: Option<bool>,
    pub status: Option<GigResponseStatus>,
    pub hr_status: Option<GigHrSelectionStatus>,
    pub recommendation: Option<GigRecommendation>,
    pub all_skills: Vec<String>,
    pub any_skill: Vec<String>,
    pub no_skill: Vec<String>,
    pub has_price: Option<bool>,
    pub has_interview: Option<bool>,
    pub has_screening: Option<bool>,
    pub has_experience: Option<bool>,
    pub has_decision: Option<bool>,
    /// Part of the name, id, experience, letter or skills.
    pub text: Option<String>,
    /// Only these; everyone where none is named.
    pub among: Vec<Uuid>,
}

/// Inclusive limits. An unknown value fits no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    pub min: Option<i64>,
    pub max: Option<i64>,
}

impl Bounds {
    pub fn new(min: Option<i64>, max: Option<i64>) -> Self {
        Self { min, max }
    }

    pub fn is_open(self) -> bool {
        self == Self::default()
    }

    fn admits(self, value: Option<i64>) -> bool {
        match value {
            Some(value) => {
                self.min.is_none_or(|min| value >= min) && self.max.is_none_or(|max| value <= max)
            }
            None => self.is_open(),
        }
    }
}

/// `Place` is that of the ranking, `Rating` that of the platform which the response comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    #[default]
    Place,
    Name,
    Price,
    Delivery,
    Screening,
    Interview,
    Score,
    Status,
    Decision,
    Recommendation,
    Rating,
    Responded,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    #[default]
    Asc,
    Desc,
}

impl Column {
    /// The best, cheapest, fastest or first on top.
    pub fn usual_direction(self) -> Direction {
        match self {
            Self::Screening | Self::Interview | Self::Score | Self::Rating => Direction::Desc,
            Self::Place
            | Self::Name
            | Self::Price
            | Self::Delivery
            | Self::Status
            | Self::Decision
            | Self::Recommendation
            | Self::Responded => Direction::Asc,
        }
    }
}

/// The value that a column is sorted by.
enum Key {
    Number(f64),
    Text(String),
}

impl Pool {
    /// The candidates that fit, in order. Those without a value in the column come last, in both
    /// directions; equals keep their place in the ranking.
    pub fn query(&self, query: &Query) -> Vec<&CandidateContext> {
        let mut found: Vec<&CandidateContext> = self
            .candidates
            .iter()
            .filter(|one| self.fits(one, &query.filter))
            .collect();
        let column = query.sort.unwrap_or_default();
        let direction = query.direction.unwrap_or(column.usual_direction());
        found.sort_by(|a, b| match (key(a, column), key(b, column)) {
            (Some(a), Some(b)) => match direction {
                Direction::Asc => compare(&a, &b),
                Direction::Desc => compare(&b, &a),
            },
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        found
    }

    /// Days until the deadline, rounded down; negative once it is over.
    pub fn days_left(&self) -> Option<i64> {
        let deadline = self.gig.deadline?;
        Some((deadline - self.now).num_seconds().div_euclid(86_400))
    }

    fn fits(&self, one: &CandidateContext, filter: &Filter) -> bool {
        let given = |wanted: Option<bool>, has: bool| wanted.is_none_or(|wanted| wanted == has);
        let known = |wanted: Option<bool>, is: Option<bool>| wanted.is_none() || wanted == is;
        self.fits_figures(one, filter)
            && known(filter.within_budget, self.gig.affords(one.comparable_price))
            && known(filter.before_deadline, self.delivers_in_time(one))
            && filter.status.is_none_or(|status| one.status == status)
            && (filter.hr_status.is_none() || filter.hr_status == one.hr_selection_status)
            && (filter.recommendation.is_none() || filter.recommendation == one.recommendation)
            && fits_skills(one, filter)
            && given(filter.has_price, one.proposed_price.is_some())
            && given(filter.has_interview, one.interview().is_some())
            && given(filter.has_screening, one.screening().is_some())
            && given(filter.has_experience, is_filled(one.experience.as_deref()))
            && given(filter.has_decision, one.hr_selection_status.is_some())
            && filter.text.as_ref().is_none_or(|text| mentions(one, text))
            && (filter.among.is_empty() || filter.among.contains(&one.id))
    }

    fn fits_figures(&self, one: &CandidateContext, filter: &Filter) -> bool {
        let score = one.composite_score.map(i64::from);
        let price = match &filter.currency {
            Some(currency) => one
                .proposed_price
                .and_then(|price| self.rates.convert(price, &one.proposed_currency, currency)),
            None => one.comparable_price,
        };
        let is_offered = || {
            one.proposed_price.is_some() && filter.currency.as_ref() == Some(&one.proposed_currency)
        };
        let is_any = filter.currency.is_none() || !filter.price.is_open();
        (is_any || is_offered())
            && filter.price.admits(price)
            && filter.days.admits(one.proposed_delivery_days)
            && filter.screening.admits(one.screening().map(rounded))
            && filter.interview.admits(one.interview().map(rounded))
            && filter.score.admits(score)
    }

    /// `None` when the days or the deadline are not known.
    pub fn delivers_in_time(&self, one: &CandidateContext) -> Option<bool> {
        Some(one.proposed_delivery_days? <= self.days_left()?)
    }
}

fn fits_skills(one: &CandidateContext, filter: &Filter) -> bool {
    let has = |skill: &String| skills::has(one.skills(), skill);
    filter.all_skills.iter().all(has)
        && (filter.any_skill.is_empty() || filter.any_skill.iter().any(has))
        && !filter.no_skill.iter().any(has)
}

fn is_filled(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty())
}

fn mentions(one: &CandidateContext, text: &str) -> bool {
    let wanted = text.trim().to_lowercase();
    let contains = |text: &str| text.to_lowercase().contains(&wanted);
    let written = [&one.experience, &one.cover_letter].into_iter().flatten();
    contains(&one.name())
        || contains(&one.candidate_id)
        || one.skills().iter().any(|skill| contains(skill))
        || written.map(String::as_str).any(contains)
        || Likeness::of(&wanted, &one.name()).is_meant()
}

fn key(one: &CandidateContext, column: Column) -> Option<Key> {
    let whole = |number: i64| Key::Number(number as f64);
    match column {
        Column::Place => one.place().map(|place| Key::Number(place as f64)),
        Column::Name => Some(Key::Text(one.name().to_lowercase())),
        Column::Price => one.comparable_price.map(whole),
        Column::Delivery => one.proposed_delivery_days.map(whole),
        Column::Screening => one.screening().map(Key::Number),
        Column::Interview => one.interview().map(Key::Number),
        Column::Score => one
            .composite_score
            .map(|score| Key::Number(f64::from(score))),
        Column::Status => Some(Key::Number(f64::from(one.status as u8))),
        Column::Decision => one
            .hr_selection_status
            .map(|status| Key::Number(f64::from(status as u8))),
        Column::Recommendation => one
            .recommendation
            .map(|recommendation| Key::Number(f64::from(recommendation as u8))),
        Column::Rating => one
            .rating
            .as_deref()
            .and_then(|rating| rating.trim().replace(',', ".").parse().ok())
            .map(Key::Number),
        Column::Responded => Some(whole(one.responded_at.timestamp_millis())),
    }
}

fn compare(a: &Key, b: &Key) -> std::cmp::Ordering {
    match (a, b) {
        (Key::Number(a), Key::Number(b)) => a.total_cmp(b),
        (Key::Text(a), Key::Text(b)) => a.cmp(b),
        // A column has keys of one kind.
        (Key::Number(_), Key::Text(_)) => std::cmp::Ordering::Less,
        (Key::Text(_), Key::Number(_)) => std::cmp::Ordering::Greater,
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod query_tests;
