//! The product's settings: built-in default < file < environment < flags. They are read and
//! validated once, at start.

mod auth;
mod brand;
mod demo;
mod raw;
mod search;
mod table;
mod telemetry;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::setting::Setting;
use frontdesk_core::store::Budget;
use secrecy::{ExposeSecret, SecretString};

use crate::price::Prices;

pub use brand::BrandSettings;
pub use demo::Demo;
use raw::bad;
pub use raw::{ConfigError, Raw, Sources};
pub use search::{Embeddings, Rerank, Search};
use table::all;
pub use table::{PLATFORM, example_file};
pub use telemetry::Telemetry;

#[derive(Debug)]
pub struct Config {
    pub data_dir: PathBuf,
    pub demo: Demo,
    pub server: Server,
    pub database: Database,
    pub auth: Auth,
    pub model: Model,
    pub search: Search,
    pub limits: Limits,
    /// Folder of the local embedding model, if it is installed.
    pub embeddings_folder: Option<PathBuf>,
    pub log: Log,
    pub mail: Mail,
    pub brand: BrandSettings,
    pub telemetry: Telemetry,
    pub assistants: BTreeMap<String, String>,
    /// Settings declared by bundled services, by key. Some are secret.
    pub services: BTreeMap<String, SecretString>,
    /// Model, temperature and token limit per assistant.
    pub overrides: BTreeMap<String, ModelOverride>,
    pub manifests: ManifestSettings,
}

/// The assistants that manifests define.
#[derive(Debug)]
pub struct ManifestSettings {
    /// One folder with an `assistant.toml` for each assistant.
    pub folder: PathBuf,
    /// Values of `${NAME}` in manifests: the environment, and `[variables]` of the settings file.
    pub variables: Arc<BTreeMap<String, SecretString>>,
}

impl ManifestSettings {
    /// The environment that programs of MCP servers get besides the declared one.
    pub fn inherited(&self) -> BTreeMap<String, String> {
        let names = ["PATH", "HOME", "LANG", "TMPDIR"].into_iter();
        names
            .filter_map(|name| {
                let value = self.variables.get(name)?.expose_secret();
                Some((name.to_owned(), value.to_owned()))
            })
            .collect()
    }
}

#[derive(Debug)]
pub struct Server {
    pub bind: SocketAddr,
    /// The server's public address, without a trailing slash.
    pub public_url: String,
    /// Time without a heartbeat after which another worker takes over the turn.
    pub lease: Duration,
    /// Time after its end during which a turn is replayed event by event.
    pub replay: Duration,
    /// Extra address for `/metrics`. A loopback bind serves it on the main address as well.
    pub metrics_bind: Option<SocketAddr>,
}

#[derive(Debug)]
pub struct Mail {
    /// `None`: no mail is sent.
    pub smtp_url: Option<SecretString>,
    pub from: String,
}

#[derive(Debug)]
pub struct Database {
    /// `None`: the embedded SQLite file in the data folder.
    pub url: Option<SecretString>,
    pub pool_size: u32,
    /// Maximum time that a request waits for a free connection.
    pub wait: Duration,
    pub app_role: String,
    /// The schema of all tables.
    pub schema: String,
}

#[derive(Debug)]
pub struct Auth {
    pub source: IdentitySource,
    pub audience: String,
    /// `None` if the issuer offers no sign-in from the page.
    pub client: Option<AuthClient>,
}

/// This installation's client registration at the issuer.
#[derive(Clone, Debug)]
pub struct AuthClient {
    pub issuer: String,
    pub id: String,
    pub secret: Option<SecretString>,
    pub scope: String,
}

/// The issuer of people's tokens.
#[derive(Debug)]
pub enum IdentitySource {
    /// This installation only.
    Local,
    /// Any holder of the shared secret (HS256).
    Secret {
        secret: SecretString,
        issuer: Option<String>,
    },
    /// An issuer with public keys (RS256, ES256).
    Keys { url: String, issuer: String },
}

#[derive(Debug)]
pub struct Model {
    pub provider: Provider,
    pub base_url: String,
    pub api_key: Option<SecretString>,
    /// Overrides the model of every assistant.
    pub name: Option<String>,
    pub fallback: Fallback,
    pub connect_timeout: Duration,
    pub idle_timeout: Duration,
    /// Budget for showing pasted and attached text to the model in full, in tokens per message.
    pub text_tokens: u32,
    pub prices: Prices,
}

#[derive(Debug)]
pub struct Limits {
    pub turns_in_flight: u32,
    /// Tokens per day; `None` for no limit.
    pub tokens_a_person: Option<u64>,
    pub tokens_a_company: Option<u64>,
    pub connections: u32,
    /// Total file size per person or company; `None` for no limit.
    pub storage_bytes: Option<u64>,
    pub timeouts: HttpTimeouts,
}

/// Time limits for slow clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpTimeouts {
    /// For receiving the headers of a request.
    pub headers: Duration,
    /// For receiving the body of a request.
    pub body: Duration,
    /// For a response write without progress.
    pub reader: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    Offline,
    OpenAi,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    None,
    Offline,
}

#[derive(Debug)]
pub struct Log {
    pub level: String,
    pub json: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelOverride {
    pub model: Option<String>,
    pub temperature: Option<f64>,
    pub max_tokens: Option<u32>,
}

impl Database {
    fn load(raw: &Raw) -> Result<Self, ConfigError> {
        Ok(Self {
            url: raw.secret("database.url"),
            pool_size: raw.parse("database.pool_size")?,
            wait: raw.seconds_within("database.wait_seconds", 1..=120)?,
            app_role: raw.parse("database.app_role")?,
            schema: raw.identifier("database.schema")?,
        })
    }
}

impl Config {
    /// Reads and validates all settings. `declared` are the assistants' own settings, `assistants`
    /// their names.
    pub fn load(
        sources: Sources,
        declared: &[Setting],
        assistants: &[&str],
    ) -> Result<Config, ConfigError> {
        let raw = Raw::gather(sources, declared, assistants)?;
        let bind: SocketAddr = raw.parse("server.bind")?;
        let public_url = match raw.text("server.public_url") {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{bind}"),
        };
        let api_key = raw.secret("model.api_key");
        let asked_demo = demo::asked(&raw)?;
        let mut config = Config {
            data_dir: raw.parse("data_dir")?,
            demo: Demo::SwitchedOff,
            server: Server {
                bind,
                public_url,
                // A turn of a dead process must end within 30 s, which includes the lease, the next lease scan and the
                // remaining work.
                lease: raw.seconds_within("server.lease_seconds", 1..=20)?,
                // A reader that reconnects within 15 minutes must miss nothing.
                replay: minutes(raw.at_least("server.replay_minutes", 15)?),
                metrics_bind: raw.optional("server.metrics_bind")?,
            },
            database: Database::load(&raw)?,
            auth: auth::read(&raw)?,
            model: Model {
                provider: provider(&raw, api_key.is_some())?,
                base_url: raw.parse("model.base_url")?,
                api_key,
                name: raw.text("model.name"),
                fallback: raw.choose(
                    "model.fallback",
                    &[("none", Fallback::None), ("offline", Fallback::Offline)],
                )?,
                connect_timeout: raw.seconds("model.connect_timeout_seconds")?,
                idle_timeout: raw.seconds("model.idle_timeout_seconds")?,
                text_tokens: raw.at_least("model.text_tokens", 1)?,
                prices: prices(&raw)?,
            },
            search: search::read(&raw)?,
            limits: limits(&raw)?,
            embeddings_folder: search::embeddings_folder(&raw)?,
            log: Log {
                level: raw.parse("log.level")?,
                json: raw.choose("log.format", &[("text", false), ("json", true)])?,
            },
            mail: Mail {
                smtp_url: raw.secret("mail.smtp_url"),
                from: raw.parse("mail.from")?,
            },
            brand: brand::read(&raw)?,
            telemetry: telemetry::read(&raw)?,
            assistants: declared
                .iter()
                .filter_map(|setting| Some((setting.key.to_owned(), raw.text(setting.key)?)))
                .collect(),
            services: frontdesk_services::SETTINGS
                .iter()
                .filter_map(|setting| Some((setting.key.to_owned(), raw.secret(setting.key)?)))
                .collect(),
            overrides: overrides(&raw, assistants)?,
            manifests: ManifestSettings {
                folder: raw.parse("manifests.folder")?,
                variables: Arc::new(raw.variables),
            },
        };
        config.demo = demo::decide(asked_demo, &config);
        if asked_demo == Some(true) && !bind.ip().is_loopback() {
            return Err(bad(
                "demo",
                format!(
                    "demo people sign in without a password, and others can reach {bind}; bind to 127.0.0.1 or remove `demo`"
                ),
            ));
        }
        Ok(config)
    }

    /// Refuses an address that others can reach while no issuer is configured.
    pub fn check_serving(&self, address: SocketAddr) -> Result<(), ConfigError> {
        match &self.auth.source {
            IdentitySource::Local if !address.ip().is_loopback() => Err(bad(
                "server.bind",
                format!(
                    "others can reach {address}, and no identity source is configured; set SUPABASE_URL or SUPABASE_JWT_SECRET, or bind to 127.0.0.1"
                ),
            )),
            IdentitySource::Local | IdentitySource::Secret { .. } | IdentitySource::Keys { .. } => {
                Ok(())
            }
        }
    }

    /// Daily token budget. The offline model is free.
    pub fn budget(&self) -> Budget {
        match self.model.provider {
            Provider::Offline => Budget::UNLIMITED,
            Provider::OpenAi => Budget {
                person: self.limits.tokens_a_person,
                company: self.limits.tokens_a_company,
                // Each turn sets its own reserve.
                reserve: 0,
            },
        }
    }

    /// Demo personas sign in without a password, so they are allowed only if nobody else can reach
    /// the server and no real issuer is configured.
    pub fn personas_allowed(&self) -> bool {
        self.demo.is_on()
            && self.server.bind.ip().is_loopback()
            && matches!(self.auth.source, IdentitySource::Local)
            && self.database.url.is_none()
            && self.is_known_as_this_machine()
    }
}

fn unless_zero(number: u64) -> Option<u64> {
    (number > 0).then_some(number)
}

impl Config {
    /// A public address implies a proxy that lets others in.
    fn is_known_as_this_machine(&self) -> bool {
        let host = self.server.public_url.parse::<axum::http::Uri>().ok();
        host.as_ref()
            .and_then(|uri| uri.host())
            .is_some_and(|host| {
                let host = host.trim_matches(['[', ']']);
                host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
            })
    }
}

fn minutes(minutes: u32) -> Duration {
    Duration::from_secs(60 * u64::from(minutes))
}

fn limits(raw: &Raw) -> Result<Limits, ConfigError> {
    Ok(Limits {
        turns_in_flight: raw.at_least("limits.turns_in_flight", 1)?,
        tokens_a_person: unless_zero(raw.parse("limits.tokens_a_person_and_day")?),
        tokens_a_company: unless_zero(raw.parse("limits.tokens_a_company_and_day")?),
        connections: raw.at_least("limits.connections", 1)?,
        storage_bytes: unless_zero(raw.parse("limits.storage_megabytes")?)
            .map(|megabytes| megabytes.saturating_mul(1024 * 1024)),
        timeouts: HttpTimeouts {
            headers: non_zero_seconds(raw, "limits.header_seconds")?,
            body: non_zero_seconds(raw, "limits.body_seconds")?,
            reader: non_zero_seconds(raw, "limits.reader_seconds")?,
        },
    })
}

/// A timeout of 0 s would refuse every request.
fn non_zero_seconds(raw: &Raw, key: &str) -> Result<Duration, ConfigError> {
    let time = raw.seconds(key)?;
    if time.is_zero() {
        return Err(bad(key, "must be more than 0"));
    }
    Ok(time)
}

fn prices(raw: &Raw) -> Result<Prices, ConfigError> {
    Ok(Prices {
        input: raw.optional("model.price_input")?,
        output: raw.optional("model.price_output")?,
        cached: raw.optional("model.price_cached")?,
    })
}

fn provider(raw: &Raw, has_key: bool) -> Result<Provider, ConfigError> {
    let chosen = raw.choose(
        "model.provider",
        &[
            ("auto", None),
            ("offline", Some(Provider::Offline)),
            ("openai", Some(Provider::OpenAi)),
        ],
    )?;
    Ok(match chosen {
        Some(provider) => provider,
        None if has_key || raw.is_set("model.base_url") => Provider::OpenAi,
        None => Provider::Offline,
    })
}

fn overrides(
    raw: &Raw,
    assistants: &[&str],
) -> Result<BTreeMap<String, ModelOverride>, ConfigError> {
    let mut found = BTreeMap::new();
    for name in assistants {
        let key = |what: &str| format!("assistant.{name}.{what}");
        let own = ModelOverride {
            model: raw.text(&key("model")),
            temperature: raw.optional(&key("temperature"))?,
            max_tokens: raw.optional(&key("max_tokens"))?,
        };
        if own != ModelOverride::default() {
            found.insert((*name).to_owned(), own);
        }
    }
    Ok(found)
}

fn parse_as<T: FromStr>(key: &str, text: &str) -> Result<T, ConfigError>
where
    T::Err: std::fmt::Display,
{
    text.parse()
        .map_err(|error: T::Err| bad(key, error.to_string()))
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod config_tests;
