//! Requests are serialised per person.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use frontdesk_core::id::ProfileId;
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use uuid::Uuid;

use super::{MANY, Queue};

fn person(number: u128) -> ProfileId {
    ProfileId::from_uuid(Uuid::from_u128(number))
}

#[tokio::test]
async fn a_request_waits_for_the_previous_one_of_its_person() {
    let queue = Queue::default();
    let first = queue.enter(person(1)).await;
    assert!(queue.enter(person(1)).now_or_never().is_none());
    // Another person is not blocked.
    assert!(queue.enter(person(2)).now_or_never().is_some());
    drop(first);
    assert!(queue.enter(person(1)).now_or_never().is_some());
}

/// Waiters are served in order; a cancelled waiter is skipped.
#[tokio::test]
async fn waiters_are_served_in_order_and_cancelled_ones_are_skipped() {
    let queue = Queue::default();
    let first = queue.enter(person(1)).await;
    let mut second = Box::pin(queue.enter(person(1)));
    let mut third = Box::pin(queue.enter(person(1)));
    let mut fourth = Box::pin(queue.enter(person(1)));
    for waiting in [&mut second, &mut third, &mut fourth] {
        assert!(waiting.now_or_never().is_none());
    }
    drop(third);
    drop(first);
    assert!((&mut fourth).now_or_never().is_none());
    let place = (&mut second).now_or_never().unwrap();
    assert!((&mut fourth).now_or_never().is_none());
    drop(place);
    assert!(fourth.now_or_never().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_of_a_person_run_one_at_a_time() {
    let queue = Arc::new(Queue::default());
    let inside = Arc::new(AtomicUsize::new(0));
    let tasks = (0..100).map(|_| {
        let (queue, inside) = (Arc::clone(&queue), Arc::clone(&inside));
        tokio::spawn(async move {
            let _place = queue.enter(person(1)).await;
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
            tokio::task::yield_now().await;
            inside.fetch_sub(1, Ordering::SeqCst);
        })
    });
    for task in join_all(tasks).await {
        task.unwrap();
    }
}

#[tokio::test]
async fn unused_entries_are_removed() {
    let queue = Queue::default();
    let _stays = queue.enter(person(0)).await;
    for number in 1..3 * MANY as u128 {
        drop(queue.enter(person(number)).await);
    }
    assert!(queue.places.lock().unwrap().len() <= MANY);
    assert!(queue.enter(person(0)).now_or_never().is_none());
}
