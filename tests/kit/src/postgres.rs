//! Temporary PostgreSQL databases for tests: a fresh database per test in a shared cluster
//! ([`TestPostgres`]), or a private durable cluster to kill and restart
//! ([`PrivateCluster`]). If no server can be started, the test fails with the reason.
#![expect(clippy::panic, reason = "only tests use this; they fail by panicking")]

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
};

use tokio_postgres::{Client, NoTls, Row, SimpleQueryMessage};
use uuid::Uuid;

/// The cluster shared by all tests.
pub struct TestPostgres;

impl TestPostgres {
    /// A fresh, empty database; dropped with the value.
    pub async fn database() -> TestDatabase {
        let (admin_url, admin) = shared().await;
        TestDatabase::create(&admin, admin_url, "template1").await
    }

    /// A fresh database with the result of `prepare`, which gets the URL of an empty one.
    /// It runs once per build of the tests; every test gets a copy.
    pub async fn prepared(prepare: impl AsyncFnOnce(String)) -> TestDatabase {
        let (admin_url, admin) = shared().await;
        let template = template_of_this_build();
        run(&admin, "SELECT pg_advisory_lock(hashtext('templates'))").await;
        let known = format!("SELECT 1 FROM pg_database WHERE datname = '{template}'");
        if run(&admin, &known).await == 0 {
            run(
                &admin,
                &format!("DROP DATABASE IF EXISTS {template}_raw WITH (FORCE)"),
            )
            .await;
            run(&admin, &format!("CREATE DATABASE {template}_raw")).await;
            prepare(with_database(&admin_url, &format!("{template}_raw"))).await;
            // Only an unused database can be copied: end all remaining sessions.
            let guests = format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{template}_raw'"
            );
            run(&admin, &guests).await;
            let ready = format!("ALTER DATABASE {template}_raw RENAME TO {template}");
            run(&admin, &ready).await;
        }
        run(&admin, "SELECT pg_advisory_unlock_all()").await;
        TestDatabase::create(&admin, admin_url, &template).await
    }
}

/// Differs between test binaries and between builds.
fn template_of_this_build() -> String {
    let mut hasher = DefaultHasher::new();
    match std::env::current_exe().and_then(|exe| Ok((exe.metadata()?.modified()?, exe))) {
        Ok(build) => build.hash(&mut hasher),
        Err(error) => panic!("the test's own executable is unknown: {error}"),
    }
    format!("ready_{:016x}", hasher.finish())
}

/// Returns the number of rows.
async fn run(admin: &Client, sql: &str) -> usize {
    match admin.simple_query(sql).await {
        Ok(messages) => messages
            .iter()
            .filter(|message| matches!(message, SimpleQueryMessage::Row(_)))
            .count(),
        Err(error) => panic!("{error:?}: {sql}"),
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
    async fn create(admin: &Client, admin_url: String, template: &str) -> Self {
        let name = format!("test_{}", Uuid::now_v7().simple());
        // Copying files is faster for a small template, as the cluster never syncs.
        let sql = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY = file_copy");
        run(admin, &sql).await;
        Self {
            url: with_database(&admin_url, &name),
            admin_url,
            name,
            roles: Mutex::default(),
        }
    }

    /// Opens a connection besides the one under test.
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

    /// Creates a role without privileges. Roles belong to the whole cluster, so the name is
    /// unique; the role is dropped with the database. `attributes` is e.g. `LOGIN`.
    pub async fn create_role(&self, attributes: &str) -> String {
        let role = format!("role_{}", Uuid::now_v7().simple());
        self.execute(&format!("CREATE ROLE {role} {attributes}"))
            .await;
        if let Ok(mut roles) = self.roles.lock() {
            roles.push(role.clone());
        }
        role
    }

    /// The URL for another role; the cluster needs no passwords.
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
        // The test's own runtime may run this drop, so the wait needs another thread.
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
        // `scripts/test-postgres stop` removes leftovers; they do not fail a passed test.
        if !matches!(dropping.join(), Ok(Ok(()))) {
            eprintln!("the test database {} was left behind", self.name);
        }
    }
}

/// A private cluster with `fsync` on. Stopped and removed with the value.
pub struct PrivateCluster {
    pub url: String,
    folder: PathBuf,
    version: Version,
}

/// The server programs of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The system's own, the oldest supported version on Debian 12.
    System,
    /// The newest supported version, from `scripts/setup test`.
    Newest,
}

impl Version {
    /// `TEST_POSTGRES=newest` runs a whole test suite on the newest version.
    #[expect(
        clippy::disallowed_methods,
        reason = "the test kit has no settings; a script chooses the version"
    )]
    fn from_environment() -> Self {
        match std::env::var("TEST_POSTGRES").as_deref() {
            Ok("newest") => Version::Newest,
            Ok(_) | Err(_) => Version::System,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Version::System => "",
            Version::Newest => "newest",
        }
    }
}

impl PrivateCluster {
    pub fn start() -> Self {
        Self::start_version(Version::from_environment())
    }

    /// A cluster of the given server, whichever the shared one is.
    pub fn start_version(version: Version) -> Self {
        let folder = std::env::temp_dir().join(format!("fdpg-{}", Uuid::now_v7().simple()));
        let url = private("start", &folder, version);
        PrivateCluster {
            url,
            folder,
            version,
        }
    }

    /// Kills all processes of the server at once, like a power cut.
    pub fn kill(&self) {
        private("kill", &self.folder, self.version);
    }

    /// Stops the server cleanly.
    pub fn stop(&self) {
        private("stop", &self.folder, self.version);
    }

    /// Starts the server again at the same address.
    pub fn restart(&self) {
        private("start", &self.folder, self.version);
    }

    /// Runs a statement as the owner, outside of any transaction.
    pub async fn execute(&self, sql: &str) {
        let done = match connect(&self.url).await {
            Ok(client) => client.batch_execute(sql).await,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            panic!("{error:?}: {sql}");
        }
    }

    /// The folder of `postgresql.conf`; changes apply from the next start.
    pub fn data_folder(&self) -> PathBuf {
        self.folder.join("data")
    }
}

impl Drop for PrivateCluster {
    fn drop(&mut self) {
        private("remove", &self.folder, self.version);
    }
}

/// The shared cluster's address and a connection to it; starts the cluster if needed.
async fn shared() -> (String, Client) {
    let version = Version::from_environment();
    let folder = match version {
        Version::System => "target/test-postgres/url",
        Version::Newest => "target/test-postgres-newest/url",
    };
    let known = root().join(folder);
    if let Ok(url) = std::fs::read_to_string(known)
        && let Ok(client) = connect(url.trim()).await
    {
        return (url.trim().to_owned(), client);
    }
    let url = script(&["start"], version);
    match connect(&url).await {
        Ok(client) => (url, client),
        Err(error) => panic!("the test cluster at {url} does not answer: {error:?}"),
    }
}

async fn connect(url: &str) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    // The task ends with the client, which also gets its errors.
    tokio::spawn(connection);
    // The product's tables, where there are any; tests of single crates use `public`.
    client
        .batch_execute("SET search_path = frontdesk, public")
        .await?;
    Ok(client)
}

fn with_database(url: &str, name: &str) -> String {
    match url.rsplit_once('/') {
        Some((server, _)) => format!("{server}/{name}"),
        None => panic!("not a Postgres URL: {url}"),
    }
}

fn private(command: &str, folder: &Path, version: Version) -> String {
    let folder = folder.display().to_string();
    script(&["private", command, &folder], version)
}

/// Runs `scripts/test-postgres`, the only place that knows how to start a server.
fn script(arguments: &[&str], version: Version) -> String {
    let program = root().join("scripts/test-postgres");
    let run = Command::new(&program)
        .args(arguments)
        .env("TEST_POSTGRES", version.name())
        .output();
    match run {
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
