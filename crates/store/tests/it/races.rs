//! Many at once: keys, rates, conversations and decisions have one winner.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::approval::Decision;
use frontdesk_core::store::{Accepted, StoreError, Turns};
use tokio::task::JoinSet;

use crate::approvals::{card, paused};
use crate::support::{Ground, at, key, on_each, say};

/// Each round on a store of its own.
async fn twins_of_one_key(rounds: usize) {
    for _ in 0..rounds {
        on_each(|ground| async move { sixteen_twins(&ground).await }).await;
    }
}

async fn sixteen_twins(ground: &Ground) {
    let ann = Arc::new(ground.person("ann").await);
    let id = ground.conversation(&ann).await.id;
    let nodes = [ground.store.clone(), ground.second_node().await];
    let mut twins = JoinSet::new();
    for number in 0..16 {
        let store = nodes[number % 2].clone();
        let ann = Arc::clone(&ann);
        let mut request = say(id, "Hello", at(1));
        request.rate.bucket = "ann".to_owned();
        request.key = Some(key("twin", "body"));
        twins.spawn(async move { store.open(&ann, request).await.unwrap() });
    }
    let mut turns = Vec::new();
    let mut opened = 0;
    while let Some(accepted) = twins.join_next().await {
        match accepted.unwrap() {
            Accepted::Opened(turn) => {
                opened += 1;
                turns.push(turn.lease.turn);
            }
            Accepted::Replay { turn, .. } => turns.push(turn),
        }
    }
    assert_eq!(opened, 1);
    turns.dedup();
    assert_eq!(turns.len(), 1, "all twins saw the same turn");
    let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
    assert_eq!(page.items.len(), 1);
    let counted = ground
        .count("SELECT count(*) AS n FROM rate_events", vec![])
        .await;
    assert_eq!(counted, 1);
}

// design: promises P2
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_twins_of_one_key_store_one_message() {
    twins_of_one_key(1).await;
}

// design: promises P2
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "long: make test-full"]
async fn sixteen_twins_of_each_of_200_keys_store_one_message() {
    twins_of_one_key(100).await;
}

async fn fifty_at_once(ground: &Ground) {
    let ann = Arc::new(ground.person("ann").await);
    let nodes = [ground.store.clone(), ground.second_node().await];
    let mut senders = JoinSet::new();
    for number in 0..50 {
        let id = ground.conversation(&ann).await.id;
        let store = nodes[number % 2].clone();
        let ann = Arc::clone(&ann);
        let mut request = say(id, "Hello", at(100));
        request.rate.bucket = "ann".to_owned();
        senders.spawn(async move { store.open(&ann, request).await });
    }
    let (mut passed, mut limited) = (0, 0);
    while let Some(result) = senders.join_next().await {
        match result.unwrap() {
            Ok(_) => passed += 1,
            Err(StoreError::RateLimited { retry_after }) => {
                assert_eq!(retry_after, Duration::from_secs(60));
                limited += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((passed, limited), (20, 30));
    let stored = ground
        .count(
            "SELECT count(*) AS n FROM messages WHERE part = 'said'",
            vec![],
        )
        .await;
    assert_eq!(stored, 20);
}

// design: promises P16 exact limits
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_fifty_at_once_over_fifty_conversations_exactly_twenty_pass() {
    on_each(|ground| async move { fifty_at_once(&ground).await }).await;
}

// design: promises P16 exact limits
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "long: make test-full"]
async fn of_fifty_at_once_exactly_twenty_pass_in_100_rounds() {
    for _ in 0..50 {
        on_each(|ground| async move { fifty_at_once(&ground).await }).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_who_write_at_once_one_is_told_to_wait() {
    on_each(|ground| async move {
        let ann = Arc::new(ground.person("ann").await);
        let nodes = [ground.store.clone(), ground.second_node().await];
        for _ in 0..10 {
            let id = ground.conversation(&ann).await.id;
            let mut openers = JoinSet::new();
            for store in nodes.clone() {
                let ann = Arc::clone(&ann);
                let request = say(id, "Hello", at(1));
                openers.spawn(async move { store.open(&ann, request).await });
            }
            let results = openers.join_all().await;
            let passed = results.iter().filter(|result| result.is_ok()).count();
            assert_eq!(passed, 1);
            for result in results {
                if let Err(error) = result {
                    assert!(
                        matches!(error, StoreError::TurnInProgress { .. }),
                        "{error}"
                    );
                }
            }
        }
    })
    .await;
}

// design: promises P9
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn approve_and_reject_at_one_instant_have_one_winner() {
    approve_and_reject(10).await;
}

// design: promises P9
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "long: make test-full"]
async fn approve_and_reject_at_one_instant_have_one_winner_in_100_rounds() {
    approve_and_reject(50).await;
}

async fn approve_and_reject(rounds: usize) {
    on_each(move |ground| async move {
        let ann = Arc::new(ground.person("ann").await);
        let nodes = [ground.store.clone(), ground.second_node().await];
        for _ in 0..rounds {
            let turn = paused(&ground, &ann, vec![card(&ann, "call_1", &[])]).await;
            let mut deciders = JoinSet::new();
            for number in 0..12 {
                let store = nodes[number % 2].clone();
                let ann = Arc::clone(&ann);
                let decision = match number % 2 {
                    0 => Decision::Approved,
                    _ => Decision::Rejected,
                };
                let turn = turn.turn;
                deciders.spawn(async move {
                    store
                        .decide(&ann, turn, "call_1", decision.into(), at(3))
                        .await
                });
            }
            let results = deciders.join_all().await;
            assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
            for result in results {
                if let Err(error) = result {
                    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
                }
            }
            let sql = "SELECT count(*) AS n FROM journal WHERE turn_id = $1 AND position > 2";
            assert_eq!(ground.count(sql, vec![turn.turn.uuid().into()]).await, 1);
        }
    })
    .await;
}

// design: promises P4 turns end
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_turn_that_nobody_works_on_is_taken_over_by_one() {
    on_each(|ground| async move {
        let ann = Arc::new(ground.person("ann").await);
        let id = ground.conversation(&ann).await.id;
        ground.open(&ann, id, "Hello").await;
        let nodes = [ground.store.clone(), ground.second_node().await];
        let mut workers = JoinSet::new();
        for number in 0..8 {
            let store = nodes[number % 2].clone();
            workers.spawn(async move {
                store
                    .take_over(&format!("node-{number}"), at(500), Duration::from_secs(30))
                    .await
                    .unwrap()
            });
        }
        let taken = workers.join_all().await;
        assert_eq!(taken.iter().filter(|opened| opened.is_some()).count(), 1);
    })
    .await;
}

// design: promises P4 turns end
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn cancel_reset_and_finish_at_once_leave_one_end() {
    on_each(|ground| async move {
        let ann = Arc::new(ground.person("ann").await);
        for _ in 0..10 {
            let id = ground.conversation(&ann).await.id;
            let turn = ground.open(&ann, id, "Hello").await;
            let mut all: JoinSet<Result<(), StoreError>> = JoinSet::new();
            let (store, who) = (ground.store.clone(), Arc::clone(&ann));
            all.spawn(async move { store.reset(&who, id).await.map(drop) });
            let (store, lease) = (ground.store.clone(), turn.lease.clone());
            all.spawn(async move {
                let finish = crate::support::answered("late", 1, at(9));
                match store.finish(&lease, finish).await {
                    Err(StoreError::Fenced) | Ok(()) => Ok(()),
                    Err(error) => Err(error),
                }
            });
            let (store, who) = (ground.store.clone(), Arc::clone(&ann));
            all.spawn(async move {
                match store.cancel(&who, id, turn.lease.turn, at(9)).await {
                    Ok(_) | Err(StoreError::NotFound) => Ok(()),
                    Err(error) => Err(error),
                }
            });
            for result in all.join_all().await {
                result.unwrap();
            }
            let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
            assert!(page.items.is_empty(), "{:?}", page.items);
            assert_eq!(ground.store.get(&ann, id).await.unwrap().message_count, 0);
        }
    })
    .await;
}
