//! A whole Frontdesk in a temporary folder, with a scripted model on a real socket.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk::app::App;
use frontdesk::clock::RealWorld;
use frontdesk::config::{Config, Sources};
use frontdesk::identity::{self, NewToken};
use frontdesk::services::Reach;
use frontdesk_assistants::{Bundle, NAMES, SETTINGS, SetupError, Surroundings};
use frontdesk_core::access::Principal;
use frontdesk_core::world::World;
use frontdesk_testkit::postgres::{TestDatabase, TestPostgres};
use futures_util::future::BoxFuture;
use tempfile::TempDir;
use uuid::Uuid;

/// Every assistant that ships, and the smallest one.
pub fn assistants(around: &Surroundings) -> Result<Vec<Bundle>, SetupError> {
    let mut bundles = frontdesk_assistants::all(around)?;
    bundles.push(crate::notes::bundle(around)?);
    Ok(bundles)
}

/// Settings with these values over the defaults, and nothing from this machine.
pub fn config(values: &[(&'static str, &str)]) -> Config {
    let sources = Sources {
        flags: values
            .iter()
            .map(|(key, value)| (*key, (*value).to_owned()))
            .collect(),
        ..Sources::default()
    };
    Config::load(sources, SETTINGS, NAMES).unwrap()
}

/// A world that began when a test says: what people are shown has dates in it.
pub struct WorldFrom {
    ahead: TimeDelta,
}

impl WorldFrom {
    pub fn new(begin: &str) -> Arc<dyn World> {
        let begin: DateTime<Utc> = begin.parse().unwrap();
        Arc::new(Self {
            ahead: begin - RealWorld.now(),
        })
    }
}

impl World for WorldFrom {
    fn now(&self) -> DateTime<Utc> {
        RealWorld.now() + self.ahead
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        RealWorld.sleep(duration)
    }

    fn id(&self) -> Uuid {
        RealWorld.id()
    }
}

/// Where a test's data live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backing {
    Sqlite,
    Postgres,
}

pub const BOTH: [Backing; 2] = [Backing::Sqlite, Backing::Postgres];

const SECRET: &str = "a secret for tests that is long enough";

pub struct TestApp {
    pub app: App,
    /// Goes when the test is over.
    pub keep: Keep,
}

pub struct Keep {
    _folder: TempDir,
    _database: Option<TestDatabase>,
}

impl TestApp {
    /// Answers come from the model server at this address.
    pub async fn start(backing: Backing, model_url: &str) -> Self {
        Self::start_in(Arc::new(RealWorld), backing, model_url, &[]).await
    }

    /// The same by another clock and with more settings.
    pub async fn start_in(
        world: Arc<dyn World>,
        backing: Backing,
        model_url: &str,
        more: &[(&'static str, &str)],
    ) -> Self {
        let folder = TempDir::new().unwrap();
        let data = folder.path().to_string_lossy().into_owned();
        let database = match backing {
            Backing::Sqlite => None,
            Backing::Postgres => Some(TestPostgres::database().await),
        };
        let mut values = vec![
            ("data_dir", data.as_str()),
            ("model.provider", "openai"),
            ("model.base_url", model_url),
        ];
        if let Some(database) = &database {
            values.push(("database.url", &database.url));
            values.push(("auth.jwt_secret", SECRET));
        }
        values.extend(more);
        let app = App::open_in(world, config(&values), assistants, Reach::OwnPort)
            .await
            .unwrap();
        Self {
            app,
            keep: Keep {
                _folder: folder,
                _database: database,
            },
        }
    }

    /// Signs a demo person in, also where the product itself would not let them.
    pub async fn person(&self, name: &str) -> Principal {
        sign_in(&self.app, name).await
    }
}

pub async fn sign_in(app: &App, name: &str) -> Principal {
    let persona = app
        .personas
        .iter()
        .find(|persona| persona.name == name)
        .unwrap_or_else(|| panic!("no persona {name}"));
    identity::sign_in_persona(app.desk.store(), app.world.as_ref(), persona)
        .await
        .unwrap()
}

/// A token that lets this person in over HTTP.
pub async fn token(app: &App, name: &str) -> String {
    let who = sign_in(app, name).await;
    let issued = app.world.now();
    let new = NewToken {
        subject: who.subject(),
        name: who.name().to_owned(),
        email: who.email().map(str::to_owned),
        roles: who.roles().iter().map(ToString::to_string).collect(),
        issued,
        expires: issued + chrono::Duration::hours(1),
    };
    app.tokens.sign(&new).unwrap()
}
