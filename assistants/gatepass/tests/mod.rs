//! The assistant as a whole: the design's correctness properties, the client against real sockets,
//! and complete scenarios with the real Gate Pass API.

mod answers;
pub(super) mod bench;
mod client;
pub(super) mod env;
mod foreign;
mod manifest;
mod properties;
mod scenarios;
mod service;
pub(super) mod upstream;
