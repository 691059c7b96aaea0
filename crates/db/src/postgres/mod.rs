//! A Postgres database: a bounded pool, transactions that run to completion in their own
//! tasks, and one connection for notifications.

mod connect;
mod error;
mod listen;
mod numeric;
mod tls;
mod tx;
mod values;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use secrecy::SecretString;
use tokio::sync::oneshot;

use crate::{
    Claims, DbError, Listener, Tx,
    pool::{Lane, Pool, PoolState, Ticket, closed},
    tx::Backend,
    work::{Counter, Mode, Verdict, Work},
};

pub(crate) use connect::Connection;
use connect::Connector;
use listen::NoticeConnection;
use tx::Ending;
pub(crate) use tx::PostgresTx;

#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// Maximum pooled connections, besides the listener connection.
    pub pool_size: u32,
    /// Maximum wait for a free connection.
    pub pool_wait: Duration,
    pub connect_timeout: Duration,
    pub statement_timeout: Duration,
    pub lock_timeout: Duration,
    pub idle_in_transaction_timeout: Duration,
    /// The role of user transactions (`SET LOCAL ROLE`), bound by row-level security.
    pub app_role: Option<String>,
    /// The role of the platform's transactions; `None` keeps the connecting role.
    pub system_role: Option<String>,
    /// The schema of all tables. Migrations create it. A database whose tables were created in
    /// `public` by an earlier release keeps them there. `None` uses the server's search path.
    pub schema: Option<String>,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        PostgresOptions {
            pool_size: 16,
            pool_wait: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(2),
            idle_in_transaction_timeout: Duration::from_secs(10),
            app_role: None,
            system_role: None,
            schema: None,
        }
    }
}

/// The state shared by all transactions.
pub(crate) struct PostgresShared {
    connector: Connector,
    options: PostgresOptions,
    /// The schema in use: that of the options, or `public`.
    schema: Option<String>,
    trips: Counter,
}

pub(crate) struct Postgres {
    shared: Arc<PostgresShared>,
    pool: Arc<Pool<Connection>>,
    notices: Arc<NoticeConnection>,
}

/// The oldest supported major version.
const OLDEST: u32 = 15;
const LOCK_PAUSE: Duration = Duration::from_millis(100);
const LOCK_WAIT: Duration = Duration::from_hours(1);

/// Locks for all parts of the product, so that nodes that start together take turns.
#[derive(Clone, Copy)]
#[repr(i64)]
pub(crate) enum NodeLock {
    Migrations = 0x4652_4f4e_5444_4553,
    Indexes = 0x4652_4f4e_5444_4554,
}

impl Postgres {
    pub(crate) async fn connect(
        url: &SecretString,
        options: PostgresOptions,
    ) -> Result<Self, DbError> {
        let connector = Connector::new(url, &options)?;
        let place = connector.place().to_owned();
        let connection = connector.connect().await?;
        check_version(&connection, &place).await?;
        let schema = match &options.schema {
            Some(schema) => Some(schema_in_use(&connection, schema, &place).await?),
            None => None,
        };
        let shared = Arc::new(PostgresShared {
            connector,
            options,
            schema,
            trips: Counter::default(),
        });
        let pool = Arc::new(Pool::new(
            shared.options.pool_size,
            shared.options.pool_wait,
            place,
        ));
        let ticket = pool.ticket(Lane::Platform).await?;
        ticket.give_back(connection);
        Ok(Postgres {
            notices: Arc::new(NoticeConnection::new(Arc::clone(&shared))),
            shared,
            pool,
        })
    }

    /// Runs the work in a task that a dropped caller cannot cancel.
    pub(crate) async fn run(&self, mode: Mode, who: &Claims, work: Work) -> Result<(), DbError> {
        let lane = match who.subject_id() {
            Some(_) => Lane::Request,
            None => Lane::Platform,
        };
        let ticket = self.pool.ticket(lane).await?;
        let opening = opening(mode, who, &self.shared);
        let shared = Arc::clone(&self.shared);
        let notices = Arc::clone(&self.notices);
        let (answer, receive) = oneshot::channel();
        tokio::spawn(transaction(
            shared, notices, ticket, mode, opening, work, answer,
        ));
        // A missing result means that the task died at an unknown point.
        receive.await.unwrap_or_else(|_| {
            let place = self.shared.connector.place();
            Err(match mode {
                Mode::Read => closed(place),
                Mode::Write | Mode::Migrate => DbError::OutcomeUnknown {
                    place: place.to_owned(),
                },
            })
        })
    }

    pub(crate) async fn listen(&self, channel: &str) -> Result<Listener, DbError> {
        self.notices.listen(channel).await
    }

    /// A dedicated connection that holds the lock until it is dropped. It asks again and again: a
    /// statement that waits would have a snapshot, and building an index concurrently waits for all
    /// earlier snapshots.
    pub(crate) async fn lock(&self, lock: NodeLock) -> Result<Connection, DbError> {
        let connection = self.shared.connector.connect().await?;
        let place = self.shared.connector.place();
        let asking = async {
            let sql = "SELECT pg_try_advisory_lock($1)";
            loop {
                let row = connection.client.query_one(sql, &[&(lock as i64)]).await?;
                if row.try_get(0)? {
                    return Ok(());
                }
                tokio::time::sleep(LOCK_PAUSE).await;
            }
        };
        self.shared.trips.add_one();
        tokio::time::timeout(LOCK_WAIT, asking)
            .await
            .map_err(|_| DbError::Timeout {
                place: place.to_owned(),
            })?
            .map_err(|error: tokio_postgres::Error| error::typed(&error, place))?;
        Ok(connection)
    }

    /// Runs one statement that cannot be part of a transaction, without a time limit.
    pub(crate) async fn run_outside(
        &self,
        connection: &Connection,
        sql: &str,
    ) -> Result<(), DbError> {
        let mut settings = "SET statement_timeout = 0; SET lock_timeout = 0".to_owned();
        if let Some(schema) = &self.shared.schema {
            settings.push_str(&format!("; SET search_path = {}, pg_temp", quoted(schema)));
        }
        for sql in [settings.as_str(), sql] {
            let done = connection.client.batch_execute(sql).await;
            done.map_err(|error| error::typed(&error, self.shared.connector.place()))?;
        }
        Ok(())
    }

    #[cfg(debug_assertions)]
    pub(crate) fn place(&self) -> &str {
        self.shared.connector.place()
    }

    /// The schema of all tables; `None` without `PostgresOptions::schema`.
    pub(crate) fn schema(&self) -> Option<&str> {
        self.shared.schema.as_deref()
    }

    pub(crate) fn pool(&self) -> PoolState {
        self.pool.state()
    }

    pub(crate) fn trips(&self) -> u64 {
        self.shared.trips.total()
    }

    pub(crate) fn notify(&self, channel: &str, payload: &str) {
        self.notices
            .notify(vec![(channel.to_owned(), payload.to_owned())]);
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
        self.notices.close().await;
    }
}

async fn check_version(connection: &Connection, place: &str) -> Result<(), DbError> {
    let row = connection
        .client
        .query_one(
            "SELECT current_setting('server_version_num')::int / 10000",
            &[],
        )
        .await
        .map_err(|error| error::typed(&error, place))?;
    let found: i32 = row
        .try_get(0)
        .map_err(|error| error::typed(&error, place))?;
    if found < OLDEST.cast_signed() {
        return Err(DbError::Unavailable {
            place: place.to_owned(),
            reason: format!("it runs PostgreSQL {found}; upgrade it to {OLDEST} or later"),
        });
    }
    Ok(())
}

/// True if an earlier release created its tables in `public`. Other programs have a table
/// `schema_migrations` as well, so the columns decide.
const TABLES_IN_PUBLIC: &str = "SELECT to_regclass($1 || '.schema_migrations') IS NULL \
     AND (SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('public.schema_migrations') \
         AND attname IN ('owner', 'checksum')) = 2";

async fn schema_in_use(
    connection: &Connection,
    schema: &str,
    place: &str,
) -> Result<String, DbError> {
    let row = connection
        .client
        .query_one(TABLES_IN_PUBLIC, &[&quoted(schema)])
        .await
        .map_err(|error| error::typed(&error, place))?;
    let in_public: bool = row
        .try_get(0)
        .map_err(|error| error::typed(&error, place))?;
    Ok(if in_public { "public" } else { schema }.to_owned())
}

/// The statements that open a transaction, sent together with its first statement. They
/// contain no outside input except a UUID and the operator's role names.
fn opening(mode: Mode, who: &Claims, shared: &PostgresShared) -> String {
    let options = &shared.options;
    let begin = match mode {
        Mode::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        Mode::Write => "BEGIN",
        Mode::Migrate => "BEGIN; SET LOCAL statement_timeout = 0",
    };
    let role = match mode {
        Mode::Migrate => None,
        Mode::Read | Mode::Write if who.system_reason().is_some() => options.system_role.as_deref(),
        Mode::Read | Mode::Write => options.app_role.as_deref(),
    };
    let claims = who.json();
    let mut sql = format!("{begin}; SET LOCAL request.jwt.claims = '{claims}'");
    if let Some(schema) = &shared.schema {
        sql.push_str("; SET LOCAL search_path = ");
        sql.push_str(&quoted(schema));
        sql.push_str(", pg_temp");
    }
    if let (Mode::Migrate, Some(role)) = (mode, &options.app_role) {
        // Migrations grant rights to this role.
        sql.push_str(&format!(
            "; SET LOCAL fd.app_role = '{}'",
            role.replace('\'', "''")
        ));
    }
    if let Some(role) = role {
        sql.push_str("; SET LOCAL ROLE ");
        sql.push_str(&quoted(role));
    }
    sql
}

fn quoted(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}

async fn transaction(
    shared: Arc<PostgresShared>,
    notices: Arc<NoticeConnection>,
    ticket: Ticket<Connection>,
    mode: Mode,
    opening: String,
    work: Work,
    answer: oneshot::Sender<Result<(), DbError>>,
) {
    let idle = std::iter::from_fn(|| ticket.take_idle()).find(|found| !found.client.is_closed());
    let connection = match idle {
        Some(connection) => connection,
        None => match shared.connector.connect().await {
            Ok(connection) => connection,
            Err(error) => {
                answer.send(Err(error)).ok();
                return;
            }
        },
    };
    let mut tx = Tx::new(Backend::Postgres(Box::new(PostgresTx::new(
        connection, mode, opening, shared,
    ))));
    let verdict = AssertUnwindSafe(async { work(&mut tx).await })
        .catch_unwind()
        .await;
    let failure = tx.take_failure();
    let Backend::Postgres(mut postgres) = tx.backend else {
        return;
    };
    #[cfg(debug_assertions)]
    {
        postgres.hook = tx.hook;
    }
    let result = match (verdict, failure) {
        (Err(_panic), _) => Err(DbError::Panicked),
        (Ok(Verdict::Undo), _) => Ok(()),
        (Ok(Verdict::Keep), Some(failure)) => Err(failure),
        (Ok(Verdict::Keep), None) => match mode {
            // A read's result is valid whatever happens to the connection.
            Mode::Read => {
                answer.send(Ok(())).ok();
                give_back(*postgres, ticket).await;
                return;
            }
            Mode::Write | Mode::Migrate => postgres.end(Ending::Commit).await.map(|()| {
                notices.notify(postgres.take_notices());
            }),
        },
    };
    give_back(*postgres, ticket).await;
    // The caller may be gone; the work is done anyway.
    answer.send(result).ok();
}

/// Returns the connection to the pool if it is certainly outside of a transaction; closes
/// it otherwise.
async fn give_back(mut postgres: PostgresTx, ticket: Ticket<Connection>) {
    if let Err(error) = postgres.end(Ending::Rollback).await {
        tracing::debug!(error = %error, "a connection was closed because its transaction could not be rolled back");
        return;
    }
    if let Some(connection) = postgres.into_clean_connection() {
        ticket.give_back(connection);
    }
}
