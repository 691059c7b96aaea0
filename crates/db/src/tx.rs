//! A transaction as the work inside it sees it: statements in, rows out, the same on both databases.
//! Once a statement failed, every later one and the commit fail with the same error.

use crate::{DbError, Dialect, Row, Value, postgres::PostgresTx, sqlite::SqliteTx};

/// An open transaction. It ends with the work that was given it.
pub struct Tx {
    pub(crate) backend: Backend,
    failure: Option<DbError>,
    /// True while a statement waits for its answer. It stays true when the work dropped the
    /// statement's future: then nobody knows how the statement ended.
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

    /// Which database this is, for the few statements that must differ.
    pub fn dialect(&self) -> Dialect {
        match self.backend {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs a statement and returns how many rows it changed.
    pub async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, DbError> {
        self.start(sql, values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.execute(sql, values),
            Backend::Postgres(tx) => tx.execute(sql, values).await,
        };
        self.finish(answer)
    }

    /// Runs a statement whose answer is not needed now. On Postgres it travels with the next
    /// statement or with the commit and costs no round trip of its own; its error is then theirs.
    pub async fn execute_later(&mut self, sql: &str, values: Vec<Value>) -> Result<(), DbError> {
        self.start(sql, &values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.execute(sql, &values).map(drop),
            Backend::Postgres(tx) => tx.execute_later(sql, values).await,
        };
        self.finish(answer)
    }

    /// Runs a statement and returns all its rows.
    pub async fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DbError> {
        self.start(sql, values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.rows(sql, values),
            Backend::Postgres(tx) => tx.rows(sql, values).await,
        };
        self.finish(answer)
    }

    /// Runs a statement that answers with one row or none; more are an error.
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

    /// As [`Tx::rows`], for the last statement of a transaction that only reads: on Postgres the end
    /// travels with it. A statement that comes after it all the same sees a snapshot of its own.
    pub async fn last_rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DbError> {
        self.start(sql, values)?;
        let answer = match &mut self.backend {
            Backend::Sqlite(tx) => tx.rows(sql, values),
            Backend::Postgres(tx) => tx.last_rows(sql, values).await,
        };
        self.finish(answer)
    }

    /// As [`Tx::row`], under the same conditions as [`Tx::last_rows`].
    pub async fn last_row(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>, DbError> {
        let rows = self.last_rows(sql, values).await?;
        self.at_most_one(rows, sql)
    }

    /// Says `payload` to everyone who listens to `channel`, soon after this transaction is
    /// committed. A hint: it is lost with the process, so listeners look again now and then.
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

    /// Why this transaction must not be committed, if so. Forgets it, for the next job.
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
    DbError::Statement("the work dropped a statement before its answer came".to_owned())
}

/// A `COMMIT` inside the work would commit other people's jobs of the same group, or let the rest of
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
