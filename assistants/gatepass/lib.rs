//! Gate passes by conversation: HR asks for them, admins decide, guards record who leaves
//! and who comes back. The passes live in an HTTP API that this assistant does not own.
//!
//! - `tools` is the table of the tools; `call` turns a call into the request it stands for
//! - `api` sends it; `errors` says what went wrong, `replies` what came of it
//! - `context` is what a conversation is about; `photo` decides what may be sent as one
//! - `runner` puts these together, once for all tools
//! - `routes` is what the page shows beside the conversation; `inbox` is what waits for admins

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
