//! A test `Env` whose time passes only while a task sleeps.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, TimeZone, Utc};
use frontdesk_core::env::Env;
use futures_util::future::BoxFuture;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

/// The API timeout in tests, distinct from every retry wait.
pub(super) const TIMEOUT: Duration = Duration::from_secs(29);

pub(crate) struct TestEnv {
    now: Arc<Mutex<DateTime<Utc>>>,
    waited: Mutex<Vec<Duration>>,
    expire: Arc<Notify>,
    /// Number of started waits for a response.
    begun: watch::Sender<usize>,
}

impl TestEnv {
    pub(crate) fn new() -> Arc<Self> {
        let start = Utc.with_ymd_and_hms(2026, 9, 15, 10, 0, 0).unwrap();
        Arc::new(Self {
            now: Arc::new(Mutex::new(start)),
            waited: Mutex::default(),
            expire: Arc::default(),
            begun: watch::Sender::new(0),
        })
    }

    /// Waits between attempts, in order, in seconds.
    pub(super) fn waits(&self) -> Vec<u64> {
        let waited = self.waited.lock().unwrap();
        waited.iter().map(Duration::as_secs).collect()
    }

    /// Fires the pending response timeout once this many have started.
    pub(super) async fn expire(&self, begun: usize) {
        let mut watch = self.begun.subscribe();
        watch.wait_for(|count| *count >= begun).await.unwrap();
        self.expire.notify_waiters();
    }
}

fn pass(now: &Mutex<DateTime<Utc>>, duration: Duration) {
    *now.lock().unwrap() += TimeDelta::from_std(duration).unwrap();
}

impl Env for TestEnv {
    fn now(&self) -> DateTime<Utc> {
        *self.now.lock().unwrap()
    }

    /// A response timeout ends when a test fires it; every other sleep ends at once.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let now = Arc::clone(&self.now);
        if duration >= TIMEOUT {
            let expired = Arc::clone(&self.expire).notified_owned();
            self.begun.send_modify(|count| *count += 1);
            return Box::pin(async move {
                expired.await;
                pass(&now, duration);
            });
        }
        self.waited.lock().unwrap().push(duration);
        pass(&now, duration);
        Box::pin(std::future::ready(()))
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
