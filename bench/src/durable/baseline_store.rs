//! Storage of the baseline: conversation lines, written and read by plain statements in two
//! transactions per turn, with the same durability as the product.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::{Client, NoTls, Statement};

use crate::ours::HISTORY;

const POOL: usize = 10;
const TABLE: &str = "CREATE TABLE IF NOT EXISTS lines (conversation BIGINT NOT NULL, \
     seq BIGINT NOT NULL, wire TEXT NOT NULL, PRIMARY KEY (conversation, seq))";
const INSERT: &str = "INSERT INTO lines (conversation, seq, wire) VALUES ($1, $2, $3)";
const SELECT: &str =
    "SELECT seq, wire FROM lines WHERE conversation = $1 ORDER BY seq DESC LIMIT 50";

#[derive(Clone)]
pub enum BaselineStore {
    Sqlite(Arc<Mutex<Connection>>),
    Postgres(Arc<Pool>),
}

pub struct Pool {
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<PreparedConnection>>,
}

struct PreparedConnection {
    client: Client,
    insert: Statement,
    select: Statement,
}

/// The lines so far and the next sequence number.
pub struct History {
    pub lines: Vec<String>,
    pub next: i64,
}

impl BaselineStore {
    pub async fn open(database: &str) -> Result<Self> {
        if !database.starts_with("postgres") {
            let connection = Connection::open(database)?;
            connection.execute_batch(&format!(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; {TABLE}"
            ))?;
            return Ok(Self::Sqlite(Arc::new(Mutex::new(connection))));
        }
        let mut idle = Vec::new();
        for number in 0..POOL {
            let (client, connection) = tokio_postgres::connect(database, NoTls).await?;
            tokio::spawn(connection);
            if number == 0 {
                client.batch_execute(TABLE).await?;
            }
            idle.push(PreparedConnection {
                insert: client.prepare(INSERT).await?,
                select: client.prepare(SELECT).await?,
                client,
            });
        }
        Ok(Self::Postgres(Arc::new(Pool {
            permits: Arc::new(Semaphore::new(POOL)),
            idle: Mutex::new(idle),
        })))
    }

    /// Stores a message and reads the history.
    pub async fn open_turn(&self, conversation: i64, wire: String) -> Result<History> {
        match self {
            Self::Sqlite(connection) => {
                let connection = Arc::clone(connection);
                tokio::task::spawn_blocking(move || {
                    let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                    let tx = connection.transaction()?;
                    let rows = tx
                        .prepare_cached(SELECT)?
                        .query_map([conversation], |row| Ok((row.get(0)?, row.get(1)?)))?
                        .collect::<Result<Vec<(i64, String)>, _>>()?;
                    let history = history(rows);
                    tx.prepare_cached(INSERT)?
                        .execute((conversation, history.next, wire))?;
                    tx.commit()?;
                    Ok(history.with_one_more())
                })
                .await?
            }
            Self::Postgres(pool) => {
                let (mut connection, _permit) = pool.take().await?;
                let tx = connection.client.transaction().await?;
                let rows = tx.query(&connection.select, &[&conversation]).await?;
                let rows = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
                let history = history(rows);
                tx.execute(&connection.insert, &[&conversation, &history.next, &wire])
                    .await?;
                tx.commit().await?;
                pool.give_back(connection);
                Ok(history.with_one_more())
            }
        }
    }

    /// Stores the turn's new lines.
    pub async fn end_turn(&self, conversation: i64, next: i64, wires: Vec<String>) -> Result<()> {
        match self {
            Self::Sqlite(connection) => {
                let connection = Arc::clone(connection);
                tokio::task::spawn_blocking(move || {
                    let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                    let tx = connection.transaction()?;
                    for (seq, wire) in (next..).zip(wires) {
                        tx.prepare_cached(INSERT)?
                            .execute((conversation, seq, wire))?;
                    }
                    Ok(tx.commit()?)
                })
                .await?
            }
            Self::Postgres(pool) => {
                let (mut connection, _permit) = pool.take().await?;
                let tx = connection.client.transaction().await?;
                for (seq, wire) in (next..).zip(&wires) {
                    tx.execute(&connection.insert, &[&conversation, &seq, wire])
                        .await?;
                }
                tx.commit().await?;
                pool.give_back(connection);
                Ok(())
            }
        }
    }
}

impl Pool {
    async fn take(&self) -> Result<(PreparedConnection, OwnedSemaphorePermit)> {
        let permit = Arc::clone(&self.permits).acquire_owned().await?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        Ok((idle.pop().context("a connection was lost")?, permit))
    }

    fn give_back(&self, connection: PreparedConnection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(connection);
    }
}

/// Rows come newest first.
fn history(rows: Vec<(i64, String)>) -> History {
    debug_assert!(rows.len() <= HISTORY);
    let next = rows.first().map_or(1, |(seq, _)| seq + 1);
    let mut lines: Vec<String> = rows.into_iter().map(|(_, wire)| wire).collect();
    lines.reverse();
    History { lines, next }
}

impl History {
    fn with_one_more(self) -> Self {
        Self {
            next: self.next + 1,
            ..self
        }
    }
}
