//! Stopping a turn: the worker gets a signal, and a turn that waits for a person ends as well.

use std::time::Duration;

use frontdesk_core::approval::Decision;
use frontdesk_core::event::Event;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{StoreError, Turns};

use crate::approvals::{card, paused};
use crate::support::{at, ended, fresh, on_each, refused};

#[tokio::test]
async fn the_worker_hears_of_a_cancel_when_it_renews_its_lease() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Hello").await.lease;
        assert!(!ground.store.renew(&lease, at(60)).await.unwrap());
        let error = refused(ground.store.cancel(&bob, id, lease.turn, at(2)).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(ground.store.cancel(&ann, id, fresh(), at(2)).await);
        assert!(matches!(error, StoreError::NotFound), "{error}");
        assert!(
            ground
                .store
                .cancel(&ann, id, lease.turn, at(2))
                .await
                .unwrap()
        );
        assert!(ground.store.renew(&lease, at(60)).await.unwrap());
        ground
            .store
            .finish(&lease, ended(Outcome::Cancelled, 1, at(3)))
            .await
            .unwrap();
        assert!(
            !ground
                .store
                .cancel(&ann, id, lease.turn, at(4))
                .await
                .unwrap()
        );
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.state, TurnState::Cancelled);
        assert_eq!(status.outcome, Some(Outcome::Cancelled));
        assert_eq!(status.ended_at, Some(at(3)));
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_wait_rejects_its_cards_and_can_be_taken_over() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let cards = vec![card(&ann, "a", &[]), card(&ann, "b", &[])];
        let lease = paused(&ground, &ann, cards).await;
        let cancelled = ground
            .store
            .cancel(&ann, lease.conversation, lease.turn, at(5))
            .await;
        assert!(cancelled.unwrap());
        assert!(ground.store.pending(&ann, at(5)).await.unwrap().is_empty());
        let error = refused(
            ground
                .store
                .decide(&ann, lease.turn, "a", Decision::Approved.into(), at(6))
                .await,
        );
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        let resumed = ground
            .store
            .take_over("node-2", at(6), Duration::from_secs(30))
            .await
            .unwrap()
            .unwrap();
        let rejected = resumed
            .entries
            .iter()
            .filter(|entry| {
                matches!(
                    entry.event,
                    Event::ApprovalDecided {
                        decision: Decision::Rejected,
                        ..
                    }
                )
            })
            .count();
        assert_eq!(rejected, 2);
        assert!(ground.store.renew(&resumed.lease, at(60)).await.unwrap());
    })
    .await;
}
