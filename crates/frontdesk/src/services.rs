//! Bundled back-end services: mounted by the server, or served on a free loopback port for the
//! command line.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, bail};
use axum::Router;
use chrono::TimeDelta;
use frontdesk_bundle::{MintError, MintToken, PersonToken};
use frontdesk_core::access::Principal;
use frontdesk_core::env::Env;
use frontdesk_db::{Db, MigrationSet};
use frontdesk_services::{MountableService, Service, ServiceContext, StatusReport, Values};
use secrecy::SecretString;
use serde_json::json;
use tokio::net::TcpListener;

use crate::app;
use crate::config::Config;
use crate::identity::Tokens;
use crate::system_env::SystemEnv;

const TOKEN_SECONDS: i64 = 60;

/// The address of the services.
#[derive(Clone, Copy, Debug)]
pub enum Reach {
    /// Mounted under the server's own address.
    Server(SocketAddr),
    /// On a loopback port that is opened for them.
    OwnPort,
}

#[derive(Default)]
pub struct Services {
    /// Each under `/services/{name}`.
    pub router: Router,
    pub addresses: BTreeMap<String, String>,
    pub reports: Vec<(&'static str, StatusReport)>,
}

pub fn migrations() -> impl Iterator<Item = MigrationSet> {
    frontdesk_services::all()
        .into_iter()
        .map(|service| service.migrations)
}

/// Builds all services on a migrated database.
pub async fn build(
    config: &Config,
    db: &Db,
    tokens: &Tokens,
    env: &Arc<dyn Env>,
    reach: Reach,
) -> anyhow::Result<Services> {
    let mut router = Router::new();
    let mut names = Vec::new();
    let mut reports = Vec::new();
    for service in frontdesk_services::all() {
        let built = build_one(&service, config, db, tokens, env).await?;
        router = router.nest(&format!("/services/{}", service.name), built.0);
        names.push(service.name);
        reports.push((service.name, built.1));
    }
    let address = match reach {
        Reach::Server(address) => address,
        Reach::OwnPort => run_beside(router.clone()).await?,
    };
    let addresses = names
        .into_iter()
        .map(|name| (name.to_owned(), format!("http://{address}/services/{name}")))
        .collect();
    Ok(Services {
        router,
        addresses,
        reports,
    })
}

async fn build_one(
    service: &Service,
    config: &Config,
    db: &Db,
    tokens: &Tokens,
    env: &Arc<dyn Env>,
) -> anyhow::Result<(Router, StatusReport)> {
    let around = ServiceContext {
        db: db.clone(),
        folder: config.data_dir.join(service.name),
        token_secret: tokens.secret(),
        token_issuer: tokens.issuer().to_owned(),
        public_url: config.server.public_url.clone(),
        env: Arc::clone(env),
        settings: values(config),
    };
    let MountableService {
        router,
        seed,
        report,
    } = (service.build)(&around)
        .with_context(|| format!("the bundled service {} cannot start", service.name))?;
    if config.demo.is_on() {
        seed().await?;
    }
    Ok((router, report))
}

/// The services' own settings, and those shared by assistants.
fn values(config: &Config) -> Values {
    let shared = config.assistants.iter();
    let shared = shared.map(|(key, value)| (key.clone(), SecretString::from(value.as_str())));
    let own = config.services.iter();
    shared
        .chain(own.map(|(key, value)| (key.clone(), value.clone())))
        .collect()
}

/// One service without the rest of the product, on its own tables.
pub async fn alone(name: &str, config: &Config) -> anyhow::Result<(Router, Db)> {
    let all = frontdesk_services::all();
    let Some(service) = all.iter().find(|service| service.name == name) else {
        let names: Vec<&str> = all.iter().map(|service| service.name).collect();
        bail!(
            "there is no service named {name}; there is {}",
            names.join(", ")
        );
    };
    let db = app::services_database(config).await?;
    db.migrate(&[service.migrations]).await?;
    let env: Arc<dyn Env> = Arc::new(SystemEnv);
    let tokens = app::tokens(config, &env)?;
    let (router, _) = build_one(service, config, &db, &tokens, &env).await?;
    Ok((router, db))
}

/// Serves on a free loopback port until the process ends.
async fn run_beside(router: Router) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0))
        .await
        .context("no loopback port is free for the bundled services")?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!("the bundled services stopped: {error}");
        }
    });
    Ok(address)
}

/// Issues tokens with which a service acts for a person, valid for one minute.
pub fn mint(tokens: Arc<Tokens>, env: Arc<dyn Env>) -> MintToken {
    Arc::new(move |who: &Principal, audience: &str| {
        let now = env.now();
        let claims = json!({
            "iss": tokens.issuer(),
            "sub": who.subject(),
            "aud": audience,
            "name": who.name(),
            "roles": who.roles(),
            "iat": now.timestamp(),
            "exp": (now + TimeDelta::seconds(TOKEN_SECONDS)).timestamp(),
        });
        tokens
            .sign_claims(&claims)
            .map_err(|error| MintError::from(error.to_string()))
    })
}

/// The tokens with which people last signed in here.
pub fn person_tokens(tokens: Arc<Tokens>, env: Arc<dyn Env>) -> PersonToken {
    Arc::new(move |who: &Principal| tokens.of_person(who.subject(), env.now()))
}
