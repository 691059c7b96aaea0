//! Fault injection: a test registers a hook for a database, and each step of a write calls
//! it. Compiled only with debug assertions, so release builds do not contain it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    Claims, DbError,
    work::{Mode, Work},
};

/// A step of a write at which the hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before a statement.
    Statement,
    /// After all statements, before the commit.
    Commit,
    /// After the commit, before the caller gets the result.
    Committed,
}

/// Called at each point of each write with a user's claims; the platform's own writes
/// (scans, lease renewals) have unpredictable timing and are skipped. The hook may return
/// an error, panic, block the thread or end the process.
pub type Hook = Arc<dyn Fn(Point) -> Result<(), DbError> + Send + Sync>;

static HOOKS: Mutex<Vec<(String, Hook)>> = Mutex::new(Vec::new());

/// Registers the hook for databases opened later whose display name contains `in_name`.
pub fn install(in_name: &str, hook: Hook) {
    let mut hooks = HOOKS.lock().unwrap_or_else(PoisonError::into_inner);
    hooks.push((in_name.to_owned(), hook));
}

pub(crate) fn hook_of(place: &str) -> Option<Hook> {
    let hooks = HOOKS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = hooks.iter().find(|(name, _)| place.contains(name));
    found.map(|(_, hook)| Arc::clone(hook))
}

pub(crate) fn reach(hook: Option<&Hook>, point: Point) -> Result<(), DbError> {
    match hook {
        Some(hook) => hook(point),
        None => Ok(()),
    }
}

/// Wraps the work so that its transaction calls the hook, if there is one.
pub(crate) fn hooked(hook: Option<&Hook>, mode: Mode, who: &Claims, work: Work) -> Work {
    let counts = mode == Mode::Write && who.system_reason().is_none();
    let hook = hook.filter(|_| counts).cloned();
    Box::new(move |tx| {
        tx.hook = hook;
        work(tx)
    })
}
