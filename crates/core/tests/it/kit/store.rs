//! The store in memory: one conversation, kept by the rules of the ports. Each write is
//! all or nothing, fenced by epoch, and recognised when it is repeated.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
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
    Accepted, Answer, Finish, Lease, NewAudit, OpenTurn, Opened, Opening, Record, SavedFile, Saves,
    Speaker, StoreError, StoredMessage, Turns,
};
use frontdesk_core::tool::Change;
use frontdesk_core::transcript::{Line, Transcript};
use frontdesk_core::world::World;
use serde_json::{Map, Value};

use super::chance::Chance;
use super::world::VirtualWorld;

pub(crate) struct Memory {
    world: VirtualWorld,
    state: Mutex<State>,
}

/// Everything that is kept, open to whoever checks it.
pub(crate) struct State {
    pub(crate) conversation: Conversation,
    pub(crate) messages: Vec<StoredMessage>,
    /// What models were told, all of it; what they are told again starts at `window_start`.
    pub(crate) lines: Vec<Line>,
    pub(crate) window_start: usize,
    pub(crate) texts: Vec<TextHandle>,
    pub(crate) files: Vec<FileHandle>,
    pub(crate) saved_files: Vec<SavedFile>,
    pub(crate) artifacts: Vec<Artifact>,
    /// Changes that were applied: effects in our own tables.
    pub(crate) applied: Vec<Change>,
    pub(crate) audit: Vec<(TurnId, NewAudit)>,
    pub(crate) phases: Vec<PhaseChange>,
    pub(crate) turns: Vec<TurnRow>,
    /// Where it is set, the database is away now and then.
    pub(crate) faults: Option<Chance>,
}

pub(crate) struct TurnRow {
    pub(crate) id: TurnId,
    principal: Principal,
    opening: Opening,
    user_message: StoredMessage,
    tail: Vec<Line>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) state: TurnState,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) answer: Option<Answer>,
    pub(crate) ended_at: Option<DateTime<Utc>>,
    pub(crate) epoch: i64,
    lease_until: DateTime<Utc>,
    pub(crate) deadline: DateTime<Utc>,
    awaiting_since: DateTime<Utc>,
    pub(crate) cards: Vec<(ApprovalCard, Option<Decision>)>,
    pub(crate) cancel_wanted: bool,
}

impl Memory {
    pub(crate) fn new(world: VirtualWorld, owner: &Principal, phase: Phase) -> Self {
        let now = world.now();
        let conversation = Conversation {
            id: ConversationId::from_uuid(world.id()),
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
            world,
            state: Mutex::new(State {
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
            }),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Does a write with a pause on both sides: a crash may fall before or after it, and
    /// the database may go away before it or before its answer arrives.
    async fn write<T>(
        &self,
        work: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.world.pause().await;
        self.may_be_away()?;
        let done = work(&mut self.state());
        self.world.pause().await;
        self.may_be_away()?;
        done
    }

    fn may_be_away(&self) -> Result<(), StoreError> {
        let away = match &mut self.state().faults {
            Some(chance) => chance.once_in(40),
            None => false,
        };
        if away {
            return Err(StoreError::Unavailable("connection reset".to_owned()));
        }
        Ok(())
    }
}

#[async_trait]
impl Turns for Memory {
    async fn open(&self, who: &Principal, request: OpenTurn) -> Result<Accepted, StoreError> {
        let mut state = self.state();
        if let Some(open) = state.turns.iter().find(|row| !row.state.is_over()) {
            return Err(StoreError::TurnInProgress { turn: open.id });
        }
        Ok(Accepted::Opened(Box::new(state.open(who, request))))
    }

    async fn record(&self, lease: &Lease, record: Record) -> Result<(), StoreError> {
        self.write(|state| {
            let conversation = state.conversation.id;
            if state.was_recorded(lease, &record)? {
                return Ok(());
            }
            state.keep(lease, &record, conversation)?;
            let row = state.row(lease.turn)?;
            if !record.awaiting.is_empty() {
                row.cards = record
                    .awaiting
                    .into_iter()
                    .map(|card| (card, None))
                    .collect();
                row.state = TurnState::AwaitingApproval;
                row.awaiting_since = record.now;
            }
            Ok(())
        })
        .await
    }

    async fn finish(&self, lease: &Lease, finish: Finish) -> Result<(), StoreError> {
        self.write(|state| {
            let conversation = state.conversation.id;
            if state.was_recorded(lease, &finish.record)? {
                return Ok(());
            }
            state.keep(lease, &finish.record, conversation)?;
            if let Some(answer) = &finish.answer {
                state.messages.push(StoredMessage {
                    id: answer.id,
                    conversation_id: conversation,
                    role: Speaker::Assistant,
                    content: answer.content.clone(),
                    metadata: answer.metadata.clone(),
                    created_at: finish.record.now,
                });
            }
            let row = state.row(lease.turn)?;
            row.state = finish.outcome.state();
            row.outcome = Some(finish.outcome);
            row.answer = finish.answer;
            row.ended_at = Some(finish.record.now);
            let tail = row.tail.clone();
            state.lines.extend(tail);
            state.lines.extend(finish.lines);
            Ok(())
        })
        .await
    }

    async fn renew(&self, lease: &Lease, until: DateTime<Utc>) -> Result<bool, StoreError> {
        self.write(|state| {
            let row = state.held(lease)?;
            row.lease_until = until;
            Ok(row.cancel_wanted)
        })
        .await
    }

    async fn take_over(
        &self,
        node: &str,
        now: DateTime<Utc>,
        lease_for: Duration,
    ) -> Result<Option<Opened>, StoreError> {
        let mut state = self.state();
        let Some(index) = state.turns.iter().position(|row| row.is_free(now)) else {
            return Ok(None);
        };
        let row = &mut state.turns[index];
        if row.state == TurnState::AwaitingApproval {
            row.expire_cards(now);
            // Time in which people thought about it is not the turn's.
            row.deadline += now - row.awaiting_since;
        }
        row.state = TurnState::Running;
        row.epoch += 1;
        row.lease_until = now + chrono::Duration::from_std(lease_for).unwrap();
        Ok(Some(state.opened(index, node)))
    }

    async fn texts(&self, lease: &Lease, numbers: &[u32]) -> Result<Handles, StoreError> {
        self.world.pause().await;
        let mut state = self.state();
        state.held(lease)?;
        let texts = state.texts.iter();
        Ok(Handles {
            texts: texts
                .filter(|text| numbers.contains(&text.number))
                .cloned()
                .collect(),
            files: Vec::new(),
        })
    }
}

impl State {
    fn open(&mut self, who: &Principal, request: OpenTurn) -> Opened {
        let user_message = self.user_message(&request);
        let mut tail = request.context.clone();
        tail.push(Line::user(self.shown(&user_message.content)));
        self.drop_surplus(request.window);
        let started = Event::TurnStarted {
            turn: request.turn,
            conversation: self.conversation.id,
            message: user_message.id,
            assistant: self.conversation.assistant.clone(),
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
            content,
            metadata: Map::new(),
            created_at: request.now,
        };
        self.messages.push(message.clone());
        message
    }

    /// What the model is shown of a message; a long block is kept behind a handle.
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

    fn drop_surplus(&mut self, window: frontdesk_core::transcript::Window) {
        self.window_start += self.history().surplus(window);
    }

    pub(crate) fn history(&self) -> Transcript {
        let mut history = Transcript::default();
        self.lines[self.window_start..]
            .iter()
            .for_each(|line| history.push(line));
        history
    }

    fn opened(&self, index: usize, node: &str) -> Opened {
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
            entries: row.entries.clone(),
            deadline: row.deadline,
        }
    }

    pub(crate) fn row(&mut self, turn: TurnId) -> Result<&mut TurnRow, StoreError> {
        self.turns
            .iter_mut()
            .find(|row| row.id == turn)
            .ok_or(StoreError::NotFound)
    }

    /// The turn, if this lease still gives the right to work on it.
    fn held(&mut self, lease: &Lease) -> Result<&mut TurnRow, StoreError> {
        let row = self.row(lease.turn)?;
        if row.epoch != lease.epoch || row.state != TurnState::Running {
            return Err(StoreError::Fenced);
        }
        Ok(row)
    }

    /// Whether this very record was kept before and only its answer was lost.
    fn was_recorded(&mut self, lease: &Lease, record: &Record) -> Result<bool, StoreError> {
        let row = self.row(lease.turn)?;
        let newest = record.entries.last().expect("a record has an entry");
        Ok(row.epoch == lease.epoch && row.entries.contains(newest))
    }

    fn keep(
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
            let taken = self.artifacts.iter().any(|kept| {
                (&kept.kind, &kept.key, kept.version)
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

/// An applier that says no to changes that ask for it.
fn refusal(change: &Change) -> Option<String> {
    Some(change.data.get("refuse")?.as_str()?.to_owned())
}

impl TurnRow {
    fn is_free(&self, now: DateTime<Utc>) -> bool {
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

    fn expire_cards(&mut self, now: DateTime<Utc>) {
        for index in 0..self.cards.len() {
            let (card, decision) = &mut self.cards[index];
            if decision.is_none() && card.expires_at < now {
                *decision = Some(Decision::Expired);
                let call_id = card.call_id.clone();
                self.decided(call_id, Decision::Expired, None);
            }
        }
    }

    pub(crate) fn decided(&mut self, call_id: String, decision: Decision, by: Option<String>) {
        let event = Event::ApprovalDecided {
            call_id,
            decision,
            by,
            reason: None,
        };
        let last = self.entries.last().map_or(0, |entry| entry.position);
        self.entries.push(Entry {
            position: last + event.advance(),
            event,
        });
    }
}
