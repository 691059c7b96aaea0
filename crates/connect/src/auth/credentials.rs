//! Adds the sign-in to requests. OAuth 2 tokens are kept until shortly before they expire.

use std::error::Error;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Request, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::sync::Mutex;

use super::{Auth, KeyPlace};
use crate::failure::{Failure, Refusal};
use crate::request::encoded;
use crate::source::Secret;

/// Signs a token that lets a system act for this person; the text is the token's audience.
pub type MintToken =
    Arc<dyn Fn(&Principal, &str) -> Result<String, Box<dyn Error + Send + Sync>> + Send + Sync>;

/// The token with which this person signed in, while it is valid.
pub type PersonToken = Arc<dyn Fn(&Principal) -> Option<SecretString> + Send + Sync>;

/// The server's sources of tokens for people.
#[derive(Clone)]
pub struct TokenSources {
    pub mint: MintToken,
    pub person: PersonToken,
}

/// A source's sign-in.
pub(crate) struct Credentials {
    auth: Auth,
    tokens: TokenSources,
    granted: Mutex<Option<GrantedToken>>,
}

/// An OAuth 2 access token.
#[derive(Clone)]
struct GrantedToken {
    token: Secret,
    renew_at: DateTime<Utc>,
}

/// A token endpoint's response.
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    expires_in: Option<i64>,
}

/// In seconds: for endpoints that name no lifetime.
const DEFAULT_LIFETIME: i64 = 300;
/// In seconds: a token is renewed this long before it expires.
const RENEWAL_MARGIN: i64 = 30;

impl Credentials {
    pub(crate) fn new(auth: Auth, tokens: TokenSources) -> Self {
        Self {
            auth,
            tokens,
            granted: Mutex::new(None),
        }
    }

    /// Adds the sign-in for this person.
    pub(crate) async fn apply(
        &self,
        request: &mut Request,
        principal: &Principal,
        http: &Client,
        now: DateTime<Utc>,
    ) -> Result<(), Failure> {
        match &self.auth {
            Auth::None {} => Ok(()),
            Auth::ApiKey { place, name, value } => api_key(request, *place, name, value.expose()),
            Auth::Bearer { token } => authorize(request, &format!("Bearer {}", token.expose())),
            Auth::Basic { user, password } => authorize(request, &basic(user, password.expose())),
            Auth::OAuth2 { .. } => {
                let token = self.access_token(http, now).await?;
                authorize(request, &format!("Bearer {}", token.expose()))
            }
            Auth::Person {} => match (self.tokens.person)(principal) {
                Some(token) => authorize(request, &format!("Bearer {}", token.expose_secret())),
                None => Err(Failure::NoSignIn(
                    "the person's own token is not known here or has expired".into(),
                )),
            },
            Auth::SignedJwt { audience } => {
                let token = (self.tokens.mint)(principal, audience).map_err(Failure::Unusable)?;
                authorize(request, &format!("Bearer {token}"))
            }
        }
    }

    /// Discards the access token that the system has refused. True if another can be fetched.
    pub(crate) async fn renew(&self) -> bool {
        matches!(self.auth, Auth::OAuth2 { .. }) && self.granted.lock().await.take().is_some()
    }

    async fn access_token(&self, http: &Client, now: DateTime<Utc>) -> Result<Secret, Failure> {
        // Held during the request, so that concurrent calls fetch one token.
        let mut granted = self.granted.lock().await;
        if let Some(known) = granted.as_ref().filter(|known| now < known.renew_at) {
            return Ok(known.token.clone());
        }
        let response = self
            .token_request(http)?
            .send()
            .await
            .map_err(Failure::of)?;
        let status = response.status();
        if !status.is_success() {
            return Err(Failure::NoSignIn(
                format!("the token endpoint answered {}", status.as_u16()).into(),
            ));
        }
        let response: TokenResponse = response
            .json()
            .await
            .map_err(|_| Failure::NoSignIn("the token endpoint sent no access token".into()))?;
        let lifetime = response.expires_in.unwrap_or(DEFAULT_LIFETIME) - RENEWAL_MARGIN;
        let fresh = GrantedToken {
            token: Secret::new(response.access_token),
            renew_at: now + TimeDelta::try_seconds(lifetime.max(0)).unwrap_or_default(),
        };
        let token = fresh.token.clone();
        *granted = Some(fresh);
        Ok(token)
    }

    fn token_request(&self, http: &Client) -> Result<RequestBuilder, Failure> {
        let Auth::OAuth2 {
            token_url,
            client_id,
            client_secret,
            scopes,
            audience,
        } = &self.auth
        else {
            return Err(Failure::Unusable("the source has no token endpoint".into()));
        };
        let mut fields = vec![("grant_type".to_owned(), "client_credentials".to_owned())];
        if !scopes.is_empty() {
            fields.push(("scope".to_owned(), scopes.join(" ")));
        }
        if let Some(audience) = audience {
            fields.push(("audience".to_owned(), audience.clone()));
        }
        Ok(http
            .post(token_url)
            .header(
                AUTHORIZATION,
                sensitive(&basic(client_id, client_secret.expose()))?,
            )
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(encoded(&fields)))
    }
}

fn api_key(request: &mut Request, place: KeyPlace, name: &str, value: &str) -> Result<(), Failure> {
    match place {
        KeyPlace::Query => {
            request.url_mut().query_pairs_mut().append_pair(name, value);
        }
        KeyPlace::Header => {
            let name = HeaderName::try_from(name)
                .map_err(|_| Failure::Unusable("the key's header has no valid name".into()))?;
            request.headers_mut().insert(name, sensitive(value)?);
        }
    }
    Ok(())
}

fn authorize(request: &mut Request, value: &str) -> Result<(), Failure> {
    request
        .headers_mut()
        .insert(AUTHORIZATION, sensitive(value)?);
    Ok(())
}

fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}

fn sensitive(text: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::try_from(text)
        .map_err(|_| Failure::Unusable("the sign-in cannot stand in a header".into()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Whether the system refused the sign-in.
pub(crate) fn is_refused(failure: &Failure) -> bool {
    matches!(failure, Failure::Answered(Refusal { status: 401, .. }))
}
