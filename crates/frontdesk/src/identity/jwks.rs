//! The public keys of an issuer, fetched on demand. They are cached for 10 minutes, refetched for
//! an unknown key at most once per minute, and used for 24 hours if the issuer is unreachable.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context, bail};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::env::Env;
use jsonwebtoken::{Algorithm, DecodingKey};
use reqwest::{Client, StatusCode, Url};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;

use super::token::TokenError;

const FRESH: TimeDelta = TimeDelta::minutes(10);
/// Minimum time between two fetches while keys are known.
const COOL_DOWN: TimeDelta = TimeDelta::seconds(60);
/// The same without any keys: nobody can sign in until a fetch succeeds.
const COOL_DOWN_EMPTY: TimeDelta = TimeDelta::seconds(5);
/// Maximum age of keys while the issuer is unreachable.
const STALE: TimeDelta = TimeDelta::hours(24);
const TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 256 * 1024;
const MAX_KEYS: usize = 100;
/// In bytes. RS256 needs at least 2048 bits.
const SHORTEST_MODULUS: usize = 256;

/// A key with its only permitted algorithm.
#[derive(Clone)]
pub struct Key {
    pub(super) decoding: DecodingKey,
    pub(super) algorithm: Algorithm,
}

/// Cheap to clone; clones share the cache.
#[derive(Clone)]
pub struct KeySet {
    inner: Arc<Inner>,
}

struct Inner {
    url: Url,
    client: Client,
    env: Arc<dyn Env>,
    known: RwLock<KeyCache>,
    /// Serialises fetches; concurrent callers share the result.
    fetching: Mutex<()>,
}

#[derive(Clone, Default)]
struct KeyCache {
    keys: Arc<HashMap<String, Key>>,
    fetched_at: Option<DateTime<Utc>>,
    tried_at: Option<DateTime<Utc>>,
}

impl KeyCache {
    fn is_younger_than(&self, age: TimeDelta, now: DateTime<Utc>) -> bool {
        self.fetched_at.is_some_and(|at| now - at < age)
    }

    fn may_try(&self, now: DateTime<Utc>) -> bool {
        let pause = if self.is_younger_than(STALE, now) {
            COOL_DOWN
        } else {
            COOL_DOWN_EMPTY
        };
        self.tried_at.is_none_or(|at| now - at >= pause)
    }
}

/// True for an HTTPS or loopback address.
pub fn is_safe_source(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else {
        return false;
    };
    let loopback = url.host_str().is_some_and(|host| {
        let host = host.trim_matches(['[', ']']);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    });
    url.scheme() == "https" || (url.scheme() == "http" && loopback)
}

impl KeySet {
    pub fn new(url: &str, env: Arc<dyn Env>) -> anyhow::Result<Self> {
        let url = Url::parse(url).context("the address of the issuer's keys is not a URL")?;
        // Fails if a provider is already installed, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy();
        if url.scheme() == "http" {
            // Loading the system's certificates is slow, and plain HTTP does not need them.
            builder = builder.tls_certs_only([]);
        }
        Ok(Self {
            inner: Arc::new(Inner {
                url,
                client: builder
                    .build()
                    .context("the HTTP client cannot be created")?,
                env,
                known: RwLock::default(),
                fetching: Mutex::default(),
            }),
        })
    }

    /// Finds a key by its id.
    pub async fn find(&self, kid: &str) -> Result<Key, TokenError> {
        let inner = &self.inner;
        let now = inner.env.now();
        let known = inner.known();
        if let Some(key) = known.keys.get(kid)
            && known.is_younger_than(FRESH, now)
        {
            return Ok(key.clone());
        }
        if known.may_try(now) {
            // Spawned, so that a cancelled caller does not abort the fetch for the others.
            let fetching = Arc::clone(inner);
            let done = tokio::spawn(async move { fetching.refresh().await }).await;
            if done.is_err() {
                return Err(TokenError::Unavailable);
            }
        }
        let known = inner.known();
        match known.keys.get(kid) {
            Some(key) if known.is_younger_than(STALE, now) => Ok(key.clone()),
            None if known.is_younger_than(STALE, now) => Err(TokenError::Signature),
            Some(_) | None => Err(TokenError::Unavailable),
        }
    }
}

impl Inner {
    fn known(&self) -> KeyCache {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn refresh(&self) {
        let _alone = self.fetching.lock().await;
        let now = self.env.now();
        if !self.known().may_try(now) {
            // Another task has fetched in the meantime.
            return;
        }
        let fetched = self.fetch().await;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.tried_at = Some(now);
        match fetched {
            Ok(keys) => {
                tracing::info!(keys = keys.len(), "fetched the issuer's keys");
                known.keys = Arc::new(keys);
                known.fetched_at = Some(now);
            }
            Err(error) => tracing::warn!("could not fetch the issuer's keys: {error:#}"),
        }
    }

    async fn fetch(&self) -> anyhow::Result<HashMap<String, Key>> {
        let mut response = self.client.get(self.url.clone()).send().await?;
        if response.status() != StatusCode::OK {
            bail!("the issuer answered {}", response.status());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > MAX_BYTES {
                bail!("the issuer's response is larger than {MAX_BYTES} bytes");
            }
            body.extend_from_slice(&chunk);
        }
        let keys = read(&body)?;
        if keys.is_empty() {
            bail!("the issuer has no RS256 or ES256 key");
        }
        Ok(keys)
    }
}

/// One entry of a key set; unsupported fields are ignored.
#[derive(Deserialize)]
struct Entry {
    kty: String,
    kid: String,
    #[serde(rename = "use")]
    usage: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

fn read(body: &[u8]) -> anyhow::Result<HashMap<String, Key>> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<Value>,
    }
    let set: Set = serde_json::from_slice(body).context("the response is not a key set")?;
    let mut keys = HashMap::new();
    for entry in set.keys.into_iter().take(MAX_KEYS) {
        // Skips entries that cannot be parsed: they may be for other uses.
        if let Ok(entry) = serde_json::from_value::<Entry>(entry)
            && let Some(key) = key(&entry)
        {
            keys.entry(entry.kid).or_insert(key);
        }
    }
    Ok(keys)
}

fn key(entry: &Entry) -> Option<Key> {
    if entry.usage.as_deref().is_some_and(|usage| usage != "sig") {
        return None;
    }
    let is_for = |name: &str| entry.alg.as_deref().is_none_or(|alg| alg == name);
    match entry.kty.as_str() {
        "RSA" if is_for("RS256") => {
            let (n, e) = (entry.n.as_deref()?, entry.e.as_deref()?);
            let bits = URL_SAFE_NO_PAD.decode(n).ok()?;
            let significant = bits.iter().skip_while(|byte| **byte == 0).count();
            if significant < SHORTEST_MODULUS {
                return None;
            }
            Some(Key {
                decoding: DecodingKey::from_rsa_components(n, e).ok()?,
                algorithm: Algorithm::RS256,
            })
        }
        "EC" if is_for("ES256") && entry.crv.as_deref() == Some("P-256") => Some(Key {
            decoding: DecodingKey::from_ec_components(entry.x.as_deref()?, entry.y.as_deref()?)
                .ok()?,
            algorithm: Algorithm::ES256,
        }),
        _ => None,
    }
}

#[cfg(test)]
#[path = "jwks_tests.rs"]
pub(crate) mod jwks_tests;
