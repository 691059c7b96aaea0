//! Commit, rollback, snapshots and misbehaving work.

use std::{fmt, time::Duration};

use frontdesk_db::{Claims, DbError, Dialect, SqliteOptions, Value};

use crate::support::{both, execute, insert, numbers, rows, sqlite, with_table};

/// A caller's own error type.
#[derive(Debug, PartialEq)]
enum CallerError {
    Refused,
    Db(DbError),
}

impl From<DbError> for CallerError {
    fn from(error: DbError) -> Self {
        CallerError::Db(error)
    }
}

impl fmt::Display for CallerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

#[tokio::test]
async fn ok_commits_and_err_undoes() {
    for test in both().await {
        let test = with_table(test).await;
        let kept: Result<&str, CallerError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    let changed = tx.execute("INSERT INTO t VALUES (1), (2)", &[]).await?;
                    assert_eq!(changed, 2);
                    Ok("kept")
                })
            })
            .await;
        assert_eq!(kept, Ok("kept"));
        let undone: Result<(), CallerError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    tx.execute("INSERT INTO t VALUES (3)", &[]).await?;
                    Err(CallerError::Refused)
                })
            })
            .await;
        assert_eq!(undone, Err(CallerError::Refused));
        assert_eq!(numbers(&test.db).await, [1, 2]);
    }
}

#[tokio::test]
async fn a_transaction_sees_its_own_changes_and_row_refuses_more_than_one() {
    for test in both().await {
        let test = with_table(test).await;
        let result: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    tx.execute_later("INSERT INTO t VALUES ($1)", vec![1.into()])
                        .await?;
                    tx.execute_later("INSERT INTO t VALUES ($1)", vec![2.into()])
                        .await?;
                    assert_eq!(tx.rows("SELECT n FROM t", &[]).await?.len(), 2);
                    assert!(tx.row("SELECT n FROM t WHERE n = 9", &[]).await?.is_none());
                    let one = tx.row("SELECT n FROM t WHERE n = $1", &[2.into()]).await?;
                    assert_eq!(one.unwrap().get::<i64>("n")?, 2);
                    tx.row("SELECT n FROM t", &[]).await.map(drop)
                })
            })
            .await;
        assert!(matches!(result, Err(DbError::Statement(_))), "{result:?}");
        assert_eq!(numbers(&test.db).await, [0; 0]);
    }
}

#[tokio::test]
async fn a_swallowed_error_never_commits() {
    for test in both().await {
        let test = with_table(test).await;
        insert(&test.db, 1).await.unwrap();
        let result: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    tx.execute("INSERT INTO t VALUES (2)", &[]).await?;
                    let conflict = tx.execute("INSERT INTO t VALUES (1)", &[]).await;
                    assert!(matches!(conflict, Err(DbError::Unique { .. })));
                    // Later statements fail with the same error.
                    let later = tx.execute("INSERT INTO t VALUES (3)", &[]).await;
                    assert_eq!(later, conflict);
                    Ok(())
                })
            })
            .await;
        assert!(matches!(result, Err(DbError::Unique { .. })), "{result:?}");
        assert_eq!(numbers(&test.db).await, [1]);
    }
}

#[tokio::test]
async fn an_error_of_a_deferred_statement_fails_the_commit() {
    for test in both().await {
        let test = with_table(test).await;
        insert(&test.db, 1).await.unwrap();
        let result: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    tx.execute_later("INSERT INTO t VALUES ($1)", vec![2.into()])
                        .await?;
                    // SQLite fails at once, Postgres at the commit: ignore the early error.
                    tx.execute_later("INSERT INTO t VALUES ($1)", vec![1.into()])
                        .await
                        .ok();
                    Ok(())
                })
            })
            .await;
        assert!(matches!(result, Err(DbError::Unique { .. })), "{result:?}");
        assert_eq!(numbers(&test.db).await, [1]);
        insert(&test.db, 2).await.unwrap();
    }
}

#[tokio::test]
async fn many_deferred_statements_keep_their_order() {
    for test in both().await {
        let test = with_table(test).await;
        let result: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    for n in 0..100_i64 {
                        tx.execute_later("INSERT INTO t VALUES ($1)", vec![n.into()])
                            .await?;
                        tx.execute_later(
                            "UPDATE t SET n = n + $2 WHERE n = $1",
                            vec![n.into(), 1000.into()],
                        )
                        .await?;
                    }
                    Ok(())
                })
            })
            .await;
        assert_eq!(result, Ok(()));
        assert_eq!(numbers(&test.db).await, (1000..1100).collect::<Vec<i64>>());
    }
}

#[tokio::test]
async fn a_panic_is_rolled_back_and_the_database_stays_usable() {
    for test in both().await {
        let test = with_table(test).await;
        for _ in 0..20 {
            let result: Result<(), DbError> = test
                .db
                .write(&Claims::none(), |tx| {
                    Box::pin(async move {
                        tx.execute("INSERT INTO t VALUES (1)", &[]).await?;
                        panic!("on purpose");
                    })
                })
                .await;
            assert_eq!(result, Err(DbError::Panicked));
            let result: Result<(), DbError> = test
                .db
                .read(&Claims::none(), |tx| {
                    Box::pin(async move {
                        tx.rows("SELECT n FROM t", &[]).await?;
                        panic!("on purpose");
                    })
                })
                .await;
            assert_eq!(result, Err(DbError::Panicked));
        }
        insert(&test.db, 2).await.unwrap();
        assert_eq!(numbers(&test.db).await, [2]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_is_one_snapshot_and_cannot_write() {
    for test in both().await {
        let test = with_table(test).await;
        insert(&test.db, 1).await.unwrap();
        let (seen, look) = tokio::sync::oneshot::channel();
        let (go_on, wait) = std::sync::mpsc::channel();
        let db = test.db.clone();
        let reading = tokio::spawn(async move {
            db.read(&Claims::none(), |tx| {
                Box::pin(async move {
                    let before = tx.rows("SELECT n FROM t", &[]).await?.len();
                    seen.send(()).unwrap();
                    tokio::task::block_in_place(|| wait.recv().unwrap());
                    let after = tx.rows("SELECT n FROM t", &[]).await?.len();
                    Ok::<_, DbError>((before, after))
                })
            })
            .await
        });
        look.await.unwrap();
        insert(&test.db, 2).await.unwrap();
        go_on.send(()).unwrap();
        assert_eq!(reading.await.unwrap(), Ok((1, 1)));

        let writing = rows(&test.db, "INSERT INTO t VALUES (3)", vec![]).await;
        assert!(
            matches!(writing, Err(DbError::ReadOnly { .. })),
            "{writing:?}"
        );
        assert_eq!(numbers(&test.db).await, [1, 2]);
    }
}

#[tokio::test]
async fn transaction_control_inside_the_work_is_refused() {
    for test in both().await {
        let test = with_table(test).await;
        for sql in ["COMMIT", " rollback", "BEGIN", "savepoint x", "End;"] {
            let result = execute(&test.db, sql, vec![]).await;
            assert!(
                matches!(result, Err(DbError::Statement(_))),
                "{sql}: {result:?}"
            );
        }
        insert(&test.db, 1).await.unwrap();
    }
}

#[tokio::test]
async fn a_statement_that_the_work_abandoned_prevents_the_commit() {
    // Only Postgres makes the work wait, so only there can it abandon a statement.
    let test = with_table(crate::support::postgres().await).await;
    let result: Result<(), DbError> = test
        .db
        .write(&Claims::none(), |tx| {
            Box::pin(async move {
                tx.execute("INSERT INTO t VALUES (1)", &[]).await?;
                let slow = tx.execute("SELECT pg_sleep(0.2)", &[]);
                assert!(tokio::time::timeout(Duration::ZERO, slow).await.is_err());
                Ok(())
            })
        })
        .await;
    assert!(matches!(result, Err(DbError::Statement(_))), "{result:?}");
    assert_eq!(numbers(&test.db).await, [0; 0]);
}

#[tokio::test]
async fn waiting_work_does_not_block_the_sqlite_writer() {
    let test = with_table(sqlite().await).await;
    let inner = test.db.clone();
    let nested: Result<u64, DbError> = test
        .db
        .write(&Claims::none(), |_| {
            Box::pin(async move { insert(&inner, 1).await })
        })
        .await;
    assert!(matches!(nested, Err(DbError::Statement(_))), "{nested:?}");
    // Yielding without waiting is allowed.
    let polite: Result<u64, DbError> = test
        .db
        .write(&Claims::none(), |tx| {
            Box::pin(async move {
                let mut yielded = false;
                std::future::poll_fn(|context| {
                    context.waker().wake_by_ref();
                    if std::mem::replace(&mut yielded, true) {
                        std::task::Poll::Ready(())
                    } else {
                        std::task::Poll::Pending
                    }
                })
                .await;
                tx.execute("INSERT INTO t VALUES (2)", &[]).await
            })
        })
        .await;
    assert_eq!(polite, Ok(1));
    insert(&test.db, 3).await.unwrap();
    let found = numbers(&test.db).await;
    assert!(found == [2, 3] || found == [1, 2, 3], "{found:?}");
}

#[tokio::test]
async fn parameters_are_bound_by_number() {
    for test in both().await {
        let row = rows(
            &test.db,
            "SELECT $2::text AS second, $1::text AS first, $1::text AS again, '$3' AS literal",
            vec!["one".into(), "two".into()],
        )
        .await
        .unwrap()
        .remove(0);
        let found = ["first", "second", "again", "literal"].map(|c| row.get::<String>(c).unwrap());
        assert_eq!(found, ["one", "two", "one", "$3"]);
        let wrong: [Vec<Value>; 3] = [vec![], vec![1.into()], vec![1.into(), 2.into(), 3.into()]];
        for values in wrong {
            let result = rows(&test.db, "SELECT $1::bigint + $2::bigint AS sum", values).await;
            assert!(matches!(result, Err(DbError::Statement(_))), "{result:?}");
        }
    }
}

#[tokio::test]
async fn after_close_everything_is_refused_and_the_log_is_empty() {
    for test in both().await {
        let test = with_table(test).await;
        insert(&test.db, 1).await.unwrap();
        assert_eq!(numbers(&test.db).await, [1]);
        let dialect = test.db.dialect();
        test.db.clone().close().await;
        let refused = insert(&test.db, 2).await;
        assert!(
            matches!(refused, Err(DbError::Unavailable { .. })),
            "{refused:?}"
        );
        let refused = rows(&test.db, "SELECT 1 AS one", vec![]).await;
        assert!(
            matches!(refused, Err(DbError::Unavailable { .. })),
            "{refused:?}"
        );
        test.db.clone().close().await;
        if dialect == Dialect::Sqlite {
            let log = test.file().with_file_name("test.db-wal");
            assert_eq!(std::fs::metadata(log).map_or(0, |found| found.len()), 0);
            let again = frontdesk_db::Db::open_sqlite(&test.file(), SqliteOptions::default())
                .await
                .unwrap();
            assert_eq!(numbers(&again).await, [1]);
        }
    }
}
