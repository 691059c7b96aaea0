//! Pipelining, and the error when the response to a commit is lost.

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

/// Holds the server's responses back until the statement is sent: a client that waits for
/// the response to its BEGIN would hang.
#[tokio::test]
async fn the_opening_is_pipelined_with_the_first_statement() {
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
async fn a_turn_costs_few_round_trips() {
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
    // The first run of each statement also prepares it.
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
    // One round trip to wait for; the rollback behind it may not be counted yet.
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

// design: promises P1 lost answer
#[tokio::test]
async fn a_lost_commit_response_is_an_unknown_outcome() {
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
    // The same when deferred statements in the commit's pipeline lose their responses.
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
    // The commit did happen here, but the client cannot know.
    let deadline = std::time::Instant::now() + Duration::from_secs(5);
    while numbers(&test.db).await != [1, 2, 3, 4] {
        assert!(std::time::Instant::now() < deadline);
    }
}
