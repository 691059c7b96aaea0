//! The temporary Postgres behaves as tests require.

use frontdesk_testkit::postgres::{PrivateCluster, TestPostgres};

#[tokio::test]
async fn each_test_gets_an_empty_database_that_is_dropped_with_it() {
    let first = TestPostgres::database().await;
    let second = TestPostgres::database().await;
    first.execute("CREATE TABLE t (n int)").await;
    let tables = "SELECT 1 FROM pg_tables WHERE tablename = 't'";
    assert_eq!(first.query(tables).await.len(), 1);
    assert_eq!(second.query(tables).await.len(), 0);

    let role = first.create_role("LOGIN").await;
    let gone = format!(
        "SELECT 1 FROM pg_database WHERE datname = '{}' UNION SELECT 1 FROM pg_roles WHERE rolname = '{role}'",
        first.name
    );
    assert_eq!(second.query(&gone).await.len(), 1);
    drop(first);
    assert_eq!(second.query(&gone).await.len(), 0);
}

#[tokio::test]
async fn a_killed_private_cluster_keeps_its_commits() {
    let cluster = PrivateCluster::start();
    let connect = async || {
        let (client, connection) = tokio_postgres::connect(&cluster.url, tokio_postgres::NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        client
    };
    let client = connect().await;
    client
        .batch_execute("CREATE TABLE t (n int); INSERT INTO t VALUES (1)")
        .await
        .unwrap();
    cluster.kill();
    assert!(
        client
            .batch_execute("INSERT INTO t VALUES (2)")
            .await
            .is_err()
    );
    cluster.restart();
    let rows = connect().await.query("SELECT n FROM t", &[]).await.unwrap();
    assert_eq!(
        rows.iter()
            .map(|row| row.get::<_, i32>(0))
            .collect::<Vec<_>>(),
        [1]
    );
}
