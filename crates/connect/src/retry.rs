//! Retry rules: at most three retries, after 2, 4 and 8 seconds, and never past the tool's
//! deadline.

use std::time::Duration;

use crate::failure::{Failure, Refusal};

/// The waits before the second, third and fourth attempt.
const WAITS: [Duration; 3] = [
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];

/// An attempt with less time than this is skipped.
const SHORTEST_ATTEMPT: Duration = Duration::from_secs(1);

/// Limit for all attempts of a call, so that a turn of 180 s has room for more than one call.
const LONGEST_CALL: Duration = Duration::from_secs(165);

/// The longest time a call can take if every attempt times out.
pub fn longest_call(timeout: Duration) -> Duration {
    let attempts = 1 + u32::try_from(WAITS.len()).unwrap_or(0);
    let waits: Duration = WAITS.iter().sum();
    (timeout * attempts + waits).min(LONGEST_CALL)
}

/// The longest Retry-After that the client waits for; a longer one is reported to the person.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(30);
const SHORTEST_RETRY_AFTER: Duration = Duration::from_secs(1);

/// The wait before the next attempt, or `None` if there is none. `retries` is the number of retries
/// so far, `left` the rest of the call's time.
pub(crate) fn wait_before_next(
    failure: &Failure,
    retries: usize,
    left: Duration,
) -> Option<Duration> {
    let scheduled = *WAITS.get(retries)?;
    let wait = match failure {
        Failure::Timeout
        | Failure::Refused
        | Failure::NoSuchHost
        | Failure::Unreachable(_)
        | Failure::Lost(_) => scheduled,
        Failure::Answered(refusal) => asked_wait(refusal)?,
        Failure::Malformed(_) | Failure::TooLarge | Failure::NoSignIn(_) | Failure::Unusable(_) => {
            return None;
        }
    };
    (wait + SHORTEST_ATTEMPT <= left).then_some(wait)
}

/// The delay that a busy system asks for.
fn asked_wait(refusal: &Refusal) -> Option<Duration> {
    let wait = refusal
        .retry_after
        .filter(|_| matches!(refusal.status, 429 | 503))?;
    (wait <= LONGEST_RETRY_AFTER).then_some(wait.max(SHORTEST_RETRY_AFTER))
}

/// Progress message while the client waits.
pub(crate) fn wait_message(title: &str, failure: &Failure, retry: usize, wait: Duration) -> String {
    let what = match failure.refusal() {
        Some(_) => "is busy",
        None => "does not answer",
    };
    format!(
        "{title} {what}; trying again in {} s ({retry} of {})",
        wait.as_secs(),
        WAITS.len()
    )
}
