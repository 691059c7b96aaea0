//! What the whole node hears of the world around turns: conversations, cards, memberships. One
//! ear for all streams; each is told what concerns its person.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::id::ProfileId;
use frontdesk_core::news::News;
use frontdesk_store::{Gazette, Heard};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::boxes::{Boxes, NewsBox};
use super::{Desk, Inner};

/// Before the next attempt to hear something, when the database is away.
const PAUSE: Duration = Duration::from_secs(1);
/// News that a watcher may be behind before it must look at everything again.
const BEHIND: usize = 1024;

pub(super) struct Ears {
    boxes: Arc<Boxes>,
    /// The part of it that may change what somebody may see: everyone who watches a turn listens
    /// to this, and must not be woken by each turn of everybody else.
    rights: broadcast::Sender<Heard>,
    started: AtomicBool,
}

impl Default for Ears {
    fn default() -> Self {
        Self {
            boxes: Arc::default(),
            rights: broadcast::Sender::new(BEHIND),
            started: AtomicBool::new(false),
        }
    }
}

impl Ears {
    fn pass_on(&self, heard: Heard) {
        self.boxes.pass_on(&heard);
        match &heard {
            Heard::News(News::Membership { .. }) | Heard::Gap => {
                // Nobody may listen at the moment: then nobody needs to know.
                let _ = self.rights.send(heard);
            }
            Heard::News(
                News::Conversation { .. } | News::Approval { .. } | News::Invitation { .. },
            ) => {}
        }
    }
}

impl Desk {
    /// What concerns this person from now on, on any node.
    pub fn hear(&self, who: &Principal) -> NewsBox {
        let news = self.inner.ears.boxes.open(who);
        self.inner.open_ears();
        news
    }
}

impl Inner {
    fn open_ears(self: &Arc<Self>) {
        if !self.ears.started.swap(true, Ordering::AcqRel) {
            tokio::spawn(listen(Arc::downgrade(self)));
        }
    }

    /// Watches over what a person may see.
    pub(super) fn rights(self: &Arc<Self>, profile: ProfileId) -> Rights {
        let heard = self.ears.rights.subscribe();
        self.open_ears();
        Rights { heard, profile }
    }
}

/// Tells when what somebody may see could be different.
pub struct Rights {
    heard: broadcast::Receiver<Heard>,
    profile: ProfileId,
}

impl Rights {
    /// Resolves when the person left a company, or when that may have been missed.
    pub(super) async fn changed(&mut self) {
        loop {
            match self.heard.recv().await {
                Ok(Heard::News(News::Membership { profile, .. })) if profile == self.profile => {
                    return;
                }
                Ok(Heard::Gap) | Err(RecvError::Lagged(_)) => return,
                Ok(Heard::News(_)) => {}
                // With the desk gone there is nothing to wait for.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

/// Ends when the desk or its database is gone.
async fn listen(desk: Weak<Inner>) -> Option<()> {
    let mut gazette = open(&desk).await?;
    loop {
        let heard = gazette.next().await?;
        desk.upgrade()?.ears.pass_on(heard);
    }
}

async fn open(desk: &Weak<Inner>) -> Option<Gazette> {
    loop {
        let (store, world) = {
            let inner = desk.upgrade()?;
            (inner.store.clone(), Arc::clone(&inner.world))
        };
        match store.gazette().await {
            Ok(gazette) => {
                // Whatever happened until now was not heard.
                desk.upgrade()?.ears.pass_on(Heard::Gap);
                return Some(gazette);
            }
            Err(error) => tracing::warn!("cannot listen for news yet: {error}"),
        }
        drop(store);
        world.sleep(PAUSE).await;
    }
}
