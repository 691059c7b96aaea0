//! What the model has been told, read from a conversation in one range of an index.

use frontdesk_core::store::StoreError;
use frontdesk_core::transcript::{Line, LineKind, Transcript, is_passing};
use frontdesk_db::Row;

use crate::fault::{Fault, unreadable};

/// The lines of the conversation `$2` from its floor on, as two texts: the joined messages,
/// and `kind tokens bytes seq` for each. One row, however many lines there are.
pub(super) const TOLD: &str = "(SELECT string_agg(m.wire, ',' ORDER BY m.seq) AS wires, \
     string_agg(m.kind || ' ' || m.tokens || ' ' || octet_length(m.wire) || ' ' || m.seq, ',' \
         ORDER BY m.seq) AS marks \
     FROM messages m WHERE m.conversation_id = $2 AND m.wire IS NOT NULL \
     AND m.seq >= (SELECT f.floor_seq FROM conversations f WHERE f.id = $2))";

/// The same lines of the conversation `$1` from the place `$2` on, one a row: SQLite sorts what an
/// aggregate is to put in order even where an index has it in order already.
pub(super) const LINES: &str = "SELECT m.kind, m.tokens, m.seq, m.wire FROM messages m \
     WHERE m.conversation_id = $1 AND m.wire IS NOT NULL AND m.seq >= $2 ORDER BY m.seq";

/// Earlier turns, and the lines that belong to the turn at hand.
pub(super) struct Told {
    pub(super) history: Transcript,
    /// The place of each line of `history` in the conversation.
    pub(super) places: Vec<i64>,
    pub(super) tail: Vec<Line>,
}

/// Splits what was told at `first_seq`, where the turn at hand begins.
pub(super) fn told(row: &Row, first_seq: i64) -> Result<Told, Fault> {
    let wires: String = row.get::<Option<String>>("wires")?.unwrap_or_default();
    let marks: String = row.get::<Option<String>>("marks")?.unwrap_or_default();
    let count = if marks.is_empty() {
        0
    } else {
        marks.bytes().filter(|byte| *byte == b',').count() + 1
    };
    let mut told = Told::with_capacity(count, wires.len());
    let mut start = 0;
    for mark in marks.split(',').filter(|mark| !mark.is_empty()) {
        let (kind, tokens, bytes, seq) =
            read_mark(mark).ok_or_else(|| unreadable("a line of the transcript"))?;
        let wire = wires
            .get(start..start + bytes)
            .ok_or_else(|| unreadable("the transcript"))?;
        start += bytes + 1;
        told.add(kind, wire, tokens, seq, first_seq);
    }
    Ok(told)
}

/// The same from the rows of [`LINES`].
pub(super) fn told_by_lines(rows: &[Row], first_seq: i64) -> Result<Told, Fault> {
    let mut bytes = 0;
    for row in rows {
        bytes += row.text("wire")?.len() + 1;
    }
    let mut told = Told::with_capacity(rows.len(), bytes);
    for row in rows {
        let kind = kind_named(row.text("kind")?);
        let kind = kind.ok_or_else(|| unreadable("a line of the transcript"))?;
        let tokens = u32::try_from(row.get::<i64>("tokens")?)
            .map_err(|_| unreadable("the tokens of a line"))?;
        told.add(kind, row.text("wire")?, tokens, row.get("seq")?, first_seq);
    }
    Ok(told)
}

impl Told {
    fn with_capacity(lines: usize, bytes: usize) -> Self {
        Self {
            history: Transcript::with_capacity(lines, bytes),
            places: Vec::with_capacity(lines),
            tail: Vec::new(),
        }
    }

    fn add(&mut self, kind: LineKind, wire: &str, tokens: u32, seq: i64, first_seq: i64) {
        if seq >= first_seq {
            let wire = wire.to_owned();
            self.tail.push(Line { kind, wire, tokens });
        } else if !is_passing(kind, wire) {
            self.history.push_wire(kind, wire.as_bytes(), tokens);
            self.places.push(seq);
        }
    }
}

fn read_mark(mark: &str) -> Option<(LineKind, u32, usize, i64)> {
    let mut parts = mark.split(' ');
    let kind = kind_named(parts.next()?)?;
    let tokens = parts.next()?.parse().ok()?;
    let bytes = parts.next()?.parse().ok()?;
    let seq = parts.next()?.parse().ok()?;
    Some((kind, tokens, bytes, seq))
}

pub(super) fn kind_name(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => "context",
        LineKind::User => "user",
        LineKind::Calls => "calls",
        LineKind::Result => "result",
        LineKind::Answer => "answer",
    }
}

fn kind_named(name: &str) -> Option<LineKind> {
    [
        LineKind::Context,
        LineKind::User,
        LineKind::Calls,
        LineKind::Result,
        LineKind::Answer,
    ]
    .into_iter()
    .find(|kind| kind_name(*kind) == name)
}

/// The `role` of a line's message.
pub(super) fn role(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => "system",
        LineKind::User => "user",
        LineKind::Calls | LineKind::Answer => "assistant",
        LineKind::Result => "tool",
    }
}

/// Where the history begins after `surplus` lines were left out.
pub(super) fn floor_after(told: &Told, surplus: usize, next_seq: i64) -> Result<i64, Fault> {
    if surplus > told.places.len() {
        return Err(StoreError::Internal("more left out than there is".to_owned()).into());
    }
    Ok(told.places.get(surplus).copied().unwrap_or(next_seq))
}
