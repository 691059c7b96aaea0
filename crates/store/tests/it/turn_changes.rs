//! Every node hears that a turn went on or is to stop, as soon as it is committed.

use frontdesk_core::store::{Record, Turns};
use frontdesk_core::tool::Effect;
use frontdesk_store::{ChangeFeed, FeedItem};

use crate::support::{answered, at, delta, on_each, tool_started, unknown_calls};

/// The next change of a turn; the feed also carries notices.
async fn next_of_a_turn(feed: &mut ChangeFeed) -> Option<FeedItem> {
    loop {
        match feed.next().await {
            Some(FeedItem::Notice(_)) => {}
            item => return item,
        }
    }
}

// design: promises P5 nodes
#[tokio::test]
async fn other_nodes_hear_of_records_cancels_and_ends() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Hello").await.lease;
        // SQLite serves one process: its nodes are the clones of one store.
        let elsewhere = match ground.test_database() {
            Some(_) => ground.second_node().await,
            None => ground.store.clone(),
        };
        let mut feed = elsewhere.change_feed().await.unwrap();
        let record = Record {
            entries: vec![delta(6, "Hello")],
            now: at(2),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        assert_eq!(
            next_of_a_turn(&mut feed).await,
            Some(FeedItem::TurnAdvanced(lease.turn))
        );
        ground
            .store
            .cancel(&ann, id, lease.turn, at(3))
            .await
            .unwrap();
        assert_eq!(
            next_of_a_turn(&mut feed).await,
            Some(FeedItem::TurnCancelled(lease.turn))
        );
        let finish = answered("Hello", 6, at(4));
        ground.store.finish(&lease, finish).await.unwrap();
        assert_eq!(
            next_of_a_turn(&mut feed).await,
            Some(FeedItem::TurnAdvanced(lease.turn))
        );
    })
    .await;
}

/// Erasing a conversation stops its turn; a write that was under way may have
/// happened, and the record says so.
// design: promises P20
#[tokio::test]
async fn a_turn_that_is_erased_is_stopped_and_its_open_writes_are_unknown() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let mut feed = ground.store.change_feed().await.unwrap();
        for (call, delete) in [("reset", false), ("deleted", true)] {
            let id = ground.conversation(&ann).await.id;
            let lease = ground.open(&ann, id, "Hello").await.lease;
            let record = Record {
                entries: vec![tool_started(2, call, Effect::AtMostOnce)],
                now: at(2),
                ..Record::default()
            };
            ground.store.record(&lease, record).await.unwrap();
            assert_eq!(
                next_of_a_turn(&mut feed).await,
                Some(FeedItem::TurnAdvanced(lease.turn))
            );
            if delete {
                ground.store.delete(&ann, id).await.unwrap();
            } else {
                ground.store.reset(&ann, id).await.unwrap();
            }
            assert_eq!(
                next_of_a_turn(&mut feed).await,
                Some(FeedItem::TurnCancelled(lease.turn))
            );
        }
        assert_eq!(unknown_calls(&ground).await, ["reset", "deleted"]);
    })
    .await;
}
