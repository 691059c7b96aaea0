//! API tokens: a person's programs act for them, with the roles of the sign-in that created the token.

use axum::extract::State;
use chrono::{DateTime, Utc};
use frontdesk_core::id::ApiTokenId;
use frontdesk_core::store::{ApiToken, NewApiToken};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ApiError, AppState, Caller, Content, Header, HeaderMap, Ids, Json, JsonBody, ListResponse,
    ListResult, Naming, NoContent, Route, StatusCode, VerifiedToken, checked_days,
};
use crate::identity::ApiSecret;

const LONGEST_NAME: usize = 100;
const DEFAULT_DAYS: i64 = 90;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ApiTokenCreate {
    /// Its purpose, in the person's words.
    #[schemars(length(min = 1, max = 100))]
    name: String,
    /// 1 to 365; 90 if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 365))]
    days: Option<i64>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ApiTokenCreated {
    pub id: ApiTokenId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// Shown this once; only its hash is stored.
    pub token: String,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "people";
    vec![
        Route::post("/me/tokens", create)
            .named("create_api_token", SUBJECT, "Create an API token")
            .about("Programs send it like a sign-in token and act as the caller, with the roles of this sign-in. A token cannot create tokens. A repeated request is refused with 409, because the token is shown only once.")
            .header(Header::IdempotencyKey)
            .takes::<ApiTokenCreate>()
            .gives::<ApiTokenCreated>(201, "The token")
            .refuses(&[403, 409]),
        Route::get("/me/tokens", list)
            .named("list_api_tokens", SUBJECT, "List my API tokens")
            .gives::<ListResponse<ApiToken>>(200, "Oldest first, without the secrets"),
        Route::delete("/me/tokens/{id}", revoke)
            .named("revoke_api_token", SUBJECT, "Revoke an API token")
            .gives_content(204, "It works no longer", Content::Nothing),
    ]
}

async fn create(
    State(state): State<AppState>,
    token: VerifiedToken,
    headers: HeaderMap,
    body: JsonBody<ApiTokenCreate>,
) -> Result<(StatusCode, Json<ApiTokenCreated>), ApiError> {
    let key = body.idempotency_key(&headers, "POST /me/tokens")?;
    let ApiTokenCreate { name, days } = body.value;
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        let problem = format!("must have 1 to {LONGEST_NAME} characters");
        return Err(ApiError::invalid("name", problem));
    }
    let valid = checked_days(days, DEFAULT_DAYS)?;
    let verified = token.into_sign_in()?;
    let identity = verified.to_json().ok_or_else(ApiError::agent_error)?;
    let (store, env) = (state.store(), state.app.env.as_ref());
    let who = state.app.signed_in(verified).await?;
    let secret = ApiSecret::generate();
    let now = env.now();
    let new = NewApiToken {
        id: ApiTokenId::from_uuid(env.id()),
        name,
        hash: secret.hash(),
        identity,
        expires_at: now + valid,
        key,
        now,
    };
    let made = store.create_api_token(&who, new).await?;
    let created = ApiTokenCreated {
        id: made.id,
        name: made.name,
        created_at: made.created_at,
        expires_at: made.expires_at,
        token: secret.into_text(),
    };
    Ok((StatusCode::CREATED, Json(created)))
}

async fn list(Caller { state, who }: Caller) -> ListResult<ApiToken> {
    let tokens = state.store().api_tokens(&who).await?;
    Ok(Json(ListResponse::complete(tokens)))
}

async fn revoke(
    Caller { state, who }: Caller,
    Ids(id): Ids<ApiTokenId>,
) -> Result<NoContent, ApiError> {
    let revoked = state.store().revoke_api_token(&who, id).await;
    revoked.naming("token")?;
    Ok(NoContent)
}
