//! When a request is sent again: at most three times, 2, 4 and 8 seconds later, and never
//! past the time that the tool has.

use std::time::Duration;

use super::failure::{Again, Failure};

/// The waits before the second, third and fourth attempt.
pub(super) const WAITS: [Duration; 3] = [
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];

/// An attempt that has less time than this is not made.
const SHORTEST_ATTEMPT: Duration = Duration::from_secs(1);

/// All attempts of a call have ended by then; a turn of 180 s has room for more than one call.
const LONGEST_CALL: Duration = Duration::from_secs(165);

/// How long a call can take when every attempt times out.
pub(crate) fn longest(timeout: Duration) -> Duration {
    let attempts = 1 + u32::try_from(WAITS.len()).unwrap_or(0);
    let waits: Duration = WAITS.iter().sum();
    (timeout * attempts + waits).min(LONGEST_CALL)
}

/// How long to wait before the next attempt, or `None` when there is none. `retries` were
/// made already, `left` is what remains of the call's time.
pub(super) fn wait_before_next(
    failure: &Failure,
    retries: usize,
    left: Duration,
) -> Option<Duration> {
    let scheduled = *WAITS.get(retries)?;
    let wait = match failure.again() {
        Again::Never => return None,
        Again::Scheduled => scheduled,
        Again::After(asked) => asked,
    };
    (wait + SHORTEST_ATTEMPT <= left).then_some(wait)
}

/// What those who watch are told while the client waits.
pub(super) fn told(failure: &Failure, retry: usize, wait: Duration) -> String {
    let what = match failure.again() {
        Again::After(_) => "is busy",
        Again::Scheduled | Again::Never => "does not answer",
    };
    format!(
        "The gate pass system {what}; trying again in {} s ({retry} of {})",
        wait.as_secs(),
        WAITS.len()
    )
}
