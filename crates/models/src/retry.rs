//! Whether and when a failed request is repeated.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use frontdesk_core::model::ModelError;
use tokio::time::Instant;

/// The longest wait a person is asked to sit through; a server that wants more is given up on.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(10);

/// The first backoff is drawn from zero up to this; each further one from twice as much.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);

/// Spreads those whom a server told the same time.
const SPREAD: Duration = Duration::from_millis(250);

/// How long to wait before the next attempt; `None` when there should be none. `random`
/// is in 0..1.
pub(crate) fn wait_after(error: &ModelError, attempts_made: u32, random: f64) -> Option<Duration> {
    if !error.can_retry() {
        return None;
    }
    match error.retry_after {
        Some(told) if told > MAX_WAIT => None,
        Some(told) => Some(told + SPREAD.mul_f64(random)),
        // Full jitter: clients that failed together do not come back together.
        None => {
            let doubled = FIRST_BACKOFF.saturating_mul(1 << (attempts_made - 1).min(5));
            Some(doubled.min(MAX_WAIT).mul_f64(random))
        }
    }
}

/// Limits repetitions to a fifth of the requests, so that an outage is not made worse by
/// those who suffer from it.
pub(crate) struct Budget {
    state: Mutex<State>,
}

struct State {
    /// In fifths of a repetition.
    fifths: u64,
    /// Until when time has been credited.
    credited: Instant,
}

/// What one repetition costs, where each request earns one.
const REPETITION: u64 = 5;

/// What may be saved up: ten repetitions, for those with few requests.
const MOST: u64 = 10 * REPETITION;

/// A fifth is earned by waiting as well, or a quiet installation would not get its savings
/// back for days.
const SECONDS_EACH: u64 = 2;

impl Budget {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            state: Mutex::new(State {
                fifths: MOST,
                credited: now,
            }),
        }
    }

    /// A request is made for the first time.
    pub(crate) fn earn(&self, now: Instant) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = now.saturating_duration_since(state.credited).as_secs() / SECONDS_EACH;
        state.credited += Duration::from_secs(waited * SECONDS_EACH);
        state.fifths = MOST.min(state.fifths + waited + 1);
    }

    /// Takes a repetition out, if there is one.
    pub(crate) fn spend(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let left = state.fifths.checked_sub(REPETITION);
        state.fifths = left.unwrap_or(state.fifths);
        left.is_some()
    }
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod retry_tests;
