//! Claims as Postgres policies see them.

use frontdesk_db::{Claims, Db, DbError, PostgresOptions, Tx};
use frontdesk_testkit::postgres::TestPostgres;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::support::{connect, postgres};

const WHO: &str = "SELECT coalesce(current_setting('request.jwt.claims', true), '') AS claims, current_user::text AS role";

fn ask(tx: &mut Tx) -> BoxFuture<'_, Result<(String, String), DbError>> {
    Box::pin(async move {
        let row = tx.row(WHO, &[]).await?.expect("one row");
        Ok((row.get("claims")?, row.get("role")?))
    })
}

async fn who(db: &Db, claims: &Claims) -> (String, String) {
    let read = db.read(claims, ask).await.unwrap();
    let write = db.write(claims, ask).await.unwrap();
    assert_eq!(read, write);
    read
}

#[tokio::test]
async fn claims_exist_only_inside_the_transaction() {
    let server = TestPostgres::database().await;
    let app = server.create_role("NOLOGIN").await;
    let keeper = server.create_role("NOLOGIN").await;
    let options = PostgresOptions {
        pool_size: 1,
        app_role: Some(app.clone()),
        system_role: Some(keeper.clone()),
        ..PostgresOptions::default()
    };
    let db = connect(&server.url, options).await.unwrap();
    let person = Uuid::from_u128(7);
    let json = format!(r#"{{"sub":"{person}","role":"authenticated"}}"#);
    for _ in 0..3 {
        assert_eq!(
            who(&db, &Claims::subject(person)).await,
            (json.clone(), app.clone())
        );
        assert_eq!(
            who(&db, &Claims::none()).await,
            (String::new(), app.clone())
        );
        let system = who(&db, &Claims::system("leases")).await;
        assert_eq!(
            system,
            (r#"{"role":"service_role"}"#.to_owned(), keeper.clone())
        );
    }
}

// design: promises row-level security traps
#[tokio::test]
async fn a_failed_transaction_leaves_no_identity_behind() {
    let test = postgres().await;
    let failed: Result<(), DbError> = test
        .db
        .write(&Claims::subject(Uuid::from_u128(1)), |tx| {
            Box::pin(async move { tx.execute("SELECT 1/0", &[]).await.map(drop) })
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(who(&test.db, &Claims::none()).await.0, "");
}

#[tokio::test]
async fn policies_see_the_person_and_refusals_are_typed() {
    let server = TestPostgres::database().await;
    let app = server.create_role("NOLOGIN").await;
    server
        .execute(&format!(
            "CREATE TABLE note (owner uuid NOT NULL, text text);
             ALTER TABLE note ENABLE ROW LEVEL SECURITY;
             ALTER TABLE note FORCE ROW LEVEL SECURITY;
             CREATE POLICY own ON note USING (owner = (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::uuid);
             GRANT SELECT, INSERT ON note TO {app}"
        ))
        .await;
    let options = PostgresOptions {
        app_role: Some(app),
        ..PostgresOptions::default()
    };
    let db = connect(&server.url, options).await.unwrap();
    let (ada, bob) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let note = |as_whom: Claims, owner: Uuid| {
        let db = db.clone();
        async move {
            db.write(&as_whom, move |tx| {
                Box::pin(async move {
                    tx.execute("INSERT INTO note VALUES ($1, 'x')", &[owner.into()])
                        .await
                })
            })
            .await
        }
    };
    let count = |as_whom: Claims| {
        let db = db.clone();
        async move {
            db.read(&as_whom, |tx| {
                Box::pin(async move {
                    Ok::<_, DbError>(tx.rows("SELECT 1 AS one FROM note", &[]).await?.len())
                })
            })
            .await
        }
    };
    assert_eq!(note(Claims::subject(ada), ada).await, Ok(1));
    for foreign in [
        note(Claims::subject(ada), bob).await,
        note(Claims::none(), ada).await,
    ] {
        assert!(
            matches!(foreign, Err(DbError::Denied { .. })),
            "{foreign:?}"
        );
    }
    assert_eq!(count(Claims::subject(ada)).await, Ok(1));
    assert_eq!(count(Claims::subject(bob)).await, Ok(0));
    assert_eq!(count(Claims::none()).await, Ok(0));
}

#[tokio::test]
async fn a_role_that_does_not_exist_lets_nothing_through() {
    let server = TestPostgres::database().await;
    server.execute("CREATE TABLE t (n bigint)").await;
    let options = PostgresOptions {
        app_role: Some("no such \"role".to_owned()),
        ..PostgresOptions::default()
    };
    let db = connect(&server.url, options).await.unwrap();
    for _ in 0..2 {
        let refused = crate::support::insert(&db, 1).await;
        assert!(refused.is_err(), "{refused:?}");
    }
    assert!(server.query("SELECT n FROM t").await.is_empty());
}

#[tokio::test]
async fn the_last_read_is_pipelined_with_the_end() {
    let options = PostgresOptions {
        pool_size: 1,
        ..PostgresOptions::default()
    };
    let server = TestPostgres::database().await;
    let db = connect(&server.url, options).await.unwrap();
    let claims = Claims::subject(Uuid::from_u128(7));
    let once = |db: Db, claims: Claims| async move {
        db.read(&claims, |tx| {
            Box::pin(async move {
                let row = tx.last_row(WHO, &[]).await?.expect("one row");
                row.get::<String>("claims")
            })
        })
        .await
    };
    once(db.clone(), claims.clone()).await.unwrap();
    let before = db.round_trips();
    let told = once(db.clone(), claims.clone()).await.unwrap();
    assert!(told.contains(&Uuid::from_u128(7).to_string()), "{told}");
    // The next transaction uses the same connection and must not inherit the claims.
    assert_eq!(once(db.clone(), Claims::none()).await.unwrap(), "");
    assert_eq!(db.round_trips() - before, 2);

    // A later statement runs with the same claims.
    let twice = db
        .read(&claims, |tx| {
            Box::pin(async move {
                tx.last_row(WHO, &[]).await?;
                ask(tx).await
            })
        })
        .await
        .unwrap();
    assert_eq!(twice.0, told);
    // A failed statement returns its error, and the connection stays usable.
    let failed: Result<(), DbError> = db
        .read(&claims, |tx| {
            Box::pin(async move { tx.last_rows("SELECT 1 / 0 AS n", &[]).await.map(drop) })
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(once(db.clone(), claims.clone()).await.unwrap(), told);
    // A writer is not committed early: its changes are rolled back as usual.
    db.write(&Claims::none(), |tx| {
        Box::pin(async move { tx.execute("CREATE TABLE t (n bigint)", &[]).await })
    })
    .await
    .unwrap();
    let undone: Result<(), DbError> = db
        .write(&Claims::none(), |tx| {
            Box::pin(async move {
                tx.execute("INSERT INTO t VALUES (1)", &[]).await?;
                tx.last_rows("SELECT n FROM t", &[]).await?;
                Err(DbError::Panicked)
            })
        })
        .await;
    assert!(undone.is_err());
    let left = db
        .read(&Claims::none(), |tx| {
            Box::pin(async move { tx.last_rows("SELECT n FROM t", &[]).await })
        })
        .await;
    assert!(left.unwrap().is_empty());
}
