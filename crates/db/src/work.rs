//! Work that runs inside a transaction, with its result type erased, so that the machinery of both
//! databases is compiled once.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::BoxFuture;

use crate::Tx;

/// What a transaction is allowed to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Read,
    Write,
    /// Changes tables: as the connecting role and without the time limit of a statement.
    Migrate,
}

/// What the work decided about its own changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    Undo,
}

/// The erased work: it leaves its typed result elsewhere and says what to do with the transaction.
pub(crate) type Work = Box<dyn for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Verdict> + Send>;

/// Counts what happened so far, e.g. how often we waited for the database.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add_one(&self) {
        self.add(1);
    }

    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn so_far(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
