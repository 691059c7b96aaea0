//! Retry policy: whether and when a failed request is repeated.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use frontdesk_core::model::ModelError;
use tokio::time::Instant;

/// Maximum wait per retry; a longer `Retry-After` ends the request.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(10);

/// The first backoff is random from zero to this; each further one doubles the range.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);

/// Random spread for clients that got the same `Retry-After`.
const SPREAD: Duration = Duration::from_millis(250);

/// The wait before the next attempt; `None` if there should be none. `random` is in 0..1.
pub(crate) fn wait_after(error: &ModelError, attempts_made: u32, random: f64) -> Option<Duration> {
    if !error.can_retry() {
        return None;
    }
    match error.retry_after {
        Some(told) if told > MAX_WAIT => None,
        Some(told) => Some(told + SPREAD.mul_f64(random)),
        // Full jitter: clients that failed together do not retry together.
        None => {
            let doubled = FIRST_BACKOFF.saturating_mul(1 << (attempts_made - 1).min(5));
            Some(doubled.min(MAX_WAIT).mul_f64(random))
        }
    }
}

/// Limits retries to a fifth of the requests, so that retries do not worsen an outage.
pub(crate) struct Budget {
    state: Mutex<State>,
}

struct State {
    /// In fifths of a retry.
    fifths: u64,
    /// The time up to which credit was given.
    credited: Instant,
}

/// The cost of one retry; each request earns 1.
const RETRY_COST: u64 = 5;

/// Maximum credit: ten retries, for installations with few requests.
const MAX_CREDIT: u64 = 10 * RETRY_COST;

/// One credit accrues per this many seconds, so that a quiet installation recovers its
/// credit.
const SECONDS_EACH: u64 = 2;

impl Budget {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            state: Mutex::new(State {
                fifths: MAX_CREDIT,
                credited: now,
            }),
        }
    }

    /// Credits a first attempt.
    pub(crate) fn earn(&self, now: Instant) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = now.saturating_duration_since(state.credited).as_secs() / SECONDS_EACH;
        state.credited += Duration::from_secs(waited * SECONDS_EACH);
        state.fifths = MAX_CREDIT.min(state.fifths + waited + 1);
    }

    /// Takes one retry from the budget; false if it is empty.
    pub(crate) fn spend(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let left = state.fifths.checked_sub(RETRY_COST);
        state.fifths = left.unwrap_or(state.fifths);
        left.is_some()
    }
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod retry_tests;
