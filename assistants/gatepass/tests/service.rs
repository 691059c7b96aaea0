//! The real Gate Pass API on a loopback socket.

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::env::Env;
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_service_gatepass::{GatePass, MIGRATIONS, Photos, Settings, router};
use jsonwebtoken::{EncodingKey, Header};
use secrecy::SecretString;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::bench::Bench;
use super::env::TestWorld;
use frontdesk_bundle::MintToken;

const SECRET: &str = "a secret of the tests that is long enough";

pub(super) struct Service {
    pub(super) url: String,
    serving: JoinHandle<()>,
    _folder: TempDir,
}

impl Service {
    async fn start(env: &Arc<TestWorld>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gatepass.db");
        let db = Db::open_sqlite(&path, SqliteOptions::default())
            .await
            .unwrap();
        db.migrate(&[MIGRATIONS]).await.unwrap();
        let photos = Photos::folder(folder.path().join("photos")).unwrap();
        let settings = Settings::new(SecretString::from(SECRET), "https://desk.example.com");
        let clock = Arc::clone(env);
        let service = GatePass::new(db, settings, photos, Arc::new(move || clock.now())).unwrap();
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
pub(super) fn signed_tokens(env: &Arc<TestWorld>) -> MintToken {
    let env = Arc::clone(env);
    Arc::new(move |who, audience| {
        let roles: Vec<&str> = who.roles().iter().map(Role::as_str).collect();
        let now = env.now().timestamp();
        let claims = json!({
            "iss": "frontdesk", "aud": audience, "sub": who.subject(), "name": who.name(),
            "roles": roles, "iat": now, "exp": now + 60,
        });
        let key = EncodingKey::from_secret(SECRET.as_bytes());
        Ok(jsonwebtoken::encode(&Header::default(), &claims, &key)?)
    })
}

/// The assistant over the real API.
pub(super) async fn site() -> (Bench, Service) {
    let env = TestWorld::new();
    let service = Service::start(&env).await;
    let tokens = signed_tokens(&env);
    let bench = Bench::in_world(env, &service.url, &[], tokens).await;
    (bench, service)
}
