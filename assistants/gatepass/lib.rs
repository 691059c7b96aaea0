//! Gate passes by conversation: HR requests them, admins decide, guards record exits and returns.
//! The passes live in an HTTP API that this assistant does not own.
//!
//! - `assistant.toml` declares the assistant and its tools like any manifest
//! - `runner` adds to each tool its text, cards and context; `replies` renders the results
//! - `context` holds the state of a conversation
//! - `routes` serves the page; `inbox` reports passes that wait for admins

mod context;
mod inbox;
mod object_search;
mod package;
mod pass_cards;
mod replies;
mod routes;
mod runner;
mod settings;
#[cfg(test)]
mod tests;

pub use package::PACKAGE;
