//! SQLite files that are damaged, foreign, read-only or on a full disk.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use frontdesk_db::{Db, DbError, SqliteOptions};
use tempfile::TempDir;

use crate::support::{execute, insert, numbers, rows, sqlite, with_table};

async fn open(path: &Path) -> Result<Db, DbError> {
    Db::open_sqlite(path, SqliteOptions::default()).await
}

#[tokio::test]
async fn a_damaged_file_says_so() {
    let test = with_table(sqlite().await).await;
    execute(&test.db, "CREATE TABLE filler (text TEXT)", vec![])
        .await
        .unwrap();
    for _ in 0..50 {
        execute(
            &test.db,
            "INSERT INTO filler VALUES ($1)",
            vec!["x".repeat(2000).into()],
        )
        .await
        .unwrap();
    }
    test.db.clone().close().await;
    let file = test.file();
    let mut bytes = std::fs::read(&file).unwrap();
    for byte in &mut bytes[4096..] {
        *byte = 0xA5;
    }
    std::fs::write(&file, bytes).unwrap();
    let error = match open(&file).await {
        Ok(db) => rows(&db, "SELECT * FROM filler", vec![]).await.err(),
        Err(error) => Some(error),
    };
    let Some(DbError::Corrupt { .. }) = &error else {
        panic!("{error:?}");
    };
    let told = error.unwrap().to_string();
    assert!(
        told.starts_with(&format!("the database file {} is damaged:", file.display())),
        "{told}"
    );
    assert!(told.contains("restore the last backup"), "{told}");
}

#[tokio::test]
async fn a_foreign_file_is_refused_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    let notes = "Dear diary, ".repeat(500);
    std::fs::write(&file, &notes).unwrap();
    let error = open(&file).await.err().unwrap();
    assert!(matches!(error, DbError::NotADatabase { .. }), "{error:?}");
    assert!(
        error.to_string().contains("notes.txt is not a database"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), notes);
}

#[tokio::test]
async fn an_impossible_path_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = open(folder.path()).await.err().unwrap();
    assert!(matches!(error, DbError::Unavailable { .. }), "{error:?}");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let error = open(&folder.path().join("file/below.db"))
        .await
        .err()
        .unwrap();
    assert!(matches!(error, DbError::Unavailable { .. }), "{error:?}");
}

#[tokio::test]
async fn only_the_owner_can_read_the_file() {
    let test = with_table(sqlite().await).await;
    for name in ["test.db", "test.db-wal"] {
        let mode = std::fs::metadata(test.file().with_file_name(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
    }
}

#[tokio::test]
async fn a_file_locked_by_another_program_is_busy() {
    let test = with_table(sqlite().await).await;
    let options = SqliteOptions {
        busy_timeout: std::time::Duration::from_millis(50),
        ..SqliteOptions::default()
    };
    let db = Db::open_sqlite(&test.file(), options).await.unwrap();
    let other = rusqlite::Connection::open(test.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let busy = insert(&db, 1).await;
    assert!(matches!(busy, Err(DbError::Busy { .. })), "{busy:?}");
    other.execute_batch("ROLLBACK").unwrap();
    insert(&db, 2).await.unwrap();
    assert_eq!(numbers(&db).await, [2]);
}

/// A small mounted file system. Needs root; without it the test is skipped with a message.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        let mounted = run(&[
            "mount",
            "-t",
            "tmpfs",
            "-o",
            &options,
            "tmpfs",
            folder.path().to_str().unwrap(),
        ]);
        if !mounted {
            eprintln!("SKIPPED: a small file system can only be mounted by root");
            return None;
        }
        Some(SmallDisk(folder))
    }

    fn remount(&self, option: &str) {
        let options = format!("remount,{option}");
        assert!(run(&[
            "mount",
            "-o",
            &options,
            self.0.path().to_str().unwrap()
        ]));
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("test.db")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        run(&["umount", "--lazy", self.0.path().to_str().unwrap()]);
    }
}

fn run(command: &[&str]) -> bool {
    Command::new(command[0])
        .args(&command[1..])
        .output()
        .is_ok_and(|output| output.status.success())
}

// design: promises P14 database
#[tokio::test]
async fn a_full_disk_loses_nothing_and_recovers() {
    let Some(disk) = SmallDisk::mount("2m") else {
        return;
    };
    let db = open(&disk.file()).await.unwrap();
    execute(
        &db,
        "CREATE TABLE t (n bigint PRIMARY KEY, filler blob)",
        vec![],
    )
    .await
    .unwrap();
    let add = |n: i64| {
        let db = db.clone();
        async move {
            execute(
                &db,
                "INSERT INTO t VALUES ($1, $2)",
                vec![n.into(), vec![7_u8; 20_000].into()],
            )
            .await
        }
    };
    let mut acknowledged = Vec::new();
    let mut refused = 0;
    for n in 0..300 {
        match add(n).await {
            Ok(_) => acknowledged.push(n),
            Err(error) => {
                assert!(matches!(error, DbError::Full { .. }), "{error:?}");
                refused += 1;
            }
        }
    }
    assert!(
        refused > 100 && acknowledged.len() > 10,
        "{refused} refused, {} kept",
        acknowledged.len()
    );
    assert_eq!(
        numbers(&db).await,
        acknowledged,
        "exactly what was acknowledged is there"
    );
    // A whole group: each job reports the full disk.
    let group: Vec<_> = (1000..1050).map(|n| tokio::spawn(add(n))).collect();
    for (n, job) in (1000..).zip(group) {
        match job.await.unwrap() {
            Ok(_) => acknowledged.push(n),
            Err(error) => assert!(matches!(error, DbError::Full { .. }), "{error:?}"),
        }
    }
    assert_eq!(numbers(&db).await, acknowledged);
    disk.remount("size=16m");
    for n in 2000..2100 {
        add(n).await.unwrap();
        acknowledged.push(n);
    }
    assert_eq!(numbers(&db).await, acknowledged);
    let sound = rows(&db, "PRAGMA integrity_check", vec![]).await.unwrap();
    assert_eq!(
        sound[0].get::<String>("integrity_check").as_deref(),
        Ok("ok")
    );
    db.close().await;
}

#[tokio::test]
async fn a_read_only_folder_fails_at_start() {
    let Some(disk) = SmallDisk::mount("2m") else {
        return;
    };
    let db = open(&disk.file()).await.unwrap();
    execute(&db, "CREATE TABLE t (n bigint PRIMARY KEY)", vec![])
        .await
        .unwrap();
    db.close().await;
    disk.remount("ro");
    for path in [disk.file(), disk.0.path().join("new/data.db")] {
        let error = open(&path).await.err().unwrap();
        assert!(matches!(error, DbError::ReadOnly { .. }), "{error:?}");
        assert!(
            error.to_string().contains("check the permissions"),
            "{error}"
        );
    }
}
