//! A gated future is polled after its waker fired and never loses a wake-up.

use std::cell::Cell;
use std::future::poll_fn;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::sync::oneshot;

use super::*;

#[tokio::test]
async fn it_is_polled_only_after_its_waker_fired() {
    let (trigger, fired) = oneshot::channel();
    let polls = Cell::new(0);
    let mut fired = fired;
    let counted = poll_fn(|cx| {
        polls.set(polls.get() + 1);
        Pin::new(&mut fired).poll(cx)
    });
    let mut wake_gated = WakeGated::new(counted);
    for _ in 0..50 {
        let busy = std::pin::pin!(tokio::task::yield_now());
        match select(busy, &mut wake_gated).await {
            Either::Left(_) => {}
            Either::Right(_) => panic!("it was not triggered"),
        }
    }
    assert_eq!(polls.get(), 1);
    trigger.send(7).unwrap();
    assert_eq!(wake_gated.await, Ok(7));
    assert_eq!(polls.get(), 2);
}

#[tokio::test]
async fn a_wake_up_from_another_thread_is_not_lost() {
    for _ in 0..500 {
        let (trigger, fired) = oneshot::channel();
        let thread = std::thread::spawn(move || trigger.send(()));
        let waited = tokio::time::timeout(Duration::from_secs(20), WakeGated::new(fired)).await;
        assert_eq!(waited, Ok(Ok(())));
        thread.join().unwrap().unwrap();
    }
}
