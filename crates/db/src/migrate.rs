//! Schema migrations. A pure function computes the due steps from the applied ones; each
//! step runs in its own transaction, together with its record.

use std::{collections::HashSet, fmt::Write as _};

use chrono::Utc;
use sha2::{Digest, Sha256};

use crate::{Claims, Db, DbError, Dialect, Tx, indexes, postgres::NodeLock, work::Mode};

/// The migrations of one part of the product, which owns its tables.
#[derive(Clone, Copy, Debug)]
pub struct MigrationSet {
    pub owner: &'static str,
    /// Work on Postgres around all migrations, for a set that manages roles.
    pub hooks: Option<PostgresHooks>,
    /// Ascending by version.
    pub steps: &'static [Migration],
}

/// Idempotent scripts that run when a step is due, or when `settled` finds no row, and what else
/// belongs to the tables.
#[derive(Clone, Copy, Debug)]
pub struct PostgresHooks {
    /// A query that finds a row if there is nothing to do; empty if there never is.
    pub settled: &'static str,
    /// Runs before the first step of all sets.
    pub before: &'static str,
    /// Runs after the last step of all sets.
    pub after: &'static str,
    /// `NAME ON TABLE …`: built after that, on large tables in the background, without blocking
    /// writers. Queries must work without them.
    pub indexes: &'static [&'static str],
    /// Versions with checksums of earlier scripts that leave the same tables.
    pub superseded: &'static [(i64, &'static str)],
}

/// One step, with a script for each database. A script may have several statements and must
/// not begin or end a transaction. In a Postgres script `public` names the schema of the
/// tables, whichever is configured. SQLite scripts must not use deferred constraints: they
/// are checked at the commit of a whole group, so one job would fail its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    pub version: i64,
    pub name: &'static str,
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

impl PostgresHooks {
    /// Nothing to do.
    pub const NONE: PostgresHooks = PostgresHooks {
        settled: "",
        before: "",
        after: "",
        indexes: &[],
        superseded: &[],
    };
}

impl Migration {
    fn script(&self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::Sqlite => self.sqlite,
            Dialect::Postgres => self.postgres,
        }
    }

    fn checksum(&self, dialect: Dialect) -> String {
        let digest = Sha256::digest(self.script(dialect).as_bytes());
        digest.iter().fold(String::new(), |mut hex, byte| {
            // Writing to a `String` cannot fail.
            write!(hex, "{byte:02x}").ok();
            hex
        })
    }
}

/// A row of `schema_migrations`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AppliedMigration {
    owner: String,
    version: i64,
    name: String,
    checksum: String,
}

pub(crate) async fn migrate(db: &Db, sets: &[MigrationSet]) -> Result<(), DbError> {
    let dialect = db.dialect();
    check_sets(sets)?;
    // Nearly every start finds nothing due: short reads, no lock.
    if due(sets, &applied(db).await?, dialect)?.is_empty() && is_settled(db, sets).await? {
        let missing = indexes::missing(db, sets).await?;
        if !missing.has_small() {
            missing.build_large_in_background(db, sets);
            return Ok(());
        }
    }
    let lock = db.lock(NodeLock::Migrations).await?;
    if dialect == Dialect::Postgres {
        create_schema(db).await?;
    }
    run_hooks(db, sets, |hooks| hooks.before).await?;
    for (owner, step) in due(sets, &applied(db).await?, dialect)? {
        apply(db, owner, step).await?;
        tracing::info!(
            migration.owner = owner,
            migration.version = step.version,
            migration.name = step.name,
            "migration applied"
        );
    }
    run_hooks(db, sets, |hooks| hooks.after).await?;
    let mut missing = indexes::missing(db, sets).await?;
    missing.build_small(db).await?;
    drop(lock);
    missing.build_large_in_background(db, sets);
    Ok(())
}

pub(crate) fn hooks(db: &Db, sets: &[MigrationSet]) -> Vec<PostgresHooks> {
    match db.dialect() {
        Dialect::Sqlite => Vec::new(),
        Dialect::Postgres => sets.iter().filter_map(|set| set.hooks).collect(),
    }
}

async fn is_settled(db: &Db, sets: &[MigrationSet]) -> Result<bool, DbError> {
    let hooks = hooks(db, sets).into_iter();
    for hooks in hooks.filter(|hooks| !hooks.settled.is_empty()) {
        let found: Result<_, DbError> = db
            .transact(Mode::Migrate, &Claims::system("migrations"), move |tx| {
                Box::pin(async move { tx.row(hooks.settled, &[]).await })
            })
            .await;
        if found?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn run_hooks(
    db: &Db,
    sets: &[MigrationSet],
    script: fn(&PostgresHooks) -> &'static str,
) -> Result<(), DbError> {
    for hooks in hooks(db, sets) {
        if !script(&hooks).is_empty() {
            run_script(db, in_schema(script(&hooks), db.schema())).await?;
        }
    }
    Ok(())
}

pub(crate) async fn run_script(db: &Db, script: String) -> Result<(), DbError> {
    db.transact(Mode::Migrate, &Claims::system("migrations"), move |tx| {
        Box::pin(async move { tx.script(&script).await })
    })
    .await
}

/// `CREATE SCHEMA IF NOT EXISTS` needs the right to create one even if it exists.
async fn create_schema(db: &Db) -> Result<(), DbError> {
    let Some(schema) = db.schema() else {
        return Ok(());
    };
    let script = format!(
        "DO $$ BEGIN IF to_regnamespace('\"{schema}\"') IS NULL THEN CREATE SCHEMA \"{schema}\"; END IF; END $$"
    );
    run_script(db, script).await
}

/// The script with the word `public` replaced by the schema. `PUBLIC`, the role, stays.
fn in_schema(script: &str, schema: Option<&str>) -> String {
    let Some(schema) = schema else {
        return script.to_owned();
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((before, after)) = rest.split_once("public") {
        text.push_str(before);
        let inside_a_word = before.ends_with(is_word) || after.starts_with(is_word);
        text.push_str(if inside_a_word { "public" } else { schema });
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The steps still to run, in order. Fails if this binary must not touch the database.
fn due(
    sets: &[MigrationSet],
    applied: &[AppliedMigration],
    dialect: Dialect,
) -> Result<Vec<(&'static str, Migration)>, DbError> {
    let mut due = Vec::new();
    for set in sets {
        let known = set.steps.last().map_or(0, |step| step.version);
        let of_set: Vec<&AppliedMigration> =
            applied.iter().filter(|a| a.owner == set.owner).collect();
        if let Some(found) = of_set
            .iter()
            .map(|a| a.version)
            .max()
            .filter(|found| *found > known)
        {
            return Err(DbError::NewerSchema {
                owner: set.owner.to_owned(),
                found,
                known,
            });
        }
        let superseded = set.hooks.map_or(&[][..], |hooks| hooks.superseded);
        for record in &of_set {
            let known = (record.version, record.checksum.as_str());
            let unchanged = superseded.contains(&known)
                || set.steps.iter().any(|step| {
                    step.version == record.version && step.checksum(dialect) == record.checksum
                });
            if !unchanged {
                return Err(DbError::ChangedMigration {
                    owner: record.owner.clone(),
                    version: record.version,
                    name: record.name.clone(),
                });
            }
        }
        let done: HashSet<i64> = of_set.iter().map(|a| a.version).collect();
        due.extend(
            set.steps
                .iter()
                .filter(|step| !done.contains(&step.version))
                .map(|step| (set.owner, *step)),
        );
    }
    Ok(due)
}

/// Rejects a repeated owner or versions out of order, which are defects of the program.
fn check_sets(sets: &[MigrationSet]) -> Result<(), DbError> {
    let mut owners = HashSet::new();
    for set in sets {
        let rising = set.steps.windows(2).all(|pair| match pair {
            [earlier, later] => earlier.version < later.version,
            [] | [_] | [_, _, _, ..] => true,
        });
        if !owners.insert(set.owner) || !rising || set.steps.first().is_some_and(|s| s.version < 1)
        {
            return Err(DbError::Statement(format!(
                "the migrations of {} must be listed once, from version 1 on, in rising order",
                set.owner
            )));
        }
    }
    Ok(())
}

async fn applied(db: &Db) -> Result<Vec<AppliedMigration>, DbError> {
    db.transact(Mode::Migrate, &Claims::system("migrations"), |tx| {
        Box::pin(async move {
            if !has_table(tx).await? {
                return Ok(Vec::new());
            }
            tx.rows(
                "SELECT owner, version, name, checksum FROM schema_migrations",
                &[],
            )
            .await?
            .iter()
            .map(|row| {
                Ok(AppliedMigration {
                    owner: row.get("owner")?,
                    version: row.get("version")?,
                    name: row.get("name")?,
                    checksum: row.get("checksum")?,
                })
            })
            .collect()
        })
    })
    .await
}

async fn has_table(tx: &mut Tx) -> Result<bool, DbError> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => {
            "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'"
        }
        Dialect::Postgres => "SELECT 1 AS found WHERE to_regclass('schema_migrations') IS NOT NULL",
    };
    Ok(tx.row(sql, &[]).await?.is_some())
}

async fn apply(db: &Db, owner: &'static str, step: Migration) -> Result<(), DbError> {
    let script = in_schema(step.script(db.dialect()), db.schema());
    db.transact(Mode::Migrate, &Claims::system("migrations"), move |tx| {
        Box::pin(async move {
            tx.script(create_table(tx.dialect())).await?;
            let done = tx
                .row(
                    "SELECT 1 AS found FROM schema_migrations WHERE owner = $1 AND version = $2",
                    &[owner.into(), step.version.into()],
                )
                .await?;
            if done.is_some() {
                return Ok(());
            }
            tx.script(&script).await?;
            tx.execute(
                "INSERT INTO schema_migrations (owner, version, name, checksum, applied_at) VALUES ($1, $2, $3, $4, $5)",
                &[
                    owner.into(),
                    step.version.into(),
                    step.name.into(),
                    step.checksum(tx.dialect()).into(),
                    Utc::now().into(),
                ],
            )
            .await?;
            Ok(())
        })
    })
    .await
}

fn create_table(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => {
            "CREATE TABLE IF NOT EXISTS schema_migrations (
                owner TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL,
                checksum TEXT NOT NULL, applied_at INTEGER NOT NULL,
                PRIMARY KEY (owner, version)) STRICT, WITHOUT ROWID"
        }
        Dialect::Postgres => {
            "CREATE TABLE IF NOT EXISTS schema_migrations (
                owner text NOT NULL, version bigint NOT NULL, name text NOT NULL,
                checksum text NOT NULL, applied_at timestamptz NOT NULL,
                PRIMARY KEY (owner, version))"
        }
    }
}
