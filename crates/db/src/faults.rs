//! Faults on purpose: a test hangs a hook on a database, and each step of its writes passes by it.
//! In builds without debug assertions, and so in everything that is shipped, none of this exists.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    Claims, DbError,
    work::{Mode, Work},
};

/// Where a write can be hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// A statement is about to be run.
    Statement,
    /// All statements were run and nothing is committed.
    Commit,
    /// It is committed and nobody has been told.
    Committed,
}

/// Passed at each point of each write for somebody; the platform's own (scans, renewals) come when
/// they come and pass none. It may return an error, panic, hold the thread or end the process.
pub type Hook = Arc<dyn Fn(Point) -> Result<(), DbError> + Send + Sync>;

static HOOKS: Mutex<Vec<(String, Hook)>> = Mutex::new(Vec::new());

/// For every database that is opened from now on and whose name, as errors tell it, contains this.
pub fn hang(in_name: &str, hook: Hook) {
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

/// The work with the hook on its transaction, or with none on it.
pub(crate) fn hooked(hook: Option<&Hook>, mode: Mode, who: &Claims, work: Work) -> Work {
    let counts = mode == Mode::Write && who.system_reason().is_none();
    let hook = hook.filter(|_| counts).cloned();
    Box::new(move |tx| {
        tx.hook = hook;
        work(tx)
    })
}
