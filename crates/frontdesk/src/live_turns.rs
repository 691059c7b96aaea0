//! Broadcasts the events of turns on this node to watchers and the tracer. A watcher that lags, or
//! follows a turn on another node, reads the journal instead.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_core::draft::DraftSignal;
use frontdesk_core::event::{Entry, TurnObserver};
use frontdesk_core::id::TurnId;
use frontdesk_core::model::ModelError;
use tokio::sync::broadcast;

use crate::trace::tracer::Tracer;

/// Channel capacity per turn, in entries. A watcher that lags further must read the journal. Text
/// received together is one entry.
const BEHIND: usize = 64;

pub struct LiveTurns {
    tracer: Arc<Tracer>,
    turns: Mutex<HashMap<TurnId, broadcast::Sender<Arc<Entry>>>>,
}

impl LiveTurns {
    pub fn new(tracer: Arc<Tracer>) -> Self {
        Self {
            tracer,
            turns: Mutex::default(),
        }
    }

    /// Opens the channel before the first event, so that no watcher misses one.
    pub fn open(&self, turn: TurnId) -> broadcast::Receiver<Arc<Entry>> {
        self.turns()
            .entry(turn)
            .or_insert_with(|| broadcast::Sender::new(BEHIND))
            .subscribe()
    }

    /// Subscribes to a turn; `None` if it does not run on this node.
    pub fn join(&self, turn: TurnId) -> Option<broadcast::Receiver<Arc<Entry>>> {
        self.turns().get(&turn).map(broadcast::Sender::subscribe)
    }

    /// Closes the channel after the worker has left the turn.
    pub fn close(&self, turn: TurnId) {
        self.turns().remove(&turn);
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<TurnId, broadcast::Sender<Arc<Entry>>>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TurnObserver for LiveTurns {
    fn on_entry(&self, turn: TurnId, entry: &Entry) {
        self.tracer.on_entry(turn, entry);
        if let Some(stage) = self.turns().get(&turn)
            && stage.receiver_count() > 0
        {
            // Fails only without receivers, which is fine: the journal has all entries.
            let _ = stage.send(Arc::new(entry.clone()));
        }
    }

    fn on_request(&self, turn: TurnId, model: &str) {
        self.tracer.on_request(turn, model);
    }

    fn on_failure(&self, turn: TurnId, error: &ModelError) {
        self.tracer.on_failure(turn, error);
    }

    fn on_draft(&self, turn: TurnId, call_id: &str, signal: &DraftSignal) {
        self.tracer.on_draft(turn, call_id, signal);
    }
}
