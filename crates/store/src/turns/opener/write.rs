//! The writes that open a turn: one call on Postgres, statement by statement on SQLite.

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_db::{Tx, Value};

use super::{FIRST_EPOCH, NewTurn, Opener};
use crate::fault::Fault;
use crate::keys::KEYS_KEPT;
use crate::rows::{self, json_text};
use crate::turns::lines::{self, Spot};
use crate::turns::{journal, later};

/// As `migrations/0007_steps` has it.
const OPEN_TURN: &str = "SELECT fd.open_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, \
     $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, \
     $31, $32, $33, $34)";

impl Opener {
    pub(super) async fn write_at_once(
        &mut self,
        tx: &mut Tx,
        turn: NewTurn<'_>,
    ) -> Result<(), Fault> {
        let said = std::mem::take(&mut self.lines);
        let next_seq = self.after(said.len());
        let request = &self.request;
        let key = request.key.as_ref();
        let [ids, roles, contents, metadata, parts, kinds, wires, tokens] = lines::columns(said);
        tx.execute_later(
            OPEN_TURN,
            vec![
                request.conversation.uuid().into(),
                request.turn.uuid().into(),
                request.now.into(),
                json_text(&self.who)?,
                json_text(turn.opening)?,
                self.first_seq.into(),
                turn.message.into(),
                (&request.node).into(),
                later(request.now, request.lease_for).into(),
                later(request.now, request.turn_for).into(),
                turn.reserve,
                self.allowance.map(rows::int).transpose()?.into(),
                rows::int(turn.started.position)?,
                json_text(&turn.started.event)?,
                ids,
                roles,
                contents,
                metadata,
                parts,
                kinds,
                wires,
                tokens,
                next_seq.into(),
                self.conversation.message_count.into(),
                self.conversation.last_message_at.into(),
                turn.floor.into(),
                rows::int(self.text_count)?,
                turn.new_files,
                (&request.rate.bucket).into(),
                self.window_start().into(),
                key.map(|key| key.route.as_str()).into(),
                key.map(|key| key.key.as_str()).into(),
                key.map(|key| key.fingerprint.as_str()).into(),
                (request.now - KEYS_KEPT).into(),
            ],
        )
        .await?;
        Ok(())
    }

    pub(super) async fn write_each(&mut self, tx: &mut Tx, turn: NewTurn<'_>) -> Result<(), Fault> {
        let said = std::mem::take(&mut self.lines);
        let next_seq = self.after(said.len());
        let spot = Spot {
            conversation: self.request.conversation,
            turn: self.request.turn,
            scope: self.scope.into(),
            now: self.request.now.into(),
        };
        lines::insert(tx, &spot, said, self.next_seq).await?;
        self.insert_turn(tx, &turn).await?;
        journal::append_held(tx, &self.lease(), self.scope, turn.started).await?;
        self.update_conversation(tx, turn.floor, turn.new_files, next_seq)
            .await?;
        self.count(tx).await
    }

    /// The place behind so many lines.
    fn after(&self, lines: usize) -> i64 {
        self.next_seq
            .saturating_add(i64::try_from(lines).unwrap_or(i64::MAX))
    }

    fn window_start(&self) -> DateTime<Utc> {
        let window = TimeDelta::from_std(self.request.rate.window).unwrap_or_default();
        self.request.now - window
    }

    async fn insert_turn(&self, tx: &mut Tx, turn: &NewTurn<'_>) -> Result<(), Fault> {
        let request = &self.request;
        tx.execute_later(
            "INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, \
                 opening, first_seq, user_message_id, state, position, epoch, node, lease_until, \
                 deadline, started_at, reserved, allowance) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', $10, \
                 $11, $12, $13, $14, $15, $16, $17)",
            vec![
                request.turn.uuid().into(),
                request.conversation.uuid().into(),
                self.scope.into(),
                self.who.profile().uuid().into(),
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
                turn.reserve.clone(),
                self.allowance.map(rows::int).transpose()?.into(),
            ],
        )
        .await?;
        Ok(())
    }

    /// Counters move by what was added; only the places in the order are absolute.
    async fn update_conversation(
        &self,
        tx: &mut Tx,
        floor: Option<i64>,
        new_files: Value,
        next_seq: i64,
    ) -> Result<(), Fault> {
        tx.execute_later(
            "UPDATE conversations SET message_count = $2, last_message_at = $3, updated_at = $4, \
                 next_seq = $5, floor_seq = coalesce($6, floor_seq), text_count = $7, \
                 file_count = file_count + $8 WHERE id = $1",
            vec![
                self.request.conversation.uuid().into(),
                self.conversation.message_count.into(),
                self.conversation.last_message_at.into(),
                self.request.now.into(),
                next_seq.into(),
                floor.into(),
                rows::int(self.text_count)?,
                new_files,
            ],
        )
        .await?;
        Ok(())
    }

    /// Counts the turn against its rate and remembers its key, forgetting what is too old.
    async fn count(&self, tx: &mut Tx) -> Result<(), Fault> {
        let request = &self.request;
        let profile: Value = self.who.profile().uuid().into();
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
                request.turn.uuid().into(),
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
                request.turn.uuid().into(),
                request.now.into(),
            ],
        )
        .await?;
        Ok(())
    }
}
