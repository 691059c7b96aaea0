//! Polls the inner future only after its own waker fired. Each piece of an answer wakes the turn;
//! its lease, deadline and cancellation need no poll every time.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

pub(super) struct WakeGated<F> {
    future: F,
    flag: Arc<WakeFlag>,
}

struct WakeFlag {
    is_set: AtomicBool,
    owner: AtomicWaker,
}

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.is_set.store(true, Ordering::Release);
        self.owner.wake();
    }
}

impl<F> WakeGated<F> {
    pub(super) fn new(future: F) -> Self {
        Self {
            future,
            flag: Arc::new(WakeFlag {
                // The first poll registers the waker.
                is_set: AtomicBool::new(true),
                owner: AtomicWaker::new(),
            }),
        }
    }
}

impl<F: Future + Unpin> Future for WakeGated<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // Register first: a wake-up from here on must reach the task.
        self.flag.owner.register(cx.waker());
        if !self.flag.is_set.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let waker = Waker::from(Arc::clone(&self.flag));
        Pin::new(&mut self.future).poll(&mut Context::from_waker(&waker))
    }
}

#[cfg(test)]
#[path = "wake_gated_tests.rs"]
mod wake_gated_tests;
