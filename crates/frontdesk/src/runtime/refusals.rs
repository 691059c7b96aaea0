//! Caches exceeded rate limits, so that repeated requests are refused without the database.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

#[derive(Default)]
pub(super) struct Refusals {
    /// When each bucket has room again.
    until: Mutex<HashMap<String, DateTime<Utc>>>,
}

/// Number of entries at which expired ones are removed.
const MANY: usize = 1024;

impl Refusals {
    /// Records that a rate is exhausted. A rolling window frees up only with time, so this holds
    /// whatever other nodes do.
    pub(super) fn note(&self, bucket: String, now: DateTime<Utc>, wait: Duration) {
        let wait = TimeDelta::from_std(wait).unwrap_or_default();
        let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        if until.len() >= MANY {
            until.retain(|_, over| *over > now);
        }
        until.insert(bucket, now + wait);
    }

    /// The remaining wait, if the rate is known to be exhausted.
    pub(super) fn left(&self, bucket: &str, now: DateTime<Utc>) -> Option<Duration> {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let left = (*until.get(bucket)? - now).to_std().ok()?;
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
#[path = "refusals_tests.rs"]
mod refusals_tests;
