//! Real, throw-away PostgreSQL for tests: a fresh database per test in a cluster that all tests share
//! ([`TestPostgres`]), or a durable cluster of one's own to kill and restart ([`PrivateCluster`]).
//! A Postgres that cannot be had fails the test with the reason.
#![expect(clippy::panic, reason = "only tests use this; they fail by panicking")]

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
};

use tokio_postgres::{Client, NoTls, Row, SimpleQueryMessage};
use uuid::Uuid;

/// The cluster that all tests share.
pub struct TestPostgres;

impl TestPostgres {
    /// A fresh, empty database; it is dropped with the value.
    pub async fn database() -> TestDatabase {
        let (admin_url, admin) = shared().await;
        TestDatabase::create(&admin, admin_url, "template1").await
    }

    /// A fresh database with what `prepare` makes of an empty one, given its address. That is done
    /// once for each build of the tests; every test gets a copy.
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
            // A copy can only be made of a database that nobody uses; whoever listens to it goes last.
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

/// Other tests prepare otherwise, and so do the same tests after a change.
fn template_of_this_build() -> String {
    let mut hasher = DefaultHasher::new();
    match std::env::current_exe().and_then(|exe| Ok((exe.metadata()?.modified()?, exe))) {
        Ok(build) => build.hash(&mut hasher),
        Err(error) => panic!("this test does not know its own file: {error}"),
    }
    format!("ready_{:016x}", hasher.finish())
}

/// How many rows it gave.
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
        // Copying files is the faster strategy for a small template, as the cluster never syncs.
        let sql = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY = file_copy");
        run(admin, &sql).await;
        Self {
            url: with_database(&admin_url, &name),
            admin_url,
            name,
            roles: Mutex::default(),
        }
    }

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
