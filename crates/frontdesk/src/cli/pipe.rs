//! A reader that has seen enough (`| head -1`) ends a command without a word, as it ends other
//! Unix tools. The signal that ends those cannot be had back without `unsafe`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What a shell reports of a tool that wrote into a closed pipe: 128 and the signal's number.
pub(super) const CLOSED: u8 = 141;

/// Runs a command; `None` when nobody reads any more what it prints. `print!` panics then.
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
