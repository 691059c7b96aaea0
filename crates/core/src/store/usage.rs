//! Usage by day, person, company and assistant. It is counted when a turn ends and survives the
//! deletion of conversations, so that deleting does not restore a budget.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{CompanyId, ProfileId};

#[derive(Clone, Debug)]
pub struct UsageQuery {
    pub from: NaiveDate,
    /// Inclusive.
    pub to: NaiveDate,
    pub company: Option<CompanyId>,
    pub assistant: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsageRow {
    pub day: NaiveDate,
    pub profile_id: ProfileId,
    pub company_id: Option<CompanyId>,
    pub assistant: String,
    pub turns: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cached_tokens: u64,
    /// Turns with estimated tokens, because the provider reported none.
    #[serde(default)]
    pub estimated_turns: u64,
}

/// Daily token limits; a day is in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub person: Option<u64>,
    pub company: Option<u64>,
    /// Tokens reserved per running turn for instructions, tools and one answer.
    pub reserve: u64,
}

impl Budget {
    pub const UNLIMITED: Budget = Budget {
        person: None,
        company: None,
        reserve: 0,
    };

    pub fn is_limited(&self) -> bool {
        self.person.is_some() || self.company.is_some()
    }
}

/// Days since 1970 in UTC, the stored form of a day.
pub fn day_number(at: DateTime<Utc>) -> i64 {
    at.timestamp().div_euclid(SECONDS_A_DAY)
}

/// The end of this day.
pub fn next_day(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp((day_number(at) + 1) * SECONDS_A_DAY, 0).unwrap_or(at)
}

const SECONDS_A_DAY: i64 = 86_400;
