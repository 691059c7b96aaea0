//! Builds the rows that a new turn adds to its conversation; `write.rs` writes them.

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
use frontdesk_db::{Dialect, Tx};
use serde_json::json;
use uuid::Uuid;

use super::check::EarlierTurn;
use super::history::{self, ModelHistory};
use super::message;
use super::revise::Revised;
use crate::change_feed;
use crate::rows::json_text;
use crate::turns::files::Files;
use crate::turns::later;
use crate::turns::lines::NewLine;
use crate::tx_error::{TxError, unreadable};

/// The first epoch of every turn.
pub(super) const FIRST_EPOCH: i64 = 0;

/// A request that passed the checks, and the state that it starts from.
pub(super) struct TurnInsert {
    pub(super) conversation: Conversation,
    pub(super) scope: Uuid,
    pub(super) next_seq: i64,
    pub(super) first_seq: i64,
    pub(super) text_count: u64,
    pub(super) rate: RateLeft,
    /// The most tokens that the turn may use.
    pub(super) allowance: Option<u64>,
    pub(super) who: Principal,
    pub(super) request: OpenTurn,
    /// New lines, from `next_seq` on.
    pub(super) lines: Vec<NewLine>,
}

/// The columns of a turn that [`TurnInsert`] computes last.
pub(super) struct NewTurn<'a> {
    pub(super) opening: &'a Opening,
    pub(super) message: Uuid,
    pub(super) started: &'a Entry,
    pub(super) reserve: u64,
    /// The new first sequence number of the history, if lines were dropped.
    pub(super) floor: Option<i64>,
    pub(super) new_files: u64,
}

impl TurnInsert {
    pub(super) async fn insert(
        mut self,
        tx: &mut Tx,
        earlier: Option<EarlierTurn>,
        mut history: ModelHistory,
        files: Files,
        revised: Option<Revised>,
    ) -> Result<Accepted, TxError> {
        let surplus = history.earlier.surplus(self.request.window);
        let floor = history::floor_after(&history, surplus, self.first_seq)?;
        let several_write =
            self.conversation.company_id.is_some() && history.earlier.last_speaker().is_some();
        history.earlier.skip(surplus);
        let (opening, user_message) = match earlier {
            Some(earlier) => self.reuse_lines(tx, earlier).await?,
            None => {
                let speaker = self.speaker(&history, several_write);
                self.add_message(tx, &mut history, &files, speaker).await?
            }
        };
        let started = self.started(&user_message);
        let turn = NewTurn {
            opening: &opening,
            message: user_message.id.uuid(),
            started: &started,
            reserve: (self.request.budget.reserve).saturating_add(prompt_tokens(&history)),
            floor: (surplus > 0).then_some(floor),
            new_files: files.new.len() as u64,
        };
        match tx.dialect() {
            Dialect::Sqlite => self.write_each(tx, turn).await?,
            Dialect::Postgres => self.write_at_once(tx, turn).await?,
        }
        if let Some(revised) = revised {
            revised.mark(tx, &self.request).await?;
        }
        change_feed::publish(tx, &ChangeNotice::of_conversation(&self.conversation))?;
        let now = self.request.now;
        self.conversation.updated_at = now;
        Ok(Accepted::Opened(Box::new(Opened {
            lease: self.lease(),
            principal: self.who,
            conversation: self.conversation,
            opening: message::with_content(opening, &user_message.content),
            user_message,
            history: history.earlier,
            tail: history.current,
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

    /// A line that names the writer, if it is not the last named one. Without such a line the model
    /// attributes messages to the conversation's owner. It is repeated after the window dropped it.
    fn speaker(&self, history: &ModelHistory, several_write: bool) -> Option<Line> {
        self.conversation.company_id?;
        let line = Line::speaker(self.who.name());
        match history.earlier.last_speaker() {
            Some(last) => (last != line.wire.as_bytes()).then_some(line),
            None if several_write => Some(line),
            None => (self.who.profile() != self.conversation.user_id).then_some(line),
        }
    }

    /// Stores the message with the context before it.
    async fn add_message(
        &mut self,
        tx: &mut Tx,
        history: &mut ModelHistory,
        files: &Files,
        speaker: Option<Line>,
    ) -> Result<(Opening, StoredMessage), TxError> {
        let mut new = message::new_message(&self.request.opening)?;
        let turn = self.request.turn;
        new.metadata.insert("turn_id".to_owned(), json!(turn));
        let context = std::mem::take(&mut self.request.context);
        for line in context.into_iter().chain(speaker) {
            self.lines.push(NewLine::step(&line));
            history.current.push(line);
        }
        let first =
            u32::try_from(self.text_count + 1).map_err(|_| unreadable("the number of texts"))?;
        let file_texts = std::mem::take(&mut self.request.file_texts);
        let shown = message::line(&new.content, first, &files.attached, &file_texts);
        for (number, text) in (first..).zip(&shown.texts) {
            self.keep_text(tx, number, text).await?;
        }
        let line = shown.line;
        for file in &files.new {
            self.number_file(tx, file).await?;
        }
        let message = StoredMessage {
            id: new.id,
            conversation_id: self.request.conversation,
            role: Speaker::User,
            author: Some(Author::of(&self.who)),
            content: new.content,
            metadata: new.metadata,
            created_at: self.request.now,
            rating: None,
            versions: Vec::new(),
        };
        self.lines.push(NewLine::message(
            message.id,
            &message.content,
            &message.metadata,
            Some(&line),
        ));
        history.current.push(line);
        self.conversation.message_count += 1;
        self.conversation.last_message_at = Some(self.request.now);
        Ok((message::without_content(&self.request.opening), message))
    }

    /// Moves the lines of the failed turn to the new one, so that no line repeats.
    async fn reuse_lines(
        &mut self,
        tx: &mut Tx,
        earlier: EarlierTurn,
    ) -> Result<(Opening, StoredMessage), TxError> {
        let mut message = earlier.user_message;
        message
            .metadata
            .insert("turn_id".to_owned(), json!(self.request.turn));
        tx.execute_later(
            "UPDATE messages SET turn_id = $3 WHERE conversation_id = $1 AND turn_id = $2",
            vec![
                self.request.conversation.into(),
                earlier.turn.into(),
                self.request.turn.into(),
            ],
        )
        .await?;
        tx.execute_later(
            "UPDATE messages SET metadata = $3::text::jsonb WHERE conversation_id = $1 AND id = $2",
            vec![
                self.request.conversation.into(),
                message.id.into(),
                json_text(&message.metadata)?,
            ],
        )
        .await?;
        Ok((earlier.opening, message))
    }

    async fn keep_text(&mut self, tx: &mut Tx, number: u32, block: &str) -> Result<(), TxError> {
        self.text_count += 1;
        tx.execute_later(
            "INSERT INTO texts (conversation_id, number, scope_id, content, created_at) \
             VALUES ($1, $2, $3, $4, $5)",
            vec![
                self.request.conversation.into(),
                number.into(),
                self.scope.into(),
                block.into(),
                self.request.now.into(),
            ],
        )
        .await?;
        Ok(())
    }

    async fn number_file(&self, tx: &mut Tx, file: &FileHandle) -> Result<(), TxError> {
        Ok(tx
            .execute_later(
                "UPDATE attachments SET number = $3 WHERE conversation_id = $1 AND id = $2",
                vec![
                    self.request.conversation.into(),
                    file.attachment.into(),
                    file.number.into(),
                ],
            )
            .await?)
    }

    pub(super) fn lease(&self) -> Lease {
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

/// Estimated tokens of the first request to the model, without instructions and tools.
fn prompt_tokens(history: &ModelHistory) -> u64 {
    let current: u64 = (history.current.iter())
        .map(|line| u64::from(line.tokens))
        .sum();
    history.earlier.tokens() + current
}
