//! Virtual time and a single-threaded executor: waiting takes no real time, and the test alone
//! decides the order of execution.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_core::env::Env;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::chance::Chance;

/// An environment whose clock moves only when everything waits.
#[derive(Clone)]
pub(crate) struct VirtualEnv(Arc<Mutex<State>>);

struct State {
    now: DateTime<Utc>,
    timers: BTreeMap<(DateTime<Utc>, u64), Waker>,
    timer: u64,
    ids: u64,
    /// If set, every pause may take time.
    delays: Option<Chance>,
}

impl VirtualEnv {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            now: "2026-09-01T09:00:00Z".parse().unwrap(),
            timers: BTreeMap::new(),
            timer: 0,
            ids: 0,
            delays: None,
        })))
    }

    /// Adds a seeded latency to external responses.
    pub(crate) fn with_delays(chance: Chance) -> Self {
        let env = Self::new();
        env.0.lock().unwrap().delays = Some(chance);
        env
    }

    /// A point where other tasks may run and a crash may happen.
    pub(crate) async fn pause(&self) {
        let delay = {
            let mut state = self.0.lock().unwrap();
            state.delays.as_mut().and_then(|chance| {
                chance
                    .once_in(4)
                    .then(|| Duration::from_millis(chance.next() % 700))
            })
        };
        if let Some(delay) = delay {
            self.sleep(delay).await;
        }
        let mut paused = false;
        std::future::poll_fn(|cx| {
            if std::mem::replace(&mut paused, true) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    pub(crate) fn next_timer(&self) -> Option<DateTime<Utc>> {
        let state = self.0.lock().unwrap();
        state.timers.keys().next().map(|(at, _)| *at)
    }

    /// Moves the clock and wakes the timers that are due.
    pub(crate) fn advance_to(&self, to: DateTime<Utc>) {
        let due: Vec<Waker> = {
            let mut state = self.0.lock().unwrap();
            let now = state.now.max(to);
            state.now = now;
            let later = state.timers.split_off(&(now, u64::MAX));
            std::mem::replace(&mut state.timers, later)
                .into_values()
                .collect()
        };
        due.into_iter().for_each(Waker::wake);
    }

    /// Runs one future to its end; time passes while it waits.
    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.finish(&mut Task::new(future))
    }

    pub(crate) fn finish<F: Future>(&self, task: &mut Task<F>) -> F::Output {
        loop {
            if let Poll::Ready(done) = task.poll() {
                return done;
            }
            while !task.is_woken() {
                let next = self.next_timer();
                self.advance_to(next.expect("everyone waits for something that never comes"));
            }
        }
    }
}

impl Env for VirtualEnv {
    fn now(&self) -> DateTime<Utc> {
        self.0.lock().unwrap().now
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let at = self.now() + chrono::Duration::from_std(duration).unwrap();
        Box::pin(Sleep {
            env: self.clone(),
            at,
            timer: None,
        })
    }

    fn id(&self) -> Uuid {
        let mut state = self.0.lock().unwrap();
        state.ids += 1;
        Uuid::from_u64_pair(state.ids, 0x8000_0000_0000_0000)
    }
}

struct Sleep {
    env: VirtualEnv,
    at: DateTime<Utc>,
    timer: Option<u64>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let env = self.env.clone();
        let mut state = env.0.lock().unwrap();
        if state.now >= self.at {
            return Poll::Ready(());
        }
        let timer = *self.timer.get_or_insert_with(|| {
            state.timer += 1;
            state.timer
        });
        state.timers.insert((self.at, timer), cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(timer) = self.timer {
            let mut state = self.env.0.lock().unwrap();
            state.timers.remove(&(self.at, timer));
        }
    }
}

/// A future that can be polled one step at a time, or dropped between two steps.
pub(crate) struct Task<F: Future> {
    future: Pin<Box<F>>,
    woken: Arc<WakeRecord>,
}

struct WakeRecord(AtomicBool);

impl Wake for WakeRecord {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl<F: Future> Task<F> {
    pub(crate) fn new(future: F) -> Self {
        Self {
            future: Box::pin(future),
            woken: Arc::new(WakeRecord(AtomicBool::new(true))),
        }
    }

    pub(crate) fn is_woken(&self) -> bool {
        self.woken.0.load(Ordering::SeqCst)
    }

    pub(crate) fn poll(&mut self) -> Poll<F::Output> {
        self.woken.0.store(false, Ordering::SeqCst);
        let waker = Waker::from(Arc::clone(&self.woken));
        self.future.as_mut().poll(&mut Context::from_waker(&waker))
    }
}
