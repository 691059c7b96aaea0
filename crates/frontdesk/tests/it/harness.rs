//! A complete Frontdesk in a temporary folder, with a scripted model on a real socket and a clock
//! that starts on the same day in each run.

use std::sync::Arc;

use frontdesk::app::{App, MakeBundles};
use frontdesk::config::{Config, Sources};
use frontdesk::identity::{self, Verified};
use frontdesk::services::Reach;
use frontdesk_assistants::{NAMES, SETTINGS};
use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_core::access::Principal;
use frontdesk_core::model::Model;
use frontdesk_testkit::clock::FakeClock;
use frontdesk_testkit::postgres::{TestDatabase, TestPostgres};
use tempfile::TempDir;

/// Every assistant that ships, and two for tests.
pub fn assistants(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    let mut bundles = frontdesk_assistants::all(ctx)?;
    bundles.push((frontdesk_assistant_notes::PACKAGE.set_up)(ctx)?);
    bundles.push(crate::planner::bundle(ctx)?);
    Ok(bundles)
}

/// These values over the defaults, isolated from this machine's settings.
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

/// The database of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backing {
    Sqlite,
    Postgres,
}

pub const BOTH: [Backing; 2] = [Backing::Sqlite, Backing::Postgres];

/// A Monday. Goldens that say "tomorrow" or count passes of a year rely on it.
pub const TODAY: &str = "2026-11-16T09:00:00Z";
const SECRET: &str = "a secret for tests that is long enough";

pub struct TestApp {
    pub app: App,
    pub clock: FakeClock,
    /// Deletes the data when dropped.
    pub keep: Keep,
}

pub struct Keep {
    folder: TempDir,
    pub database: Option<TestDatabase>,
}

/// A Postgres database with every table, all empty.
pub async fn database() -> TestDatabase {
    let tables = async |url: String| {
        let folder = TempDir::new().unwrap();
        let data = folder.path().to_string_lossy().into_owned();
        let settings = config(&[
            ("data_dir", &data),
            ("database.url", &url),
            ("auth.jwt_secret", SECRET),
            ("demo", "false"),
        ]);
        let env = Arc::new(FakeClock::starting(TODAY.parse().unwrap()));
        let app = App::open_in(env, settings, assistants, Reach::OwnPort)
            .await
            .unwrap();
        app.close().await;
    };
    TestPostgres::prepared(tables).await
}

impl Keep {
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    async fn new(backing: Backing) -> Self {
        let database = match backing {
            Backing::Sqlite => None,
            Backing::Postgres => Some(database().await),
        };
        Self {
            folder: TempDir::new().unwrap(),
            database,
        }
    }
}

impl TestApp {
    /// With the model server at this address.
    pub async fn start(backing: Backing, model_url: &str) -> Self {
        Self::start_on(TODAY, backing, model_url, &[]).await
    }

    /// The same on another day and with more settings.
    pub async fn start_on(
        day: &str,
        backing: Backing,
        model_url: &str,
        more: &[(&'static str, &str)],
    ) -> Self {
        let keep = Keep::new(backing).await;
        Self::open(keep, day, model_url, assistants, more, None).await
    }

    /// The same with other assistants.
    pub async fn of(
        backing: Backing,
        model_url: &str,
        make: MakeBundles,
        more: &[(&'static str, &str)],
    ) -> Self {
        let keep = Keep::new(backing).await;
        Self::open(keep, TODAY, model_url, make, more, None).await
    }

    /// The same with the test's own settings.
    pub async fn with_settings(
        backing: Backing,
        model_url: &str,
        settings: &[(&'static str, &str)],
    ) -> Self {
        Self::start_on(TODAY, backing, model_url, settings).await
    }

    /// The same on existing data, with the test's own settings.
    pub async fn again_with_settings(
        keep: Keep,
        model_url: &str,
        settings: &[(&'static str, &str)],
    ) -> Self {
        Self::open(keep, TODAY, model_url, assistants, settings, None).await
    }

    /// With the test's own model.
    pub async fn with_model(backing: Backing, model: Arc<dyn Model>) -> Self {
        Self::again_with_model(Keep::new(backing).await, model).await
    }

    /// The same on existing data.
    pub async fn again_with_model(keep: Keep, model: Arc<dyn Model>) -> Self {
        Self::open(
            keep,
            TODAY,
            "http://127.0.0.1:1",
            assistants,
            &[],
            Some(model),
        )
        .await
    }

    async fn open(
        keep: Keep,
        day: &str,
        model_url: &str,
        make: MakeBundles,
        more: &[(&'static str, &str)],
        own_model: Option<Arc<dyn Model>>,
    ) -> Self {
        let data = keep.folder.path().to_string_lossy().into_owned();
        let mut values = vec![
            ("data_dir", data.as_str()),
            ("model.provider", "openai"),
            ("model.base_url", model_url),
        ];
        if let Some(database) = &keep.database {
            values.push(("database.url", &database.url));
            // Tokens of an issuer with public keys are not signed with a secret.
            if !more.iter().any(|(key, _)| *key == "auth.supabase_url") {
                values.push(("auth.jwt_secret", SECRET));
            }
        }
        // On Postgres, or with a secret, demo data exist only when asked for.
        if !more.iter().any(|(key, _)| *key == "demo") {
            values.push(("demo", "true"));
        }
        values.extend(more);
        let clock = FakeClock::starting(day.parse().unwrap());
        let env = Arc::new(clock.clone());
        let settings = config(&values);
        let app = App::open_with_model(env, settings, make, Reach::OwnPort, own_model);
        let app = Box::pin(app).await.unwrap();
        Self { app, clock, keep }
    }

    /// Signs a demo person in, also where the product itself would refuse.
    pub async fn person(&self, name: &str) -> Principal {
        sign_in(&self.app, name).await
    }
}

pub async fn sign_in(app: &App, name: &str) -> Principal {
    let installed = app.runtime.installed();
    let persona = installed
        .personas()
        .iter()
        .find(|persona| persona.name == name)
        .unwrap_or_else(|| panic!("no persona {name}"));
    identity::sign_in_persona(app.runtime.store(), app.env.as_ref(), persona)
        .await
        .unwrap()
}

/// An HTTP token for this person.
pub async fn token(app: &App, name: &str) -> String {
    let who = sign_in(app, name).await;
    let now = app.env.now();
    let identity = Verified::of(&who, now + chrono::Duration::hours(1));
    app.tokens.sign(&identity, now).unwrap()
}
