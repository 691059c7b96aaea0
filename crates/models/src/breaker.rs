//! A circuit breaker for a failing upstream.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const WINDOW_SECONDS: usize = 10;

/// Minimum number of results before the breaker may open.
const MIN_RESULTS: u32 = 20;

/// While the breaker is open, one probe per interval goes through.
const PROBE_EVERY: Duration = Duration::from_secs(5);

/// Opens when half of the results of the last ten seconds are failures; one success closes
/// it.
pub(crate) struct Breaker {
    born: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    seconds: [Second; WINDOW_SECONDS],
    /// Time of the next probe; `None` while the breaker is closed.
    next_probe: Option<Instant>,
}

/// The results of one second.
#[derive(Clone, Copy, Default)]
struct Second {
    number: u64,
    results: u32,
    failures: u32,
}

impl Breaker {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            born: now,
            state: Mutex::new(State::default()),
        }
    }

    /// Admits a request, or returns the time to wait.
    pub(crate) fn admit(&self, now: Instant) -> Result<(), Duration> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.next_probe {
            None => Ok(()),
            Some(at) if at > now => Err(at - now),
            Some(_) => {
                state.next_probe = Some(now + PROBE_EVERY);
                Ok(())
            }
        }
    }

    /// Records whether the upstream worked for a request.
    pub(crate) fn record(&self, now: Instant, works: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.next_probe.is_some() {
            if works {
                *state = State::default();
            }
            return;
        }
        let number = now.saturating_duration_since(self.born).as_secs();
        // The remainder is below `WINDOW_SECONDS`.
        let second = &mut state.seconds[(number % WINDOW_SECONDS as u64) as usize];
        if second.number != number {
            *second = Second {
                number,
                ..Second::default()
            };
        }
        second.results += 1;
        second.failures += u32::from(!works);
        let recent = |second: &&Second| second.number + WINDOW_SECONDS as u64 > number;
        let (results, failures) = state
            .seconds
            .iter()
            .filter(recent)
            .fold((0, 0), |(r, f), second| {
                (r + second.results, f + second.failures)
            });
        if results >= MIN_RESULTS && failures * 2 >= results {
            state.next_probe = Some(now + PROBE_EVERY);
        }
    }
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod breaker_tests;
