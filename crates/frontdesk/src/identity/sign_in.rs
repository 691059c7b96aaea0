//! Sign-in at an issuer from the page: discovery and code exchange. The server exchanges the code,
//! so the page talks only to its own server.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::env::Env;
use reqwest::{Client, Response, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::is_safe_source;
use super::jwks::issuer_body;
use crate::config::AuthClient;
use crate::outgoing;

/// Lifetime of the cached discovery document.
const FRESH: TimeDelta = TimeDelta::minutes(10);
const TIMEOUT: Duration = Duration::from_secs(10);

pub struct SignInClient {
    settings: AuthClient,
    http: Client,
    env: Arc<dyn Env>,
    known: RwLock<Option<(DateTime<Utc>, Endpoints)>>,
}

/// The endpoints of an issuer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Endpoints {
    issuer: String,
    pub authorization_endpoint: String,
    token_endpoint: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    #[error("the sign-in service cannot be reached just now, please try again")]
    Unavailable,
    /// The code was already used, has expired or belongs to another client.
    #[error("the sign-in was not accepted; please start again")]
    Refused,
}

impl SignInClient {
    pub fn new(settings: AuthClient, env: Arc<dyn Env>) -> anyhow::Result<Self> {
        let http = outgoing::client(&settings.issuer, TIMEOUT);
        Ok(Self {
            settings,
            http: http.context("the HTTP client cannot be created")?,
            env,
            known: RwLock::default(),
        })
    }

    pub fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    pub fn client_id(&self) -> &str {
        &self.settings.id
    }

    pub fn scope(&self) -> &str {
        &self.settings.scope
    }

    /// The issuer's endpoints, from the cache or its discovery document.
    pub async fn endpoints(&self) -> Result<Endpoints, SignInError> {
        let now = self.env.now();
        let known = self.known().clone();
        if let Some((at, endpoints)) = &known
            && now - *at < FRESH
        {
            return Ok(endpoints.clone());
        }
        match self.discover().await {
            Ok(endpoints) => {
                let mut cache = self.known.write().unwrap_or_else(PoisonError::into_inner);
                *cache = Some((now, endpoints.clone()));
                Ok(endpoints)
            }
            Err(error) => {
                tracing::warn!("the issuer's discovery document is unavailable: {error:#}");
                // Endpoints rarely change, so expired ones are used if the issuer is unreachable.
                known
                    .map(|(_, endpoints)| endpoints)
                    .ok_or(SignInError::Unavailable)
            }
        }
    }

    /// Exchanges a code for tokens, the access token first.
    pub async fn redeem(
        &self,
        code: &str,
        verifier: &str,
        redirect_uri: &str,
    ) -> Result<Vec<String>, SignInError> {
        let endpoints = self.endpoints().await?;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", verifier),
            ("redirect_uri", redirect_uri),
            ("client_id", self.client_id()),
        ];
        let secret = self.settings.secret.as_ref();
        if let Some(secret) = secret.map(SecretString::expose_secret) {
            form.push(("client_secret", secret));
        }
        // Form encoding equals query encoding.
        let body = Url::parse_with_params("form:", form).map_err(unavailable)?;
        let body = body.query().unwrap_or_default().to_owned();
        let response = self
            .http
            .post(&endpoints.token_endpoint)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .body(body)
            .send()
            .await
            .map_err(unavailable)?;
        if response.status().is_client_error() {
            tracing::info!(status = %response.status(), "the issuer refused a code");
            return Err(SignInError::Refused);
        }
        let given: TokenResponse = read(response).await.map_err(unavailable)?;
        Ok([given.access_token, given.id_token]
            .into_iter()
            .flatten()
            .collect())
    }

    async fn discover(&self) -> anyhow::Result<Endpoints> {
        let issuer = self.issuer().trim_end_matches('/');
        let url = Url::parse(&format!("{issuer}/.well-known/openid-configuration"))?;
        let endpoints: Endpoints = read(self.http.get(url).send().await?).await?;
        if endpoints.issuer.trim_end_matches('/') != issuer {
            bail!("its `issuer` is {}", endpoints.issuer);
        }
        let both = [&endpoints.authorization_endpoint, &endpoints.token_endpoint];
        if let Some(unsafe_one) = both.into_iter().find(|url| !is_safe_source(url)) {
            bail!("{unsafe_one} is not an https address");
        }
        Ok(endpoints)
    }

    fn known(&self) -> std::sync::RwLockReadGuard<'_, Option<(DateTime<Utc>, Endpoints)>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Deserialize)]
struct TokenResponse {
    #[serde(default)]
    access_token: Option<String>,
    #[serde(default)]
    id_token: Option<String>,
}

async fn read<T: DeserializeOwned>(response: Response) -> anyhow::Result<T> {
    let body = issuer_body(response).await?;
    serde_json::from_slice(&body).context("the issuer's response cannot be parsed")
}

fn unavailable(error: impl std::fmt::Display) -> SignInError {
    tracing::warn!("a code could not be redeemed: {error}");
    SignInError::Unavailable
}

#[cfg(test)]
#[path = "sign_in_tests.rs"]
mod sign_in_tests;
