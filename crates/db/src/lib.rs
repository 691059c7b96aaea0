//! Transactions on an embedded SQLite file or on PostgreSQL 15 and later.
//!
//! - [`Db`] opens a database and runs work in it: [`Db::read`] on a snapshot, [`Db::write`]
//!   in one transaction. Dropping the caller never cancels work that has started.
//! - [`Tx`] runs statements; parameters are `$1..$N` on both databases.
//! - [`Value`], [`Row`] and [`FromValue`] convert values; [`Claims`] identify the user.
//! - [`MigrationSet`] migrates tables to the version of this binary.
//! - [`Listener`] receives the notices of committed transactions ([`Tx::notify`]).
//!
//! A transaction with a failed statement never commits, on either database: handle expected
//! conflicts in SQL (`ON CONFLICT`).

mod claims;
mod db;
mod error;
#[cfg(debug_assertions)]
pub mod faults;
mod indexes;
mod listen;
mod migrate;
mod pool;
mod postgres;
mod row;
mod sqlite;
mod tx;
mod value;
mod work;

pub use claims::Claims;
pub use db::{Db, Dialect};
pub use error::DbError;
pub use listen::{Listener, Notice};
pub use migrate::{Migration, MigrationSet, PostgresHooks};
pub use pool::PoolState as Pool;
pub use postgres::PostgresOptions;
pub use row::{Cell, FromValue, Row};
pub use sqlite::{SqliteOptions, Synchronous};
pub use tx::Tx;
pub use value::Value;
