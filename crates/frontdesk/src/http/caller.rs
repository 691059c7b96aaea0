//! Who sends a request: verified before anything else is looked at.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ConversationId;

use super::Shared;
use super::error::ApiError;
use crate::identity::{self, Verified};

/// The person behind a request.
pub struct Caller(pub Principal);

impl FromRequestParts<Shared> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Shared,
    ) -> Result<Self, Self::Rejection> {
        let Visitor(verified) = Visitor::from_request_parts(parts, shared).await?;
        let principal =
            identity::sign_in_token(shared.desk.store(), shared.world.as_ref(), verified).await?;
        Ok(Caller(principal))
    }
}

/// Somebody with a good token, who is looked up together with the conversation they came for.
pub struct Visitor(Verified);

impl FromRequestParts<Shared> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Shared,
    ) -> Result<Self, Self::Rejection> {
        let token = bearer(&parts.headers)?;
        let verified = shared.tokens.verify(token, shared.world.now()).await?;
        Ok(Self(verified))
    }
}

impl Visitor {
    pub async fn enter(
        self,
        shared: &Shared,
        conversation: ConversationId,
    ) -> Result<(Principal, Conversation), ApiError> {
        let (store, world) = (shared.desk.store(), shared.world.as_ref());
        Ok(identity::enter(store, world, self.0, conversation).await?)
    }
}

/// Lets only people who signed in through, and says who they are.
pub(super) async fn sign_in(
    State(_): State<Shared>,
    Caller(principal): Caller,
    mut request: Request,
    next: Next,
) -> Response {
    request.extensions_mut().insert(principal);
    next.run(request).await
}

/// The one bearer token. Tokens elsewhere (queries, cookies) are not looked for.
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
