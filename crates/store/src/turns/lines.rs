//! New lines of a conversation: messages that people see, and steps for the model only. SQLite
//! inserts them one by one; the functions of Postgres get them as JSON.

use frontdesk_core::id::{ConversationId, MessageId, TurnId};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_db::{Tx, Value};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::open::role;
use crate::rows::json_text;
use crate::tx_error::TxError;

#[derive(Serialize)]
pub(super) struct NewLine {
    id: Uuid,
    role: &'static str,
    content: String,
    metadata: Map<String, Json>,
    part: &'static str,
    kind: Option<&'static str>,
    wire: Option<String>,
    tokens: u32,
}

/// The columns that all lines of one insert share.
pub(super) struct LineContext {
    pub(super) conversation: ConversationId,
    pub(super) turn: TurnId,
    pub(super) scope: Value,
    pub(super) now: Value,
}

impl NewLine {
    /// A line for the model only.
    pub(super) fn step(line: &Line) -> Self {
        Self {
            id: Uuid::now_v7(),
            role: role(line.kind),
            content: String::new(),
            metadata: Map::new(),
            part: "step",
            kind: Some(line.kind.into_str()),
            wire: Some(line.wire.clone()),
            tokens: line.tokens,
        }
    }

    /// A message that people see; the model receives it as `line`, if at all.
    pub(super) fn message(
        id: MessageId,
        content: &str,
        metadata: &Map<String, Json>,
        line: Option<&Line>,
    ) -> Self {
        let kind = line.map(|line| line.kind);
        Self {
            id: id.uuid(),
            role: role(kind.unwrap_or(LineKind::Answer)),
            content: content.to_owned(),
            metadata: metadata.clone(),
            part: "said",
            kind: kind.map(|kind| kind.into_str()),
            wire: line.map(|line| line.wire.clone()),
            tokens: line.map_or(0, |line| line.tokens),
        }
    }
}

/// Inserts them one by one, the first at `seq`.
pub(super) async fn insert(
    tx: &mut Tx,
    context: &LineContext,
    lines: Vec<NewLine>,
    mut seq: i64,
) -> Result<(), TxError> {
    for line in lines {
        tx.execute_later(
            "INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, \
                 scope_id, seq, turn_id, part, kind, wire, tokens) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            vec![
                line.id.into(),
                context.conversation.into(),
                line.role.into(),
                line.content.into(),
                json_text(&line.metadata)?,
                context.now.clone(),
                context.scope.clone(),
                seq.into(),
                context.turn.into(),
                line.part.into(),
                line.kind.into(),
                line.wire.into(),
                line.tokens.into(),
            ],
        )
        .await?;
        seq += 1;
    }
    Ok(())
}
