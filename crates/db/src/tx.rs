//! The transaction handle, the same for both databases. After a failed statement every
//! later one and the commit fail with the same error.

use crate::{DbError, Dialect, Row, Value, postgres::PostgresTx, sqlite::SqliteTx};

/// An open transaction. It ends with the work that borrows it.
pub struct Tx {
    pub(crate) backend: Backend,
    failure: Option<DbError>,
    /// True while a statement waits for its response. Stays true if the work dropped the
    /// statement's future, whose outcome is then unknown.
    in_flight: bool,
    #[cfg(debug_assertions)]
    pub(crate) hook: Option<crate::faults::Hook>,
}

pub(crate) enum Backend {
    Sqlite(Box<SqliteTx>),
    Postgres(Box<PostgresTx>),
}

impl Tx {
    pub(crate) fn new(backend: Backend) -> Self {
        Tx {
            backend,
            failure: None,
            in_flight: false,
            #[cfg(debug_assertions)]
            hook: None,
        }
    }

    /// The database, for the few statements that must differ.
    pub fn dialect(&self) -> Dialect {
        match self.backend {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs a statement; returns the number of changed rows.
    pub async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, DbError> {
        self.start(sql, values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.execute(sql, values),
            Backend::Postgres(tx) => tx.execute(sql, values).await,
        };
        self.finish(answer)
    }

    /// Runs a statement whose result is not needed. On Postgres it is pipelined with the
    /// next statement or the commit and costs no round trip; its error surfaces there.
    pub async fn execute_later(&mut self, sql: &str, values: Vec<Value>) -> Result<(), DbError> {
        self.start(sql, &values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.execute(sql, &values).map(drop),
            Backend::Postgres(tx) => tx.execute_later(sql, values).await,
        };
        self.finish(answer)
    }

    /// Runs a statement and returns all rows.
    pub async fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DbError> {
        self.start(sql, values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.rows(sql, values),
            Backend::Postgres(tx) => tx.rows(sql, values).await,
        };
        self.finish(answer)
    }

    /// Runs a statement that returns at most one row; more are an error.
    pub async fn row(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>, DbError> {
        let rows = self.rows(sql, values).await?;
        self.at_most_one(rows, sql)
    }

    fn at_most_one(&mut self, mut rows: Vec<Row>, sql: &str) -> Result<Option<Row>, DbError> {
        if rows.len() > 1 {
            let error =
                DbError::Statement(format!("{} rows where one was expected: {sql}", rows.len()));
            return self.finish(Err(error));
        }
        Ok(rows.pop())
    }

    /// As [`Tx::rows`], for the last statement of a read-only transaction: on Postgres the
    /// end is pipelined with it. A later statement sees a new snapshot.
    pub async fn last_rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DbError> {
        self.start(sql, values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.rows(sql, values),
            Backend::Postgres(tx) => tx.last_rows(sql, values).await,
        };
        self.finish(answer)
    }

    /// As [`Tx::row`], with the conditions of [`Tx::last_rows`].
    pub async fn last_row(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>, DbError> {
        let rows = self.last_rows(sql, values).await?;
        self.at_most_one(rows, sql)
    }

    /// Sends `payload` to the listeners of `channel` after this transaction commits.
    /// Best-effort: it is lost if the process dies, so listeners must also poll.
    pub fn notify(&mut self, channel: &str, payload: &str) -> Result<(), DbError> {
        if let Err(error) = crate::listen::check(channel, payload) {
            return self.finish(Err(error));
        }
        match &mut self.backend {
            Backend::Sqlite(tx) => tx.notify(channel, payload),
            Backend::Postgres(tx) => tx.notify(channel, payload),
        }
        Ok(())
    }

    /// Runs a script of several statements without parameters.
    pub(crate) async fn script(&mut self, sql: &str) -> Result<(), DbError> {
        self.start("", &[])?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.script(sql),
            Backend::Postgres(tx) => tx.script(sql).await,
        };
        self.finish(answer)
    }

    /// Takes the error that prevents the commit, if any, and resets the handle for the next
    /// job.
    pub(crate) fn take_failure(&mut self) -> Option<DbError> {
        if std::mem::take(&mut self.in_flight) {
            self.failure.get_or_insert_with(abandoned);
        }
        self.failure.take()
    }

    fn start(&mut self, sql: &str, values: &[Value]) -> Result<(), DbError> {
        if self.in_flight {
            self.failure.get_or_insert_with(abandoned);
        }
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let checked = refuse_transaction_control(sql).and_then(|()| {
            values
                .iter()
                .enumerate()
                .try_for_each(|(index, value)| value.check(index))
        });
        #[cfg(debug_assertions)]
        let checked = checked.and_then(|()| {
            crate::faults::reach(self.hook.as_ref(), crate::faults::Point::Statement)
        });
        if checked.is_err() {
            return self.finish(checked);
        }
        self.in_flight = true;
        Ok(())
    }

    fn finish<T>(&mut self, answer: Result<T, DbError>) -> Result<T, DbError> {
        self.in_flight = false;
        answer.inspect_err(|error| {
            self.failure.get_or_insert_with(|| error.clone());
        })
    }
}

fn abandoned() -> DbError {
    DbError::Statement("the work dropped a statement before its response".to_owned())
}

/// A `COMMIT` inside the work would commit other jobs of the same group, or let the rest of
/// the work run outside of any transaction.
fn refuse_transaction_control(sql: &str) -> Result<(), DbError> {
    const WORDS: [&str; 8] = [
        "BEGIN",
        "START",
        "COMMIT",
        "END",
        "ROLLBACK",
        "ABORT",
        "SAVEPOINT",
        "RELEASE",
    ];
    let sql = sql.trim_start();
    let first = sql
        .split(|c: char| !c.is_ascii_alphabetic())
        .next()
        .unwrap_or_default();
    if WORDS.iter().any(|word| word.eq_ignore_ascii_case(first)) {
        return Err(DbError::Statement(format!(
            "{first} inside a transaction: it ends with the work, by Ok or Err"
        )));
    }
    Ok(())
}
