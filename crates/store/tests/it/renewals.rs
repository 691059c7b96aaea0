//! Leases: many are renewed together, each is answered for itself, and a node that is late is not
//! replaced by itself.

use std::time::Duration;

use frontdesk_core::store::{Lease, StoreError, Turns};
use futures_util::future::join_all;

use crate::support::{Ground, at, on_each, refused};

async fn take(ground: &Ground, node: &str, seconds: i64) -> Option<Lease> {
    let taken = ground
        .store
        .take_over(node, at(seconds), Duration::from_secs(30))
        .await;
    taken.unwrap().map(|opened| opened.lease)
}

// design: promises P4 turns end
#[tokio::test]
async fn many_leases_are_renewed_together_and_answered_one_by_one() {
    const MANY: usize = 40;
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let mut leases = Vec::new();
        for _ in 0..MANY {
            let id = ground.conversation(&ann).await.id;
            leases.push(ground.open(&ann, id, "Hello").await.lease);
        }
        let shared = ground.conversation_in(&ann, Some(company)).await.id;
        let foreign = ground.open(&bob, shared, "Hello").await.lease;
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        let stopped = leases[3].clone();
        let asked = ground
            .store
            .cancel(&ann, stopped.conversation, stopped.turn, at(1));
        assert!(asked.await.unwrap());
        let mut old = leases[5].clone();
        old.epoch -= 1;

        let before = ground.db.round_trips();
        let all: Vec<&Lease> = leases.iter().chain([&foreign, &old]).collect();
        let answers = join_all(all.iter().map(|lease| ground.store.renew(lease, at(900)))).await;
        let trips = ground.db.round_trips() - before;
        for (index, answer) in answers.into_iter().enumerate() {
            match index {
                3 => assert!(answer.unwrap(), "somebody wants it to stop"),
                MANY => assert!(matches!(refused(answer), StoreError::Forbidden)),
                index if index > MANY => assert!(matches!(refused(answer), StoreError::Fenced)),
                _ => assert!(!answer.unwrap()),
            }
        }
        if ground.test_database().is_some() {
            assert!(trips < MANY as u64 / 2, "{trips} round trips");
        }
        assert!(take(&ground, "node-2", 899).await.is_none(), "all are held");
    })
    .await;
}

#[tokio::test]
async fn whoever_asked_first_may_leave_and_the_others_are_answered() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Hello").await.lease;
        let (store, leader) = (ground.store.clone(), lease.clone());
        let first = tokio::spawn(async move { store.renew(&leader, at(60)).await });
        let second = ground.store.renew(&lease, at(61));
        first.abort();
        assert!(!second.await.unwrap());
    })
    .await;
}

// design: promises P4 turns end
#[tokio::test]
async fn a_node_that_is_late_with_its_own_lease_has_one_more() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground.open(&ann, id, "Hello").await;
        let mine = take(&ground, "node-2", 500).await.unwrap();
        assert!(
            take(&ground, "node-2", 531).await.is_none(),
            "it is at work"
        );
        assert!(
            take(&ground, "node-2", 560).await.is_none(),
            "it is at work"
        );
        ground.store.renew(&mine, at(600)).await.unwrap();
        // To everybody else it is late.
        let theirs = take(&ground, "node-3", 601).await.unwrap();
        assert_eq!(theirs.epoch, mine.epoch + 1);
        // And one whose work broke off is not forgotten.
        let again = take(&ground, "node-3", 662).await.unwrap();
        assert_eq!(again.epoch, theirs.epoch + 1);
    })
    .await;
}
