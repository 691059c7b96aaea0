//! The port to time, timers and ids.

use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use uuid::Uuid;

pub trait Env: Send + Sync {
    fn now(&self) -> DateTime<Utc>;

    /// Resolves after `duration` on this environment's clock.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// A new v7 id, greater than every earlier one.
    fn id(&self) -> Uuid;
}
