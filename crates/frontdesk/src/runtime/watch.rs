//! Watching one turn: live where it runs here, from the journal otherwise, without a gap
//! and without a duplicate.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::event::Entry;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{Conversations, StoreError, TurnViews};
use futures_util::future::BoxFuture;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::Runtime;
use super::notify::{MembershipWatch, TurnWaiter};
use crate::metrics::Metrics;

/// How often the journal is read although nothing told us that it grew: a node that dies
/// takes its last news with it.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// How often a live stream asks whether its person may still see the turn, although nobody said
/// that something changed: a membership may be deleted in the database itself.
const CHECK_AGAIN: Duration = Duration::from_secs(3);

pub struct Watch {
    runtime: Runtime,
    who: Principal,
    conversation: ConversationId,
    turn: TurnId,
    /// Everything up to here has been handed out.
    seen: u64,
    ready: VecDeque<Entry>,
    live: Option<broadcast::Receiver<Arc<Entry>>>,
    /// A live event with a gap before it.
    held: Option<Arc<Entry>>,
    /// Whether the person may still see it; the journal is asked anew each time.
    membership_watch: MembershipWatch,
    check_due: BoxFuture<'static, ()>,
    /// Kept while the journal is followed, and until the first live event after joining.
    turn_waiter: Option<TurnWaiter>,
    over: bool,
}

impl Watch {
    /// From the first event of a turn that is about to start here.
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

    /// From a position on, wherever the turn runs.
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
            check_due: runtime.inner.env.sleep(CHECK_AGAIN),
            turn_waiter: None,
            over: false,
        }
    }

    pub fn metrics(&self) -> &Arc<Metrics> {
        self.runtime.metrics()
    }

    /// Everything was handed out.
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
            return self.take_in(entry).await;
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
            Ok(entry) => return self.take_in(entry).await,
            // Fell behind, or the worker left: the journal has what is missing.
            Err(RecvError::Lagged(_) | RecvError::Closed) => self.live = None,
        }
        Ok(())
    }

    /// A live event, and those that follow it without a gap and are there already.
    async fn take_in(&mut self, entry: Arc<Entry>) -> Result<(), StoreError> {
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

    /// The next public event that is here already.
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

    /// What was said before we joined and has reached the journal since.
    async fn read_missed(&mut self) -> Result<(), StoreError> {
        let store = &self.runtime.inner.store;
        let missed = store
            .entries(&self.who, self.conversation, self.turn, self.seen)
            .await?;
        self.ready.extend(missed);
        Ok(())
    }

    /// Who may not see the conversation any more does not see the rest of the turn either.
    async fn check_access(&mut self) -> Result<(), StoreError> {
        let inner = &self.runtime.inner;
        self.check_due = inner.env.sleep(CHECK_AGAIN);
        let store = &inner.store;
        store.get(&self.who, self.conversation).await.map(drop)
    }

    /// Who joins in the middle has missed what was said before and is not in the journal
    /// yet: it soon is.
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
            rest(&self.runtime, &mut turn_waiter).await;
        }
        Ok(())
    }

    async fn read_journal(&mut self) -> Result<(), StoreError> {
        // Joined first: what happens while we read is then seen twice, never missed.
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
            // It went on between our two looks.
            return Ok(());
        }
        match status.state {
            TurnState::Running => {
                if let Some(mut turn_waiter) = self.turn_waiter.take() {
                    rest(&self.runtime, &mut turn_waiter).await;
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

/// Until something happened to the turn, or for a while.
async fn rest(runtime: &Runtime, turn_waiter: &mut TurnWaiter) {
    let timeouts = runtime.inner.env.sleep(LOOK_AGAIN);
    tokio::select! {
        () = turn_waiter.changed() => {}
        () = timeouts => {}
    }
}
