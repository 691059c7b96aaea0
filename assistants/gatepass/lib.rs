//! Gate passes by conversation: HR requests them, admins decide, guards record exits and returns.
//! The passes live in an HTTP API that this assistant does not own.
//!
//! - `tools` is the table of the tools; `call` turns a call into its API request
//! - `api` sends the request; `errors` explains failures, `replies` renders responses
//! - `context` holds the state of a conversation; `photo` validates photos
//! - `runner` executes all tools
//! - `routes` serves the page; `inbox` reports passes that wait for admins

mod api;
mod call;
mod context;
mod errors;
mod inbox;
mod package;
mod people;
mod photo;
mod replies;
mod routes;
mod runner;
mod settings;
mod tools;

#[cfg(test)]
mod tests;

pub(crate) use package::NAME;
pub use package::PACKAGE;
