//! gig: answers recruiters' questions about the candidates of a gig, in Russian or English, with figures
//! computed by code.
//!
//! - `domain`: ranking, statistics, queries and prompts, as pure functions over a pool of candidates
//! - `store`: gigs and responses in the database; `context` and `tools` give them to the model
//! - `chat`: one conversation for each gig and person; `answer_events` streams its answers; `routes` (REST) and `procedures` (tRPC) expose it
//! - `import`: gigs and responses from files; `demo`: a sample workspace

mod answer_events;
mod chat;
mod context;
mod demo;
mod domain;
mod import;
mod inbox;
mod object_search;
mod package;
mod people;
mod procedures;
mod reply;
mod routes;
mod store;
mod tools;

#[cfg(test)]
mod tests;

pub use package::PACKAGE;
pub(crate) use package::{LONGEST_MESSAGE, MESSAGES_A_MINUTE, NAME};
