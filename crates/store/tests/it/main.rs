//! Contract tests of the store on real SQLite files and a real Postgres.
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
mod caller;
mod cancelling;
mod change_feed;
mod changes;
mod collisions;
mod companies;
mod conversations;
mod feedback;
mod finishing;
mod growth;
mod in_flight;
mod keys;
mod large_migration;
mod leases;
mod leaving;
mod lists;
mod opening;
mod people;
mod races;
mod rates;
mod recording;
mod renewals;
mod restart;
mod retries;
mod rls;
mod round_trip;
mod shares;
mod snapshots;
mod support;
mod text_search;
mod turn_changes;
mod upgrades;
mod usage;
mod versions;
