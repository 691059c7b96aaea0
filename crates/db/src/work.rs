//! Type-erased work for a transaction, so that the machinery of both databases is compiled
//! once.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::BoxFuture;

use crate::Tx;

/// The access of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Read,
    Write,
    /// Schema changes: as the connecting role and without a statement timeout.
    Migrate,
}

/// The work's decision about its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    Undo,
}

/// Type-erased work. It stores its typed result elsewhere and returns whether to commit.
pub(crate) type Work = Box<dyn for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Verdict> + Send>;

/// An event counter, e.g. of round trips.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add_one(&self) {
        self.add(1);
    }

    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
