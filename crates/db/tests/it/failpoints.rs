//! Each step of a write fails or panics once: the caller gets the right error, uncommitted
//! changes leave no trace, and the next write works.

use std::sync::{Arc, Mutex};

use frontdesk_db::faults::{Point, install};
use frontdesk_db::{Claims, Db, DbError, PostgresOptions, SqliteOptions};

use crate::support::{Home, TestDb, both, connect, insert, numbers, with_table};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Fail,
    Panic,
}

type ArmedFault = Arc<Mutex<Option<(Point, Fault)>>>;

fn on_purpose() -> DbError {
    DbError::Retryable {
        code: "40001".to_owned(),
    }
}

/// Opens the same database again, with a hook that fires once when armed.
async fn hooked(test: &TestDb) -> (Db, ArmedFault) {
    let armed = ArmedFault::default();
    let hook = Arc::clone(&armed);
    let name = match &test.home {
        Home::Sqlite(folder) => folder.path().display().to_string(),
        Home::Postgres(database) => database.name.clone(),
    };
    install(
        &name,
        Arc::new(move |point| {
            let due = hook.lock().unwrap().take_if(|(at, _)| *at == point);
            match due {
                None => Ok(()),
                Some((_, Fault::Fail)) => Err(on_purpose()),
                // A panic without its report.
                Some((_, Fault::Panic)) => std::panic::resume_unwind(Box::new(point)),
            }
        }),
    );
    let db = match &test.home {
        Home::Sqlite(_) => Db::open_sqlite(&test.file(), SqliteOptions::default()).await,
        Home::Postgres(database) => connect(&database.url, PostgresOptions::default()).await,
    };
    (db.unwrap(), armed)
}

// design: promises P1 failpoints
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_point_has_the_right_outcome() {
    for test in both().await {
        let test = with_table(test).await;
        let (db, armed) = hooked(&test).await;
        let mut stored = Vec::new();
        let points = [Point::Statement, Point::Commit, Point::Committed];
        let all = points
            .into_iter()
            .flat_map(|point| [(point, Fault::Fail), (point, Fault::Panic)]);
        for (case, (point, does)) in (0..).zip(all) {
            *armed.lock().unwrap() = Some((point, does));
            let told = insert(&db, case).await.unwrap_err();
            assert_eq!(*armed.lock().unwrap(), None, "it never happened");
            match (point, does) {
                (_, Fault::Fail) => assert_eq!(told, on_purpose(), "{point:?}"),
                (Point::Statement, Fault::Panic) => assert_eq!(told, DbError::Panicked),
                (Point::Commit | Point::Committed, Fault::Panic) => {
                    assert!(matches!(told, DbError::OutcomeUnknown { .. }), "{told:?}");
                }
            }
            if point == Point::Committed {
                stored.push(case);
            }
            // The next write works.
            insert(&db, 100 + case).await.unwrap();
            stored.push(100 + case);
        }
        stored.sort_unstable();
        assert_eq!(numbers(&db).await, stored);
        db.close().await;
    }
}

/// The platform's own writes have unpredictable timing, so they do not call the hook.
#[tokio::test(flavor = "multi_thread")]
async fn platform_writes_and_reads_call_no_hook() {
    for test in both().await {
        let test = with_table(test).await;
        let (db, armed) = hooked(&test).await;
        *armed.lock().unwrap() = Some((Point::Statement, Fault::Fail));
        assert_eq!(numbers(&db).await, [0; 0]);
        let own: Result<u64, DbError> = db
            .write(&Claims::system("a test"), |tx| {
                Box::pin(async move { tx.execute("INSERT INTO t (n) VALUES (1)", &[]).await })
            })
            .await;
        own.unwrap();
        assert_eq!(insert(&db, 2).await, Err(on_purpose()));
        assert_eq!(numbers(&db).await, [1]);
        db.close().await;
    }
}
