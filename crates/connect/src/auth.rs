//! How requests prove who they are from. OAuth 2 tokens are kept until shortly before they expire.

use std::error::Error;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder};
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::failure::{Failure, Refusal};
use crate::request::encoded;
use crate::source::Secret;

/// How a source is signed in to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Auth {
    /// Requests carry no sign-in.
    None {},
    /// A constant key in a header or in the query.
    ApiKey {
        #[serde(rename = "in", default)]
        place: KeyPlace,
        /// Name of the header or the query parameter, e.g. "X-Api-Key".
        name: String,
        value: Secret,
    },
    /// A constant token: `Authorization: Bearer …`.
    Bearer { token: Secret },
    /// A user name and a password.
    Basic { user: String, password: Secret },
    /// OAuth 2 client credentials: tokens are fetched and renewed as needed.
    #[serde(rename = "oauth2")]
    OAuth2 {
        token_url: String,
        client_id: String,
        client_secret: Secret,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        scopes: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        audience: Option<String>,
    },
    /// The token with which the person signed in, passed on.
    Person {},
    /// A token that this server signs for the person: their id, name and roles, valid for a minute.
    SignedJwt {
        /// The `aud` claim, which the system checks.
        audience: String,
    },
}

impl Default for Auth {
    fn default() -> Self {
        Auth::None {}
    }
}

/// The place of an API key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyPlace {
    #[default]
    Header,
    Query,
}

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
        request: RequestBuilder,
        principal: &Principal,
        http: &Client,
        now: DateTime<Utc>,
    ) -> Result<RequestBuilder, Failure> {
        Ok(match &self.auth {
            Auth::None {} => request,
            Auth::ApiKey { place, name, value } => {
                return api_key(request, *place, name, value.expose());
            }
            Auth::Bearer { token } => request.bearer_auth(token.expose()),
            Auth::Basic { user, password } => request.basic_auth(user, Some(password.expose())),
            Auth::OAuth2 { .. } => {
                request.bearer_auth(self.access_token(http, now).await?.expose())
            }
            Auth::Person {} => {
                let problem = "the person's own token is not known here or has expired";
                let token = (self.tokens.person)(principal);
                let token = token.ok_or_else(|| Failure::NoSignIn(problem.into()))?;
                request.bearer_auth(token.expose_secret())
            }
            Auth::SignedJwt { audience } => {
                let token = (self.tokens.mint)(principal, audience);
                request.bearer_auth(token.map_err(Failure::Unusable)?)
            }
        })
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
            .basic_auth(client_id, Some(client_secret.expose()))
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(encoded(&fields)))
    }
}

fn api_key(
    request: RequestBuilder,
    place: KeyPlace,
    name: &str,
    value: &str,
) -> Result<RequestBuilder, Failure> {
    match place {
        KeyPlace::Header => {
            let mut value =
                HeaderValue::try_from(value).map_err(|error| Failure::Unusable(error.into()))?;
            value.set_sensitive(true);
            Ok(request.header(name, value))
        }
        KeyPlace::Query => {
            let (client, request) = request.build_split();
            let mut request = request.map_err(|error| Failure::Unusable(error.into()))?;
            request.url_mut().query_pairs_mut().append_pair(name, value);
            Ok(RequestBuilder::from_parts(client, request))
        }
    }
}

/// Whether the system refused the sign-in.
pub(crate) fn is_refused(failure: &Failure) -> bool {
    matches!(failure, Failure::Answered(Refusal { status: 401, .. }))
}
