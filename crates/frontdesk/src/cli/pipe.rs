//! Ends a command silently when its reader closes the pipe (`| head -1`). Restoring SIGPIPE's
//! default action would need `unsafe`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A shell's exit status for SIGPIPE: 128 plus the signal number.
pub(super) const CLOSED: u8 = 141;

/// Runs a command; `None` if standard output was closed, on which `print!` panics.
pub(super) fn unless_closed<T>(command: impl FnOnce() -> T) -> Option<T> {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_closed(panic.payload()) {
            before(panic);
        }
    }));
    match catch_unwind(AssertUnwindSafe(command)) {
        Ok(done) => Some(done),
        Err(panic) if is_closed(panic.as_ref()) => None,
        Err(panic) => resume_unwind(panic),
    }
}

fn is_closed(panic: &(dyn Any + Send)) -> bool {
    panic.downcast_ref::<String>().is_some_and(|text| {
        text.starts_with("failed printing to std") && text.contains("Broken pipe")
    })
}
