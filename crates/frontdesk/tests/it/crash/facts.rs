//! Rows stored after a run, read without row-level security.

use std::collections::HashMap;

use frontdesk_core::event::Event;
use frontdesk_db::{Claims, Db, DbError, Row};
use serde_json::Value;
use uuid::Uuid;

#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// In conversation order.
    pub messages: Vec<StoredLine>,
    pub turns: Vec<StoredTurn>,
    pub audit: Vec<Audited>,
    /// Rows of the notebook: effects in our own database.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct StoredLine {
    pub id: Uuid,
    pub conversation: Uuid,
    pub role: String,
    pub content: String,
    pub said: bool,
    /// The message in the model's wire format.
    pub wire: Option<Value>,
}

#[derive(Clone, Debug)]
pub struct StoredTurn {
    pub id: Uuid,
    pub state: String,
    pub user_message: Uuid,
    pub agent_message: Option<Uuid>,
    pub journal: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub position: i64,
    pub epoch: i64,
    pub event: Event,
}

#[derive(Clone, Debug)]
pub struct Audited {
    pub turn: Option<Uuid>,
    pub call_id: String,
    pub tool: String,
    pub outcome: String,
}

pub async fn read(db: &Db) -> Facts {
    let mut facts = Facts {
        messages: rows(
            db,
            "SELECT id, conversation_id, role, content, part, wire FROM messages \
             ORDER BY conversation_id, seq",
            line,
        )
        .await,
        turns: rows(
            db,
            "SELECT id, state, user_message_id, agent_message_id FROM turns ORDER BY id",
            turn,
        )
        .await,
        audit: rows(
            db,
            "SELECT turn_id, call_id, tool, outcome FROM audit_log ORDER BY id",
            audited,
        )
        .await,
        notes: rows(db, "SELECT text FROM notes", |row| row.get("text")).await,
    };
    let journal = rows(
        db,
        "SELECT turn_id, position, epoch, event FROM journal ORDER BY turn_id, position",
        entry,
    )
    .await;
    let mut journals: HashMap<Uuid, Vec<Entry>> = HashMap::new();
    for (turn, entry) in journal {
        journals.entry(turn).or_default().push(entry);
    }
    for turn in &mut facts.turns {
        turn.journal = journals.remove(&turn.id).unwrap_or_default();
    }
    assert!(journals.is_empty(), "events without a turn: {journals:?}");
    facts
}

async fn rows<T: Send + 'static>(
    db: &Db,
    sql: &'static str,
    read: fn(&Row) -> Result<T, DbError>,
) -> Vec<T> {
    let found: Result<Vec<T>, DbError> = db
        .read(&Claims::system("crash check"), move |tx| {
            Box::pin(async move { tx.rows(sql, &[]).await?.iter().map(read).collect() })
        })
        .await;
    found.unwrap()
}

fn line(row: &Row) -> Result<StoredLine, DbError> {
    Ok(StoredLine {
        id: row.get("id")?,
        conversation: row.get("conversation_id")?,
        role: row.get("role")?,
        content: row.get("content")?,
        said: row.get::<String>("part")? == "said",
        wire: row.get("wire")?,
    })
}

fn turn(row: &Row) -> Result<StoredTurn, DbError> {
    Ok(StoredTurn {
        id: row.get("id")?,
        state: row.get("state")?,
        user_message: row.get("user_message_id")?,
        agent_message: row.get("agent_message_id")?,
        journal: Vec::new(),
    })
}

fn audited(row: &Row) -> Result<Audited, DbError> {
    Ok(Audited {
        turn: row.get("turn_id")?,
        call_id: row.get("call_id")?,
        tool: row.get("tool")?,
        outcome: row.get("outcome")?,
    })
}

fn entry(row: &Row) -> Result<(Uuid, Entry), DbError> {
    let event: Value = row.get("event")?;
    let entry = Entry {
        position: row.get("position")?,
        epoch: row.get("epoch")?,
        event: serde_json::from_value(event).unwrap(),
    };
    Ok((row.get("turn_id")?, entry))
}

/// Text of a message.
pub async fn content(db: &Db, message: Uuid) -> String {
    let found: Result<String, DbError> = db
        .read(&Claims::system("crash check"), move |tx| {
            Box::pin(async move {
                let sql = "SELECT content FROM messages WHERE id = $1";
                match tx.row(sql, &[message.into()]).await? {
                    Some(row) => row.get("content"),
                    None => Ok(String::new()),
                }
            })
        })
        .await;
    found.unwrap()
}
