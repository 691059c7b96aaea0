//! Changes of an assistant's own tables: with the record of the call, or not at all.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::approval::Decision;
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::store::{AuditOutcome, NewAudit, Record, Saves, StoreError, Turns};
use frontdesk_core::tool::Change;
use frontdesk_db::{Migration, MigrationSet, Tx};
use frontdesk_store::{Appliers, ApplyChange, Scene, Store, store_error};
use serde_json::{Value, json};

use crate::support::{Ground, at, delta, on_each_with, refused};

/// A table of an assistant, created by its own migration.
const NOTES: MigrationSet = MigrationSet {
    owner: "notes",
    hooks: None,
    steps: &[Migration {
        version: 1,
        name: "notes",
        sqlite: "CREATE TABLE notes (conversation_id TEXT NOT NULL, text TEXT NOT NULL) STRICT",
        postgres: "CREATE TABLE notes (conversation_id uuid NOT NULL, text text NOT NULL);
             SELECT fd.grant_to_app('SELECT, INSERT', 'notes')",
    }],
};

/// Stores a note with its author.
struct Note;

#[async_trait]
impl ApplyChange for Note {
    async fn apply(&self, tx: &mut Tx, scene: &Scene<'_>, data: &Value) -> Result<(), StoreError> {
        let Some(text) = data.as_str() else {
            return Err(StoreError::Conflict("a note must be a text".to_owned()));
        };
        let text = format!("{text} by {} in {}", scene.principal.name(), scene.turn);
        tx.execute(
            "INSERT INTO notes (conversation_id, text) VALUES ($1, $2)",
            &[scene.conversation.id.uuid().into(), text.into()],
        )
        .await
        .map_err(store_error)?;
        Ok(())
    }
}

async fn notes(ground: &Ground) -> Vec<String> {
    let rows = ground.rows("SELECT text FROM notes", vec![]).await;
    rows.iter().map(|row| row.get("text").unwrap()).collect()
}

fn appliers() -> Appliers {
    let note: Arc<dyn ApplyChange> = Arc::new(Note);
    Appliers::new([("note".to_owned(), note)])
}

fn record(position: u64, changes: Vec<Change>) -> Record {
    Record {
        entries: vec![delta(position, "abc")],
        saves: Saves {
            changes,
            ..Saves::default()
        },
        now: at(9),
        ..Record::default()
    }
}

fn change(kind: &str, data: Value) -> Change {
    Change {
        kind: kind.to_owned(),
        data,
    }
}

#[tokio::test]
async fn a_change_is_committed_with_its_record_and_a_refused_one_undoes_it() {
    on_each_with(appliers(), |ground| async move {
        ground
            .db
            .migrate(&[Store::migrations(), NOTES])
            .await
            .unwrap();
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let first = format!("first by ann in {}", lease.turn);
        let good = record(4, vec![change("note", json!("first"))]);
        ground.store.record(&lease, good).await.unwrap();
        assert_eq!(notes(&ground).await, std::slice::from_ref(&first));

        let bad = record(
            7,
            vec![change("note", json!("second")), change("note", json!(2))],
        );
        let error = refused(ground.store.record(&lease, bad).await);
        assert!(
            matches!(&error, StoreError::ChangeRefused(why) if why == "a note must be a text"),
            "{error}"
        );
        let unknown = record(7, vec![change("no such kind", json!(null))]);
        let error = refused(ground.store.record(&lease, unknown).await);
        assert!(matches!(error, StoreError::Internal(_)), "{error}");
        assert_eq!(notes(&ground).await, std::slice::from_ref(&first));
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.position, 4);

        // The last record of a turn may carry changes as well.
        let mut finish = crate::support::answered("abc", 4, at(10));
        finish.record.saves.changes = vec![change("note", json!("last"))];
        ground.store.finish(&lease, finish).await.unwrap();
        let last = format!("last by ann in {}", lease.turn);
        assert_eq!(notes(&ground).await, [first, last]);
    })
    .await;
}

/// The answer to a record may be lost on its way; the engine then sends the record again.
#[tokio::test]
async fn a_repeated_record_is_recognised_and_applied_once() {
    on_each_with(appliers(), |ground| async move {
        ground
            .db
            .migrate(&[Store::migrations(), NOTES])
            .await
            .unwrap();
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let mut once = record(4, vec![change("note", json!("once"))]);
        once.saves.title = Some("Noted".to_owned());
        once.audit = vec![NewAudit {
            call_id: "c".to_owned(),
            tool: "t".to_owned(),
            target: Some("h".to_owned()),
            outcome: AuditOutcome::Executed,
            approver: None,
        }];
        for _ in 0..3 {
            ground.store.record(&lease, once.clone()).await.unwrap();
        }
        assert_eq!(notes(&ground).await.len(), 1);
        let audited = ground
            .count("SELECT count(*) AS n FROM audit_log", vec![])
            .await;
        assert_eq!(audited, 1);
        // Another entry at the same place is no repetition.
        let other = Record {
            entries: vec![delta(4, "xyz")],
            now: at(9),
            ..Record::default()
        };
        let error = refused(ground.store.record(&lease, other.clone()).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");

        let asked = crate::approvals::card(&ann, "c1", &[]);
        let waits = Record {
            entries: vec![Entry {
                position: 5,
                event: Event::ApprovalRequested {
                    card: asked.clone(),
                },
            }],
            awaiting: vec![asked],
            now: at(10),
            ..Record::default()
        };
        for _ in 0..2 {
            ground.store.record(&lease, waits.clone()).await.unwrap();
        }
        ground
            .store
            .decide(&ann, lease.turn, "c1", Decision::Approved.into(), at(11))
            .await
            .unwrap();
        let next = ground
            .store
            .take_over("n", at(12), std::time::Duration::from_secs(30))
            .await
            .unwrap()
            .unwrap()
            .lease;
        let finish = crate::support::answered("abc", 9, at(13));
        for _ in 0..2 {
            ground.store.finish(&next, finish.clone()).await.unwrap();
        }
        let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
        assert_eq!(page.items.len(), 2);
        // A worker without its lease is fenced, whatever it repeats.
        let error = refused(ground.store.finish(&lease, finish).await);
        assert!(matches!(error, StoreError::Fenced), "{error}");
    })
    .await;
}
