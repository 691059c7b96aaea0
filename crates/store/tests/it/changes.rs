//! Changes of an assistant's own tables: with the record of the call, or not at all.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::store::{Conversations, Record, Saves, StoreError, TurnViews, Turns};
use frontdesk_core::tool::Change;
use frontdesk_db::Tx;
use frontdesk_store::{Appliers, ApplyChange, Scene, store_error};
use serde_json::{Value, json};

use crate::support::{at, delta, on_each_with, refused};

/// Writes what it is told into the conversation's subject, which no port changes.
struct Note;

#[async_trait]
impl ApplyChange for Note {
    async fn apply(&self, tx: &mut Tx, scene: &Scene<'_>, data: &Value) -> Result<(), StoreError> {
        let Some(text) = data.as_str() else {
            return Err(StoreError::Conflict("a note must be a text".to_owned()));
        };
        let subject = format!("{text} by {} in {}", scene.principal.name(), scene.turn);
        tx.execute(
            "UPDATE conversations SET subject = $2 WHERE id = $1",
            &[scene.conversation.id.uuid().into(), subject.into()],
        )
        .await
        .map_err(store_error)?;
        Ok(())
    }
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
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let good = record(4, vec![change("note", json!("first"))]);
        ground.store.record(&lease, good).await.unwrap();
        let expected = Some(format!("first by ann in {}", lease.turn));
        let subject = ground.store.get(&ann, id).await.unwrap().subject;
        assert_eq!(subject, expected);

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

        let subject = ground.store.get(&ann, id).await.unwrap().subject;
        assert_eq!(subject, expected);
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.position, 4);

        // The last record of a turn may carry changes as well.
        let mut finish = crate::support::answered("abc", 4, at(10));
        finish.record.saves.changes = vec![change("note", json!("last"))];
        ground.store.finish(&lease, finish).await.unwrap();
        let subject = ground.store.get(&ann, id).await.unwrap().subject;
        assert_eq!(subject, Some(format!("last by ann in {}", lease.turn)));
    })
    .await;
}
