//! Each step of a write fails or panics once: the caller is told what is known of it, what is not
//! committed leaves nothing, and the next write finds its database.

use std::sync::{Arc, Mutex};

use frontdesk_db::faults::{Point, hang};
use frontdesk_db::{Claims, Db, DbError, PostgresOptions, SqliteOptions};

use crate::support::{Home, TestDb, both, connect, insert, numbers, with_table};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Fail,
    Panic,
}

type Armed = Arc<Mutex<Option<(Point, Does)>>>;

fn on_purpose() -> DbError {
    DbError::Retryable {
        code: "40001".to_owned(),
    }
}

/// The same database once more, with a hook that does once what it is armed for.
async fn hooked(test: &TestDb) -> (Db, Armed) {
    let armed = Armed::default();
    let hook = Arc::clone(&armed);
    let name = match &test.home {
        Home::Sqlite(folder) => folder.path().display().to_string(),
        Home::Postgres(database) => database.name.clone(),
    };
    hang(
        &name,
        Arc::new(move |point| {
            let due = hook.lock().unwrap().take_if(|(at, _)| *at == point);
            match due {
                None => Ok(()),
                Some((_, Does::Fail)) => Err(on_purpose()),
                // A panic without its report.
                Some((_, Does::Panic)) => std::panic::resume_unwind(Box::new(point)),
            }
        }),
    );
    let db = match &test.home {
        Home::Sqlite(_) => Db::open_sqlite(&test.file(), SqliteOptions::default()).await,
        Home::Postgres(database) => connect(&database.url, PostgresOptions::default()).await,
    };
    (db.unwrap(), armed)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_hit_anywhere_is_told_as_what_it_was() {
    for test in both().await {
        let test = with_table(test).await;
        let (db, armed) = hooked(&test).await;
        let mut stored = Vec::new();
        let points = [Point::Statement, Point::Commit, Point::Committed];
        let all = points
            .into_iter()
            .flat_map(|point| [(point, Does::Fail), (point, Does::Panic)]);
        for (case, (point, does)) in (0..).zip(all) {
            *armed.lock().unwrap() = Some((point, does));
            let told = insert(&db, case).await.unwrap_err();
            assert_eq!(*armed.lock().unwrap(), None, "it never happened");
            match (point, does) {
                (_, Does::Fail) => assert_eq!(told, on_purpose(), "{point:?}"),
                (Point::Statement, Does::Panic) => assert_eq!(told, DbError::Panicked),
                (Point::Commit | Point::Committed, Does::Panic) => {
                    assert!(matches!(told, DbError::OutcomeUnknown { .. }), "{told:?}");
                }
            }
            if point == Point::Committed {
                stored.push(case);
            }
            // And then it works.
            insert(&db, 100 + case).await.unwrap();
            stored.push(100 + case);
        }
        stored.sort_unstable();
        assert_eq!(numbers(&db).await, stored);
        db.close().await;
    }
}

/// The platform's own writes come when they come: a test that counts does not count them.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_platform_writes_and_what_is_read_pass_no_point() {
    for test in both().await {
        let test = with_table(test).await;
        let (db, armed) = hooked(&test).await;
        *armed.lock().unwrap() = Some((Point::Statement, Does::Fail));
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
