//! What the engine is given instead of looking for it: the time, a way to wait, and ids.

use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use uuid::Uuid;

pub trait Env: Send + Sync {
    fn now(&self) -> DateTime<Utc>;

    /// Resolves after `duration` of this world's time.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// A fresh v7 id, larger than those given before.
    fn id(&self) -> Uuid;
}
