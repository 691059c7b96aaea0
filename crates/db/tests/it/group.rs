//! The SQLite writer commits in groups, and each job of a group is independent.

use std::path::Path;

use frontdesk_db::{Claims, Db, DbError, Notice};

use crate::support::{insert, numbers, sqlite, with_table};

/// Blocks the writer until signalled, so that jobs queued meanwhile form one group.
fn hold_writer(db: &Db) -> (std::sync::mpsc::Sender<()>, tokio::task::JoinHandle<()>) {
    let (go_on, wait) = std::sync::mpsc::channel();
    let db = db.clone();
    let held = tokio::spawn(async move {
        db.write(&Claims::none(), move |_| {
            Box::pin(async move {
                wait.recv().unwrap();
                Ok::<(), DbError>(())
            })
        })
        .await
        .unwrap();
    });
    (go_on, held)
}

/// Counts commits in the write-ahead log: frames whose header has a database size.
fn commits(file: &Path) -> usize {
    let log = std::fs::read(file.with_file_name("test.db-wal")).unwrap();
    let page = u32::from_be_bytes(log[8..12].try_into().unwrap()) as usize;
    log[32..]
        .chunks_exact(24 + page)
        .filter(|frame| frame[16..24] == log[16..24].to_vec() || frame[8..16] == log[16..24])
        .filter(|frame| frame[4..8] != [0; 4])
        .count()
}

#[tokio::test]
async fn a_failing_job_in_the_middle_fails_alone() {
    let test = with_table(sqlite().await).await;
    let mut heard = test.db.listen("news").await.unwrap();
    let (go_on, held) = hold_writer(&test.db);
    let mut jobs = Vec::new();
    for n in 0..30_i64 {
        let db = test.db.clone();
        jobs.push(tokio::spawn(async move {
            db.write(&Claims::none(), move |tx| {
                Box::pin(async move {
                    tx.notify("news", &n.to_string())?;
                    tx.execute("INSERT INTO t VALUES ($1)", &[n.into()]).await?;
                    match n % 5 {
                        1 => tx
                            .execute("INSERT INTO t VALUES ($1)", &[n.into()])
                            .await
                            .map(drop),
                        2 => panic!("on purpose"),
                        3 => Err(DbError::Statement("mine".to_owned())),
                        _ => Ok(()),
                    }
                })
            })
            .await
        }));
        tokio::task::yield_now().await;
    }
    let before = commits(&test.file());
    go_on.send(()).unwrap();
    held.await.unwrap();
    for (n, job) in jobs.into_iter().enumerate() {
        let result: Result<(), DbError> = job.await.unwrap();
        match n % 5 {
            1 => assert!(matches!(result, Err(DbError::Unique { .. })), "{result:?}"),
            2 => assert_eq!(result, Err(DbError::Panicked)),
            3 => assert_eq!(result, Err(DbError::Statement("mine".to_owned()))),
            _ => assert_eq!(result, Ok(())),
        }
    }
    let kept: Vec<i64> = (0..30).filter(|n| matches!(n % 5, 0 | 4)).collect();
    assert_eq!(numbers(&test.db).await, kept);
    let mut said = Vec::new();
    for _ in &kept {
        match heard.next().await {
            Some(Notice::Message(n)) => said.push(n.parse::<i64>().unwrap()),
            other => panic!("{other:?}"),
        }
    }
    said.sort_unstable();
    assert_eq!(
        said, kept,
        "listeners hear what was committed and nothing else"
    );
    let groups = commits(&test.file()) - before;
    assert!(
        groups <= 2,
        "12 kept jobs of one group took {groups} commits"
    );
}

// design: promises P1 grouped
#[tokio::test]
async fn concurrent_writers_share_commits() {
    let test = with_table(sqlite().await).await;
    let before = commits(&test.file());
    let (go_on, held) = hold_writer(&test.db);
    let jobs: Vec<_> = (0..500)
        .map(|n| {
            let db = test.db.clone();
            tokio::spawn(async move { insert(&db, n).await })
        })
        .collect();
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    go_on.send(()).unwrap();
    held.await.unwrap();
    for job in jobs {
        job.await.unwrap().unwrap();
    }
    assert_eq!(numbers(&test.db).await.len(), 500);
    let groups = commits(&test.file()) - before;
    assert!(groups < 100, "500 writes took {groups} commits");
}
