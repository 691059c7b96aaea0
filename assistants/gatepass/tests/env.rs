//! A world whose time passes only when somebody waits in it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, TimeZone, Utc};
use frontdesk_core::env::Env;
use futures_util::future::BoxFuture;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

/// What the tests set the API's timeout to: no wait of the client is as long.
pub(super) const TIMEOUT: Duration = Duration::from_secs(29);

pub(crate) struct TestWorld {
    now: Arc<Mutex<DateTime<Utc>>>,
    waited: Mutex<Vec<Duration>>,
    expire: Arc<Notify>,
    /// How often somebody began to wait for an answer.
    begun: watch::Sender<usize>,
}

impl TestWorld {
    pub(crate) fn new() -> Arc<Self> {
        let start = Utc.with_ymd_and_hms(2026, 9, 15, 10, 0, 0).unwrap();
        Arc::new(Self {
            now: Arc::new(Mutex::new(start)),
            waited: Mutex::default(),
            expire: Arc::default(),
            begun: watch::Sender::new(0),
        })
    }

    /// Waits between attempts, in order.
    pub(super) fn waits(&self) -> Vec<u64> {
        let waited = self.waited.lock().unwrap();
        waited.iter().map(Duration::as_secs).collect()
    }

    /// Lets whoever waits for an answer wait no longer, once they have begun to wait so often.
    pub(super) async fn expire(&self, begun: usize) {
        let mut watch = self.begun.subscribe();
        watch.wait_for(|count| *count >= begun).await.unwrap();
        self.expire.notify_waiters();
    }
}

fn pass(now: &Mutex<DateTime<Utc>>, duration: Duration) {
    *now.lock().unwrap() += TimeDelta::from_std(duration).unwrap();
}

impl Env for TestWorld {
    fn now(&self) -> DateTime<Utc> {
        *self.now.lock().unwrap()
    }

    /// A timeout ends when a test says so; every other wait is over at once.
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
