//! A future behind a bell is looked at when it rings, and never forgotten.

use std::cell::Cell;
use std::future::poll_fn;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::sync::oneshot;

use super::*;

#[tokio::test]
async fn it_is_looked_at_when_it_rings_and_not_before() {
    let (ring, is_set) = oneshot::channel();
    let looks = Cell::new(0);
    let mut is_set = is_set;
    let counted = poll_fn(|cx| {
        looks.set(looks.get() + 1);
        Pin::new(&mut is_set).poll(cx)
    });
    let mut wake_gated = WakeGated::new(counted);
    for _ in 0..50 {
        let busy = std::pin::pin!(tokio::task::yield_now());
        match select(busy, &mut wake_gated).await {
            Either::Left(_) => {}
            Either::Right(_) => panic!("nothing rang"),
        }
    }
    assert_eq!(looks.get(), 1);
    ring.send(7).unwrap();
    assert_eq!(wake_gated.await, Ok(7));
    assert_eq!(looks.get(), 2);
}

#[tokio::test]
async fn a_bell_on_another_thread_wakes_whoever_waits() {
    for _ in 0..500 {
        let (ring, is_set) = oneshot::channel();
        let ringer = std::thread::spawn(move || ring.send(()));
        let waited = tokio::time::timeout(Duration::from_secs(20), WakeGated::new(is_set)).await;
        assert_eq!(waited, Ok(Ok(())));
        ringer.join().unwrap().unwrap();
    }
}
