//! The gate pass: number, states and text rules. Pure, no IO.

mod number;
mod status;
mod text;

pub(crate) use number::{MalformedNumber, PassNumber};
pub(crate) use status::{Action, Effect, Status, allowed_actions, decide};
pub(crate) use text::{DESCRIPTION_MAX, NAME_MAX, clean};

#[cfg(test)]
mod number_tests;
#[cfg(test)]
mod status_tests;
#[cfg(test)]
mod text_tests;
