//! The service's own tables, on SQLite and on Postgres: one file a table, SQL that both understand.

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
    steps: &[Migration {
        version: 1,
        name: "passes",
        sqlite: include_str!("../../migrations/0001_passes.sqlite.sql"),
        postgres: include_str!("../../migrations/0001_passes.postgres.sql"),
    }],
};

/// Every transaction runs as the service: the role was checked where the request came in, and the tables belong to
/// nobody else.
pub(crate) fn claims() -> Claims {
    Claims::system("gate pass service: each route checks the caller's role")
}
