//! Test databases.

use std::path::PathBuf;

use frontdesk_db::{Claims, Db, DbError, PostgresOptions, Row, SqliteOptions, Value};
use frontdesk_testkit::postgres::{TestDatabase, TestPostgres};
use secrecy::SecretString;
use tempfile::TempDir;

/// A database, with the resources that must outlive it.
pub(crate) struct TestDb {
    pub(crate) db: Db,
    pub(crate) home: Home,
}

pub(crate) enum Home {
    Sqlite(TempDir),
    Postgres(TestDatabase),
}

pub(crate) async fn sqlite() -> TestDb {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open_sqlite(
        &folder.path().join("data/test.db"),
        SqliteOptions::default(),
    )
    .await
    .unwrap();
    TestDb {
        db,
        home: Home::Sqlite(folder),
    }
}

pub(crate) async fn postgres() -> TestDb {
    postgres_with(PostgresOptions::default()).await
}

pub(crate) async fn postgres_with(options: PostgresOptions) -> TestDb {
    let database = TestPostgres::database().await;
    let db = connect(&database.url, options).await.unwrap();
    TestDb {
        db,
        home: Home::Postgres(database),
    }
}

pub(crate) async fn connect(url: &str, options: PostgresOptions) -> Result<Db, DbError> {
    Db::connect_postgres(&SecretString::from(url), options).await
}

/// One of each, for contracts that both keep.
pub(crate) async fn both() -> [TestDb; 2] {
    [sqlite().await, postgres().await]
}

impl TestDb {
    pub(crate) fn file(&self) -> PathBuf {
        match &self.home {
            Home::Sqlite(folder) => folder.path().join("data/test.db"),
            Home::Postgres(_) => panic!("not a file"),
        }
    }

    pub(crate) fn server(&self) -> &TestDatabase {
        match &self.home {
            Home::Postgres(database) => database,
            Home::Sqlite(_) => panic!("not a server"),
        }
    }
}

/// Runs one statement in its own transaction.
pub(crate) async fn execute(
    db: &Db,
    sql: &'static str,
    values: Vec<Value>,
) -> Result<u64, DbError> {
    db.write(&Claims::none(), move |tx| {
        Box::pin(async move { tx.execute(sql, &values).await })
    })
    .await
}

/// Runs one query on its own snapshot.
pub(crate) async fn rows(
    db: &Db,
    sql: &'static str,
    values: Vec<Value>,
) -> Result<Vec<Row>, DbError> {
    db.read(&Claims::none(), move |tx| {
        Box::pin(async move { tx.rows(sql, &values).await })
    })
    .await
}

/// The numbers in the table `t`, sorted.
pub(crate) async fn numbers(db: &Db) -> Vec<i64> {
    rows(db, "SELECT n FROM t ORDER BY n", vec![])
        .await
        .unwrap()
        .iter()
        .map(|row| row.get("n").unwrap())
        .collect()
}

pub(crate) async fn insert(db: &Db, n: i64) -> Result<u64, DbError> {
    execute(db, "INSERT INTO t (n) VALUES ($1)", vec![n.into()]).await
}

/// Creates a table `t` with a primary key `n`.
pub(crate) async fn with_table(test: TestDb) -> TestDb {
    execute(&test.db, "CREATE TABLE t (n bigint PRIMARY KEY)", vec![])
        .await
        .unwrap();
    test
}
