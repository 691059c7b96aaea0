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
    let mut told = Told {
        history: Transcript::with_capacity(count, wires.len()),
        places: Vec::with_capacity(count),
        tail: Vec::new(),
    };
    let mut start = 0;
    for mark in marks.split(',').filter(|mark| !mark.is_empty()) {
        let (kind, tokens, bytes, seq) =
            read_mark(mark).ok_or_else(|| unreadable("a line of the transcript"))?;
        let wire = wires
            .get(start..start + bytes)
            .ok_or_else(|| unreadable("the transcript"))?;
        start += bytes + 1;
        if seq < first_seq && is_passing(kind, wire) {
            continue;
        }
        if seq < first_seq {
            told.history.push_wire(kind, wire.as_bytes(), tokens);
            told.places.push(seq);
        } else {
            told.tail.push(Line {
                kind,
                wire: wire.to_owned(),
                tokens,
            });
        }
    }
    Ok(told)
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
