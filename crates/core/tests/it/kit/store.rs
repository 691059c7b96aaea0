//! An in-memory store with one conversation. Writes are atomic, fenced and idempotent.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::env::Env;
use frontdesk_core::handle::Handles;
use frontdesk_core::id::ConversationId;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{
    Accepted, FinishTurn, Lease, OpenTurn, Opened, Record, Speaker, StoreError, StoredMessage,
    Turns,
};

use super::env::VirtualEnv;
use super::state::State;

pub(crate) struct Memory {
    env: VirtualEnv,
    state: Mutex<State>,
}

impl Memory {
    pub(crate) fn new(env: VirtualEnv, owner: &Principal, phase: Phase) -> Self {
        let id = ConversationId::from_uuid(env.id());
        let state = State::new(id, owner, phase, env.now());
        Self {
            env,
            state: Mutex::new(state),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Writes with a pause before and after, so that a crash or a database failure can happen
    /// before the write or before its response.
    async fn write<T>(
        &self,
        work: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.env.pause().await;
        self.may_be_away()?;
        let done = work(&mut self.state());
        self.env.pause().await;
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

    async fn finish(&self, lease: &Lease, finish: FinishTurn) -> Result<(), StoreError> {
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
                    author: None,
                    content: answer.content.clone(),
                    metadata: answer.metadata.clone(),
                    created_at: finish.record.now,
                    rating: None,
                    versions: Vec::new(),
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
        let mut expired = Vec::new();
        if row.state == TurnState::AwaitingApproval {
            expired = row.expire_cards(now);
            // Waiting for people does not count against the deadline.
            row.deadline += now - row.awaiting_since;
        }
        row.state = TurnState::Running;
        row.epoch += 1;
        row.lease_until = now + chrono::Duration::from_std(lease_for).unwrap();
        state.audit.extend(expired);
        Ok(Some(state.opened(index, node)))
    }

    async fn texts(&self, lease: &Lease, numbers: &[u32]) -> Result<Handles, StoreError> {
        self.env.pause().await;
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
