//! The environment of a run: its data, the surrounding servers, and the processes under test.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use frontdesk_db::{Claims, Db, DbError, PostgresOptions, Row, SqliteOptions};
use frontdesk_testkit::model_server::ModelServer;
use frontdesk_testkit::postgres::{PrivateCluster, TestDatabase};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use uuid::Uuid;

use super::clients::SECRET;
use super::effects::{Effects, Holds};
use super::model;
use crate::harness::{Backing, database};

const SIGABRT: i32 = 6;
/// The longest time from a restart to the end of every turn.
const TURNS_END: Duration = Duration::from_secs(30);

pub struct Place {
    pub model: ModelServer,
    pub effects: Effects,
    pub holds: Holds,
    folder: TempDir,
    database: Database,
    tuning: Tuning,
}

/// Differences from an ordinary installation.
#[derive(Default)]
pub struct Tuning {
    /// Session settings, as the query string of the database URL.
    pub session: &'static str,
    pub pool_size: Option<u32>,
    /// How long requests wait for a connection, in seconds.
    pub wait_seconds: Option<u32>,
    /// Folder of the embedded database, if not in the run's own folder.
    pub data: Option<PathBuf>,
}

enum Database {
    Sqlite,
    Shared(TestDatabase),
    Own(PrivateCluster),
}

impl Place {
    pub async fn new(backing: Backing) -> Self {
        Self::tuned(backing, Tuning::default()).await
    }

    pub async fn tuned(backing: Backing, tuning: Tuning) -> Self {
        let database = match backing {
            Backing::Sqlite => Database::Sqlite,
            Backing::Postgres => Database::Shared(database().await),
        };
        Self::with(database, tuning).await
    }

    /// On a durable PostgreSQL of its own.
    pub async fn with_cluster() -> Self {
        let cluster = tokio::task::spawn_blocking(PrivateCluster::start);
        Self::with(Database::Own(cluster.await.unwrap()), Tuning::default()).await
    }

    async fn with(database: Database, tuning: Tuning) -> Self {
        let holds = Holds::default();
        let place = Self {
            model: model::start(holds.clone()).await,
            effects: Effects::start(holds.clone()).await,
            holds,
            folder: TempDir::new().unwrap(),
            database,
            tuning,
        };
        std::fs::write(place.config_file(), place.config()).unwrap();
        place
    }

    pub fn cluster(&self) -> &PrivateCluster {
        match &self.database {
            Database::Own(cluster) => cluster,
            Database::Sqlite | Database::Shared(_) => panic!("not a cluster of our own"),
        }
    }

    pub fn database(&self) -> &TestDatabase {
        match &self.database {
            Database::Shared(database) => database,
            Database::Sqlite | Database::Own(_) => panic!("not a database of the shared cluster"),
        }
    }

    /// A part of the database's name, as errors print it, that identifies it.
    pub fn name(&self) -> String {
        match &self.database {
            Database::Sqlite => self.data().display().to_string(),
            Database::Shared(database) => database.name.clone(),
            Database::Own(cluster) => cluster.url.clone(),
        }
    }

    fn url(&self) -> Option<&str> {
        match &self.database {
            Database::Sqlite => None,
            Database::Shared(database) => Some(&database.url),
            Database::Own(cluster) => Some(&cluster.url),
        }
    }

    fn data(&self) -> PathBuf {
        match &self.tuning.data {
            Some(folder) => folder.clone(),
            None => self.folder.path().join("data"),
        }
    }

    pub fn config_file(&self) -> PathBuf {
        self.folder.path().join("target.toml")
    }

    fn config(&self) -> String {
        let database = match self.url() {
            Some(url) => {
                let pool_size = self.tuning.pool_size.unwrap_or(10);
                let wait = self.tuning.wait_seconds.unwrap_or(30);
                let session = self.tuning.session;
                format!(
                    "[database]\nurl = \"{url}{session}\"\npool_size = {pool_size}\nwait_seconds = {wait}\n"
                )
            }
            None => String::new(),
        };
        format!(
            "data_dir = {data:?}\ndemo = false\n\
             [server]\nbind = \"127.0.0.1:0\"\nlease_seconds = 2\n{database}\
             [auth]\njwt_secret = \"{SECRET}\"\n\
             [model]\nprovider = \"openai\"\nbase_url = \"{model}\"\n\
             [log]\nlevel = \"info\"\n\
             [crash]\neffects = \"{effects}\"\n",
            data = self.data(),
            model = self.model.url(),
            effects = self.effects.address,
        )
    }

    /// Starts a process and waits until it listens.
    pub async fn start(&self) -> Target {
        self.start_with(&[]).await
    }

    /// Starts a process that aborts when its writes reach this point, counted from 1.
    pub async fn start_doomed(&self, point: usize) -> Target {
        self.start_with(&[point.to_string()]).await
    }

    async fn start_with(&self, arguments: &[String]) -> Target {
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.path().join("log"))
            .unwrap();
        let mut child = Command::new(program())
            .arg(self.config_file())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let Some(url) = lines.next_line().await.unwrap() else {
            panic!("the target did not start: {}", self.log());
        };
        Target { child, url }
    }

    /// The log of all processes.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// The database, read without row-level security.
    pub async fn db(&self) -> Db {
        match self.url() {
            Some(url) => {
                let options = PostgresOptions {
                    schema: Some("frontdesk".to_owned()),
                    ..PostgresOptions::default()
                };
                Db::connect_postgres(&url.into(), options).await
            }
            None => {
                let file = self.data().join("frontdesk.db");
                Db::open_sqlite(&file, SqliteOptions::default()).await
            }
        }
        .unwrap()
    }

    /// Waits until no turn runs, at most the time promised after a restart.
    pub async fn settled(&self, db: &Db) {
        let since = Instant::now();
        loop {
            let left = number(db, "SELECT count(*) AS n FROM turns WHERE ended_at IS NULL").await;
            if left == 0 {
                return;
            }
            if since.elapsed() >= TURNS_END {
                let known = self.left_open(db).await;
                panic!("{left} turns have not ended:\n{known}");
            }
            pause().await;
        }
    }

    /// Diagnostics of open turns: their rows, and the log lines that name them.
    async fn left_open(&self, db: &Db) -> String {
        const LINES: usize = 12;
        let sql = "SELECT id, state, epoch, node, lease_until, deadline, position FROM turns \
                   WHERE ended_at IS NULL ORDER BY lease_until";
        let rows: Result<Vec<(Uuid, String)>, DbError> = db
            .read(&Claims::system("crash check"), move |tx| {
                Box::pin(async move { tx.rows(sql, &[]).await?.iter().map(open_turn).collect() })
            })
            .await;
        let log = self.log();
        let mut told = format!("at {}\n", Utc::now());
        for (turn, row) in rows.unwrap() {
            let turn = turn.to_string();
            let lines: Vec<&str> = log.lines().filter(|line| line.contains(&turn)).collect();
            let last = lines.len().saturating_sub(LINES);
            told.push_str(&format!("{row}\n    {}\n", lines[last..].join("\n    ")));
        }
        let lines: Vec<&str> = log.lines().collect();
        let last = lines.len().saturating_sub(5 * LINES);
        told.push_str(&format!(
            "the end of the log:\n{}",
            lines[last..].join("\n")
        ));
        told
    }

    /// Asserts that no Postgres session holds an open transaction.
    pub async fn nothing_left_open(&self, db: &Db) {
        if self.url().is_none() {
            return;
        }
        let since = Instant::now();
        let sql = "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() \
                   AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'";
        // A busy session is between two statements now and then.
        while number(db, sql).await > 0 {
            assert!(since.elapsed() < TURNS_END, "a transaction was left open");
            pause().await;
        }
    }
}

fn open_turn(row: &Row) -> Result<(Uuid, String), DbError> {
    let turn: Uuid = row.get("id")?;
    let moment = |column| row.get::<Option<DateTime<Utc>>>(column);
    let told = format!(
        "{turn} {}, epoch {} of {}, lease until {:?}, deadline {:?}, position {}",
        row.get::<String>("state")?,
        row.get::<i64>("epoch")?,
        row.get::<String>("node")?,
        moment("lease_until")?,
        moment("deadline")?,
        row.get::<i64>("position")?,
    );
    Ok((turn, told))
}

pub async fn number(db: &Db, sql: &'static str) -> i64 {
    let found: Result<i64, DbError> = db
        .read(&Claims::system("crash check"), move |tx| {
            Box::pin(async move {
                match tx.row(sql, &[]).await? {
                    Some(row) => row.get("n"),
                    None => Ok(0),
                }
            })
        })
        .await;
    found.unwrap()
}

/// Waits until a condition holds; panics with its description after the time limit.
pub async fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let waiting = async {
        while !happened() {
            pause().await;
        }
    };
    in_time(what, waiting).await;
}

/// Awaits a future; panics with its description after the time limit.
pub async fn in_time<T>(what: &str, waiting: impl Future<Output = T>) -> T {
    const PATIENCE: Duration = Duration::from_secs(180);
    match tokio::time::timeout(PATIENCE, waiting).await {
        Ok(done) => done,
        Err(_) => panic!("waited {PATIENCE:?} for this: {what}"),
    }
}

/// Pause between two polls.
pub async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// The crash target, built beside the product's binary.
fn program() -> PathBuf {
    let product = PathBuf::from(env!("CARGO_BIN_EXE_frontdesk"));
    let program = product.with_file_name("examples").join("crash_target");
    assert!(
        program.exists(),
        "{} is missing: cargo build -p frontdesk --example crash_target",
        program.display()
    );
    program
}

/// A server process that can be killed.
pub struct Target {
    child: Child,
    pub url: String,
}

impl Target {
    /// kill -9.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Waits for the process to end by itself. Returns whether it aborted.
    pub async fn aborted(mut self) -> bool {
        let ended = in_time("the process aborts", self.child.wait()).await;
        let signal = std::os::unix::process::ExitStatusExt::signal(&ended.unwrap());
        signal == Some(SIGABRT)
    }

    /// SIGTERM, SIGSTOP or SIGCONT.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().unwrap().to_string();
        let sent = std::process::Command::new("kill")
            .args([&format!("-{name}"), &pid])
            .status();
        assert!(sent.unwrap().success());
    }

    /// Sends SIGTERM and returns the time until the process ended.
    pub async fn stop(mut self) -> Duration {
        let since = Instant::now();
        self.signal("TERM");
        let ended = tokio::time::timeout(TURNS_END, self.child.wait()).await;
        let status = ended.expect("the process did not end").unwrap();
        assert!(status.success(), "{status}");
        since.elapsed()
    }
}
