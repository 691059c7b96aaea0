//! Demo personas: sign-in with one click, on this machine only.

use axum::extract::State;
use axum::http::header::HOST;
use chrono::Duration;
use frontdesk_core::access::{Principal, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::people::Me;
use super::{
    ApiError, AppState, HeaderMap, Json, JsonBody, ListResponse, ListResult, Route, StatusCode,
};
use crate::http::guard::host_name;
use crate::identity::{self, Verified};

const DEMO_HOURS: i64 = 12;

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "demo";
    vec![
        Route::get("/demo/personas", personas)
            .named("list_personas", SUBJECT, "List the demo personas")
            .public()
            .gives::<ListResponse<PersonaEntry>>(200, "Personas that can sign in")
            .refuses(&[404]),
        Route::post("/demo/sign-in", sign_in)
            .named("sign_in_persona", SUBJECT, "Sign in as a demo persona")
            .public()
            .takes::<SignIn>()
            .gives::<SignedIn>(201, "A token")
            .refuses(&[404]),
    ]
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct PersonaEntry {
    name: String,
    display_name: String,
    roles: Vec<Role>,
}

async fn personas(State(state): State<AppState>, headers: HeaderMap) -> ListResult<PersonaEntry> {
    check_demo(&state, &headers)?;
    let entries = state
        .runtime()
        .installed()
        .personas()
        .iter()
        .map(|persona| PersonaEntry {
            name: persona.name.to_string(),
            display_name: persona.display_name.to_string(),
            roles: persona.roles.clone(),
        })
        .collect();
    Ok(Json(ListResponse::complete(entries)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct SignIn {
    persona: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct SignedIn {
    token: String,
    me: Me,
}

impl SignedIn {
    pub(super) fn new(token: String, who: Principal) -> Self {
        Self {
            token,
            me: who.into(),
        }
    }
}

async fn sign_in(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: JsonBody<SignIn>,
) -> Result<(StatusCode, Json<SignedIn>), ApiError> {
    check_demo(&state, &headers)?;
    let installed = state.runtime().installed();
    let persona = installed
        .personas()
        .iter()
        .find(|persona| persona.name == body.value.persona)
        .ok_or_else(|| ApiError::invalid("persona", "there is no such demo person"))?;
    let env = state.app.env.as_ref();
    let who = identity::sign_in_persona(state.store(), env, persona).await?;
    let now = env.now();
    let identity = Verified::of(&who, now + Duration::hours(DEMO_HOURS));
    let token = state.app.tokens.sign(&identity, now)?;
    Ok((StatusCode::CREATED, Json(SignedIn::new(token, who))))
}

/// Demo personas are for a browser on this machine, without a proxy in between.
fn check_demo(state: &AppState, headers: &HeaderMap) -> Result<(), ApiError> {
    const FORWARDED: [&str; 6] = [
        "forwarded",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-real-ip",
    ];
    let forwarded = FORWARDED.iter().any(|name| headers.contains_key(*name));
    let here = headers
        .get(HOST)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|host| ["localhost", "127.0.0.1", "[::1]"].contains(&host_name(host)));
    if state.app.config.personas_allowed() && here && !forwarded {
        return Ok(());
    }
    Err(ApiError::not_found("Resource"))
}
