//! A transaction on a Postgres connection. Messages are pipelined: the opening with the
//! first statement, deferred statements with the next one, and both with the commit.

use std::{future::Future, sync::Arc, time::Duration};

use futures_util::{
    TryStreamExt,
    future::{BoxFuture, join_all, try_join_all},
};
use tokio_postgres::{Error, Statement};

use super::{PostgresShared, connect::Connection, error, values};
#[cfg(debug_assertions)]
use crate::faults::{Point, reach};
use crate::{DbError, Row, Value, work::Mode};

/// Maximum deferred statements. `join_all` polls up to 30 futures in order, and the order
/// of the first poll is the order on the wire.
const MAX_DEFERRED: usize = 24;
/// Added to the server's own statement timeout, for a server that no longer answers.
const GRACE: Duration = Duration::from_secs(5);
/// A migration may rewrite a large table.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(3600);

pub(crate) struct PostgresTx {
    connection: Connection,
    mode: Mode,
    opening: String,
    /// The opening was sent.
    begun: bool,
    waiting: Vec<(String, Vec<Value>)>,
    /// Channel and payload; sent after a confirmed commit.
    notices: Vec<(String, String)>,
    state: State,
    patience: Duration,
    shared: Arc<PostgresShared>,
    #[cfg(debug_assertions)]
    pub(super) hook: Option<crate::faults::Hook>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was sent, or the end was confirmed.
    Outside,
    Inside,
    /// Unknown: the connection must not be reused.
    Doubtful,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Commit,
    Rollback,
}

/// The response to one message of a pipeline.
enum Answer {
    Done,
    Rows(Vec<tokio_postgres::Row>, u64),
}

impl PostgresTx {
    pub(super) fn new(
        connection: Connection,
        mode: Mode,
        opening: String,
        shared: Arc<PostgresShared>,
    ) -> Self {
        let patience = match mode {
            Mode::Read | Mode::Write => shared.options.statement_timeout + GRACE,
            Mode::Migrate => MIGRATION_TIMEOUT,
        };
        PostgresTx {
            patience,
            connection,
            mode,
            opening,
            begun: false,
            waiting: Vec::new(),
            notices: Vec::new(),
            state: State::Outside,
            shared,
            #[cfg(debug_assertions)]
            hook: None,
        }
    }

    pub(crate) async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, DbError> {
        let (_, changed) = self.statement(sql, values).await?;
        Ok(changed)
    }

    pub(crate) async fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DbError> {
        let (rows, _) = self.statement(sql, values).await?;
        Ok(rows.into_iter().map(Row::postgres).collect())
    }

    /// Pipelines the end of the transaction with the statement if nothing can have changed.
    pub(crate) async fn last_rows(
        &mut self,
        sql: &str,
        values: &[Value],
    ) -> Result<Vec<Row>, DbError> {
        if self.mode != Mode::Read {
            return self.rows(sql, values).await;
        }
        let waiting = std::mem::take(&mut self.waiting);
        let prepare_pipeline = self.prepare_pipeline(&waiting, Some((sql, values))).await?;
        let answers = self
            .send_pipeline(&prepare_pipeline, Some("COMMIT"))
            .await?;
        let mut found = Vec::new();
        for answer in answers {
            match answer.map_err(|error| self.failed(&error))? {
                Answer::Rows(rows, _) => found = rows,
                Answer::Done => {}
            }
        }
        self.state = State::Outside;
        self.begun = false;
        Ok(found.into_iter().map(Row::postgres).collect())
    }

    pub(crate) async fn execute_later(
        &mut self,
        sql: &str,
        values: Vec<Value>,
    ) -> Result<(), DbError> {
        self.waiting.push((sql.to_owned(), values));
        if self.waiting.len() < MAX_DEFERRED {
            return Ok(());
        }
        self.pipeline(None, None).await.map(drop)
    }

    pub(crate) fn notify(&mut self, channel: &str, payload: &str) {
        self.notices.push((channel.to_owned(), payload.to_owned()));
    }

    pub(super) fn take_notices(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.notices)
    }

    pub(crate) async fn script(&mut self, sql: &str) -> Result<(), DbError> {
        self.pipeline(None, Some(sql)).await.map(drop)
    }

    /// Ends the transaction if it has begun. After a server error the transaction is over
    /// anyway; after a lost connection its state is unknown.
    pub(super) async fn end(&mut self, ending: Ending) -> Result<(), DbError> {
        let sent_nothing =
            self.state == State::Outside && (self.waiting.is_empty() || ending == Ending::Rollback);
        if sent_nothing {
            return Ok(());
        }
        if self.state == State::Doubtful {
            return Err(error::lost(self.place()));
        }
        if self.connection.client.is_closed() {
            self.state = State::Doubtful;
            return Err(error::lost(self.place()));
        }
        match ending {
            Ending::Rollback => {
                self.waiting.clear();
                self.pipeline(None, Some("ROLLBACK")).await?;
                self.state = State::Outside;
                Ok(())
            }
            Ending::Commit => {
                #[cfg(debug_assertions)]
                reach(self.hook.as_ref(), Point::Commit)?;
                self.commit().await?;
                #[cfg(debug_assertions)]
                reach(self.hook.as_ref(), Point::Committed)?;
                Ok(())
            }
        }
    }

    pub(super) fn into_clean_connection(self) -> Option<Connection> {
        (self.state == State::Outside).then_some(self.connection)
    }

    fn place(&self) -> &str {
        self.shared.connector.place()
    }

    async fn commit(&mut self) -> Result<(), DbError> {
        let waiting = std::mem::take(&mut self.waiting);
        let prepare_pipeline = self.prepare_pipeline(&waiting, None).await?;
        // A failed statement in the same pipeline turns the server's COMMIT into a
        // rollback; that statement's error is reported.
        let unknown = DbError::OutcomeUnknown {
            place: self.place().to_owned(),
        };
        let Ok(answers) = self.send_pipeline(&prepare_pipeline, Some("COMMIT")).await else {
            return Err(unknown);
        };
        for answer in answers {
            match answer {
                Ok(_) => {}
                // The commit was sent behind the message that got no response.
                Err(error) if error::leaves_commit_open(&error) => {
                    self.state = State::Doubtful;
                    return Err(unknown);
                }
                Err(error) => return Err(self.failed(&error)),
            }
        }
        self.state = State::Outside;
        Ok(())
    }

    async fn statement(
        &mut self,
        sql: &str,
        values: &[Value],
    ) -> Result<(Vec<tokio_postgres::Row>, u64), DbError> {
        match self.pipeline(Some((sql, values)), None).await? {
            Some(Answer::Rows(rows, changed)) => Ok((rows, changed)),
            Some(Answer::Done) | None => Ok((Vec::new(), 0)),
        }
    }

    /// Sends the deferred statements and one more, and returns the response to the last;
    /// the first error wins.
    async fn pipeline(
        &mut self,
        last: Option<(&str, &[Value])>,
        script: Option<&str>,
    ) -> Result<Option<Answer>, DbError> {
        let waiting = std::mem::take(&mut self.waiting);
        let prepare_pipeline = self.prepare_pipeline(&waiting, last).await?;
        let answers = self.send_pipeline(&prepare_pipeline, script).await?;
        let mut of_last = None;
        for answer in answers {
            of_last = Some(answer.map_err(|error| self.failed(&error))?);
        }
        Ok(of_last)
    }

    /// Prepares the statements and checks their values: a value that fails to encode would
    /// leave a gap in front of the commit.
    async fn prepare_pipeline<'v>(
        &mut self,
        waiting: &'v [(String, Vec<Value>)],
        last: Option<(&'v str, &'v [Value])>,
    ) -> Result<Vec<(Statement, &'v [Value])>, DbError> {
        let statements: Vec<(&str, &[Value])> = waiting
            .iter()
            .map(|(sql, values)| (sql.as_str(), values.as_slice()))
            .chain(last)
            .collect();
        self.prepare(&statements).await?;
        let mut prepare_pipeline = Vec::with_capacity(statements.len());
        for (sql, values) in statements {
            let Some(statement) = self.connection.statement(sql) else {
                return Err(DbError::Statement(format!("not prepared: {sql}")));
            };
            values::check(statement, values)?;
            prepare_pipeline.push((statement.clone(), values));
        }
        Ok(prepare_pipeline)
    }

    /// Sends everything in one round trip. An error means a timeout.
    async fn send_pipeline(
        &mut self,
        statements: &[(Statement, &[Value])],
        script: Option<&str>,
    ) -> Result<Vec<Result<Answer, Error>>, DbError> {
        let begun = std::mem::replace(&mut self.begun, true);
        self.state = State::Doubtful;
        let client = &self.connection.client;
        let mut messages: Vec<BoxFuture<'_, Result<Answer, Error>>> = Vec::new();
        if !begun {
            let opening = client.batch_execute(&self.opening);
            messages.push(Box::pin(async { opening.await.map(|()| Answer::Done) }));
        }
        for (statement, values) in statements {
            messages.push(Box::pin(async {
                let stream = client
                    .query_raw(statement, values.iter().map(values::Param))
                    .await?;
                let mut stream = Box::pin(stream);
                let mut rows = Vec::new();
                while let Some(row) = stream.try_next().await? {
                    rows.push(row);
                }
                let changed = stream.rows_affected().unwrap_or_default();
                Ok(Answer::Rows(rows, changed))
            }));
        }
        if let Some(script) = script {
            messages.push(Box::pin(async {
                client.batch_execute(script).await.map(|()| Answer::Done)
            }));
        }
        self.shared.trips.add_one();
        let answers = in_time(self.patience, join_all(messages), self.place()).await?;
        self.state = State::Inside;
        Ok(answers)
    }

    /// Prepares statements that are new to this connection, together with the opening.
    async fn prepare(&mut self, statements: &[(&str, &[Value])]) -> Result<(), DbError> {
        let mut new: Vec<&str> = statements.iter().map(|(sql, _)| *sql).collect();
        new.retain(|sql| self.connection.statement(sql).is_none());
        new.sort_unstable();
        new.dedup();
        if new.is_empty() {
            return Ok(());
        }
        let begun = std::mem::replace(&mut self.begun, true);
        self.state = State::Doubtful;
        let client = &self.connection.client;
        let begin = async {
            match begun {
                true => Ok(()),
                false => client.batch_execute(&self.opening).await,
            }
        };
        let parse = try_join_all(new.iter().map(|sql| client.prepare(sql)));
        self.shared.trips.add_one();
        let both = async {
            let (begin, parse) = futures_util::future::join(begin, parse).await;
            begin.and(parse)
        };
        let answer = in_time(self.patience, both, self.place()).await?;
        self.state = State::Inside;
        let parsed = answer.map_err(|error| self.failed(&error))?;
        for (sql, statement) in new.iter().zip(parsed) {
            self.connection.remember(sql, statement);
        }
        Ok(())
    }

    fn failed(&mut self, error: &Error) -> DbError {
        if error::is_stale_statement(error) {
            // A new connection prepares its statements again.
            self.state = State::Doubtful;
            return DbError::Retryable {
                code: "0A000".to_owned(),
            };
        }
        if error.as_db_error().is_none() {
            self.state = State::Doubtful;
        }
        error::typed(error, self.place())
    }
}

async fn in_time<T>(
    patience: Duration,
    answers: impl Future<Output = T>,
    place: &str,
) -> Result<T, DbError> {
    tokio::time::timeout(patience, answers)
        .await
        .map_err(|_| DbError::Timeout {
            place: place.to_owned(),
        })
}
