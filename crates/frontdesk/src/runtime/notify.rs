//! Wakes everything in this process that waits for a change, on whichever node the change was
//! committed: streams of a person's changes, watchers of a turn, and access checks.

mod subscriptions;
mod turn_waiters;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::id::{ProfileId, TurnId};
use frontdesk_store::{ChangeFeed, FeedItem};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{Inner, Runtime};
use subscriptions::Subscriptions;
pub use subscriptions::{Delivery, Subscription};
pub(super) use turn_waiters::TurnWaiter;
use turn_waiters::TurnWaiters;

/// Between two attempts to open the feed while the database is unreachable.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// Membership changes that a watcher may lag behind before it checks anyway.
const BACKLOG: usize = 1024;

pub(super) struct Notifier {
    turns: Arc<TurnWaiters>,
    subscriptions: Arc<Subscriptions>,
    /// Whose memberships changed; `None` after a gap. Separate from the subscriptions, so that
    /// the watchers of a turn do not wake for every change.
    memberships: broadcast::Sender<Option<ProfileId>>,
    started: AtomicBool,
}

impl Default for Notifier {
    fn default() -> Self {
        Self {
            turns: Arc::default(),
            subscriptions: Arc::default(),
            memberships: broadcast::Sender::new(BACKLOG),
            started: AtomicBool::new(false),
        }
    }
}

impl Notifier {
    fn deliver(&self, item: FeedItem) {
        match item {
            FeedItem::TurnAdvanced(turn) | FeedItem::TurnCancelled(turn) => self.turns.notify(turn),
            FeedItem::Notice(notice) => {
                if let ChangeNotice::Membership { profile, .. } = &notice {
                    // Fails only without receivers, which is fine.
                    let _ = self.memberships.send(Some(*profile));
                }
                self.subscriptions.deliver(notice);
            }
            FeedItem::Gap => {
                self.turns.notify_all();
                self.subscriptions.report_gap();
                let _ = self.memberships.send(None);
            }
        }
    }
}

impl Runtime {
    /// Changes that concern this person from now on, on any node.
    pub fn subscribe(&self, who: &Principal) -> Subscription {
        let subscription = self.inner.notifier.subscriptions.add(who);
        self.inner.follow_changes();
        subscription
    }
}

impl Inner {
    /// Changes of the turn from now on: read the journal after this call, not before.
    pub(super) fn turn_waiter(self: &Arc<Self>, turn: TurnId) -> TurnWaiter {
        let waiter = self.notifier.turns.add(turn);
        self.follow_changes();
        waiter
    }

    pub(super) fn membership_watch(self: &Arc<Self>, profile: ProfileId) -> MembershipWatch {
        let changes = self.notifier.memberships.subscribe();
        self.follow_changes();
        MembershipWatch { changes, profile }
    }

    /// Starts following the change feed, once per process.
    pub(super) fn follow_changes(self: &Arc<Self>) {
        if !self.notifier.started.swap(true, Ordering::AcqRel) {
            tokio::spawn(follow(Arc::downgrade(self)));
        }
    }

    fn on_change(&self, item: FeedItem) {
        if let FeedItem::TurnCancelled(turn) = &item {
            self.stop_worker(*turn);
        }
        self.notifier.deliver(item);
    }
}

/// Reports that a person's access may have changed.
pub(super) struct MembershipWatch {
    changes: broadcast::Receiver<Option<ProfileId>>,
    profile: ProfileId,
}

impl MembershipWatch {
    /// Resolves when a membership of the person changed, or when a change may have been missed.
    pub(super) async fn changed(&mut self) {
        loop {
            match self.changes.recv().await {
                Ok(Some(profile)) if profile != self.profile => {}
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                // The runtime is gone: nothing changes any more.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

/// Ends when the runtime or its database is gone.
async fn follow(runtime: Weak<Inner>) -> Option<()> {
    let mut feed = open_feed(&runtime).await?;
    // Changes until now were not delivered.
    runtime.upgrade()?.on_change(FeedItem::Gap);
    loop {
        let item = feed.next().await?;
        runtime.upgrade()?.on_change(item);
    }
}

async fn open_feed(runtime: &Weak<Inner>) -> Option<ChangeFeed> {
    loop {
        let (store, env) = {
            let inner = runtime.upgrade()?;
            (inner.store.clone(), Arc::clone(&inner.env))
        };
        match store.change_feed().await {
            Ok(feed) => return Some(feed),
            Err(error) => tracing::warn!("cannot follow changes yet: {error}"),
        }
        drop(store);
        env.sleep(RETRY_AFTER).await;
    }
}
