//! One table with everyone's notes; every statement filters by owner.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::store::StoreError;
use frontdesk_db::{Claims, Db, DbError, Migration, MigrationSet, Tx};
use frontdesk_store::{ApplyChange, Scene, store_error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kind of the change that adds a note.
pub const KEEP_NOTE: &str = "notes.keep";

pub const MIGRATIONS: MigrationSet = MigrationSet {
    owner: "notes",
    steps: &[Migration {
        version: 1,
        name: "notes",
        sqlite: "CREATE TABLE notes (profile_id TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL)",
        postgres: "CREATE TABLE notes (profile_id uuid NOT NULL, text text NOT NULL, at timestamptz NOT NULL);
                   SELECT fd.grant_to_app('SELECT, INSERT', 'notes');",
    }],
};

#[derive(Clone)]
pub struct Notes {
    db: Db,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    pub text: String,
    pub at: DateTime<Utc>,
}

impl Notes {
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    pub async fn list(&self, who: &Principal, containing: &str) -> Result<Vec<Note>, DbError> {
        let profile = who.profile().uuid();
        let containing = format!("%{containing}%");
        self.db
            .read(&Claims::subject(who.subject()), move |tx| {
                Box::pin(async move {
                    let rows = tx
                        .rows(
                            "SELECT text, at FROM notes WHERE profile_id = $1 AND text LIKE $2 ORDER BY at DESC LIMIT 100",
                            &[profile.into(), containing.into()],
                        )
                        .await?;
                    rows.iter()
                        .map(|row| Ok(Note { text: row.get("text")?, at: row.get("at")? }))
                        .collect()
                })
            })
            .await
    }
}

/// Inserts a note in the transaction that records the call.
pub struct KeepNote;

#[derive(Deserialize)]
struct NewNote {
    text: String,
    at: DateTime<Utc>,
}

#[async_trait]
impl ApplyChange for KeepNote {
    async fn apply(&self, tx: &mut Tx, scene: &Scene<'_>, data: &Value) -> Result<(), StoreError> {
        let note: NewNote = serde_json::from_value(data.clone())
            .map_err(|error| StoreError::Internal(error.to_string()))?;
        tx.execute(
            "INSERT INTO notes (profile_id, text, at) VALUES ($1, $2, $3)",
            &[
                scene.principal.profile().uuid().into(),
                note.text.into(),
                note.at.into(),
            ],
        )
        .await
        .map_err(store_error)?;
        Ok(())
    }
}
