//! What opening a turn adds to its conversation; `opener/write.rs` writes it.

mod write;

use frontdesk_core::access::Principal;
use frontdesk_core::artifact::Author;
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::handle::{FileHandle, Handles};
use frontdesk_core::store::{
    Accepted, Lease, OpenTurn, Opened, Opening, RateLeft, Speaker, StoredMessage,
};
use frontdesk_core::transcript::Line;
use frontdesk_db::{Dialect, Tx, Value};
use serde_json::json;
use uuid::Uuid;

use super::files::Files;
use super::lines::NewLine;
use super::plan::Earlier;
use super::told::{self, Told};
use super::{compose, later};
use crate::change_feed;
use crate::fault::{Fault, unreadable};
use crate::rows::{self, json_text};

/// The first epoch of every turn.
pub(super) const FIRST_EPOCH: i64 = 0;

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
    /// What is said and told, from `next_seq` on.
    pub(super) lines: Vec<NewLine>,
}

/// What a turn begins with, besides what its [`Opener`] knows.
pub(super) struct NewTurn<'a> {
    pub(super) opening: &'a Opening,
    pub(super) message: Uuid,
    pub(super) started: &'a Entry,
    pub(super) reserve: Value,
    /// Where the history begins from now on, if it was cut.
    pub(super) floor: Option<i64>,
    pub(super) new_files: Value,
}

impl Opener {
    pub(super) async fn write(
        mut self,
        tx: &mut Tx,
        earlier: Option<Earlier>,
        mut told: Told,
        files: Files,
    ) -> Result<Accepted, Fault> {
        let surplus = told.history.surplus(self.request.window);
        let floor = told::floor_after(&told, surplus, self.first_seq)?;
        let several_write =
            self.conversation.company_id.is_some() && told.history.last_speaker().is_some();
        told.history.skip(surplus);
        let (opening, user_message) = match earlier {
            Some(earlier) => self.again(tx, earlier).await?,
            None => {
                let speaker = self.speaker(&told, several_write);
                self.say(tx, &mut told, &files, speaker).await?
            }
        };
        let started = self.started(&user_message);
        let turn = NewTurn {
            opening: &opening,
            message: user_message.id.uuid(),
            started: &started,
            reserve: rows::int(
                self.request
                    .budget
                    .reserve
                    .saturating_add(prompt_tokens(&told)),
            )?,
            floor: (surplus > 0).then_some(floor),
            new_files: rows::int(files.new.len() as u64)?,
        };
        match tx.dialect() {
            Dialect::Sqlite => self.write_each(tx, turn).await?,
            Dialect::Postgres => self.write_at_once(tx, turn).await?,
        }
        change_feed::publish(tx, &ChangeNotice::of_conversation(&self.conversation))?;
        let now = self.request.now;
        self.conversation.updated_at = now;
        Ok(Accepted::Opened(Box::new(Opened {
            lease: self.lease(),
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
            text_count: self.text_count,
            entries: vec![started],
            deadline: later(now, self.request.turn_for),
            allowance: self.allowance,
            rate: Some(self.rate),
        })))
    }

    /// Tells the model who is writing, where that is somebody else than it was told last: at first
    /// it takes everything for the words of the conversation's owner. Told again when the window
    /// was cut behind it.
    fn speaker(&self, told: &Told, several_write: bool) -> Option<Line> {
        self.conversation.company_id?;
        let line = Line::speaker(self.who.name());
        match told.history.last_speaker() {
            Some(last) => (last != line.wire.as_bytes()).then_some(line),
            None if several_write => Some(line),
            None => (self.who.profile() != self.conversation.user_id).then_some(line),
        }
    }

    /// Stores the message with the context before it.
    async fn say(
        &mut self,
        tx: &mut Tx,
        told: &mut Told,
        files: &Files,
        speaker: Option<Line>,
    ) -> Result<(Opening, StoredMessage), Fault> {
        let mut said = compose::said(&self.request.opening)?;
        let turn = self.request.turn;
        said.metadata.insert("turn_id".to_owned(), json!(turn));
        let context = std::mem::take(&mut self.request.context);
        for line in context.into_iter().chain(speaker) {
            self.lines.push(NewLine::step(&line));
            told.tail.push(line);
        }
        let first =
            u32::try_from(self.text_count + 1).map_err(|_| unreadable("the number of texts"))?;
        let file_texts = std::mem::take(&mut self.request.file_texts);
        let shown = compose::line(&said.content, first, &files.brought, &file_texts);
        for (number, text) in (first..).zip(&shown.texts) {
            self.keep_text(tx, number, text).await?;
        }
        let line = shown.line;
        for file in &files.new {
            self.number_file(tx, file).await?;
        }
        let message = StoredMessage {
            id: said.id,
            conversation_id: self.request.conversation,
            role: Speaker::User,
            author: Some(Author::of(&self.who)),
            content: said.content,
            metadata: said.metadata,
            created_at: self.request.now,
            rating: None,
        };
        self.lines.push(NewLine::said(
            message.id,
            &message.content,
            &message.metadata,
            Some(&line),
        )?);
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

    fn lease(&self) -> Lease {
        Lease {
            turn: self.request.turn,
            conversation: self.request.conversation,
            node: self.request.node.clone(),
            epoch: FIRST_EPOCH,
        }
    }

    fn started(&self, message: &StoredMessage) -> Entry {
        let event = Event::TurnStarted {
            turn: self.request.turn,
            conversation: self.request.conversation,
            message: message.id,
            assistant: self.conversation.assistant.clone(),
            author: message.author.clone(),
        };
        Entry {
            position: event.advance(),
            event,
        }
    }
}

/// What the first request to the model is taken to cost, without instructions and tools.
fn prompt_tokens(told: &Told) -> u64 {
    let tail: u64 = told.tail.iter().map(|line| u64::from(line.tokens)).sum();
    told.history.tokens() + tail
}
