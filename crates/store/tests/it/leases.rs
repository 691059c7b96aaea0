//! Leases: whoever has the newest epoch writes, nobody else, and no turn is forgotten.

use std::time::Duration;

use frontdesk_core::access::{CompanyRole, Membership, Role};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{Artifacts, Opened, Record, StoreError, Turns};
use frontdesk_core::tool::Effect;

use crate::support::{
    Ground, answered, at, delta, on_each, refused, tool_finished, tool_started, unknown_calls,
};

async fn take(ground: &Ground, seconds: i64) -> Option<Opened> {
    ground
        .store
        .take_over("node-2", at(seconds), Duration::from_secs(30))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_turn_is_taken_over_when_its_lease_ran_out_and_not_before() {
    on_each(|ground| async move {
        let ann = ground.person_with("ann", &[Role::RECRUITER]).await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "Before", "Yes?").await;
        let turn = ground.open(&ann, id, &"long ".repeat(400)).await;
        let start = turn.user_message.created_at;
        let record = Record {
            entries: vec![delta(6, "Hello"), delta(7, "!")],
            now: start,
            ..Record::default()
        };
        ground.store.record(&turn.lease, record).await.unwrap();
        let until = start + chrono::TimeDelta::seconds(300);
        assert!(!ground.store.renew(&turn.lease, until).await.unwrap());
        let seconds = (until - at(0)).num_seconds();
        assert!(take(&ground, seconds).await.is_none());

        let resumed = take(&ground, seconds + 1).await.unwrap();
        assert_eq!(resumed.lease.turn, turn.lease.turn);
        assert_eq!(resumed.lease.epoch, turn.lease.epoch + 1);
        assert_eq!(resumed.lease.node, "node-2");
        assert_eq!(resumed.principal, turn.principal);
        assert_eq!(resumed.opening, turn.opening);
        assert_eq!(resumed.user_message, turn.user_message);
        assert_eq!(resumed.conversation, turn.conversation);
        assert_eq!(resumed.history.as_bytes(), turn.history.as_bytes());
        assert_eq!(resumed.tail, turn.tail);
        assert_eq!(resumed.deadline, turn.deadline);
        let positions: Vec<u64> = resumed.entries.iter().map(|e| e.position).collect();
        assert_eq!(positions, [1, 6, 7]);
        assert!(take(&ground, seconds + 2).await.is_none(), "it has a lease");
    })
    .await;
}

// design: promises P3 fenced
#[tokio::test]
async fn a_worker_with_an_old_epoch_can_write_nothing() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let old = ground.open(&ann, id, "Hello").await.lease;
        let new = take(&ground, 500).await.unwrap().lease;
        let record = || Record {
            entries: vec![delta(4, "abc")],
            now: at(501),
            ..Record::default()
        };
        let mut saving = record();
        saving.saves.title = Some("zombie".to_owned());
        let errors = [
            refused(ground.store.record(&old, record()).await),
            refused(ground.store.record(&old, saving).await),
            refused(
                ground
                    .store
                    .finish(&old, answered("zombie", 1, at(501)))
                    .await,
            ),
            refused(ground.store.renew(&old, at(900)).await),
            refused(ground.store.texts(&old, &[1]).await),
        ];
        for error in errors {
            assert!(matches!(error, StoreError::Fenced), "{error}");
        }
        let conversation = ground.store.get(&ann, id).await.unwrap();
        assert_eq!(conversation.title, "New Conversation");
        assert_eq!(conversation.message_count, 1);
        ground.store.record(&new, record()).await.unwrap();
        let finish = answered("abc", 4, at(502));
        ground.store.finish(&new, finish).await.unwrap();
        // The end is the end, for its own worker too.
        let error = refused(
            ground
                .store
                .finish(&new, answered("more", 5, at(503)))
                .await,
        );
        assert!(matches!(error, StoreError::Fenced), "{error}");
        assert!(take(&ground, 5000).await.is_none());
    })
    .await;
}

#[tokio::test]
async fn a_taken_turn_acts_with_the_memberships_of_today() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&bob, &[]).await;
        let id = ground.conversation(&ann).await.id;
        ground.open(&ann, id, "Hello").await;
        ground
            .store
            .add_member(company, ann.profile(), CompanyRole::Admin, at(3))
            .await
            .unwrap();
        let resumed = take(&ground, 500).await.unwrap();
        assert_eq!(
            resumed.principal.companies(),
            [Membership {
                company,
                standing: CompanyRole::Admin
            }]
        );
        assert_eq!(resumed.principal.expires(), ann.expires());
    })
    .await;
}

// design: promises P4 turns end
#[tokio::test]
async fn a_turn_whose_person_lost_access_ends_and_writes_nothing() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        let lease = ground.open(&bob, id, "Hello").await.lease;
        let record = Record {
            entries: vec![
                tool_started(2, "read", Effect::Read),
                tool_started(3, "sent", Effect::AtMostOnce),
                tool_started(4, "lost", Effect::AtMostOnce),
                tool_finished(5, "sent"),
            ],
            now: at(4),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        let other = ground.conversation(&ann).await.id;
        ground.open(&ann, other, "Mine").await;
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        let record = Record {
            entries: vec![delta(8, "abc")],
            now: at(5),
            ..Record::default()
        };
        let error = refused(ground.store.record(&lease, record).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(ground.store.finish(&lease, answered("abc", 1, at(5))).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        // The scan puts it aside and finds the next one.
        let resumed = take(&ground, 500).await.unwrap();
        assert_eq!(resumed.lease.conversation, other);
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.state, TurnState::Interrupted);
        assert_eq!(status.outcome, Some(Outcome::Interrupted));
        assert_eq!(status.ended_at, Some(at(500)));
        let entries = ground.store.entries(&ann, id, lease.turn, 5).await.unwrap();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].event.name(), "turn.interrupted");
        // The write that was started and has no end is on record.
        assert_eq!(unknown_calls(&ground).await, ["lost"]);
    })
    .await;
}

#[tokio::test]
async fn nothing_is_taken_when_nothing_is_open() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        assert!(take(&ground, 500).await.is_none());
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "Hello", "Hi").await;
        assert!(take(&ground, 5000).await.is_none());
        assert!(ground.store.all(&ann, id).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_oldest_lease_is_taken_first() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let mut expected = Vec::new();
        for _ in 0..3 {
            let id = ground.conversation(&ann).await.id;
            expected.push(ground.open(&ann, id, "Hello").await.lease.turn);
        }
        let mut taken = Vec::new();
        while let Some(opened) = take(&ground, 500).await {
            taken.push(opened.lease.turn);
        }
        assert_eq!(taken, expected);
    })
    .await;
}
