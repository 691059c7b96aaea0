//! Watches one turn without gaps or duplicates: live if it runs on this node, otherwise from the
//! journal.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::event::Entry;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::StoreError;
use futures_util::future::BoxFuture;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::Runtime;
use super::notify::{MembershipWatch, TurnWaiter};
use crate::metrics::Metrics;

/// Poll interval of the journal without a signal: a node that dies may lose its last one.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Interval of access checks of a live stream without a signal: a membership may be deleted
/// directly in the database.
const ACCESS_CHECK_INTERVAL: Duration = Duration::from_secs(3);

pub struct Watch {
    runtime: Runtime,
    who: Principal,
    conversation: ConversationId,
    turn: TurnId,
    /// Position of the last returned event.
    seen: u64,
    ready: VecDeque<Entry>,
    live: Option<broadcast::Receiver<Arc<Entry>>>,
    /// A live event after a gap.
    held: Option<Arc<Entry>>,
    /// Triggers access checks of a live stream; each journal read checks access itself.
    membership_watch: MembershipWatch,
    check_due: BoxFuture<'static, ()>,
    /// Kept while following the journal, and until the first live event after joining.
    turn_waiter: Option<TurnWaiter>,
    over: bool,
}

impl Watch {
    /// Watches a turn that is about to start on this node, from its first event.
    pub(super) fn live(
        runtime: &Runtime,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        entries: &[Entry],
    ) -> Self {
        let live = runtime.inner.live_turns.open(turn);
        Self {
            live: Some(live),
            ready: entries.iter().cloned().collect(),
            ..Self::from_journal(runtime, who, conversation, turn, 0)
        }
    }

    /// Watches a turn on any node from a position.
    pub(super) fn from_journal(
        runtime: &Runtime,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Self {
        Self {
            runtime: runtime.clone(),
            who: who.clone(),
            conversation,
            turn,
            seen: after,
            ready: VecDeque::new(),
            live: None,
            held: None,
            membership_watch: runtime.inner.membership_watch(who.profile()),
            check_due: runtime.inner.env.sleep(ACCESS_CHECK_INTERVAL),
            turn_waiter: None,
            over: false,
        }
    }

    pub fn metrics(&self) -> &Arc<Metrics> {
        self.runtime.metrics()
    }

    /// True after all events were returned.
    pub fn is_over(&self) -> bool {
        self.over && self.ready.is_empty()
    }

    /// The next public event; `None` after the last one, or when the turn waits for approval.
    pub async fn next(&mut self) -> Result<Option<Entry>, StoreError> {
        loop {
            if let Some(entry) = self.at_hand() {
                return Ok(Some(entry));
            }
            if self.over {
                return Ok(None);
            }
            self.wait().await?;
        }
    }

    async fn wait(&mut self) -> Result<(), StoreError> {
        if let Some(entry) = self.held.take() {
            return self.queue_live(entry).await;
        }
        let Some(live) = &mut self.live else {
            return self.read_journal().await;
        };
        let grown = async {
            match &mut self.turn_waiter {
                Some(turn_waiter) => turn_waiter.changed().await,
                None => std::future::pending().await,
            }
        };
        let seen = tokio::select! {
            seen = live.recv() => seen,
            () = self.membership_watch.changed() => return self.check_access().await,
            () = &mut self.check_due => return self.check_access().await,
            () = grown => return self.read_missed().await,
        };
        match seen {
            Ok(entry) => return self.queue_live(entry).await,
            // The watcher lagged or the worker left: read the rest from the journal.
            Err(RecvError::Lagged(_) | RecvError::Closed) => self.live = None,
        }
        Ok(())
    }

    /// Queues a live event and all available ones that follow it without a gap.
    async fn queue_live(&mut self, entry: Arc<Entry>) -> Result<(), StoreError> {
        self.catch_up_with(&entry).await?;
        self.turn_waiter = None;
        let mut reached = entry.position;
        self.ready.push_back(Arc::unwrap_or_clone(entry));
        while let Some(live) = &mut self.live {
            match live.try_recv() {
                Ok(next) if next.start() <= reached => {
                    reached = next.position;
                    self.ready.push_back(Arc::unwrap_or_clone(next));
                }
                Ok(next) => {
                    self.held = Some(next);
                    break;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Lagged(_) | TryRecvError::Closed) => self.live = None,
            }
        }
        Ok(())
    }

    /// The next public event that is already available.
    pub fn at_hand(&mut self) -> Option<Entry> {
        while let Some(entry) = self.ready.pop_front() {
            let Some(entry) = entry.after(self.seen) else {
                continue;
            };
            self.seen = entry.position;
            self.over |= entry.event.ended().is_some();
            if entry.event.is_public() {
                return Some(entry);
            }
        }
        None
    }

    /// Reads events from before joining that have reached the journal since.
    async fn read_missed(&mut self) -> Result<(), StoreError> {
        let store = &self.runtime.inner.store;
        let missed = store
            .entries(&self.who, self.conversation, self.turn, self.seen)
            .await?;
        self.ready.extend(missed);
        Ok(())
    }

    /// Fails if the person has lost access to the conversation.
    async fn check_access(&mut self) -> Result<(), StoreError> {
        let inner = &self.runtime.inner;
        self.check_due = inner.env.sleep(ACCESS_CHECK_INTERVAL);
        let store = &inner.store;
        store.get(&self.who, self.conversation).await.map(drop)
    }

    /// After joining mid-turn, waits until the events before `entry` have reached the journal.
    async fn catch_up_with(&mut self, entry: &Entry) -> Result<(), StoreError> {
        if entry.start() <= self.seen {
            return Ok(());
        }
        let inner = &self.runtime.inner;
        let mut turn_waiter = inner.turn_waiter(self.turn);
        while entry.start() > self.seen {
            let missed = inner
                .store
                .entries(&self.who, self.conversation, self.turn, self.seen)
                .await?;
            let reached = missed.last().map_or(self.seen, |last| last.position);
            if reached >= entry.start() || entry.is_first_of_its_worker() {
                self.ready.extend(missed);
                return Ok(());
            }
            wait_for_change(&self.runtime, &mut turn_waiter).await;
        }
        Ok(())
    }

    async fn read_journal(&mut self) -> Result<(), StoreError> {
        // Subscribes first: events during the read are then duplicated, never missed.
        self.live = self.runtime.inner.live_turns.join(self.turn);
        if self.turn_waiter.is_none() {
            self.turn_waiter = Some(self.runtime.inner.turn_waiter(self.turn));
        }
        let store = &self.runtime.inner.store;
        let entries = store
            .entries(&self.who, self.conversation, self.turn, self.seen)
            .await?;
        if !entries.is_empty() {
            self.ready.extend(entries);
            return Ok(());
        }
        if self.live.is_some() {
            return Ok(());
        }
        let status = store.turn(&self.who, self.conversation, self.turn).await?;
        if status.position > self.seen {
            // The turn advanced between the two reads.
            return Ok(());
        }
        match status.state {
            TurnState::Running => {
                if let Some(mut turn_waiter) = self.turn_waiter.take() {
                    wait_for_change(&self.runtime, &mut turn_waiter).await;
                    self.turn_waiter = Some(turn_waiter);
                }
            }
            TurnState::AwaitingApproval
            | TurnState::Completed
            | TurnState::Failed
            | TurnState::Cancelled
            | TurnState::Interrupted => self.over = true,
        }
        Ok(())
    }
}

/// Waits for a change of the turn, at most [`POLL_INTERVAL`].
async fn wait_for_change(runtime: &Runtime, turn_waiter: &mut TurnWaiter) {
    let timeouts = runtime.inner.env.sleep(POLL_INTERVAL);
    tokio::select! {
        () = turn_waiter.changed() => {}
        () = timeouts => {}
    }
}
