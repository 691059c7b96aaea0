//! The writes that open a turn: one call on Postgres, statement by statement on SQLite.

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_db::{Tx, Value};
use serde_json::json;

use super::insert::{FIRST_EPOCH, NewTurn, TurnInsert};
use crate::keys::KEYS_KEPT;
use crate::rows::{self, json_string, json_text};
use crate::turns::lines::{self, LineContext};
use crate::turns::{journal, later};
use crate::tx_error::TxError;

impl TurnInsert {
    pub(super) async fn write_at_once(
        &mut self,
        tx: &mut Tx,
        turn: NewTurn<'_>,
    ) -> Result<(), TxError> {
        let lines = std::mem::take(&mut self.lines);
        let next_seq = self.seq_after(lines.len());
        let request = &self.request;
        let values = json!({
            "conversation": request.conversation,
            "turn": request.turn,
            "now": request.now,
            "principal": json_string(&self.who)?,
            "opening": json_string(turn.opening)?,
            "first_seq": self.first_seq,
            "message": turn.message,
            "node": request.node,
            "lease_until": later(request.now, request.lease_for),
            "deadline": later(request.now, request.turn_for),
            "reserved": turn.reserve,
            "allowance": self.allowance,
            "position": turn.started.position,
            "started": json_string(&turn.started.event)?,
            "lines": lines,
            "next_seq": next_seq,
            "message_count": self.conversation.message_count,
            "last_message_at": self.conversation.last_message_at,
            "floor_seq": turn.floor,
            "text_count": self.text_count,
            "new_files": turn.new_files,
            "bucket": request.rate.bucket,
            "window_start": self.window_start(),
            "key": request.key.as_ref().map(|key| json!({
                "route": key.route,
                "key": key.key,
                "fingerprint": key.fingerprint,
                "forget": request.now - KEYS_KEPT,
            })),
        });
        tx.execute_later("SELECT fd.open_turn($1)", vec![Value::Json(values)])
            .await?;
        Ok(())
    }

    pub(super) async fn write_each(
        &mut self,
        tx: &mut Tx,
        turn: NewTurn<'_>,
    ) -> Result<(), TxError> {
        let lines = std::mem::take(&mut self.lines);
        let next_seq = self.seq_after(lines.len());
        let context = LineContext {
            conversation: self.request.conversation,
            turn: self.request.turn,
            scope: self.scope.into(),
            now: self.request.now.into(),
        };
        lines::insert(tx, &context, lines, self.next_seq).await?;
        self.insert_turn(tx, &turn).await?;
        journal::append_held(tx, &self.lease(), self.scope, turn.started).await?;
        self.update_conversation(tx, turn.floor, turn.new_files, next_seq)
            .await?;
        self.count(tx).await
    }

    /// The next sequence number once so many lines are added.
    fn seq_after(&self, lines: usize) -> i64 {
        self.next_seq
            .saturating_add(i64::try_from(lines).unwrap_or(i64::MAX))
    }

    fn window_start(&self) -> DateTime<Utc> {
        let window = TimeDelta::from_std(self.request.rate.window).unwrap_or_default();
        self.request.now - window
    }

    async fn insert_turn(&self, tx: &mut Tx, turn: &NewTurn<'_>) -> Result<(), TxError> {
        let request = &self.request;
        Ok(tx
            .execute_later(
                "INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, \
                 opening, first_seq, user_message_id, state, position, epoch, node, lease_until, \
                 deadline, started_at, reserved, allowance) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', $10, \
                 $11, $12, $13, $14, $15, $16, $17)",
                vec![
                    request.turn.into(),
                    request.conversation.into(),
                    self.scope.into(),
                    self.who.profile().into(),
                    self.who.subject().into(),
                    json_text(&self.who)?,
                    json_text(turn.opening)?,
                    self.first_seq.into(),
                    turn.message.into(),
                    rows::int(turn.started.position)?,
                    FIRST_EPOCH.into(),
                    (&request.node).into(),
                    later(request.now, request.lease_for).into(),
                    later(request.now, request.turn_for).into(),
                    request.now.into(),
                    rows::int(turn.reserve)?,
                    self.allowance.map(rows::int).transpose()?.into(),
                ],
            )
            .await?)
    }

    async fn update_conversation(
        &self,
        tx: &mut Tx,
        floor: Option<i64>,
        new_files: u64,
        next_seq: i64,
    ) -> Result<(), TxError> {
        Ok(tx.execute_later(
            "UPDATE conversations SET message_count = $2, last_message_at = $3, updated_at = $4, \
                 next_seq = $5, floor_seq = coalesce($6, floor_seq), text_count = $7, \
                 file_count = file_count + $8 WHERE id = $1",
            vec![
                self.request.conversation.into(),
                self.conversation.message_count.into(),
                self.conversation.last_message_at.into(),
                self.request.now.into(),
                next_seq.into(),
                floor.into(),
                rows::int(self.text_count)?,
                rows::int(new_files)?,
            ],
        )
        .await?)
    }

    /// Counts the turn against its rate, stores its idempotency key and deletes expired ones.
    async fn count(&self, tx: &mut Tx) -> Result<(), TxError> {
        let request = &self.request;
        let profile: Value = self.who.profile().into();
        tx.execute_later(
            "DELETE FROM rate_events WHERE bucket = $1 AND at <= $2",
            vec![(&request.rate.bucket).into(), self.window_start().into()],
        )
        .await?;
        tx.execute_later(
            "INSERT INTO rate_events (bucket, at, turn_id, profile_id) VALUES ($1, $2, $3, $4)",
            vec![
                (&request.rate.bucket).into(),
                request.now.into(),
                request.turn.into(),
                profile.clone(),
            ],
        )
        .await?;
        let Some(key) = &request.key else {
            return Ok(());
        };
        tx.execute_later(
            "DELETE FROM idempotency_keys WHERE profile_id = $1 AND created_at < $2",
            vec![profile.clone(), (request.now - KEYS_KEPT).into()],
        )
        .await?;
        tx.execute_later(
            "INSERT INTO idempotency_keys (profile_id, route, key, fingerprint, turn_id, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (profile_id, route, key) DO UPDATE SET turn_id = excluded.turn_id",
            vec![
                profile,
                (&key.route).into(),
                (&key.key).into(),
                (&key.fingerprint).into(),
                request.turn.into(),
                request.now.into(),
            ],
        )
        .await?;
        Ok(())
    }
}
