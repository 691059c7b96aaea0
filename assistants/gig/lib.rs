//! gig: recruiters ask about the candidates of a gig, in Russian or English, and get figures that
//! code computed.
//!
//! - `domain` is what can be known about a pool of candidates: ranking, statistics, look-ups, prompts
//! - `store` keeps gigs and responses, `context` tells the model of them, `tools` let it look things up
//! - `chat` is one conversation for each gig and person; `routes` and `procedures` are its doors
//! - `import` takes responses in from files, `demo` makes a workspace to try it with

mod chat;
mod context;
mod demo;
mod domain;
mod import;
mod inbox;
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
pub(crate) use package::{LONGEST_MESSAGE, NAME};
