//! The writes that open a turn; none of them waits for another.

use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::handle::{FileHandle, Handles};
use frontdesk_core::news::News;
use frontdesk_core::store::{
    Accepted, Lease, OpenTurn, Opened, Opening, RateLeft, Speaker, StoredMessage,
};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_db::{Tx, Value};
use serde_json::json;
use uuid::Uuid;

use super::files::Files;
use super::plan::Earlier;
use super::told::{self, Told};
use super::{compose, journal, later};
use crate::fault::{Fault, unreadable};
use crate::gazette;
use crate::rows::{self, json_text};

/// How long a key is remembered at least.
const KEYS_KEPT: chrono::TimeDelta = chrono::TimeDelta::hours(24);

/// The first epoch of every turn.
const FIRST_EPOCH: i64 = 0;

/// A request that will be granted, and what it starts from.
pub(super) struct Opener {
    pub(super) conversation: Conversation,
    pub(super) scope: Uuid,
    pub(super) next_seq: i64,
    pub(super) first_seq: i64,
    pub(super) text_count: u64,
    pub(super) rate: RateLeft,
    /// The most that the turn may use.
    pub(super) allowance: Option<u64>,
    pub(super) who: Principal,
    pub(super) request: OpenTurn,
}

impl Opener {
    pub(super) async fn write(
        mut self,
        tx: &mut Tx,
        earlier: Option<Earlier>,
        mut told: Told,
        files: Files,
    ) -> Result<Accepted, Fault> {
        let (opening, user_message) = match earlier {
            Some(earlier) => self.again(tx, earlier).await?,
            None => self.say(tx, &mut told, &files).await?,
        };
        let surplus = told.history.surplus(self.request.window);
        let floor = told::floor_after(&told, surplus, self.first_seq)?;
        told.history.skip(surplus);
        let started = self
            .insert_turn(tx, &opening, &user_message, prompt_tokens(&told))
            .await?;
        self.update_conversation(tx, (surplus > 0).then_some(floor), files.new.len())
            .await?;
        self.count(tx).await?;
        let changed = News::Conversation {
            conversation: self.conversation.id,
            owner: self.conversation.user_id,
            company: self.conversation.company_id,
        };
        gazette::tell(tx, &changed)?;
        let now = self.request.now;
        self.conversation.updated_at = now;
        Ok(Accepted::Opened(Box::new(Opened {
            lease: Lease {
                turn: self.request.turn,
                conversation: self.request.conversation,
                node: self.request.node,
                epoch: FIRST_EPOCH,
            },
            principal: self.who,
            conversation: self.conversation,
            opening: compose::with_content(opening, &user_message.content),
            user_message,
            history: told.history,
            tail: told.tail,
            handles: Handles {
                texts: Vec::new(),
                files: files.all,
            },
            entries: vec![started],
            deadline: later(now, self.request.turn_for),
            allowance: self.allowance,
            rate: Some(self.rate),
        })))
    }

    /// Stores the message with the context before it.
    async fn say(
        &mut self,
        tx: &mut Tx,
        told: &mut Told,
        files: &Files,
    ) -> Result<(Opening, StoredMessage), Fault> {
        let mut said = compose::said(&self.request.opening)?;
        let turn = self.request.turn;
        said.metadata.insert("turn_id".to_owned(), json!(turn));
        for line in std::mem::take(&mut self.request.context) {
            self.insert_line(tx, Uuid::now_v7(), &line, None).await?;
            told.tail.push(line);
        }
        let number =
            u32::try_from(self.text_count + 1).map_err(|_| unreadable("the number of texts"))?;
        let (line, block) = compose::line(&said.content, number, &files.brought);
        if let Some(block) = block {
            self.keep_text(tx, number, block).await?;
        }
        for file in &files.new {
            self.number_file(tx, file).await?;
        }
        let message = StoredMessage {
            id: said.id,
            conversation_id: self.request.conversation,
            role: Speaker::User,
            content: said.content,
            metadata: said.metadata,
            created_at: self.request.now,
            rating: None,
        };
        self.insert_line(tx, said.id.uuid(), &line, Some(&message))
            .await?;
        told.tail.push(line);
        self.conversation.message_count += 1;
        self.conversation.last_message_at = Some(self.request.now);
        Ok((compose::without_content(&self.request.opening), message))
    }

    /// Gives the lines of the failed turn to the new one: nothing is said twice.
    async fn again(
        &mut self,
        tx: &mut Tx,
        earlier: Earlier,
    ) -> Result<(Opening, StoredMessage), Fault> {
        let mut message = earlier.user_message;
        message
            .metadata
            .insert("turn_id".to_owned(), json!(self.request.turn));
        tx.execute_later(
            "UPDATE messages SET turn_id = $3 WHERE conversation_id = $1 AND turn_id = $2",
            vec![
                self.request.conversation.uuid().into(),
                earlier.turn.uuid().into(),
                self.request.turn.uuid().into(),
            ],
        )
        .await?;
        tx.execute_later(
            "UPDATE messages SET metadata = $3::text::jsonb WHERE conversation_id = $1 AND id = $2",
            vec![
                self.request.conversation.uuid().into(),
                message.id.uuid().into(),
                json_text(&message.metadata)?,
            ],
        )
        .await?;
        Ok((earlier.opening, message))
    }

    async fn insert_line(
        &mut self,
        tx: &mut Tx,
        id: Uuid,
        line: &Line,
        said: Option<&StoredMessage>,
    ) -> Result<(), Fault> {
        let (part, content, metadata) = match said {
            Some(message) => (
                "said",
                message.content.as_str(),
                json_text(&message.metadata)?,
            ),
            None => ("step", "", Value::Text("{}".to_owned())),
        };
        let kind: LineKind = line.kind;
        tx.execute_later(
            "INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, \
                 scope_id, seq, turn_id, part, kind, wire, tokens) \
             VALUES ($1, $2, $3, $4, $5::text::jsonb, $6, $7, $8, $9, $10, $11, $12, $13)",
            vec![
                id.into(),
                self.request.conversation.uuid().into(),
                told::role(kind).into(),
                content.into(),
                metadata,
                self.request.now.into(),
                self.scope.into(),
                self.next_seq.into(),
                self.request.turn.uuid().into(),
                part.into(),
                told::kind_name(kind).into(),
                (&line.wire).into(),
                line.tokens.into(),
            ],
        )
        .await?;
        self.next_seq += 1;
        Ok(())
    }

    async fn keep_text(&mut self, tx: &mut Tx, number: u32, block: &str) -> Result<(), Fault> {
        self.text_count += 1;
        tx.execute_later(
            "INSERT INTO texts (conversation_id, number, scope_id, content, created_at) \
             VALUES ($1, $2, $3, $4, $5)",
            vec![
                self.request.conversation.uuid().into(),
                number.into(),
                self.scope.into(),
                block.into(),
                self.request.now.into(),
            ],
        )
        .await?;
        Ok(())
    }

    async fn number_file(&self, tx: &mut Tx, file: &FileHandle) -> Result<(), Fault> {
        tx.execute_later(
            "UPDATE attachments SET number = $3 WHERE conversation_id = $1 AND id = $2",
            vec![
                self.request.conversation.uuid().into(),
                file.attachment.uuid().into(),
                file.number.into(),
            ],
        )
        .await?;
        Ok(())
    }

    async fn insert_turn(
        &self,
        tx: &mut Tx,
        opening: &Opening,
        message: &StoredMessage,
        prompt: u64,
    ) -> Result<Entry, Fault> {
        let request = &self.request;
        let started = Event::TurnStarted {
            turn: request.turn,
            conversation: request.conversation,
            message: message.id,
            assistant: self.conversation.assistant.clone(),
        };
        tx.execute_later(
            "INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, \
                 opening, first_seq, user_message_id, state, position, epoch, node, lease_until, \
                 deadline, started_at, reserved, allowance) \
             VALUES ($1, $2, $3, $4, $5, $6::text::json, $7::text::json, $8, $9, 'running', $10, \
                 $11, $12, $13, $14, $15, $16, $17)",
            vec![
                request.turn.uuid().into(),
                request.conversation.uuid().into(),
                self.scope.into(),
                self.who.profile().uuid().into(),
                self.who.subject().into(),
                json_text(&self.who)?,
                json_text(opening)?,
                self.first_seq.into(),
                message.id.uuid().into(),
                rows::int(started.advance())?,
                FIRST_EPOCH.into(),
                (&request.node).into(),
                later(request.now, request.lease_for).into(),
                later(request.now, request.turn_for).into(),
                request.now.into(),
                rows::int(request.budget.reserve.saturating_add(prompt))?,
                self.allowance.map(rows::int).transpose()?.into(),
            ],
        )
        .await?;
        let position = started.advance();
        journal::append(tx, request.turn, position, &started).await?;
        Ok(Entry {
            position,
            event: started,
        })
    }

    /// Counters move by what was added; only the places in the order are absolute.
    async fn update_conversation(
        &self,
        tx: &mut Tx,
        floor: Option<i64>,
        new_files: usize,
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
                self.next_seq.into(),
                floor.into(),
                rows::int(self.text_count)?,
                rows::int(new_files as u64)?,
            ],
        )
        .await?;
        Ok(())
    }

    /// Counts the turn against its rate and remembers its key, forgetting what is too old.
    async fn count(&self, tx: &mut Tx) -> Result<(), Fault> {
        let request = &self.request;
        let profile: Value = self.who.profile().uuid().into();
        let window = chrono::TimeDelta::from_std(request.rate.window).unwrap_or_default();
        tx.execute_later(
            "DELETE FROM rate_events WHERE bucket = $1 AND at <= $2",
            vec![(&request.rate.bucket).into(), (request.now - window).into()],
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

/// What the first request to the model is taken to cost, without instructions and tools.
fn prompt_tokens(told: &Told) -> u64 {
    let tail: u64 = told.tail.iter().map(|line| u64::from(line.tokens)).sum();
    told.history.tokens() + tail
}
