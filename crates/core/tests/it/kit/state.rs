//! The state of the in-memory store and its rules.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::artifact::Artifact;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE, Progress};
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::handle::{FileHandle, Handles, LongBlock, TextHandle};
use frontdesk_core::id::{AttachmentId, ConversationId, TurnId};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::phase::{Phase, PhaseChange};
use frontdesk_core::store::{
    Answer, AuditOutcome, Lease, NewAudit, OpenTurn, Opened, Opening, Record, SavedFile, Saves,
    Speaker, StoreError, StoredMessage,
};
use frontdesk_core::tool::Change;
use frontdesk_core::transcript::{Line, Transcript, Window};
use serde_json::{Map, Value};

use super::chance::Chance;

/// The whole state, public to the checker.
pub(crate) struct State {
    pub(crate) conversation: Conversation,
    pub(crate) messages: Vec<StoredMessage>,
    /// The whole transcript; the prompt's history starts at `window_start`.
    pub(crate) lines: Vec<Line>,
    pub(crate) window_start: usize,
    pub(crate) texts: Vec<TextHandle>,
    pub(crate) files: Vec<FileHandle>,
    pub(crate) saved_files: Vec<SavedFile>,
    pub(crate) artifacts: Vec<Artifact>,
    /// Applied changes: effects in our own tables.
    pub(crate) applied: Vec<Change>,
    pub(crate) audit: Vec<(TurnId, NewAudit)>,
    pub(crate) phases: Vec<PhaseChange>,
    pub(crate) turns: Vec<TurnRow>,
    /// If set, the database is sometimes unavailable.
    pub(crate) faults: Option<Chance>,
}

pub(crate) struct TurnRow {
    pub(crate) id: TurnId,
    principal: Principal,
    opening: Opening,
    user_message: StoredMessage,
    pub(crate) tail: Vec<Line>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) state: TurnState,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) answer: Option<Answer>,
    pub(crate) ended_at: Option<DateTime<Utc>>,
    pub(crate) epoch: i64,
    pub(crate) lease_until: DateTime<Utc>,
    pub(crate) deadline: DateTime<Utc>,
    pub(crate) awaiting_since: DateTime<Utc>,
    pub(crate) cards: Vec<(ApprovalCard, Option<Decision>)>,
    pub(crate) cancel_wanted: bool,
}

impl State {
    pub(crate) fn new(
        id: ConversationId,
        owner: &Principal,
        phase: Phase,
        now: DateTime<Utc>,
    ) -> Self {
        let conversation = Conversation {
            id,
            user_id: owner.profile(),
            company_id: None,
            assistant: "desk".to_owned(),
            subject: None,
            title: DEFAULT_TITLE.to_owned(),
            phase,
            metadata: Map::new(),
            progress: Progress::default(),
            message_count: 0,
            last_message_at: None,
            created_at: now,
            updated_at: now,
        };
        Self {
            conversation,
            messages: Vec::new(),
            lines: Vec::new(),
            window_start: 0,
            texts: Vec::new(),
            files: Vec::new(),
            saved_files: Vec::new(),
            artifacts: Vec::new(),
            applied: Vec::new(),
            audit: Vec::new(),
            phases: Vec::new(),
            turns: Vec::new(),
            faults: None,
        }
    }

    pub(crate) fn open(&mut self, who: &Principal, request: OpenTurn) -> Opened {
        let user_message = self.user_message(&request);
        let mut tail = request.context.clone();
        tail.push(Line::user(self.shown(&user_message.content)));
        self.drop_surplus(request.window);
        let started = Event::TurnStarted {
            turn: request.turn,
            conversation: self.conversation.id,
            message: user_message.id,
            assistant: self.conversation.assistant.clone(),
            author: None,
        };
        self.turns.push(TurnRow {
            id: request.turn,
            principal: who.clone(),
            opening: request.opening,
            user_message,
            tail,
            entries: vec![Entry {
                position: started.advance(),
                event: started,
            }],
            state: TurnState::Running,
            outcome: None,
            answer: None,
            ended_at: None,
            epoch: 0,
            lease_until: request.now + chrono::Duration::from_std(request.lease_for).unwrap(),
            deadline: request.now + chrono::Duration::from_std(request.turn_for).unwrap(),
            awaiting_since: request.now,
            cards: Vec::new(),
            cancel_wanted: false,
        });
        self.opened(self.turns.len() - 1, &request.node)
    }

    fn user_message(&mut self, request: &OpenTurn) -> StoredMessage {
        let (id, content) = match &request.opening {
            Opening::Message { id, content, .. } | Opening::Form { id, content, .. } => {
                (*id, content.clone())
            }
            Opening::Retry { .. } => panic!("this store does not retry"),
        };
        let message = StoredMessage {
            id,
            conversation_id: self.conversation.id,
            role: Speaker::User,
            author: None,
            content,
            metadata: Map::new(),
            created_at: request.now,
            rating: None,
            versions: Vec::new(),
        };
        self.messages.push(message.clone());
        message
    }

    /// The message as the model sees it; a long block is stored behind a handle.
    fn shown(&mut self, content: &str) -> String {
        let Some(long) = LongBlock::find(content) else {
            return content.to_owned();
        };
        let number = u32::try_from(self.texts.len()).unwrap() + 1;
        self.texts.push(TextHandle {
            number,
            text: long.block.to_owned(),
        });
        long.shown(number)
    }

    fn drop_surplus(&mut self, window: Window) {
        self.window_start += self.history().surplus(window);
    }

    pub(crate) fn history(&self) -> Transcript {
        let mut history = Transcript::default();
        self.lines[self.window_start..]
            .iter()
            .for_each(|line| history.push(line));
        history
    }

    pub(crate) fn opened(&self, index: usize, node: &str) -> Opened {
        let row = &self.turns[index];
        Opened {
            lease: Lease {
                turn: row.id,
                conversation: self.conversation.id,
                node: node.to_owned(),
                epoch: row.epoch,
            },
            principal: row.principal.clone(),
            conversation: self.conversation.clone(),
            opening: row.opening.clone(),
            user_message: row.user_message.clone(),
            history: self.history(),
            tail: row.tail.clone(),
            handles: Handles {
                texts: Vec::new(),
                files: self.files.clone(),
            },
            text_count: self.texts.len() as u64,
            entries: row.entries.clone(),
            deadline: row.deadline,
            allowance: None,
            rate: None,
        }
    }

    pub(crate) fn row(&mut self, turn: TurnId) -> Result<&mut TurnRow, StoreError> {
        self.turns
            .iter_mut()
            .find(|row| row.id == turn)
            .ok_or(StoreError::NotFound)
    }

    /// The turn, if this lease is still valid.
    pub(crate) fn held(&mut self, lease: &Lease) -> Result<&mut TurnRow, StoreError> {
        let row = self.row(lease.turn)?;
        if row.epoch != lease.epoch || row.state != TurnState::Running {
            return Err(StoreError::Fenced);
        }
        Ok(row)
    }

    /// True if this record was stored before and only the response was lost. Some databases merely
    /// report that its positions are taken.
    pub(crate) fn was_recorded(
        &mut self,
        lease: &Lease,
        record: &Record,
    ) -> Result<bool, StoreError> {
        let row = self.row(lease.turn)?;
        let newest = record.entries.last().expect("a record has an entry");
        let recorded = row.epoch == lease.epoch && row.entries.contains(newest);
        if recorded && self.faults.as_mut().is_some_and(|chance| chance.once_in(2)) {
            return Err(StoreError::Conflict("these positions are taken".to_owned()));
        }
        Ok(recorded)
    }

    pub(crate) fn keep(
        &mut self,
        lease: &Lease,
        record: &Record,
        conversation: ConversationId,
    ) -> Result<(), StoreError> {
        self.held(lease)?;
        if let Some(why) = record.saves.changes.iter().find_map(refusal) {
            return Err(StoreError::ChangeRefused(why));
        }
        let row = self.row(lease.turn)?;
        row.entries.extend(record.entries.iter().cloned());
        let audit = record.audit.iter().cloned();
        self.audit.extend(audit.map(|audit| (lease.turn, audit)));
        self.apply(&record.saves, conversation);
        Ok(())
    }

    fn apply(&mut self, saves: &Saves, conversation: ConversationId) {
        for artifact in &saves.artifacts {
            let taken = self.artifacts.iter().any(|stored| {
                (&stored.kind, &stored.key, stored.version)
                    == (&artifact.kind, &artifact.key, artifact.version)
            });
            assert!(!taken, "a version is never overwritten: {artifact:?}");
            assert_eq!(artifact.conversation, conversation);
            self.artifacts.push(artifact.clone());
        }
        self.applied.extend(saves.changes.iter().cloned());
        self.saved_files.extend(saves.files.iter().cloned());
        for change in &saves.phase {
            assert_eq!(change.from, self.conversation.phase);
            self.conversation.phase = change.to.clone();
            self.phases.push(change.clone());
        }
        for (key, value) in &saves.metadata {
            match value {
                Value::Null => self.conversation.metadata.remove(key),
                Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_)
                | Value::Object(_) => self
                    .conversation
                    .metadata
                    .insert(key.clone(), value.clone()),
            };
        }
        if let Some(title) = &saves.title {
            self.conversation.title = title.clone();
        }
        if let Some(progress) = &saves.progress {
            self.conversation.progress = progress.clone();
        }
    }

    pub(crate) fn attach(&mut self, id: AttachmentId, name: &str) {
        let number = u32::try_from(self.files.len()).unwrap() + 1;
        self.files.push(FileHandle {
            number,
            attachment: id,
            name: name.to_owned(),
            media_type: "image/png".to_owned(),
            bytes: 3,
        });
    }
}

/// Refuses changes that ask for it.
fn refusal(change: &Change) -> Option<String> {
    Some(change.data.get("refuse")?.as_str()?.to_owned())
}

impl TurnRow {
    pub(crate) fn is_free(&self, now: DateTime<Utc>) -> bool {
        match self.state {
            TurnState::Running => self.lease_until <= now,
            TurnState::AwaitingApproval => {
                self.cancel_wanted
                    || self
                        .cards
                        .iter()
                        .all(|(card, decision)| decision.is_some() || card.expires_at < now)
            }
            TurnState::Completed
            | TurnState::Failed
            | TurnState::Cancelled
            | TurnState::Interrupted => false,
        }
    }

    /// Expires overdue cards; returns their audit entries.
    pub(crate) fn expire_cards(&mut self, now: DateTime<Utc>) -> Vec<(TurnId, NewAudit)> {
        let mut expired = Vec::new();
        for index in 0..self.cards.len() {
            let (card, decision) = &mut self.cards[index];
            if decision.is_none() && card.expires_at < now {
                *decision = Some(Decision::Expired);
                let audit = NewAudit {
                    call_id: card.call_id.clone(),
                    tool: card.tool.clone(),
                    target: None,
                    outcome: AuditOutcome::Expired,
                    approver: None,
                };
                let call_id = card.call_id.clone();
                expired.push((self.id, audit));
                self.decided(call_id, Decision::Expired, None, None);
            }
        }
        expired
    }

    pub(crate) fn decided(
        &mut self,
        call_id: String,
        decision: Decision,
        by: Option<String>,
        arguments: Option<Map<String, Value>>,
    ) {
        let event = Event::ApprovalDecided {
            call_id,
            decision,
            by,
            reason: None,
            arguments,
            state: None,
        };
        let last = self.entries.last().map_or(0, |entry| entry.position);
        self.entries.push(Entry {
            position: last + event.advance(),
            event,
        });
    }
}
