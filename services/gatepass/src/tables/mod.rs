//! The service's tables on SQLite and Postgres: one file per table, with SQL for both.

pub(crate) mod counters;
pub(crate) mod history;
pub(crate) mod lists;
pub(crate) mod notifications;
pub(crate) mod passes;
pub(crate) mod photos;
pub(crate) mod requests;

use frontdesk_db::{Claims, Migration, MigrationSet};

/// The tables of this service, for `Db::migrate`.
pub const MIGRATIONS: MigrationSet = MigrationSet {
    owner: "gatepass",
    hooks: None,
    steps: &[Migration {
        version: 1,
        name: "passes",
        sqlite: include_str!("../../migrations/0001_passes.sqlite.sql"),
        postgres: include_str!("../../migrations/0001_passes.postgres.sql"),
    }],
};

/// Every transaction runs as the service: the guard has checked the role, and the service
/// owns the tables.
pub(crate) fn claims() -> Claims {
    Claims::system("gate pass service: each route checks the caller's role")
}
