//! A future that is looked at only when it has rung. A turn is woken for each piece of an answer;
//! its lease, its deadline and the wish to stop it need not be asked every time.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

pub(super) struct Seldom<F> {
    future: F,
    bell: Arc<Bell>,
}

struct Bell {
    rung: AtomicBool,
    owner: AtomicWaker,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.rung.store(true, Ordering::Release);
        self.owner.wake();
    }
}

impl<F> Seldom<F> {
    pub(super) fn new(future: F) -> Self {
        Self {
            future,
            bell: Arc::new(Bell {
                // The first look is what makes it ring later.
                rung: AtomicBool::new(true),
                owner: AtomicWaker::new(),
            }),
        }
    }
}

impl<F: Future + Unpin> Future for Seldom<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // First, so that a bell that rings from here on wakes whoever waits.
        self.bell.owner.register(cx.waker());
        if !self.bell.rung.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let waker = Waker::from(Arc::clone(&self.bell));
        Pin::new(&mut self.future).poll(&mut Context::from_waker(&waker))
    }
}

#[cfg(test)]
#[path = "seldom_tests.rs"]
mod seldom_tests;
