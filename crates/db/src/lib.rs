//! One way to run a transaction, on an embedded SQLite file or on PostgreSQL 15 and later.
//!
//! - [`Db`] opens a database and runs work in it: [`Db::read`] on a snapshot, [`Db::write`] in one
//!   transaction that is durable when it returns `Ok`. A dropped caller never cancels work that began.
//! - [`Tx`] is what the work is given: statements with `$1..$N` on both databases.
//! - [`Value`], [`Row`] and [`FromValue`] carry values in and out; [`Claims`] say who is asking.
//! - [`MigrationSet`] brings tables to the version this binary knows.
//! - [`Listener`] hears what [`Tx::notify`] said once it was committed.
//!
//! A transaction in which a statement failed never commits, on either database: where a conflict is
//! expected, say so in the SQL (`ON CONFLICT`).

mod claims;
mod db;
mod error;
#[cfg(debug_assertions)]
pub mod faults;
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
pub use migrate::{Migration, MigrationSet};
pub use pool::PoolState as Pool;
pub use postgres::PostgresOptions;
pub use row::{Cell, FromValue, Row};
pub use sqlite::{SqliteOptions, Synchronous};
pub use tx::Tx;
pub use value::Value;
