//! The public keys of an issuer, fetched on demand. They are cached for 10 minutes, refetched for
//! an unknown key at most once per minute, and used for 24 hours if the issuer is unreachable.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::env::Env;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use reqwest::{Client, Response, StatusCode, Url};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;

use super::token::TokenError;
use crate::outgoing;

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
        let client = outgoing::client(url.as_str(), TIMEOUT);
        Ok(Self {
            inner: Arc::new(Inner {
                url,
                client: client.context("the HTTP client cannot be created")?,
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
        let response = self.client.get(self.url.clone()).send().await?;
        let body = issuer_body(response).await?;
        let keys = read(&body)?;
        if keys.is_empty() {
            bail!("the issuer has no RS256 or ES256 key");
        }
        Ok(keys)
    }
}

/// The body of an issuer's successful response.
pub(super) async fn issuer_body(response: Response) -> anyhow::Result<Vec<u8>> {
    if response.status() != StatusCode::OK {
        bail!("the issuer answered {}", response.status());
    }
    let body = outgoing::body(response, MAX_BYTES).await;
    body.map_err(|problem| anyhow!("the issuer's response {problem}"))
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
        if let Ok(jwk) = serde_json::from_value::<Jwk>(entry)
            && let Some(key) = key(&jwk)
            && let Some(kid) = jwk.common.key_id
        {
            keys.entry(kid).or_insert(key);
        }
    }
    Ok(keys)
}

/// `None` for a key that does not sign by RS256 or ES256.
fn key(jwk: &Jwk) -> Option<Key> {
    let (algorithm, name) = if let AlgorithmParameters::RSA(rsa) = &jwk.algorithm {
        let modulus = URL_SAFE_NO_PAD.decode(&rsa.n).ok()?;
        let significant = modulus.iter().skip_while(|byte| **byte == 0).count();
        if significant < SHORTEST_MODULUS {
            return None;
        }
        (Algorithm::RS256, KeyAlgorithm::RS256)
    } else if let AlgorithmParameters::EllipticCurve(ec) = &jwk.algorithm
        && ec.curve == EllipticCurve::P256
    {
        (Algorithm::ES256, KeyAlgorithm::ES256)
    } else {
        return None;
    };
    let usage = jwk.common.public_key_use.as_ref();
    let is_for_signing = usage.is_none_or(|usage| *usage == PublicKeyUse::Signature);
    let is_for_algorithm = jwk
        .common
        .key_algorithm
        .as_ref()
        .is_none_or(|alg| *alg == name);
    if !is_for_signing || !is_for_algorithm {
        return None;
    }
    let decoding = DecodingKey::from_jwk(jwk).ok()?;
    Some(Key {
        decoding,
        algorithm,
    })
}

#[cfg(test)]
#[path = "jwks_tests.rs"]
pub(crate) mod jwks_tests;
