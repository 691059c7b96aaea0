//! The caller, and profiles of people they work with.

use axum::extract::State;
use chrono::{DateTime, Utc};
use frontdesk_core::access::{Membership, Principal, Role};
use frontdesk_core::id::ProfileId;
use frontdesk_core::store::{Company, Profile, ProfilePatch};
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ApiError, Caller, Ids, Json, JsonBody, JsonResult, ListResponse, ListResult, Naming, Route,
    check_length,
};
use crate::http::AppState;
use crate::http::caller::VerifiedToken;

const LONGEST_NAME: usize = 100;
const LONGEST_URL: usize = 2_000;

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "people";
    vec![
        Route::get("/me", me)
            .named("get_me", SUBJECT, "Who I am")
            .gives::<Me>(200, "The signed-in person"),
        Route::get("/profiles/me", own_profile)
            .named("get_own_profile", SUBJECT, "Get my profile")
            .gives::<ProfileResponse>(200, "The profile"),
        Route::put("/profiles/me", update_profile)
            .named("update_own_profile", SUBJECT, "Update my profile")
            .takes::<ProfileUpdate>()
            .gives::<ProfileResponse>(200, "The updated profile"),
        Route::get("/profiles/me/companies", own_companies)
            .named("list_own_companies", SUBJECT, "List my companies")
            .gives::<ListResponse<Company>>(200, "The companies"),
        Route::get("/profiles/{id}", profile)
            .named("get_profile", SUBJECT, "Get a colleague's profile")
            .about("The caller's own profile, or that of a member of one of their companies.")
            .gives::<ProfileResponse>(200, "The profile")
            .refuses(&[403]),
        Route::get("/companies", own_companies)
            .named("list_companies", "companies", "List my companies")
            .gives::<ListResponse<Company>>(200, "The companies"),
    ]
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct Me {
    id: ProfileId,
    name: String,
    email: Option<String>,
    roles: Vec<Role>,
    companies: Vec<Membership>,
    /// Expiry of the sign-in, for clients that renew it in advance.
    expires_at: Option<DateTime<Utc>>,
}

impl From<Principal> for Me {
    fn from(who: Principal) -> Self {
        Self {
            id: who.profile(),
            name: who.name().to_owned(),
            email: who.email().map(str::to_owned),
            roles: who.roles().iter().cloned().collect(),
            companies: who.companies().to_vec(),
            expires_at: who.expires(),
        }
    }
}

async fn me(State(state): State<AppState>, token: VerifiedToken) -> Result<Json<Me>, ApiError> {
    // Mails about the inbox go by the roles of the newest sign-in, which the page begins with.
    let identity = token.sign_in_json().filter(|_| state.app.mailer.is_some());
    let who = token.person(&state).await?;
    if let Some(identity) = identity {
        let (store, now) = (state.store(), state.now());
        store.refresh_inbox_mails(&who, identity, now).await?;
    }
    Ok(Json(who.into()))
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct ProfileResponse {
    id: ProfileId,
    display_name: String,
    email: Option<String>,
    avatar_url: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Profile> for ProfileResponse {
    /// Omits the account id at the issuer, which is private.
    fn from(profile: Profile) -> Self {
        Self {
            id: profile.id,
            display_name: profile.display_name,
            email: profile.email,
            avatar_url: profile.avatar_url,
            created_at: profile.created_at,
            updated_at: profile.updated_at,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ProfileUpdate {
    #[serde(default)]
    display_name: Option<String>,
    /// An `https` address; an empty string removes the picture.
    #[serde(default)]
    avatar_url: Option<String>,
}

async fn own_profile(Caller { state, who }: Caller) -> JsonResult<ProfileResponse> {
    let found = state.store().profile(&who, who.profile()).await?;
    Ok(Json(found.into()))
}

async fn update_profile(
    Caller { state, who }: Caller,
    body: JsonBody<ProfileUpdate>,
) -> JsonResult<ProfileResponse> {
    let ProfileUpdate {
        display_name,
        avatar_url,
    } = body.value;
    if let Some(name) = &display_name {
        check_name("display_name", name, LONGEST_NAME)?;
    }
    if let Some(url) = avatar_url.as_deref().filter(|url| !url.is_empty())
        && (!url.starts_with("https://")
            || url.len() > LONGEST_URL
            || url.chars().any(|c| c.is_whitespace() || c.is_control()))
    {
        return Err(ApiError::invalid(
            "avatar_url",
            format!("must be an https address of at most {LONGEST_URL} characters"),
        ));
    }
    let patch = ProfilePatch {
        display_name: display_name.map(|name| name.trim().to_owned()),
        avatar_url,
        now: state.now(),
    };
    let changed = state.store().update_profile(&who, patch).await?;
    Ok(Json(changed.into()))
}

/// The caller's own profile, or that of a member of one of their companies.
async fn profile(
    Caller { state, who }: Caller,
    Ids(id): Ids<ProfileId>,
) -> JsonResult<ProfileResponse> {
    let found = state.store().profile(&who, id).await;
    Ok(Json(found.naming("profile")?.into()))
}

async fn own_companies(Caller { state, who }: Caller) -> ListResult<Company> {
    let companies = state.store().companies(&who).await?;
    Ok(Json(ListResponse::complete(companies)))
}

/// A display name: not blank, not too long, without control characters.
pub(super) fn check_name(field: &str, name: &str, longest: usize) -> Result<(), ApiError> {
    if untrusted::is_blank(name) {
        return Err(ApiError::invalid(field, "must not be empty"));
    }
    check_length(field, name.trim(), longest)?;
    if name.chars().any(char::is_control) {
        return Err(ApiError::invalid(
            field,
            "must not contain control characters",
        ));
    }
    Ok(())
}
