//! The transcript of a conversation as the model receives it, read with one index range scan.

use frontdesk_core::id::ConversationId;
use frontdesk_core::store::StoreError;
use frontdesk_core::transcript::{Line, LineKind, Transcript, is_passing};
use frontdesk_db::{Dialect, Row, Tx};

use crate::tx_error::{TxError, unreadable};

/// The lines of the conversation `$2` from its floor on, as two texts: the joined messages,
/// and `kind tokens bytes seq` for each. One row, however many lines there are.
pub(in crate::turns) const HISTORY: &str = "(SELECT string_agg(m.wire, ',' ORDER BY m.seq) AS wires, \
     string_agg(m.kind || ' ' || m.tokens || ' ' || octet_length(m.wire) || ' ' || m.seq, ',' \
         ORDER BY m.seq) AS marks \
     FROM messages m WHERE m.conversation_id = $2 AND m.wire IS NOT NULL \
     AND m.seq >= (SELECT f.floor_seq FROM conversations f WHERE f.id = $2))";

/// The lines of the conversation `$1` from the sequence number `$2` on, one per row. SQLite sorts the
/// input of an ordered aggregate even if an index has that order.
const LINES: &str = "SELECT m.kind, m.tokens, m.seq, m.wire FROM messages m \
     WHERE m.conversation_id = $1 AND m.wire IS NOT NULL AND m.seq >= $2 ORDER BY m.seq";

/// The lines of earlier turns, and those of the current turn.
pub(in crate::turns) struct ModelHistory {
    pub(in crate::turns) earlier: Transcript,
    /// The sequence number of each line of `earlier`.
    seqs: Vec<i64>,
    pub(in crate::turns) current: Vec<Line>,
}

/// Loads the history within [`super::open`]. On Postgres `row` has it already.
pub(super) async fn load_for_turn(
    tx: &mut Tx,
    row: &Row,
    conversation: ConversationId,
    first_seq: i64,
) -> Result<ModelHistory, TxError> {
    match tx.dialect() {
        Dialect::Postgres => load_history(row, first_seq),
        Dialect::Sqlite => {
            let floor: i64 = row.get("floor_seq")?;
            let values = [conversation.into(), floor.into()];
            from_lines(&tx.rows(LINES, &values).await?, first_seq)
        }
    }
}

/// The whole history: the lines that are shown changed since the row was read.
pub(super) async fn load_all(
    tx: &mut Tx,
    conversation: ConversationId,
    first_seq: i64,
) -> Result<ModelHistory, TxError> {
    let values = [conversation.into(), 1.into()];
    from_lines(&tx.rows(LINES, &values).await?, first_seq)
}

/// Reads the columns of [`HISTORY`] and splits the lines at `first_seq`, where the current turn
/// begins.
pub(in crate::turns) fn load_history(row: &Row, first_seq: i64) -> Result<ModelHistory, TxError> {
    let wires: String = row.get::<Option<String>>("wires")?.unwrap_or_default();
    let marks: String = row.get::<Option<String>>("marks")?.unwrap_or_default();
    let count = if marks.is_empty() {
        0
    } else {
        marks.bytes().filter(|byte| *byte == b',').count() + 1
    };
    let mut history = ModelHistory::with_capacity(count, wires.len());
    let mut start = 0;
    for mark in marks.split(',').filter(|mark| !mark.is_empty()) {
        let (kind, tokens, bytes, seq) =
            read_mark(mark).ok_or_else(|| unreadable("a line of the transcript"))?;
        let wire = wires
            .get(start..start + bytes)
            .ok_or_else(|| unreadable("the transcript"))?;
        start += bytes + 1;
        history.add(kind, wire, tokens, seq, first_seq);
    }
    Ok(history)
}

/// As [`load_history`], from the rows of [`LINES`].
fn from_lines(rows: &[Row], first_seq: i64) -> Result<ModelHistory, TxError> {
    let mut bytes = 0;
    for row in rows {
        bytes += row.text("wire")?.len() + 1;
    }
    let mut history = ModelHistory::with_capacity(rows.len(), bytes);
    for row in rows {
        let kind = row.text("kind")?.parse();
        let kind = kind.map_err(|_| unreadable("a line of the transcript"))?;
        let (tokens, seq) = (row.get("tokens")?, row.get("seq")?);
        history.add(kind, row.text("wire")?, tokens, seq, first_seq);
    }
    Ok(history)
}

impl ModelHistory {
    fn with_capacity(lines: usize, bytes: usize) -> Self {
        Self {
            earlier: Transcript::with_capacity(lines, bytes),
            seqs: Vec::with_capacity(lines),
            current: Vec::new(),
        }
    }

    fn add(&mut self, kind: LineKind, wire: &str, tokens: u32, seq: i64, first_seq: i64) {
        if seq >= first_seq {
            let wire = wire.to_owned();
            self.current.push(Line { kind, wire, tokens });
        } else if !is_passing(kind, wire) {
            self.earlier.push_wire(kind, wire.as_bytes(), tokens);
            self.seqs.push(seq);
        }
    }
}

fn read_mark(mark: &str) -> Option<(LineKind, u32, usize, i64)> {
    let mut parts = mark.split(' ');
    let kind = parts.next()?.parse().ok()?;
    let tokens = parts.next()?.parse().ok()?;
    let bytes = parts.next()?.parse().ok()?;
    let seq = parts.next()?.parse().ok()?;
    Some((kind, tokens, bytes, seq))
}

/// The `role` of a line's message.
pub(in crate::turns) fn role(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => "system",
        LineKind::User => "user",
        LineKind::Calls | LineKind::Answer => "assistant",
        LineKind::Result => "tool",
    }
}

/// The sequence number at which the history begins once its first `surplus` lines are dropped.
pub(super) fn floor_after(
    history: &ModelHistory,
    surplus: usize,
    next_seq: i64,
) -> Result<i64, TxError> {
    if surplus > history.seqs.len() {
        return Err(StoreError::Internal("more lines dropped than there are".to_owned()).into());
    }
    Ok(history.seqs.get(surplus).copied().unwrap_or(next_seq))
}
