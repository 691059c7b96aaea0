//! The production environment: the system clock, Tokio's timers and random ids.

use std::time::Duration;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use frontdesk_core::env::Env;
use futures_util::future::BoxFuture;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEnv;

impl Env for SystemEnv {
    /// Truncated to microseconds, the precision of the databases.
    fn now(&self) -> DateTime<Utc> {
        let now = Utc::now();
        now.duration_trunc(TimeDelta::microseconds(1))
            .unwrap_or(now)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
