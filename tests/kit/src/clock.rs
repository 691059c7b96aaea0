//! A clock for tests: starts at a given time, runs normally, and jumps ahead on request.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use frontdesk_core::env::Env;
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use uuid::Uuid;

/// Clones share one time.
#[derive(Clone, Debug)]
pub struct FakeClock {
    start: DateTime<Utc>,
    started: Instant,
    skipped: Arc<watch::Sender<Duration>>,
}

impl FakeClock {
    #[must_use]
    pub fn starting(start: DateTime<Utc>) -> Self {
        Self {
            start,
            started: Instant::now(),
            skipped: Arc::new(watch::Sender::new(Duration::ZERO)),
        }
    }

    /// Jumps ahead and wakes sleepers that are due.
    pub fn advance(&self, by: Duration) {
        self.skipped.send_modify(|skipped| *skipped += by);
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed() + *self.skipped.borrow()
    }
}

impl Env for FakeClock {
    /// Truncated to microseconds, the precision of the databases.
    fn now(&self) -> DateTime<Utc> {
        let elapsed = TimeDelta::from_std(self.elapsed()).unwrap_or(TimeDelta::MAX);
        let now = self.start.checked_add_signed(elapsed);
        now.and_then(|now| now.duration_trunc(TimeDelta::microseconds(1)).ok())
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let clock = self.clone();
        let wake = self.elapsed() + duration;
        Box::pin(async move {
            let mut skips = clock.skipped.subscribe();
            loop {
                let left = wake.saturating_sub(clock.elapsed());
                if left.is_zero() {
                    return;
                }
                tokio::select! {
                    () = tokio::time::sleep(left) => {}
                    _ = skips.changed() => {}
                }
            }
        })
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod clock_tests;
