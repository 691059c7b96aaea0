//! What travels together, and what is said when the answer to a commit is lost.

use std::time::Duration;

use frontdesk_db::{Claims, Db, DbError, PostgresOptions};
use uuid::Uuid;

use crate::{
    proxy::{Proxy, Rule},
    support::{connect, insert, numbers, postgres, postgres_with, rows, with_table},
};

async fn say(db: &Db, text: &'static str) -> Result<u64, DbError> {
    db.write(&Claims::subject(Uuid::from_u128(1)), move |tx| {
        Box::pin(async move {
            tx.execute("INSERT INTO said VALUES ($1)", &[text.into()])
                .await
        })
    })
    .await
}

/// The server's answers are held back until the statement was sent: a client that waits for the
/// answer to its BEGIN first would wait for ever.
#[tokio::test]
async fn the_opening_travels_with_the_first_statement() {
    let test = postgres().await;
    test.server().execute("CREATE TABLE said (word text)").await;
    let proxy = Proxy::start(
        &test.server().url,
        Rule::HoldUntil("marker-of-the-statement"),
    )
    .await;
    let options = PostgresOptions {
        pool_size: 1,
        ..PostgresOptions::default()
    };
    let db = connect(&proxy.url, options).await.unwrap();
    say(&db, "first, which prepares the statement")
        .await
        .unwrap();
    proxy.arm();
    let sent = tokio::time::timeout(Duration::from_secs(5), say(&db, "marker-of-the-statement"));
    assert_eq!(sent.await, Ok(Ok(1)));
    proxy.disarm();
}

#[tokio::test]
async fn a_turn_waits_for_few_round_trips() {
    let test = with_table(
        postgres_with(PostgresOptions {
            pool_size: 1,
            ..PostgresOptions::default()
        })
        .await,
    )
    .await;
    let db = &test.db;
    let only_later = |n: i64| {
        let db = db.clone();
        async move {
            db.write(&Claims::none(), move |tx| {
                Box::pin(async move {
                    tx.execute_later("INSERT INTO t (n) VALUES ($1)", vec![n.into()])
                        .await?;
                    tx.notify("news", "x")
                })
            })
            .await
        }
    };
    // The first of each prepares its statements.
    insert(db, 1).await.unwrap();
    rows(db, "SELECT n FROM t", vec![]).await.unwrap();
    only_later(2).await.unwrap();

    let start = db.round_trips();
    insert(db, 3).await.unwrap();
    let written = db.round_trips();
    assert_eq!(written - start, 2, "statement, commit");
    only_later(4).await.unwrap();
    let later = db.round_trips();
    assert_eq!(later - written, 1, "all of it together");
    rows(db, "SELECT n FROM t", vec![]).await.unwrap();
    // One to wait for; the rollback behind it may or may not be counted yet.
    assert!(db.round_trips() - later <= 2);
    let nothing: Result<(), DbError> = db
        .write(&Claims::none(), |_| Box::pin(async { Ok(()) }))
        .await;
    nothing.unwrap();
    assert!(
        db.round_trips() - later <= 2,
        "work without statements sends nothing"
    );
    assert_eq!(numbers(db).await, [1, 2, 3, 4]);
}

#[tokio::test]
async fn statements_are_prepared_once_per_connection() {
    let test = with_table(
        postgres_with(PostgresOptions {
            pool_size: 1,
            ..PostgresOptions::default()
        })
        .await,
    )
    .await;
    for n in 0..50 {
        insert(&test.db, n).await.unwrap();
    }
    let sql = "SELECT count(*) AS prepared FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO t %'";
    let found = rows(&test.db, sql, vec![]).await.unwrap();
    assert_eq!(found[0].get::<i64>("prepared"), Ok(1));
}

#[tokio::test]
async fn a_statement_that_a_migration_outdated_is_retried_on_a_new_connection() {
    let test = with_table(
        postgres_with(PostgresOptions {
            pool_size: 1,
            ..PostgresOptions::default()
        })
        .await,
    )
    .await;
    rows(&test.db, "SELECT * FROM t", vec![]).await.unwrap();
    test.server()
        .execute("ALTER TABLE t ADD COLUMN more text")
        .await;
    let outdated = rows(&test.db, "SELECT * FROM t", vec![]).await;
    assert!(
        matches!(outdated, Err(DbError::Retryable { .. })),
        "{outdated:?}"
    );
    rows(&test.db, "SELECT * FROM t", vec![]).await.unwrap();
}

#[tokio::test]
async fn a_lost_answer_to_a_commit_is_not_called_a_failure() {
    let test = with_table(postgres().await).await;
    let proxy = Proxy::start(&test.server().url, Rule::CutAfter("COMMIT")).await;
    let db = connect(&proxy.url, PostgresOptions::default())
        .await
        .unwrap();
    insert(&db, 1).await.unwrap();
    proxy.arm();
    let unknown = insert(&db, 2).await;
    assert!(
        matches!(unknown, Err(DbError::OutcomeUnknown { .. })),
        "{unknown:?}"
    );
    // The same when statements travelled with the commit and lost their answers too.
    let unknown: Result<(), DbError> = db
        .write(&Claims::none(), |tx| {
            Box::pin(async move {
                tx.execute_later("INSERT INTO t (n) VALUES ($1)", vec![3.into()])
                    .await
            })
        })
        .await;
    assert!(
        matches!(unknown, Err(DbError::OutcomeUnknown { .. })),
        "{unknown:?}"
    );
    proxy.disarm();
    insert(&db, 4).await.unwrap();
    // It did happen here; the point is that nobody could know.
    let deadline = std::time::Instant::now() + Duration::from_secs(5);
    while numbers(&test.db).await != [1, 2, 3, 4] {
        assert!(std::time::Instant::now() < deadline);
    }
}
