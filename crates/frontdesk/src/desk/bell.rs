//! Wakes those who watch a turn when its journal grew, on whichever node that was. One ear
//! for the whole process, started by the first who waits.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use frontdesk_core::id::TurnId;
use frontdesk_store::{News, TurnNews};
use tokio::sync::watch;

use super::Inner;

/// Before the next attempt to hear something, when the database is away.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct Bell {
    ropes: Mutex<HashMap<TurnId, watch::Sender<()>>>,
    started: AtomicBool,
}

/// Somebody who wants to be woken.
pub(super) struct Sleeper {
    inner: Weak<Inner>,
    turn: TurnId,
    woken: watch::Receiver<()>,
}

impl Sleeper {
    /// Resolves when something happened to the turn since this was made or last resolved.
    pub(super) async fn woken(&mut self) {
        if self.woken.changed().await.is_err() {
            // The bell is gone with its desk, and so is everything to wait for.
            std::future::pending().await
        }
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.upgrade() {
            let mut ropes = inner.bell.ropes();
            // Ours still counts.
            let last = ropes
                .get(&self.turn)
                .is_some_and(|rope| rope.receiver_count() <= 1);
            if last {
                ropes.remove(&self.turn);
            }
        }
    }
}

impl Bell {
    fn ropes(&self) -> MutexGuard<'_, HashMap<TurnId, watch::Sender<()>>> {
        self.ropes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self, turn: TurnId) {
        if let Some(rope) = self.ropes().get(&turn) {
            rope.send_replace(());
        }
    }

    fn ring_all(&self) {
        for rope in self.ropes().values() {
            rope.send_replace(());
        }
    }
}

impl Inner {
    /// From now on the sleeper is woken by whatever happens to the turn: look at the journal
    /// after this, not before.
    pub(super) fn sleeper(self: &Arc<Self>, turn: TurnId) -> Sleeper {
        self.listen();
        let woken = self
            .bell
            .ropes()
            .entry(turn)
            .or_insert_with(|| watch::Sender::new(()))
            .subscribe();
        Sleeper {
            inner: Arc::downgrade(self),
            turn,
            woken,
        }
    }

    /// Begins to hear what happens on other nodes.
    pub(super) fn listen(self: &Arc<Self>) {
        if !self.bell.started.swap(true, Ordering::AcqRel) {
            tokio::spawn(listen(Arc::downgrade(self)));
        }
    }

    fn heard(&self, news: News) {
        match news {
            News::WentOn(turn) => self.bell.ring(turn),
            News::Cancelled(turn) => {
                self.stop_worker(turn);
                self.bell.ring(turn);
            }
            News::Gap => self.bell.ring_all(),
        }
    }
}

/// Ends when the desk or its database is gone.
async fn listen(desk: Weak<Inner>) -> Option<()> {
    let mut news = open_ears(&desk).await?;
    loop {
        let heard = news.next().await?;
        desk.upgrade()?.heard(heard);
    }
}

async fn open_ears(desk: &Weak<Inner>) -> Option<TurnNews> {
    loop {
        let (store, world) = {
            let inner = desk.upgrade()?;
            (inner.store.clone(), Arc::clone(&inner.world))
        };
        match store.news().await {
            Ok(news) => {
                // Whatever happened until now was not heard.
                desk.upgrade()?.heard(News::Gap);
                return Some(news);
            }
            Err(error) => tracing::warn!("cannot listen for news of turns yet: {error}"),
        }
        drop(store);
        world.sleep(PAUSE).await;
    }
}
