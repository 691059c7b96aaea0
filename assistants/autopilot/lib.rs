//! Autopilot: from the first question to a decision about cleaning robots. One conversation is one decision.
//!
//! - `domain`: the interview, the catalogue, the formula and the business case; all pure
//! - `tools`: one file per tool; `journey`: the state of a conversation
//! - `product_store`: the stored catalogue and its search
//! - `routes`: products, figures and progress for the page

mod domain;
mod export;
mod journey;
mod package;
mod people;
mod product_store;
mod routes;
mod tools;

#[cfg(test)]
mod tests;

pub(crate) use package::NAME;
pub use package::PACKAGE;
