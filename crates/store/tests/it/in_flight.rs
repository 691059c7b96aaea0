//! How many turns of a person may be worked on at once: exact, over all conversations, nodes and
//! assistants, and given back when a turn ends or waits for somebody.

use std::sync::Arc;

use frontdesk_core::id::ConversationId;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::store::{Accepted, OpenTurn, StoreError, Turns};
use tokio::task::JoinSet;

use crate::approvals::{card, paused};
use crate::support::{answered, at, ended, key, on_each, opened, refused, say};

fn at_most(max: u32, conversation: ConversationId) -> OpenTurn {
    let mut request = say(conversation, "Hello", at(1));
    request.in_flight = max;
    request
}

#[tokio::test]
async fn one_more_than_allowed_is_refused_until_one_has_ended() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let mut leases = Vec::new();
        for _ in 0..3 {
            let id = ground.conversation(&ann).await.id;
            let turn = opened(ground.store.open(&ann, at_most(3, id)).await.unwrap());
            leases.push(turn.lease);
        }
        let id = ground.conversation(&ann).await.id;
        let error = refused(ground.store.open(&ann, at_most(3, id)).await);
        assert!(
            matches!(error, StoreError::TooManyTurns { max: 3 }),
            "{error}"
        );
        let said = "SELECT count(*) AS n FROM messages WHERE part = 'said'";
        assert_eq!(ground.count(said, vec![]).await, 3, "nothing was stored");
        let counted = "SELECT count(*) AS n FROM rate_events";
        assert_eq!(
            ground.count(counted, vec![]).await,
            3,
            "nothing was counted"
        );
        // In a busy conversation the more specific reason is returned.
        let busy = leases[0].conversation;
        let error = refused(ground.store.open(&ann, at_most(3, busy)).await);
        assert!(
            matches!(error, StoreError::TurnInProgress { .. }),
            "{error}"
        );
        // Somebody else has their own count.
        let theirs = ground.conversation(&bob).await.id;
        opened(ground.store.open(&bob, at_most(3, theirs)).await.unwrap());
        // Any end gives the place back.
        let finish = answered("Hi", 1, at(2));
        ground.store.finish(&leases[1], finish).await.unwrap();
        opened(ground.store.open(&ann, at_most(3, id)).await.unwrap());
        let id = ground.conversation(&ann).await.id;
        let error = refused(ground.store.open(&ann, at_most(3, id)).await);
        assert!(matches!(error, StoreError::TooManyTurns { .. }), "{error}");
        let turn = leases[2].turn;
        let conversation = leases[2].conversation;
        ground
            .store
            .cancel(&ann, conversation, turn, at(3))
            .await
            .unwrap();
        let finish = ended(Outcome::Cancelled, 1, at(3));
        ground.store.finish(&leases[2], finish).await.unwrap();
        opened(ground.store.open(&ann, at_most(3, id)).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_turn_that_waits_for_a_decision_holds_no_place() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        for _ in 0..3 {
            paused(&ground, &ann, vec![card(&ann, "c", &[])]).await;
        }
        let id = ground.conversation(&ann).await.id;
        opened(ground.store.open(&ann, at_most(1, id)).await.unwrap());
        let id = ground.conversation(&ann).await.id;
        let error = refused(ground.store.open(&ann, at_most(1, id)).await);
        assert!(matches!(error, StoreError::TooManyTurns { .. }), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_repeated_request_is_answered_although_no_place_is_left() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut first = at_most(1, id);
        first.key = Some(key("once", "body"));
        let mut again = at_most(1, id);
        again.key = Some(key("once", "body"));
        let turn = opened(ground.store.open(&ann, first).await.unwrap());
        let Accepted::Replay { turn: replayed, .. } = ground.store.open(&ann, again).await.unwrap()
        else {
            panic!("a second turn");
        };
        assert_eq!(replayed, turn.lease.turn);
    })
    .await;
}

// design: promises P16 turns at once
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_at_once_on_two_nodes_are_exactly_as_many_as_allowed() {
    on_each(|ground| async move {
        let ann = Arc::new(ground.person("ann").await);
        let nodes = [ground.store.clone(), ground.second_node().await];
        let mut all = JoinSet::new();
        for number in 0..50 {
            let id = ground.conversation(&ann).await.id;
            let (store, ann) = (nodes[number % 2].clone(), Arc::clone(&ann));
            all.spawn(async move { store.open(&ann, at_most(20, id)).await });
        }
        let mut taken = 0;
        while let Some(result) = all.join_next().await {
            match result.unwrap() {
                Ok(_) => taken += 1,
                Err(StoreError::TooManyTurns { max: 20 }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(taken, 20);
        let open = "SELECT count(*) AS n FROM turns WHERE ended_at IS NULL";
        assert_eq!(ground.count(open, vec![]).await, 20);
        // After a restart they still count.
        let id = ground.conversation(&ann).await.id;
        let ground = ground.restarted().await;
        let error = refused(ground.store.open(&ann, at_most(20, id)).await);
        assert!(matches!(error, StoreError::TooManyTurns { .. }), "{error}");
    })
    .await;
}
