//! Opening a turn: one look at everything that decides about it, then all writes at once. On
//! Postgres these are two round trips: the look travels with the locks, the writes with the commit.

use std::sync::LazyLock;

use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::handle::{FileHandle, Handles};
use frontdesk_core::store::{Accepted, Lease, OpenTurn, Opened, Opening, Speaker, StoredMessage};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_db::{Dialect, Row, Tx, Value};
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::files::{self, Files};
use super::plan::{Earlier, Plan, plan};
use super::told::{self, TOLD, Told, told};
use super::{compose, journal, later};
use crate::access::{self, ACCESS, Kind};
use crate::fault::{Fault, unreadable};
use crate::rows::{self, CONVERSATION, json_text, micros, natural};

/// How long a key is remembered at least.
const KEYS_KEPT: chrono::TimeDelta = chrono::TimeDelta::hours(24);

/// The first epoch of every turn.
const FIRST_EPOCH: i64 = 0;

static LOOK_SQLITE: LazyLock<String> = LazyLock::new(|| {
    look_sql(
        "(SELECT r.at FROM rate_events r WHERE r.bucket = $3 AND r.at > $4 \
             ORDER BY r.at DESC LIMIT 1 OFFSET $5)",
    )
});

/// A bucket may be shared by people who do not see each other's events.
static LOOK_POSTGRES: LazyLock<String> = LazyLock::new(|| look_sql("fd.blocked_by($3, $4, $5)"));

/// Everything that decides about a request, in one row.
fn look_sql(blocked_by: &str) -> String {
    format!(
        "SELECT {CONVERSATION}, c.scope_id, c.next_seq, c.text_count, c.file_count, \
             told.wires, told.marks, \
             (SELECT t.id FROM turns t WHERE t.conversation_id = c.id \
                 AND t.state IN ('running', 'awaiting_approval')) AS active_turn, \
             (SELECT l.turn_id FROM messages l WHERE l.conversation_id = c.id \
                 ORDER BY l.seq DESC LIMIT 1) AS last_turn, \
             {blocked_by} AS blocked_by, \
             k.fingerprint AS key_fingerprint, \
             o.id AS o_id, o.conversation_id AS o_conversation_id, o.state AS o_state, \
             o.outcome AS o_outcome, o.opening AS o_opening, o.first_seq AS o_first_seq, \
             um.id AS um_id, um.role AS um_role, um.content AS um_content, \
             um.metadata AS um_metadata, um.created_at AS um_created_at \
         FROM conversations c \
         LEFT JOIN idempotency_keys k ON k.profile_id = $1 AND k.route = $6 AND k.key = $7 \
         LEFT JOIN turns o ON o.id = coalesce(k.turn_id, $8) \
         LEFT JOIN messages um ON um.id = o.user_message_id \
         LEFT JOIN {TOLD} AS told ON true \
         WHERE c.id = $2 AND {ACCESS}"
    )
}

pub(super) async fn open(
    tx: &mut Tx,
    who: Principal,
    mut request: OpenTurn,
) -> Result<Accepted, Fault> {
    request.now = micros(request.now);
    let row = look(tx, &who, &request).await?;
    let next_seq: i64 = row.get("next_seq")?;
    let earlier = match plan(&row, &request)? {
        Plan::Replay(earlier) => {
            return Ok(Accepted::Replay {
                turn: earlier.turn,
                state: earlier.state,
                user_message: earlier.user_message,
            });
        }
        Plan::Again(earlier) => Some(earlier),
        Plan::Fresh => None,
    };
    let first_seq = earlier.as_ref().map_or(next_seq, |found| found.first_seq);
    let told = told(&row, first_seq)?;
    let wanted = match &earlier {
        Some(_) => &[],
        None => compose::attachments(&request.opening),
    };
    let files = files::bring(
        tx,
        request.conversation,
        natural(&row, "file_count")?,
        wanted,
    )
    .await?;
    let opener = Opener {
        conversation: rows::conversation(&row)?,
        scope: row.get("scope_id")?,
        next_seq,
        first_seq,
        text_count: natural(&row, "text_count")?,
        who,
        request,
    };
    opener.write(tx, earlier, told, files).await
}

async fn look(tx: &mut Tx, who: &Principal, request: &OpenTurn) -> Result<Row, Fault> {
    for number in locks(who, request) {
        access::lock_number(tx, number).await?;
    }
    access::lock(tx, request.conversation).await?;
    let rate = &request.rate;
    let since = request.now - chrono::TimeDelta::from_std(rate.window).unwrap_or_default();
    let retried = match &request.opening {
        Opening::Retry { turn } => Some(turn.uuid()),
        Opening::Message { .. } | Opening::Form { .. } => None,
    };
    let key = request.key.as_ref();
    let values: [Value; 8] = [
        who.profile().uuid().into(),
        request.conversation.uuid().into(),
        (&rate.bucket).into(),
        since.into(),
        rate.max.saturating_sub(1).into(),
        key.map(|key| key.route.as_str()).into(),
        key.map(|key| key.key.as_str()).into(),
        retried.into(),
    ];
    let sql = match tx.dialect() {
        Dialect::Sqlite => &LOOK_SQLITE,
        Dialect::Postgres => &LOOK_POSTGRES,
    };
    match tx.row(sql, &values).await? {
        Some(row) => Ok(row),
        None => Err(access::refusal(tx, Kind::Conversation, request.conversation.uuid()).await?),
    }
}

/// The bucket and the key, so that twins on several nodes take turns; always in one order.
fn locks(who: &Principal, request: &OpenTurn) -> Vec<i64> {
    let mut numbers = vec![lock_of(&["rate", &request.rate.bucket])];
    if let Some(key) = &request.key {
        let profile = who.profile().to_string();
        numbers.push(lock_of(&["key", &profile, &key.route, &key.key]));
    }
    numbers.sort_unstable();
    numbers
}

fn lock_of(parts: &[&str]) -> i64 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    let digest = hasher.finalize();
    digest
        .first_chunk::<8>()
        .map_or(0, |bytes| i64::from_be_bytes(*bytes))
}

/// A request that will be granted, and what it starts from.
struct Opener {
    conversation: Conversation,
    scope: Uuid,
    next_seq: i64,
    first_seq: i64,
    text_count: u64,
    who: Principal,
    request: OpenTurn,
}

impl Opener {
    async fn write(
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
        let started = self.insert_turn(tx, &opening, &user_message).await?;
        self.update_conversation(tx, (surplus > 0).then_some(floor), files.new.len())
            .await?;
        self.count(tx).await?;
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
                 deadline, started_at) \
             VALUES ($1, $2, $3, $4, $5, $6::text::json, $7::text::json, $8, $9, 'running', $10, \
                 $11, $12, $13, $14, $15)",
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
