//! Postgres when it is slow, full, down or restarting.

use std::time::Duration;

use frontdesk_db::{Claims, Db, DbError, Notice, PostgresOptions};
use frontdesk_testkit::postgres::PrivateCluster;

use crate::support::{connect, execute, insert, numbers, postgres, postgres_with, with_table};

/// Retries until success, for the time of a restart.
async fn until_it_works(db: &Db, n: i64) {
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while let Err(error) = insert(db, n).await {
        assert!(matches!(error, DbError::Unavailable { .. }), "{error:?}");
        assert!(std::time::Instant::now() < deadline, "{error}");
    }
}

// design: promises P14 database
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_is_survived() {
    let cluster = PrivateCluster::start();
    let db = connect(&cluster.url, PostgresOptions::default())
        .await
        .unwrap();
    execute(&db, "CREATE TABLE t (n bigint PRIMARY KEY)", vec![])
        .await
        .unwrap();
    insert(&db, 1).await.unwrap();
    let mut heard = db.listen("news").await.unwrap();
    cluster.stop();
    let down = insert(&db, 2).await;
    assert!(matches!(down, Err(DbError::Unavailable { .. })), "{down:?}");
    let nobody = connect(&cluster.url, PostgresOptions::default())
        .await
        .err();
    assert!(
        matches!(nobody, Some(DbError::Unavailable { .. })),
        "{nobody:?}"
    );
    cluster.restart();
    until_it_works(&db, 3).await;
    assert_eq!(numbers(&db).await, [1, 3]);
    assert_eq!(
        heard.next().await,
        Some(Notice::Gap),
        "something may have been said meanwhile"
    );
    let said: Result<(), DbError> = db
        .write(&Claims::none(), |tx| {
            Box::pin(async move { tx.notify("news", "back") })
        })
        .await;
    said.unwrap();
    assert_eq!(heard.next().await, Some(Notice::Message("back".to_owned())));
}

// design: promises P1 database killed
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_writes_survive_kill_9_of_the_server() {
    let cluster = PrivateCluster::start();
    let db = connect(&cluster.url, PostgresOptions::default())
        .await
        .unwrap();
    execute(&db, "CREATE TABLE t (n bigint PRIMARY KEY)", vec![])
        .await
        .unwrap();
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                for n in 0.. {
                    match insert(&db, writer * 1_000_000 + n).await {
                        Ok(_) => acknowledged.push(writer * 1_000_000 + n),
                        Err(DbError::Unavailable { .. } | DbError::OutcomeUnknown { .. }) => break,
                        Err(other) => panic!("{other:?}"),
                    }
                }
                acknowledged
            })
        })
        .collect();
    until(|| async { numbers(&db).await.len() > 200 }).await;
    cluster.kill();
    let mut acknowledged = Vec::new();
    for writer in writers {
        acknowledged.extend(writer.await.unwrap());
    }
    cluster.restart();
    until_it_works(&db, -1).await;
    let stored = numbers(&db).await;
    assert!(acknowledged.len() >= 200);
    for n in acknowledged {
        assert!(
            stored.binary_search(&n).is_ok(),
            "{n} was acknowledged and is missing"
        );
    }
}

async fn until<F: Future<Output = bool>>(reached: impl Fn() -> F) {
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while !reached().await {
        assert!(std::time::Instant::now() < deadline);
    }
}

/// Holds a connection, and a lock on row 1, until signalled.
async fn hold(
    db: &Db,
    who: Claims,
) -> (
    tokio::sync::oneshot::Sender<()>,
    tokio::task::JoinHandle<Result<(), DbError>>,
) {
    let (go_on, wait) = tokio::sync::oneshot::channel::<()>();
    let (holding, held) = tokio::sync::oneshot::channel();
    let db = db.clone();
    let task = tokio::spawn(async move {
        db.write(&who, |tx| {
            Box::pin(async move {
                tx.execute("UPDATE t SET n = n WHERE n = 1", &[]).await?;
                holding.send(()).unwrap();
                wait.await.unwrap();
                Ok(())
            })
        })
        .await
    });
    held.await.unwrap();
    (go_on, task)
}

#[tokio::test]
async fn waiting_for_a_connection_and_for_a_lock_is_bounded() {
    let options = PostgresOptions {
        pool_size: 1,
        pool_wait: Duration::from_millis(50),
        lock_timeout: Duration::from_millis(50),
        ..PostgresOptions::default()
    };
    let test = with_table(postgres_with(options.clone()).await).await;
    insert(&test.db, 1).await.unwrap();
    let (go_on, held) = hold(&test.db, Claims::none()).await;
    let exhausted = insert(&test.db, 2).await;
    assert!(
        matches!(exhausted, Err(DbError::PoolExhausted { .. })),
        "{exhausted:?}"
    );
    let other = connect(&test.server().url, options).await.unwrap();
    let locked = execute(&other, "UPDATE t SET n = n WHERE n = 1", vec![]).await;
    assert!(matches!(locked, Err(DbError::Busy { .. })), "{locked:?}");
    go_on.send(()).unwrap();
    assert_eq!(held.await.unwrap(), Ok(()));
    insert(&test.db, 2).await.unwrap();
    insert(&other, 3).await.unwrap();
}

/// The platform's writes get through any number of waiting user requests.
// design: promises P14 database
#[tokio::test]
async fn some_connections_are_reserved_for_the_platform() {
    let options = PostgresOptions {
        pool_size: 2,
        pool_wait: Duration::from_millis(200),
        ..PostgresOptions::default()
    };
    let test = with_table(postgres_with(options).await).await;
    insert(&test.db, 1).await.unwrap();
    let someone = || Claims::subject(uuid::Uuid::now_v7());
    let (go_on, held) = hold(&test.db, someone()).await;
    let look = async || -> Result<(), DbError> {
        test.db
            .read(&someone(), |tx| {
                Box::pin(async move { tx.rows("SELECT 1", &[]).await.map(drop) })
            })
            .await
    };
    let waits = look().await;
    assert!(
        matches!(waits, Err(DbError::PoolExhausted { .. })),
        "{waits:?}"
    );
    insert(&test.db, 2).await.unwrap();
    go_on.send(()).unwrap();
    assert_eq!(held.await.unwrap(), Ok(()));
    look().await.unwrap();
}

/// With far more transactions than connections, all complete.
// design: promises P14 database
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_waiting_transactions_all_complete() {
    const CROWD: i64 = 1_000;
    let options = PostgresOptions {
        pool_size: 4,
        ..PostgresOptions::default()
    };
    let test = with_table(postgres_with(options).await).await;
    let all = (0..CROWD).map(|n| insert(&test.db, n));
    for done in futures_util::future::join_all(all).await {
        done.unwrap();
    }
    assert_eq!(numbers(&test.db).await.len(), CROWD as usize);
}

// design: promises bounded sessions
#[tokio::test]
async fn slow_statements_and_idle_transactions_are_ended() {
    let options = PostgresOptions {
        statement_timeout: Duration::from_millis(50),
        idle_in_transaction_timeout: Duration::from_millis(50),
        ..PostgresOptions::default()
    };
    let test = with_table(postgres_with(options).await).await;
    let slow = execute(&test.db, "SELECT pg_sleep(30)", vec![]).await;
    assert!(matches!(slow, Err(DbError::Timeout { .. })), "{slow:?}");
    let watcher = test.server().connect().await;
    let idle: Result<(), DbError> = test
        .db
        .write(&Claims::none(), |tx| {
            Box::pin(async move {
                tx.execute("INSERT INTO t VALUES (1)", &[]).await?;
                let row = tx
                    .row("SELECT pg_backend_pid() AS pid", &[])
                    .await?
                    .unwrap();
                let alive = format!(
                    "SELECT 1 FROM pg_stat_activity WHERE pid = {}",
                    row.get::<i64>("pid")?
                );
                // Waits until the server has closed the idle session.
                while watcher.query(&alive, &[]).await.unwrap().len() == 1 {}
                Ok(())
            })
        })
        .await;
    assert!(
        matches!(
            idle,
            Err(DbError::Unavailable { .. } | DbError::OutcomeUnknown { .. })
        ),
        "{idle:?}"
    );
    assert_eq!(numbers(&test.db).await, [0; 0]);
    insert(&test.db, 2).await.unwrap();
}

// design: promises bounded sessions
#[tokio::test]
async fn sessions_have_the_documented_settings() {
    let test = postgres().await;
    let sql = "SELECT string_agg(name || '=' || setting, ' ' ORDER BY lower(name)) AS settings FROM pg_settings
               WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone')";
    let row = crate::support::rows(&test.db, sql, vec![])
        .await
        .unwrap()
        .remove(0);
    assert_eq!(
        row.get::<String>("settings").unwrap(),
        "idle_in_transaction_session_timeout=10000 lock_timeout=2000 statement_timeout=5000 TimeZone=UTC"
    );
}

// design: promises P14 database
#[tokio::test]
async fn a_deadlock_is_retryable() {
    let test = with_table(postgres().await).await;
    insert(&test.db, 1).await.unwrap();
    insert(&test.db, 2).await.unwrap();
    let barrier = std::sync::Arc::new(tokio::sync::Barrier::new(2));
    let lock = |first: i64, second: i64| {
        let (db, barrier) = (test.db.clone(), barrier.clone());
        tokio::spawn(async move {
            db.write(&Claims::none(), move |tx| {
                Box::pin(async move {
                    tx.execute("UPDATE t SET n = n WHERE n = $1", &[first.into()])
                        .await?;
                    barrier.wait().await;
                    tx.execute("UPDATE t SET n = n WHERE n = $1", &[second.into()])
                        .await
                        .map(drop)
                })
            })
            .await
        })
    };
    let (one, two) = (lock(1, 2), lock(2, 1));
    let results: [Result<(), DbError>; 2] = [one.await.unwrap(), two.await.unwrap()];
    assert!(results.contains(&Ok(())), "{results:?}");
    assert!(
        results.contains(&Err(DbError::Retryable {
            code: "40P01".to_owned()
        })),
        "{results:?}"
    );
}

#[tokio::test]
async fn unreachable_addresses_are_reported_without_the_password() {
    let test = postgres().await;
    let server = test.server().url.rsplit_once('/').unwrap().0.to_owned();
    let with_password = server.replace("postgres@", "someone:hunter2@");
    for url in [
        format!("{with_password}/nowhere"),
        "postgres://someone:hunter2@127.0.0.1:1/x".to_owned(),
        "postgres://someone:hunter2@no-such-host.invalid/x".to_owned(),
        "postgres://someone:hunter2@127.0.0.1:notaport/x".to_owned(),
        "hunter2".to_owned(),
        format!("{with_password}/x?sslmode=verify-full&sslrootcert=/no/such/file"),
    ] {
        let error = connect(&url, PostgresOptions::default())
            .await
            .err()
            .expect(&url);
        assert!(
            matches!(error, DbError::Unavailable { .. }),
            "{url}: {error:?}"
        );
        let told = format!("{error} {error:?}");
        assert!(
            !told.contains("hunter2") && !told.contains("someone:"),
            "{told}"
        );
    }
    let missing = connect(&format!("{server}/nowhere"), PostgresOptions::default())
        .await
        .err()
        .unwrap();
    assert!(missing.to_string().contains("does not exist"), "{missing}");
}
