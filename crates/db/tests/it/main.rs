//! The contract of both databases, tested on real SQLite files and a real Postgres.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking, also in their helpers"
)]

mod claims;
mod commit;
mod constraints;
#[cfg(debug_assertions)]
mod failpoints;
mod faults;
mod files;
mod group;
mod listen;
mod migrations;
mod proxy;
mod storm;
mod support;
mod synced;
mod tls;
mod transactions;
mod values;
