//! Lines on their way into a conversation: what was said, and what only the model is told. SQLite
//! takes them one by one, Postgres as one array for each column.

use frontdesk_core::id::{ConversationId, MessageId, TurnId};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_db::{Tx, Value};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::told;
use crate::fault::Fault;
use crate::rows::json_text;

pub(super) struct NewLine {
    id: Uuid,
    role: &'static str,
    content: String,
    metadata: Value,
    part: &'static str,
    kind: Option<&'static str>,
    wire: Option<String>,
    tokens: u32,
}

/// Where lines that are inserted one by one belong.
pub(super) struct Spot {
    pub(super) conversation: ConversationId,
    pub(super) turn: TurnId,
    pub(super) scope: Value,
    pub(super) now: Value,
}

impl NewLine {
    /// What only the model is told.
    pub(super) fn step(line: &Line) -> Self {
        Self {
            id: Uuid::now_v7(),
            role: told::role(line.kind),
            content: String::new(),
            metadata: Value::Text("{}".to_owned()),
            part: "step",
            kind: Some(told::kind_name(line.kind)),
            wire: Some(line.wire.clone()),
            tokens: line.tokens,
        }
    }

    /// What people see; the model is told it as `line`, if at all.
    pub(super) fn said(
        id: MessageId,
        content: &str,
        metadata: &Map<String, Json>,
        line: Option<&Line>,
    ) -> Result<Self, Fault> {
        let kind = line.map(|line| line.kind);
        Ok(Self {
            id: id.uuid(),
            role: told::role(kind.unwrap_or(LineKind::Answer)),
            content: content.to_owned(),
            metadata: json_text(metadata)?,
            part: "said",
            kind: kind.map(told::kind_name),
            wire: line.map(|line| line.wire.clone()),
            tokens: line.map_or(0, |line| line.tokens),
        })
    }
}

/// Inserts them one by one, the first at `seq`.
pub(super) async fn insert(
    tx: &mut Tx,
    spot: &Spot,
    lines: Vec<NewLine>,
    mut seq: i64,
) -> Result<(), Fault> {
    for line in lines {
        tx.execute_later(
            "INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, \
                 scope_id, seq, turn_id, part, kind, wire, tokens) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            vec![
                line.id.into(),
                spot.conversation.uuid().into(),
                line.role.into(),
                line.content.into(),
                line.metadata,
                spot.now.clone(),
                spot.scope.clone(),
                seq.into(),
                spot.turn.uuid().into(),
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

/// Ids, roles, contents, metadata, parts, kinds, wires and tokens, as the functions of Postgres
/// take them.
pub(super) fn columns(lines: Vec<NewLine>) -> [Value; 8] {
    let mut columns: [Vec<Value>; 8] = std::array::from_fn(|_| Vec::with_capacity(lines.len()));
    for line in lines {
        let values = [
            line.id.into(),
            line.role.into(),
            line.content.into(),
            line.metadata,
            line.part.into(),
            line.kind.into(),
            line.wire.into(),
            line.tokens.into(),
        ];
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    columns.map(Value::List)
}
