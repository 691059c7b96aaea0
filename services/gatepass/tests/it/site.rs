//! A running service for tests: its address, its callers and their responses.

use std::future::Future;
use std::sync::{Arc, LazyLock};

use chrono::{DateTime, Utc};
use frontdesk_db::{Claims, Db, PostgresOptions, SqliteOptions, Value as DbValue};
use frontdesk_service_gatepass::{GatePass, MIGRATIONS, OPENAPI, Photos, Settings, router};
use frontdesk_testkit::postgres::{TestDatabase, TestPostgres};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, StatusCode};
use secrecy::SecretString;
use serde_json::{Value, json};

pub(crate) const SECRET: &str = "a secret of the tests that is long enough";
pub(crate) const JPEG: &[u8] = include_bytes!("../../../../crates/files/fixtures/gps.jpg");

/// A service with its own database; dropping it removes everything.
pub(crate) struct Site {
    pub(crate) base: String,
    pub(crate) client: Client,
    pub(crate) service: GatePass,
    pub(crate) db: Db,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) postgres: Option<TestDatabase>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

/// A user with a token.
#[derive(Clone)]
pub(crate) struct Person<'a> {
    site: &'a Site,
    pub(crate) token: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// Runs a test on SQLite and on Postgres.
pub(crate) async fn on_both<F: Future<Output = ()>>(test: impl Fn(Site) -> F) {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        eprintln!("on {kind:?}");
        test(Site::start(kind).await).await;
    }
}

impl Site {
    pub(crate) async fn start(kind: Kind) -> Site {
        Site::start_with(kind, Utc::now, |_| {}).await
    }

    pub(crate) async fn start_with(
        kind: Kind,
        clock: fn() -> DateTime<Utc>,
        adjust: impl FnOnce(&mut Settings),
    ) -> Site {
        // Fails if a provider is already installed, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let (db, postgres) = match kind {
            Kind::Sqlite => {
                let db =
                    Db::open_sqlite(&folder.path().join("gatepass.db"), SqliteOptions::default())
                        .await
                        .unwrap();
                (db, None)
            }
            Kind::Postgres => {
                let database = TestPostgres::database().await;
                let url = SecretString::from(database.url.clone());
                (
                    Db::connect_postgres(&url, PostgresOptions::default())
                        .await
                        .unwrap(),
                    Some(database),
                )
            }
        };
        db.migrate(&[MIGRATIONS]).await.unwrap();
        let mut settings = Settings::new(SecretString::from(SECRET), "https://desk.example.com");
        adjust(&mut settings);
        let photos = Photos::folder(folder.path().join("photos")).unwrap();
        let service = GatePass::new(db.clone(), settings, photos, Arc::new(clock)).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let app = router(service.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Site {
            base,
            client: Client::new(),
            service,
            db,
            folder,
            postgres,
        }
    }

    pub(crate) fn person(&self, name: &str, roles: &[&str]) -> Person<'_> {
        let claims = json!({
            "sub": format!("person:{name}"), "name": name, "roles": roles,
            "aud": "gatepass", "iss": "frontdesk", "exp": Utc::now().timestamp() + 60,
        });
        self.with_token(sign(&claims, SECRET))
    }

    pub(crate) fn with_token(&self, token: String) -> Person<'_> {
        Person { site: self, token }
    }

    pub(crate) fn hr(&self) -> Person<'_> {
        self.person("Ayesha", &["HR_User"])
    }

    pub(crate) fn admin(&self) -> Person<'_> {
        self.person("Omar", &["Admin_User"])
    }

    pub(crate) fn guard(&self) -> Person<'_> {
        self.person("Bilal", &["Gate_User"])
    }

    /// Runs a statement directly on the database.
    pub(crate) async fn sql(&self, sql: &'static str, values: Vec<DbValue>) -> u64 {
        let who = Claims::system("test");
        let work = self.db.write(&who, move |tx| {
            Box::pin(async move { tx.execute(sql, &values).await })
        });
        work.await.unwrap()
    }

    pub(crate) async fn count(&self, table: &str) -> i64 {
        let (who, sql) = (
            Claims::system("test"),
            format!("SELECT count(*) AS n FROM {table}"),
        );
        let work = self.db.read(&who, move |tx| {
            Box::pin(async move { tx.row(&sql, &[]).await })
        });
        work.await.unwrap().unwrap().get("n").unwrap()
    }

    /// Creates a pass and returns its number.
    pub(crate) async fn new_pass(&self, returnable: bool) -> String {
        let body = json!({"person_name": "Ali Khan", "description": "Bank visit", "is_returnable": returnable});
        let answer = self.hr().post("/hr/gatepass/create", &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["pass_number"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn approved_pass(&self, returnable: bool) -> String {
        let number = self.new_pass(returnable).await;
        let answer = self
            .admin()
            .post(
                &format!("/admin/gatepass/{number}/approve"),
                &json!({"name": "x"}),
            )
            .await;
        assert_eq!(answer.status, 200, "{answer:?}");
        number
    }

    pub(crate) fn stored_photos(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("photos"))
            .unwrap()
            .count()
    }
}

pub(crate) fn sign(claims: &Value, secret: &str) -> String {
    let key = jsonwebtoken::EncodingKey::from_secret(secret.as_bytes());
    jsonwebtoken::encode(&jsonwebtoken::Header::default(), claims, &key).unwrap()
}

pub(crate) fn scan_form(number: &str, photo: &[u8]) -> Form {
    Form::new()
        .text("pass_number", number.to_owned())
        .part("photo", Part::bytes(photo.to_vec()).file_name("photo.jpg"))
}

impl Person<'_> {
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.site
            .client
            .request(method, format!("{}{path}", self.site.base))
            .bearer_auth(&self.token)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        Answer::of(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn post_keyed(&self, path: &str, body: &Value, key: &str) -> Answer {
        Answer::of(
            self.request(Method::POST, path)
                .json(body)
                .header("Idempotency-Key", key),
        )
        .await
    }

    pub(crate) async fn scan(&self, what: &str, number: &str, photo: &[u8]) -> Answer {
        Answer::of(
            self.request(Method::POST, &format!("/gate/scan-{what}"))
                .multipart(scan_form(number, photo)),
        )
        .await
    }
}

impl Answer {
    pub(crate) async fn of(request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Answer {
            status,
            headers,
            bytes: response.bytes().await.unwrap().into(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The body, after validation against the OpenAPI document.
    pub(crate) fn of_schema(&self, name: &str) -> Value {
        assert!(
            self.status.is_success(),
            "{} {}",
            self.status,
            String::from_utf8_lossy(&self.bytes)
        );
        check_schema(name, &self.json());
        self.json()
    }

    /// The error's code and message, after checking status and envelope.
    pub(crate) fn refused(&self, status: u16) -> (String, String) {
        assert_eq!(
            self.status.as_u16(),
            status,
            "{}",
            String::from_utf8_lossy(&self.bytes)
        );
        let body = self.json();
        check_schema("Error", &body);
        let text = |name: &str| body["error"][name].as_str().unwrap().to_owned();
        (text("code"), text("message"))
    }

    pub(crate) fn details(&self) -> Value {
        self.json()["error"]["details"].clone()
    }
}

fn check_schema(name: &str, body: &Value) {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(OPENAPI).unwrap());
    let mut schema = json!({"$ref": format!("#/components/schemas/{name}")});
    schema["components"] = DOCUMENT["components"].clone();
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    let problems: Vec<String> = validator
        .iter_errors(body)
        .map(|error| error.to_string())
        .collect();
    assert!(problems.is_empty(), "{name}: {problems:?} in {body}");
}
