//! Gate passes by conversation: HR requests them, admins decide, guards record exits and returns.
//! The passes live in an HTTP API that this assistant does not own.
//!
//! - `tools` reads the table of the tools, `tools.toml`
//! - `runner` runs each of them as an operation of the API; `replies` renders the results
//! - `context` holds the state of a conversation
//! - `routes` serves the page; `inbox` reports passes that wait for admins

mod context;
mod inbox;
mod object_search;
mod package;
mod pass_cards;
mod people;
mod replies;
mod routes;
mod runner;
mod settings;
mod tools;

#[cfg(test)]
mod tests;

pub use package::PACKAGE;
