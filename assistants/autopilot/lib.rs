//! Autopilot: from the first question to a decision about cleaning robots. One conversation is one decision.
//!
//! - `domain` is what it knows: the interview, the catalogue, the calculation, the page to hand on; all pure
//! - `tools` is one file a tool; `journey` is what a conversation keeps of them
//! - `product_store` is the catalogue as it is now, and how robots are found by meaning
//! - `routes` is the same for the page: products, figures, how far discovery is

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
