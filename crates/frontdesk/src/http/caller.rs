//! Authentication of requests, before anything else is read.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{ACCEPT_LANGUAGE, AUTHORIZATION};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ConversationId;

use super::AppState;
use super::error::ApiError;
use crate::identity::{self, ApiSecret, Verified};

/// A signed-in person, with the state of the server.
pub struct Caller {
    pub who: Principal,
    pub state: AppState,
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        let token = VerifiedToken::from_request_parts(parts, state).await?;
        Ok(Caller {
            who: token.person(state).await?,
            state: state.clone(),
        })
    }
}

/// The person at this terminal. Only a client in this process can add it to a request: what
/// arrives over a connection has no extensions.
#[derive(Clone)]
pub(crate) struct LocalPerson(Verified);

impl LocalPerson {
    pub(crate) fn new(who: &Principal, now: DateTime<Utc>) -> Self {
        // Longer than any process with a terminal runs.
        Self(Verified::of(who, now + TimeDelta::days(365)))
    }
}

/// A verified token. The person is loaded together with the conversation, in one query.
pub struct VerifiedToken {
    verified: Verified,
    is_api_token: bool,
}

impl FromRequestParts<AppState> for VerifiedToken {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        if let Some(LocalPerson(verified)) = parts.extensions.get() {
            return Ok(Self {
                verified: verified.clone(),
                is_api_token: false,
            });
        }
        let token = bearer(&parts.headers)?;
        if let Some(secret) = ApiSecret::parse(token) {
            return Self::of_api_token(state, &secret).await;
        }
        let verified = state.app.tokens.verify(token, state.now()).await?;
        Ok(Self {
            verified,
            is_api_token: false,
        })
    }
}

impl VerifiedToken {
    async fn of_api_token(state: &AppState, secret: &ApiSecret) -> Result<Self, ApiError> {
        let (store, now) = (state.store(), state.now());
        let found = store.identity_of_token(secret.hash(), now).await?;
        let verified =
            found.and_then(|(identity, expires)| Verified::from_json(&identity, expires));
        let refused = || ApiError::unauthorized("This API token has expired or was revoked");
        Ok(Self {
            verified: verified.ok_or_else(refused)?,
            is_api_token: true,
        })
    }

    /// The identity of a person who signed in; a program with an API token is refused.
    pub fn into_sign_in(self) -> Result<Verified, ApiError> {
        match self.is_api_token {
            false => Ok(self.verified),
            true => Err(ApiError::forbidden(
                "An API token cannot do this; sign in instead",
            )),
        }
    }

    pub async fn person(self, state: &AppState) -> Result<Principal, ApiError> {
        Ok(state.app.signed_in(self.verified).await?)
    }

    /// The identity of a person who signed in; `None` for a program with an API token.
    pub fn sign_in_json(&self) -> Option<String> {
        (!self.is_api_token)
            .then(|| self.verified.to_json())
            .flatten()
    }

    pub async fn resolve(
        self,
        state: &AppState,
        conversation: ConversationId,
    ) -> Result<(Principal, Conversation), ApiError> {
        let (store, env) = (state.store(), state.app.env.as_ref());
        let installed = state.runtime().installed();
        let (who, conversation) =
            identity::enter(store, env, installed.roles(), self.verified, conversation).await?;
        state.app.people_seen.record(&who, env.now());
        Ok((who, conversation))
    }
}

/// Admits signed-in people only, and adds the person to the request.
pub(super) async fn sign_in(
    State(_): State<AppState>,
    caller: Result<Caller, ApiError>,
    mut request: Request,
    next: Next,
) -> Response {
    match caller {
        Ok(Caller { who, .. }) => {
            request.extensions_mut().insert(who);
            next.run(request).await
        }
        Err(mut error) => {
            if error.status == StatusCode::UNAUTHORIZED && prefers_russian(request.headers()) {
                "Необходима авторизация".clone_into(&mut error.message);
            }
            error.into_response()
        }
    }
}

/// Assistants' own routes answer in Russian or English.
fn prefers_russian(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_LANGUAGE);
    let accepted = accepted
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut languages = accepted
        .split(',')
        .map(|one| one.trim().to_ascii_lowercase());
    let known = languages.find(|one| one.starts_with("ru") || one.starts_with("en"));
    known.is_some_and(|language| language.starts_with("ru"))
}

/// The bearer token. Tokens in queries or cookies are ignored.
fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else {
        return Err(ApiError::unauthorized("Sign in to do this"));
    };
    if values.next().is_some() {
        return Err(ApiError::bad_request("More than one Authorization header"));
    }
    let (scheme, token) = value
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .ok_or_else(|| ApiError::unauthorized("The Authorization header is not a bearer token"))?;
    if !scheme.eq_ignore_ascii_case("bearer") || token.trim().is_empty() {
        return Err(ApiError::unauthorized(
            "The Authorization header is not a bearer token",
        ));
    }
    Ok(token.trim())
}
