//! An acknowledged write is flushed to disk: the tests count the flushes of the writing
//! process.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use frontdesk_db::{PostgresOptions, SqliteOptions};
use frontdesk_testkit::postgres::PrivateCluster;

use crate::support::{connect, execute, insert, rows, sqlite};

const WRITES: i64 = 50;

/// The number of log flushes of the server so far.
async fn flushes(db: &frontdesk_db::Db) -> i64 {
    // Version 18 moved this counter.
    let sql = "SELECT CASE WHEN current_setting('server_version_num')::int < 180000
                   THEN (SELECT (to_jsonb(w) ->> 'wal_sync')::bigint FROM pg_stat_wal w)
                   ELSE (xpath('/row/n/text()', query_to_xml('SELECT sum(fsyncs)::bigint AS n
                       FROM pg_stat_io WHERE object = ''wal''', false, true, '')))[1]::text::bigint
               END AS n";
    rows(db, sql, vec![]).await.unwrap()[0].get("n").unwrap()
}

// design: promises P1 flushed
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_write_was_flushed_first() {
    let cluster = PrivateCluster::start();
    let options = PostgresOptions {
        pool_size: 1,
        ..PostgresOptions::default()
    };
    let db = connect(&cluster.url, options).await.unwrap();
    execute(&db, "CREATE TABLE t (n bigint PRIMARY KEY)", vec![])
        .await
        .unwrap();
    let before = flushes(&db).await;
    for n in 0..WRITES {
        insert(&db, n).await.unwrap();
    }
    // The server publishes its counters with a delay.
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        execute(&db, "SELECT pg_stat_force_next_flush()", vec![])
            .await
            .unwrap();
        let flushed = flushes(&db).await - before;
        if flushed >= WRITES {
            break;
        }
        assert!(Instant::now() < deadline, "{flushed} flushes of {WRITES}");
    }
    db.close().await;
}

/// Counts system calls with `strace`, if available and permitted.
// design: promises P1 flushed
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_flushes_its_log_before_it_answers() {
    let test = crate::support::with_table(sqlite().await).await;
    let log = tempfile::NamedTempFile::new().unwrap();
    let tracer = Command::new("strace")
        .args(["-f", "-e", "trace=fdatasync,fsync", "-o"])
        .arg(log.path())
        .args(["-p", &std::process::id().to_string()])
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut tracer) = tracer else {
        eprintln!("SKIPPED: strace is not here");
        return;
    };
    let attached = tracer_is_attached(&mut tracer);
    if !attached {
        eprintln!("SKIPPED: strace may not look at this process");
        return;
    }
    for n in 0..WRITES {
        insert(&test.db, n).await.unwrap();
    }
    let options = SqliteOptions::default();
    assert_eq!(options.synchronous, frontdesk_db::Synchronous::Full);
    Command::new("kill")
        .args(["-INT", &tracer.id().to_string()])
        .status()
        .unwrap();
    tracer.wait().unwrap();
    let text = std::fs::read_to_string(log.path()).unwrap();
    let calls = text.lines().filter(|line| line.contains("sync(")).count();
    assert!(calls >= WRITES as usize, "{calls} of {WRITES}: {text}");
}

/// Reads until the tracer reports that it is attached or was refused.
fn tracer_is_attached(tracer: &mut std::process::Child) -> bool {
    use std::io::{BufRead, BufReader};
    let Some(errors) = tracer.stderr.take() else {
        return false;
    };
    let mut lines = BufReader::new(errors).lines();
    let first = lines.next().and_then(Result::ok).unwrap_or_default();
    // Drains the rest of its output, so that it does not block.
    std::thread::spawn(move || lines.for_each(drop));
    first.contains("attached")
}
