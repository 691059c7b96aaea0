//! Workers: one task per running turn, independent of the request.

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

/// Scans for abandoned turns per lease duration.
const SCANS_PER_LEASE: u32 = 4;
/// Turns that are taken over concurrently.
const TAKE_OVERS_AT_ONCE: usize = 4;
/// Interval of folding old turns, and the maximum number of batches.
const FOLD_EVERY: TimeDelta = TimeDelta::minutes(1);
const FOLDS_AT_ONCE: usize = 20;

impl Inner {
    /// Cancels the worker of a turn, if it runs on this node.
    pub(super) fn stop_worker(&self, turn: TurnId) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cancel)) = running.get(&turn) {
            cancel.cancel();
        }
    }

    /// Runs the turn. If its assistant no longer exists, ends the turn.
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

    /// Removes a worker that has left the turn, unless a newer worker on this node has taken over.
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
    /// Starts a worker for a turn whose lease this node holds.
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
                    tracing::error!(turn.id = %turn, "the turn could not continue: {error}");
                }
            }
            inner.tracer.leave(turn, epoch);
            inner.leave(turn, epoch);
        });
    }

    /// Resumes turns whose worker died or whose approvals were decided. A crash may leave hundreds,
    /// so they are fetched in batches.
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
            at_once = TAKE_OVERS_AT_ONCE;
        }
    }

    /// Ends the leases of all other processes. Call it only while this process owns the database
    /// alone: no other process runs then, so its turns need not wait until their leases expire.
    pub async fn void_stale_leases(&self) -> Result<(), RuntimeError> {
        Ok(self.inner.store.void_leases(&self.inner.node).await?)
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
        let assistant = self.installed().assistant(name).cloned();
        if assistant.is_none() {
            tracing::error!(assistant = name, turn.id = %opened.lease.turn, "the turn is ended: its assistant does not exist");
        }
        tracing::info!(turn.id = %opened.lease.turn, epoch = opened.lease.epoch, "resuming a turn");
        inner.live_turns.open(opened.lease.turn);
        self.work_on(assistant, opened);
        Ok(true)
    }

    /// Scans for abandoned turns and folds old ones for as long as the server runs.
    pub async fn keep_looking_around(&self) {
        self.inner.follow_changes();
        let mut fold_at = self.inner.env.now();
        loop {
            if let Err(error) = self.take_over_abandoned().await {
                tracing::warn!("the scan for abandoned turns failed: {error}");
            }
            let now = self.inner.env.now();
            if now >= fold_at {
                fold_at = now + FOLD_EVERY;
                if let Err(error) = self.fold_ended().await {
                    tracing::warn!("could not fold old turns: {error}");
                }
            }
            let pause = self.inner.engine.lease_for / SCANS_PER_LEASE;
            self.inner.env.sleep(pause).await;
        }
    }

    /// Folds a limited number of batches, so that the scan for abandoned turns is not delayed.
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

    /// Waits for the workers of this node, at most this long. Returns `false` if some still run;
    /// the next process to start takes over their turns.
    pub async fn drain(&self, at_most: Duration) -> bool {
        self.inner.tasks.close();
        let drained = tokio::time::timeout(at_most, self.inner.tasks.wait()).await;
        drained.is_ok()
    }
}
