//! Serialises opening turns per person. Rate limits take a per-person lock; without this, waiters
//! would each hold a pooled connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use frontdesk_core::id::ProfileId;
use tokio::sync::OwnedMutexGuard;

type Slot = tokio::sync::Mutex<()>;

#[derive(Default)]
pub(super) struct Queue {
    places: Mutex<HashMap<ProfileId, Weak<Slot>>>,
}

/// Number of entries at which unused ones are removed.
const MANY: usize = 1024;

impl Queue {
    /// Acquires the person's slot; dropping the guard releases it.
    pub(super) async fn enter(&self, who: ProfileId) -> OwnedMutexGuard<()> {
        self.place(who).lock_owned().await
    }

    fn place(&self, who: ProfileId) -> Arc<Slot> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(&who).and_then(Weak::upgrade) {
            return place;
        }
        if places.len() >= MANY {
            places.retain(|_, place| place.strong_count() > 0);
        }
        let place = Arc::new(Slot::default());
        places.insert(who, Arc::downgrade(&place));
        place
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod queue_tests;
