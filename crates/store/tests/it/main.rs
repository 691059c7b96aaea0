//! What the store promises, tried on real SQLite files and a real Postgres.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests fail by panicking, also in their helpers"
)]

mod approvals;
mod artifacts;
mod attachments;
mod audit;
mod authors;
mod cancelling;
mod change_feed;
mod changes;
mod collisions;
mod companies;
mod consumption;
mod conversations;
mod entering;
mod finishing;
mod growth;
mod in_flight;
mod keys;
mod leases;
mod leaving;
mod lists;
mod opening;
mod opinions;
mod people;
mod races;
mod rates;
mod recording;
mod renewals;
mod restart;
mod retries;
mod rls;
mod round_trip;
mod snapshots;
mod support;
mod turn_changes;
