//! Shows a driver's events to watchers, queues them, and writes them to the journal.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Engine;
use crate::event::{Entry, Event, POSITIONS_AN_EPOCH};
use crate::store::{FinishTurn, Lease, NewAudit, Record, Saves, StoreError};

/// Retries while the database is unavailable, and the longest pause between them.
const ATTEMPTS: u32 = 9;
const LONGEST_PAUSE: Duration = Duration::from_secs(4);

/// Maximum length of joined text in bytes, so that readers of a journal can stop between pieces.
const LONGEST_TEXT: usize = 64 * 1024;

pub(super) struct Recorder<'a> {
    engine: &'a Engine,
    pub(super) lease: Lease,
    resumed_after: Option<u64>,
    queue: Mutex<Queue>,
}

#[derive(Clone, Default)]
struct Queue {
    position: u64,
    entries: Vec<Entry>,
    saves: Saves,
    audit: Vec<NewAudit>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(engine: &'a Engine, lease: Lease, entries: &[Entry]) -> Self {
        let last = entries.last();
        let recorded = last.map_or(0, |entry| entry.position);
        let epoch = u64::try_from(lease.epoch).unwrap_or(0);
        let stopped_for_approval = matches!(
            last.map(|entry| &entry.event),
            Some(Event::ApprovalRequested { .. } | Event::ApprovalDecided { .. })
        );
        // An intermediate worker may have shown events without recording any.
        let by_the_worker_before = recorded / POSITIONS_AN_EPOCH + 1 == epoch;
        let stopped_cleanly = epoch == 0 || (stopped_for_approval && by_the_worker_before);
        Self {
            engine,
            lease,
            resumed_after: (!stopped_cleanly).then_some(recorded),
            queue: Mutex::new(Queue {
                position: recorded.max(epoch * POSITIONS_AN_EPOCH),
                ..Queue::default()
            }),
        }
    }

    /// The last recorded position, if another worker may have shown more.
    pub(super) fn resumed_after_crash(&self) -> Option<u64> {
        self.resumed_after
    }

    /// Shows an event and queues it for the journal. Joins adjacent text up to [`LONGEST_TEXT`].
    pub(super) fn say(&self, event: Event) {
        let mut queue = self.queue();
        let entry = number(&mut queue.position, event);
        self.engine.observer.on_entry(self.lease.turn, &entry);
        if let Event::TextDelta { text } = &entry.event
            && let Some(Entry {
                position,
                event: Event::TextDelta { text: joined },
            }) = queue.entries.last_mut()
            && joined.len() + text.len() <= LONGEST_TEXT
        {
            joined.push_str(text);
            *position = entry.position;
            return;
        }
        queue.entries.push(entry);
    }

    /// Shows an event without journalling it.
    pub(super) fn show_only(&self, event: Event) {
        let position = self.queue().position;
        let entry = Entry { position, event };
        self.engine.observer.on_entry(self.lease.turn, &entry);
    }

    pub(super) fn audit(&self, row: NewAudit) {
        self.queue().audit.push(row);
    }

    /// Adds data to the next record.
    pub(super) fn save(&self, merge: impl FnOnce(&mut Saves)) {
        merge(&mut self.queue().saves);
    }

    /// Writes the queue unless it is empty.
    pub(super) async fn flush(&self) -> Result<(), StoreError> {
        if self.queue().entries.is_empty() {
            return Ok(());
        }
        self.commit(Vec::new(), Record::default()).await
    }

    /// Records these events together with the queue, then shows them. If a change is refused,
    /// nothing of this call is stored and the queue stays.
    pub(super) async fn commit(
        &self,
        events: Vec<Event>,
        record: Record,
    ) -> Result<(), StoreError> {
        let may_be_refused = !record.saves.changes.is_empty();
        let queued = may_be_refused.then(|| self.queue().clone());
        let (record, unseen) = self.drain(events, record);
        let result = self
            .persist(|| self.engine.turns.record(&self.lease, record.clone()))
            .await;
        if result.is_ok() {
            self.show(&unseen);
        } else if let (Err(StoreError::ChangeRefused(_)), Some(queued)) = (&result, queued) {
            *self.queue() = queued;
        }
        result
    }

    pub(super) async fn finish(
        &self,
        event: Event,
        mut finish: FinishTurn,
    ) -> Result<(), StoreError> {
        let (record, unseen) = self.drain(vec![event], finish.record);
        finish.record = record;
        self.persist(|| self.engine.turns.finish(&self.lease, finish.clone()))
            .await?;
        self.show(&unseen);
        Ok(())
    }

    fn show(&self, entries: &[Entry]) {
        for entry in entries {
            self.engine.observer.on_entry(self.lease.turn, entry);
        }
    }

    /// Merges the queue and `events` into one record; also returns the entries not yet shown.
    fn drain(&self, events: Vec<Event>, mut record: Record) -> (Record, Vec<Entry>) {
        let mut queue = self.queue();
        let unseen: Vec<Entry> = events
            .into_iter()
            .map(|event| number(&mut queue.position, event))
            .collect();
        let mut entries = std::mem::take(&mut queue.entries);
        entries.extend(unseen.iter().cloned());
        let mut audit = std::mem::take(&mut queue.audit);
        audit.append(&mut record.audit);
        let mut saves = std::mem::take(&mut queue.saves);
        saves.merge(record.saves);
        let record = Record {
            entries,
            audit,
            saves,
            awaiting: record.awaiting,
            now: self.engine.env.now(),
        };
        (record, unseen)
    }

    /// Retries while the database is unavailable; any other error is final.
    async fn persist<F>(&self, write: impl Fn() -> F) -> Result<(), StoreError>
    where
        F: Future<Output = Result<(), StoreError>>,
    {
        let mut pause = Duration::from_millis(50);
        for _ in 1..ATTEMPTS {
            match write().await {
                Err(StoreError::Unavailable(problem)) => {
                    tracing::warn!(turn.id = %self.lease.turn, problem, "journal not written, trying again");
                    self.engine.env.sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                done => return done,
            }
        }
        write().await
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn number(position: &mut u64, event: Event) -> Entry {
    *position += event.advance();
    Entry {
        position: *position,
        event,
    }
}
