//! The real Gate Pass API on a loopback socket, with its demo passes.

use std::path::Path;
use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::world::World;
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_service_gatepass::{GatePass, MIGRATIONS, Photos, Settings, router, seed_demo};
use jsonwebtoken::{EncodingKey, Header};
use secrecy::SecretString;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::bench::Bench;
use super::world::TestWorld;
use crate::bundle::MintToken;

const SECRET: &str = "a secret of the tests that is long enough";

pub(super) struct Service {
    pub(super) url: String,
    serving: JoinHandle<()>,
    _folder: TempDir,
}

/// A folder with the database and the photos of a service.
async fn open(folder: &Path, world: &Arc<TestWorld>) -> (GatePass, Db) {
    let path = folder.join("gatepass.db");
    let db = Db::open_sqlite(&path, SqliteOptions::default())
        .await
        .unwrap();
    db.migrate(&[MIGRATIONS]).await.unwrap();
    let photos = Photos::folder(folder.join("photos")).unwrap();
    let settings = Settings::new(SecretString::from(SECRET), "https://desk.example.com");
    let clock = Arc::clone(world);
    let service = GatePass::new(db.clone(), settings, photos, Arc::new(move || clock.now()));
    (service.unwrap(), db)
}

/// The demo passes, made once and copied for each test that changes them.
pub(super) async fn demo_passes() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (service, db) = open(folder.path(), &TestWorld::new()).await;
    assert_eq!(seed_demo(&service).await.unwrap(), 12);
    db.close().await;
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => std::fs::copy(entry.path(), target).map(|_| ()).unwrap(),
        }
    }
}

impl Service {
    async fn start(folder: TempDir, world: &Arc<TestWorld>) -> Self {
        let (service, _) = open(folder.path(), world).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move {
            axum::serve(listener, router(service)).await.unwrap();
        });
        Self {
            url,
            serving,
            _folder: folder,
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Tokens of a minute, as the product signs them.
pub(super) fn signed_tokens(world: &Arc<TestWorld>) -> MintToken {
    let world = Arc::clone(world);
    Arc::new(move |who, audience| {
        let roles: Vec<&str> = who.roles().iter().map(Role::as_str).collect();
        let now = world.now().timestamp();
        let claims = json!({
            "iss": "frontdesk", "aud": audience, "sub": who.subject(), "name": who.name(),
            "roles": roles, "iat": now, "exp": now + 60,
        });
        let key = EncodingKey::from_secret(SECRET.as_bytes());
        Ok(jsonwebtoken::encode(&Header::default(), &claims, &key)?)
    })
}

/// The assistant over the real API without any passes.
pub(super) async fn empty_site() -> (Bench, Service) {
    site(tempfile::tempdir().unwrap()).await
}

/// The assistant over the real API with these passes, which stay as they are.
pub(super) async fn site_with(passes: &TempDir) -> (Bench, Service) {
    let folder = tempfile::tempdir().unwrap();
    copy(passes.path(), folder.path());
    site(folder).await
}

async fn site(folder: TempDir) -> (Bench, Service) {
    let world = TestWorld::new();
    let service = Service::start(folder, &world).await;
    let tokens = signed_tokens(&world);
    let bench = Bench::in_world(world, &service.url, &[], tokens).await;
    (bench, service)
}
