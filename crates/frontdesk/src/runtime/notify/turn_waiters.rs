//! Wakes the watchers of a turn when its journal grows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_core::id::TurnId;
use tokio::sync::watch;

#[derive(Default)]
pub(super) struct TurnWaiters(Mutex<HashMap<TurnId, watch::Sender<()>>>);

pub(in super::super) struct TurnWaiter {
    waiters: Arc<TurnWaiters>,
    turn: TurnId,
    signal: watch::Receiver<()>,
}

impl TurnWaiter {
    /// Resolves after a change since this waiter was created or last resolved.
    pub(in super::super) async fn changed(&mut self) {
        if self.signal.changed().await.is_err() {
            // The sender lives as long as its waiters, so this does not happen.
            std::future::pending().await
        }
    }
}

impl Drop for TurnWaiter {
    fn drop(&mut self) {
        let mut senders = self.waiters.senders();
        // This receiver still counts.
        let is_last = senders
            .get(&self.turn)
            .is_some_and(|sender| sender.receiver_count() <= 1);
        if is_last {
            senders.remove(&self.turn);
        }
    }
}

impl TurnWaiters {
    pub(super) fn add(self: &Arc<Self>, turn: TurnId) -> TurnWaiter {
        let signal = self
            .senders()
            .entry(turn)
            .or_insert_with(|| watch::Sender::new(()))
            .subscribe();
        TurnWaiter {
            waiters: Arc::clone(self),
            turn,
            signal,
        }
    }

    pub(super) fn notify(&self, turn: TurnId) {
        if let Some(sender) = self.senders().get(&turn) {
            sender.send_replace(());
        }
    }

    pub(super) fn notify_all(&self) {
        for sender in self.senders().values() {
            sender.send_replace(());
        }
    }

    fn senders(&self) -> MutexGuard<'_, HashMap<TurnId, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
