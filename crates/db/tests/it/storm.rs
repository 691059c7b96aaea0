//! Callers dropped at any moment: no acknowledged write is lost and no connection stays in
//! a transaction.

use std::{
    future::Future,
    pin::pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use frontdesk_db::{Claims, Db, DbError, Dialect, PostgresOptions};

use crate::support::{TestDb, insert, numbers, postgres_with, sqlite, with_table};

const STORM: i64 = 1000;

/// A small deterministic random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Several statements, so that the caller can be dropped at several points.
async fn slow_write(db: &Db, n: i64) -> Result<(), DbError> {
    db.write(&Claims::none(), move |tx| {
        Box::pin(async move {
            tx.rows("SELECT n FROM t WHERE n = $1", &[n.into()]).await?;
            tx.execute("INSERT INTO t VALUES ($1)", &[n.into()]).await?;
            tx.execute("UPDATE t SET n = n WHERE n = $1", &[n.into()])
                .await?;
            Ok(())
        })
    })
    .await
}

async fn storm(test: TestDb) {
    let test = with_table(test).await;
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let mut random = Random(42);
    let mut tasks = Vec::new();
    for n in 0..STORM {
        let (db, acknowledged) = (test.db.clone(), Arc::clone(&acknowledged));
        let task = tokio::spawn(async move {
            if slow_write(&db, n).await.is_ok() {
                acknowledged.lock().unwrap().push(n);
            }
        });
        tasks.push(task);
        for _ in 0..random.below(30) {
            tokio::task::yield_now().await;
        }
        // Mostly one of the newest: it waits for a connection, for its work or for the
        // commit.
        if random.below(10) > 0 {
            let newest = tasks.len() - 1;
            let index = newest - newest.min(random.below(8) as usize);
            tasks.remove(index).abort();
        }
    }
    for task in tasks {
        task.await.unwrap();
    }
    // Drops the future right after the first poll, and before it.
    for n in STORM..STORM + 200 {
        let mut write = pin!(slow_write(&test.db, n));
        let polled = write.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(!matches!(polled, Poll::Ready(Err(_))), "{polled:?}");
    }
    for n in 10_000..10_200 {
        insert(&test.db, n).await.unwrap();
    }
    let stored = numbers(&test.db).await;
    let acknowledged = acknowledged.lock().unwrap().clone();
    let cancelled = STORM - acknowledged.len() as i64;
    assert!(cancelled >= 500, "only {cancelled} writes were cancelled");
    assert!(
        acknowledged.len() >= 20,
        "only {} writes were acknowledged",
        acknowledged.len()
    );
    for n in acknowledged {
        assert!(
            stored.binary_search(&n).is_ok(),
            "{n} was acknowledged and is missing"
        );
    }
    assert_eq!(stored.iter().filter(|n| **n >= 10_000).count(), 200);
    if test.db.dialect() == Dialect::Postgres {
        let idle = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
        // The last cancelled tasks may still run for a moment.
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(5);
        while !test.server().query(idle).await.is_empty() {
            assert!(
                std::time::Instant::now() < deadline,
                "a connection is idle in a transaction"
            );
        }
    }
}

// design: promises cancelled request
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_callers_lose_nothing_on_sqlite() {
    storm(sqlite().await).await;
}

// design: promises cancelled request
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_callers_lose_nothing_on_postgres() {
    // A longer timeout than usual: this test is not about the pool's limits.
    let options = PostgresOptions {
        pool_wait: std::time::Duration::from_secs(60),
        pool_size: 8,
        ..PostgresOptions::default()
    };
    storm(postgres_with(options).await).await;
}
