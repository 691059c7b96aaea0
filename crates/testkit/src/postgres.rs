//! Real, throw-away PostgreSQL for tests: a fresh database per test in a cluster that all tests share
//! ([`TestPostgres`]), or a durable cluster of one's own to kill and restart ([`PrivateCluster`]).
//! A Postgres that cannot be had fails the test with the reason.
#![expect(clippy::panic, reason = "only tests use this; they fail by panicking")]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
};

use tokio_postgres::{Client, NoTls, Row};
use uuid::Uuid;

/// The cluster that all tests share.
pub struct TestPostgres;

impl TestPostgres {
    /// A fresh, empty database; it is dropped with the value.
    pub async fn database() -> TestDatabase {
        let (admin_url, admin) = shared().await;
        let name = format!("test_{}", Uuid::now_v7().simple());
        // Copying files is the faster strategy for the small template, as the cluster never syncs.
        let sql = format!("CREATE DATABASE {name} STRATEGY = file_copy");
        if let Err(error) = admin.batch_execute(&sql).await {
            panic!("no test database could be created: {error:?}");
        }
        TestDatabase {
            url: with_database(&admin_url, &name),
            admin_url,
            name,
            roles: Mutex::default(),
        }
    }
}

/// One database of the shared cluster. The URL's user is a superuser.
pub struct TestDatabase {
    pub url: String,
    pub name: String,
    admin_url: String,
    roles: Mutex<Vec<String>>,
}

impl TestDatabase {
    /// A connection beside the one under test.
    pub async fn connect(&self) -> Client {
        match connect(&self.url).await {
            Ok(client) => client,
            Err(error) => panic!("no connection to the test database: {error:?}"),
        }
    }

    /// Runs a script as superuser.
    pub async fn execute(&self, sql: &str) {
        if let Err(error) = self.connect().await.batch_execute(sql).await {
            panic!("{error:?}: {sql}");
        }
    }

    /// Rows of a statement as superuser.
    pub async fn query(&self, sql: &str) -> Vec<Row> {
        match self.connect().await.query(sql, &[]).await {
            Ok(rows) => rows,
            Err(error) => panic!("{error:?}: {sql}"),
        }
    }

    /// Makes a role without any right. Roles belong to the whole cluster, so its name is unique; it
    /// is dropped with the database. `attributes` is e.g. `LOGIN`.
    pub async fn create_role(&self, attributes: &str) -> String {
        let role = format!("role_{}", Uuid::now_v7().simple());
        self.execute(&format!("CREATE ROLE {role} {attributes}"))
            .await;
        if let Ok(mut roles) = self.roles.lock() {
            roles.push(role.clone());
        }
        role
    }

    /// The same database for another role; the cluster asks no one for a password.
    pub fn url_as(&self, role: &str) -> String {
        self.url.replacen("postgres@", &format!("{role}@"), 1)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let mut sql = vec![format!(
            "DROP DATABASE IF EXISTS {} WITH (FORCE)",
            self.name
        )];
        if let Ok(roles) = self.roles.get_mut() {
            sql.extend(
                roles
                    .iter()
                    .map(|role| format!("DROP ROLE IF EXISTS {role}")),
            );
        }
        let url = self.admin_url.clone();
        // The test's own runtime may be the one that drops us: wait on another thread.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(async {
                let client = connect(&url).await.map_err(std::io::Error::other)?;
                for sql in sql {
                    client
                        .batch_execute(&sql)
                        .await
                        .map_err(std::io::Error::other)?;
                }
                Ok::<(), std::io::Error>(())
            })
        });
        // A leftover is removed by `scripts/test-postgres stop`; a passed test stays passed.
        if !matches!(dropping.join(), Ok(Ok(()))) {
            eprintln!("the test database {} was left behind", self.name);
        }
    }
}

/// A cluster of one test's own with `fsync` on. Stopped and removed with the value.
pub struct PrivateCluster {
    pub url: String,
    folder: PathBuf,
}

impl PrivateCluster {
    pub fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("fdpg-{}", Uuid::now_v7().simple()));
        let url = private("start", &folder);
        PrivateCluster { url, folder }
    }

    /// Kills the server and all its processes at once, as a power cut would.
    pub fn kill(&self) {
        private("kill", &self.folder);
    }

    /// Stops the server in good order.
    pub fn stop(&self) {
        private("stop", &self.folder);
    }

    /// Starts it again at the same address.
    pub fn restart(&self) {
        private("start", &self.folder);
    }

    /// A statement of its owner, outside of any transaction.
    pub async fn execute(&self, sql: &str) {
        let done = match connect(&self.url).await {
            Ok(client) => client.batch_execute(sql).await,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            panic!("{error:?}: {sql}");
        }
    }

    /// Where `postgresql.conf` is; changes count from the next start on.
    pub fn data_folder(&self) -> PathBuf {
        self.folder.join("data")
    }
}

impl Drop for PrivateCluster {
    fn drop(&mut self) {
        private("remove", &self.folder);
    }
}

/// The shared cluster's address and a connection to it, starting it when nobody has yet.
async fn shared() -> (String, Client) {
    let known = root().join("target/test-postgres/url");
    if let Ok(url) = std::fs::read_to_string(known)
        && let Ok(client) = connect(url.trim()).await
    {
        return (url.trim().to_owned(), client);
    }
    let url = script(&["start"]);
    match connect(&url).await {
        Ok(client) => (url, client),
        Err(error) => panic!("the test cluster at {url} does not answer: {error:?}"),
    }
}

async fn connect(url: &str) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    // It ends with the client, and its errors are the client's too.
    tokio::spawn(connection);
    Ok(client)
}

fn with_database(url: &str, name: &str) -> String {
    match url.rsplit_once('/') {
        Some((server, _)) => format!("{server}/{name}"),
        None => panic!("not a Postgres URL: {url}"),
    }
}

fn private(command: &str, folder: &Path) -> String {
    script(&["private", command, &folder.display().to_string()])
}

/// Runs `scripts/test-postgres`, the one place that knows how to run a server.
fn script(arguments: &[&str]) -> String {
    let program = root().join("scripts/test-postgres");
    match Command::new(&program).args(arguments).output() {
        Ok(Output { status, stdout, .. }) if status.success() => {
            String::from_utf8_lossy(&stdout).trim().to_owned()
        }
        Ok(output) => panic!(
            "{} {arguments:?}: {}",
            program.display(),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => panic!("{}: {error}", program.display()),
    }
}

/// The workspace, two folders above this crate.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}
