//! The Gate Pass API over real sockets, on SQLite and on a real Postgres.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking; clippy knows only its test functions, not its helpers"
)]

mod access;
mod bad_input;
mod demo;
mod forms;
mod http;
mod idempotency;
mod life;
mod lists;
mod mount;
mod photos;
mod races;
mod site;
mod storage;
mod tables;
