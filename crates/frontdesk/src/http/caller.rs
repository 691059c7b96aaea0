//! Authentication of requests, before anything else is read.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ConversationId;

use super::AppState;
use super::error::ApiError;
use crate::identity::{self, Verified};

pub struct Caller(pub Principal);

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        let VerifiedToken(verified) = VerifiedToken::from_request_parts(parts, state).await?;
        let principal =
            identity::sign_in_token(state.app.runtime.store(), state.app.env.as_ref(), verified)
                .await?;
        Ok(Caller(principal))
    }
}

/// A verified token. The person is loaded together with the conversation, in one query.
pub struct VerifiedToken(Verified);

impl FromRequestParts<AppState> for VerifiedToken {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Self, Self::Rejection> {
        let token = bearer(&parts.headers)?;
        let verified = state.app.tokens.verify(token, state.app.env.now()).await?;
        Ok(Self(verified))
    }
}

impl VerifiedToken {
    pub async fn resolve(
        self,
        state: &AppState,
        conversation: ConversationId,
    ) -> Result<(Principal, Conversation), ApiError> {
        let (store, env) = (state.app.runtime.store(), state.app.env.as_ref());
        Ok(identity::enter(store, env, self.0, conversation).await?)
    }
}

/// Requires a signed-in person and adds the principal to the request.
pub(super) async fn sign_in(
    State(_): State<AppState>,
    Caller(principal): Caller,
    mut request: Request,
    next: Next,
) -> Response {
    request.extensions_mut().insert(principal);
    next.run(request).await
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
