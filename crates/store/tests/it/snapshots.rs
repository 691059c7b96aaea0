//! Turns that ended long ago are told as one snapshot, and the end of a turn stands behind
//! whatever was shown of it.

use frontdesk_core::event::{Entry, Event, POSITIONS_AN_EPOCH, Snapshot};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{Record, Turns};
use frontdesk_core::tool::Effect;
use serde_json::json;

use crate::support::{Ground, answered, at, delta, on_each, refused, tool_finished, tool_started};

/// Takes everything there is to fold.
async fn fold(ground: &Ground, before: i64) -> usize {
    let mut batches = 0;
    while ground.store.fold_ended(at(before)).await.unwrap() {
        batches += 1;
    }
    batches
}

/// Text of a model that not every database can parse.
fn with_a_nul(position: u64, call: &str, effect: Effect) -> Entry {
    Entry {
        position,
        event: Event::ToolStarted {
            call_id: call.to_owned(),
            name: "post".to_owned(),
            title: "Post".to_owned(),
            arguments: json!({ "to": "some\u{0}body", "path": "a\\u0000" }),
            effect,
        },
    }
}

// design: promises P5 snapshot
#[tokio::test]
async fn a_turn_that_ended_long_ago_is_told_as_one_snapshot() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let turn = ground.open(&ann, id, "Hello").await;
        let record = Record {
            entries: vec![
                delta(5, "void"),
                Entry {
                    position: 6,
                    event: Event::TextReset { after: 1 },
                },
                with_a_nul(7, "read", Effect::Read),
                Entry {
                    position: 8,
                    event: Event::ToolProgress {
                        call_id: "read".to_owned(),
                        text: "again".to_owned(),
                    },
                },
                tool_finished(9, "read"),
                delta(13, "Zoë"),
                delta(16, " \"x"),
                delta(20, "\n\t!\\"),
            ],
            now: at(3),
            ..Record::default()
        };
        ground.store.record(&turn.lease, record).await.unwrap();
        let finish = answered("Zoë \"x\n\t!\\", 20, at(100));
        ground.store.finish(&turn.lease, finish).await.unwrap();
        let other = ground.conversation(&ann).await.id;
        let running = ground.open(&ann, other, "Still here").await.lease.turn;
        let all = ground.store.entries(&ann, id, turn.lease.turn, 0).await;
        let all = all.unwrap();
        assert_eq!(all.len(), 10);
        let told = Snapshot::of(
            TurnState::Completed,
            all.iter().map(|entry| entry.event.clone()),
        );
        assert_eq!(told.text, "Zoë \"x\n\t!\\");
        assert_eq!(told.events.len(), 4);

        assert_eq!(fold(&ground, 100).await, 0, "it has not ended before that");
        let before = ground.store.turn(&ann, id, turn.lease.turn).await.unwrap();
        assert_eq!(fold(&ground, 101).await, 1);
        assert_eq!(fold(&ground, 5_000).await, 0, "once is enough");

        let expected = vec![Entry {
            position: all.last().unwrap().position,
            event: Event::Snapshot(told),
        }];
        for seen in [0, 1, 6, 11] {
            let found = ground.store.entries(&ann, id, turn.lease.turn, seen).await;
            assert_eq!(found.unwrap(), expected, "after {seen}");
        }
        let end = expected[0].position;
        let found = ground.store.entries(&ann, id, turn.lease.turn, end).await;
        assert_eq!(found.unwrap(), [], "who saw the end misses nothing");
        let after = ground.store.turn(&ann, id, turn.lease.turn).await.unwrap();
        assert_eq!(after.position, before.position);
        assert_eq!(after.agent_message, before.agent_message);
        let running = ground.store.entries(&ann, other, running, 0).await.unwrap();
        assert_eq!(running[0].event.name(), "turn.started");
        // Nobody else sees it as a snapshot either.
        let bob = ground.person("bob").await;
        refused(ground.store.entries(&bob, id, turn.lease.turn, 0).await);
    })
    .await;
}

// design: promises P5 snapshot
#[tokio::test]
async fn many_turns_are_folded_a_few_at_a_time() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        for number in 0..60 {
            ground.talk(&ann, id, &format!("{number}"), "Yes").await;
        }
        assert_eq!(fold(&ground, 100_000).await, 2);
        let sql = "SELECT count(*) AS n FROM journal";
        assert_eq!(ground.count(sql, vec![]).await, 60);
        // The text is complete.
        let opened = ground.open(&ann, id, "And?").await;
        assert!(opened.history.messages().len() > 10);
    })
    .await;
}

// design: promises P5 end
#[tokio::test]
async fn an_end_from_elsewhere_stands_behind_all_that_a_worker_may_have_shown() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        let lost = ground.open(&bob, id, "Hello").await.lease;
        let record = Record {
            entries: vec![
                with_a_nul(2, "lost", Effect::AtMostOnce),
                tool_started(3, "read", Effect::Read),
            ],
            now: at(4),
            ..Record::default()
        };
        ground.store.record(&lost, record).await.unwrap();
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        // A page of text was shown and never recorded when its worker died.
        let shown = 4_000;
        let taken = ground
            .store
            .take_over("node-2", at(500), std::time::Duration::from_secs(30))
            .await;
        assert!(taken.unwrap().is_none(), "nobody may go on with it");
        let rest = ground.store.entries(&ann, id, lost.turn, shown).await;
        let rest = rest.unwrap();
        assert_eq!(rest.len(), 1, "the end is not missed");
        assert_eq!(rest[0].event.name(), "turn.interrupted");
        assert!(rest[0].position > POSITIONS_AN_EPOCH);
        let status = ground.store.turn(&ann, id, lost.turn).await.unwrap();
        assert_eq!(status.position, rest[0].position);
        let sql = "SELECT count(*) AS n FROM audit_log WHERE outcome = 'unknown'";
        assert_eq!(ground.count(sql, vec![]).await, 1, "a NUL hides nothing");

        let other = ground.conversation(&ann).await.id;
        let erased = ground.open(&ann, other, "Hello").await.lease;
        ground.store.reset(&ann, other).await.unwrap();
        let rest = ground.store.entries(&ann, other, erased.turn, shown).await;
        let rest = rest.unwrap();
        assert_eq!(rest.len(), 1, "the end is not missed");
        assert_eq!(rest[0].event.name(), "turn.cancelled");
    })
    .await;
}
