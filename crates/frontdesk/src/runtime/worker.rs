//! Workers: detached from whoever asked, one for each running turn.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::id::TurnId;
use frontdesk_core::run::{Cancel, Ending, end_without_assistant, run_turn};
use frontdesk_core::store::{Opened, StoreError, Turns};
use futures_util::future::join_all;

use tracing::Instrument;

use super::{Inner, Runtime, RuntimeError};

/// How often a node looks for turns that nobody works on, in each lease.
const LOOKS_A_LEASE: u32 = 4;
/// Turns that are fetched side by side.
const TAKEN_AT_ONCE: usize = 4;
/// How often turns that ended long ago are looked for, and how many batches of them are folded.
const FOLD_EVERY: TimeDelta = TimeDelta::minutes(1);
const FOLDS_AT_ONCE: usize = 20;

impl Inner {
    /// Tells the worker of a turn to stop, if it runs here.
    pub(super) fn stop_worker(&self, turn: TurnId) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cancel)) = running.get(&turn) {
            cancel.cancel();
        }
    }

    /// Drives the turn as far as this worker can. Without its assistant that is to its end.
    async fn drive(
        &self,
        assistant: Option<Arc<Assistant>>,
        opened: Opened,
        cancel: Cancel,
    ) -> Result<Ending, StoreError> {
        let model = Arc::clone(&self.model);
        match assistant {
            Some(assistant) => run_turn(&self.engine, assistant, model, opened, cancel).await,
            None => end_without_assistant(&self.engine, model, opened).await,
        }
    }

    /// A worker has left the turn. When another one of this node took it over, the stage is
    /// that one's.
    fn leave(&self, turn: TurnId, epoch: i64) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running
            .get(&turn)
            .is_some_and(|(newest, _)| *newest == epoch)
        {
            running.remove(&turn);
            self.live_turns.close(turn);
        }
    }
}

impl Runtime {
    /// Starts a worker for a turn that this node holds the lease of.
    pub(super) fn work_on(&self, assistant: Option<Arc<Assistant>>, opened: Opened) {
        let turn = opened.lease.turn;
        let epoch = opened.lease.epoch;
        let cancel = Cancel::default();
        self.inner
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(turn, (epoch, cancel.clone()));
        let runtime = self.clone();
        self.inner.tasks.spawn(async move {
            let inner = &runtime.inner;
            let changed = ChangeNotice::of_conversation(&opened.conversation);
            inner.tracer.begin(&opened);
            let span = tracing::info_span!("turn", turn.id = %turn, conversation.id = %opened.conversation.id);
            let ending = inner.drive(assistant, opened, cancel).instrument(span).await;
            inner.store.publish(&changed);
            match ending {
                Ok(ending) => tracing::debug!(turn.id = %turn, ?ending, "worker left the turn"),
                Err(StoreError::Fenced) => {
                    tracing::warn!(turn.id = %turn, "another worker took the turn over");
                }
                Err(error) => {
                    tracing::error!(turn.id = %turn, "the turn could not go on: {error}");
                }
            }
            inner.tracer.leave(turn, epoch);
            inner.leave(turn, epoch);
        });
    }

    /// Goes on with turns whose worker died, or whose approvals have been decided. After a crash
    /// there may be hundreds, so some are fetched at a time.
    pub async fn take_over_abandoned(&self) -> Result<usize, RuntimeError> {
        let mut taken = 0;
        let mut at_once = 1;
        loop {
            let attempts = (0..at_once).map(|_| self.take_one_over());
            let mut found = 0;
            for attempt in join_all(attempts).await {
                found += usize::from(attempt?);
            }
            taken += found;
            if found < at_once {
                return Ok(taken);
            }
            at_once = TAKEN_AT_ONCE;
        }
    }

    async fn take_one_over(&self) -> Result<bool, RuntimeError> {
        let inner = &self.inner;
        let lease_for = inner.engine.lease_for;
        let taken = inner
            .store
            .take_over(&inner.node, inner.env.now(), lease_for);
        let Some(opened) = taken.await? else {
            return Ok(false);
        };
        let name = opened.conversation.assistant.as_str();
        let assistant = inner.assistants.get(name).cloned();
        if assistant.is_none() {
            tracing::error!(assistant = name, turn.id = %opened.lease.turn, "nobody can go on with this turn, which is ended: no such assistant");
        }
        tracing::info!(turn.id = %opened.lease.turn, epoch = opened.lease.epoch, "going on with a turn");
        inner.live_turns.open(opened.lease.turn);
        self.work_on(assistant, opened);
        Ok(true)
    }

    /// Looks for abandoned turns for as long as the server lives, and folds those that ended
    /// long ago.
    pub async fn keep_looking_around(&self) {
        self.inner.follow_changes();
        let mut fold_at = self.inner.env.now();
        loop {
            if let Err(error) = self.take_over_abandoned().await {
                tracing::warn!("could not look for abandoned turns: {error}");
            }
            let now = self.inner.env.now();
            if now >= fold_at {
                fold_at = now + FOLD_EVERY;
                if let Err(error) = self.fold_ended().await {
                    tracing::warn!("could not fold turns that ended long ago: {error}");
                }
            }
            let pause = self.inner.engine.lease_for / LOOKS_A_LEASE;
            self.inner.env.sleep(pause).await;
        }
    }

    /// A few at a time: whoever looks for abandoned turns must not be kept from it for long.
    async fn fold_ended(&self) -> Result<(), RuntimeError> {
        let inner = &self.inner;
        let before = inner.env.now() - inner.rules.replay;
        for _ in 0..FOLDS_AT_ONCE {
            if !inner.store.fold_ended(before).await? {
                break;
            }
        }
        Ok(())
    }

    /// Waits for the workers of this node, at most this long. `false` when some still work;
    /// their turns are taken over by whoever starts next.
    pub async fn drain(&self, at_most: Duration) -> bool {
        self.inner.tasks.close();
        let drained = tokio::time::timeout(at_most, self.inner.tasks.wait()).await;
        drained.is_ok()
    }
}
