//! People who were told to wait: until then the same answer needs no database. A storm of
//! refused requests must not cost what it was refused for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

#[derive(Default)]
pub(super) struct Refusals {
    /// Rates by their bucket, and when the first of them has room again.
    until: Mutex<HashMap<String, DateTime<Utc>>>,
}

/// What is over is forgotten when there are this many.
const MANY: usize = 1024;

impl Refusals {
    /// Remembers that a rate is used up. Nothing makes room in a rolling window but time, so
    /// this stays true whatever other nodes do.
    pub(super) fn note(&self, bucket: String, now: DateTime<Utc>, wait: Duration) {
        let wait = TimeDelta::from_std(wait).unwrap_or_default();
        let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        if until.len() >= MANY {
            until.retain(|_, over| *over > now);
        }
        until.insert(bucket, now + wait);
    }

    /// How long to wait still, if the rate is known to be used up.
    pub(super) fn left(&self, bucket: &str, now: DateTime<Utc>) -> Option<Duration> {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let left = (*until.get(bucket)? - now).to_std().ok()?;
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
#[path = "refusals_tests.rs"]
mod refusals_tests;
