//! Companies, their members, and invitations to them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use frontdesk_core::access::{CompanyRole, Principal};
use frontdesk_core::id::{CompanyId, InvitationId, ProfileId};
use frontdesk_core::store::{
    Company, CompanyDraft, Invitation, InvitationAnswer, InvitationKey, Member, NewInvitation,
};
use jsonwebtoken::{Algorithm, EncodingKey};
use schemars::JsonSchema;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::people::check_name;
use super::{
    ApiError, AppState, Caller, Content, Created, Header, HeaderMap, Ids, Json, JsonBody,
    JsonResult, ListResponse, ListResult, Naming, NoContent, Route,
};

const LONGEST_NAME: usize = 255;
const LONGEST_EMAIL: usize = 254;
const VALID_DAYS: i64 = 7;
const LONGEST_TOKEN: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct CompanyCreate {
    #[schemars(length(min = 1, max = 255))]
    name: String,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "companies";
    vec![
        Route::post("/companies", create)
            .named("create_company", SUBJECT, "Create a company")
            .header(Header::IdempotencyKey)
            .takes::<CompanyCreate>()
            .gives::<Company>(201, "The company, owned by the caller")
            .refuses(&[409]),
        Route::get("/companies/{id}", show)
            .named("get_company", SUBJECT, "Get one of my companies")
            .gives::<Company>(200, "The company")
            .refuses(&[403]),
        Route::get("/companies/{id}/members", members)
            .named("list_members", SUBJECT, "List the members of a company")
            .gives::<ListResponse<Member>>(200, "Its members")
            .refuses(&[403]),
        Route::delete("/companies/{id}/members/{profile}", remove_member)
            .named("remove_member", SUBJECT, "Remove a member")
            .about(
                "For the owner. The owner cannot be removed. The member loses access immediately.",
            )
            .gives_content(204, "The member was removed", Content::Nothing)
            .refuses(&[403, 409]),
        Route::post("/companies/{id}/leave", leave)
            .named("leave_company", SUBJECT, "Leave a company")
            .gives_content(204, "The caller has left the company", Content::Nothing)
            .refuses(&[403, 409]),
    ]
    .into_iter()
    .chain(invitation_routes())
    .collect()
}

fn invitation_routes() -> Vec<Route> {
    const SUBJECT: &str = "companies";
    const REFUSES: &[u16] = &[403, 409, 410];
    vec![
        Route::post("/companies/{id}/invitations", invite)
            .named("invite", SUBJECT, "Invite a person by email address")
            .header(Header::IdempotencyKey)
            .about("For the owner and admins. The link is returned only once and is valid for seven days. If a mail server is configured, the link is also sent by mail; `mailed` tells whether that worked.")
            .takes::<InvitationCreate>()
            .gives::<InvitationCreated>(201, "The invitation, its token and its link")
            .refuses(REFUSES),
        Route::get("/companies/{id}/invitations", invitations)
            .named("list_invitations", SUBJECT, "List the invitations of a company")
            .about("For the owner and admins, because it names people who are not members yet.")
            .gives::<ListResponse<Invitation>>(200, "The invitations")
            .refuses(&[403]),
        Route::delete("/companies/{id}/invitations/{invitation}", revoke)
            .named("revoke_invitation", SUBJECT, "Revoke an invitation")
            .gives_content(204, "The invitation was revoked", Content::Nothing)
            .refuses(REFUSES),
        Route::get("/invitations", received)
            .named("list_received_invitations", SUBJECT, "List invitations for me")
            .gives::<ListResponse<Invitation>>(200, "The invitations"),
        Route::post("/invitations/accept", accept_by_token)
            .named("accept_invitation_by_token", SUBJECT, "Accept an invitation by the token of its link")
            .about("The caller's email address must match the invitation as well.")
            .takes::<TokenAccept>()
            .gives::<Invitation>(200, "The accepted invitation")
            .refuses(&[403, 404, 409, 410]),
        Route::post("/invitations/{id}/accept", accept)
            .named("accept_invitation", SUBJECT, "Accept an invitation")
            .gives::<Invitation>(200, "The accepted invitation")
            .refuses(REFUSES),
        Route::post("/invitations/{id}/decline", decline)
            .named("decline_invitation", SUBJECT, "Decline an invitation")
            .gives::<Invitation>(200, "The declined invitation")
            .refuses(REFUSES),
    ]
}

async fn create(
    Caller { state, who }: Caller,
    headers: HeaderMap,
    body: JsonBody<CompanyCreate>,
) -> Result<Created<Company>, ApiError> {
    let key = body.idempotency_key(&headers, "POST /companies")?;
    let name = body.value.name;
    check_name("name", &name, LONGEST_NAME)?;
    let id = CompanyId::from_uuid(state.app.env.id());
    let new = CompanyDraft {
        id,
        name: name.trim().to_owned(),
        key,
        now: state.now(),
    };
    let made = state.store().found(&who, new).await?;
    Ok(Created::new(made.id != id, made))
}

async fn show(Caller { state, who }: Caller, Ids(id): Ids<CompanyId>) -> JsonResult<Company> {
    let found = state.store().company(&who, id).await;
    Ok(Json(found.naming("company")?))
}

async fn members(Caller { state, who }: Caller, Ids(id): Ids<CompanyId>) -> ListResult<Member> {
    let found = state.store().members(&who, id).await;
    Ok(Json(ListResponse::complete(found.naming("company")?)))
}

async fn remove_member(
    Caller { state, who }: Caller,
    Ids((id, member)): Ids<(CompanyId, ProfileId)>,
) -> Result<NoContent, ApiError> {
    let store = state.store();
    store.company(&who, id).await.naming("company")?;
    let ended = store.end_membership(&who, id, member, state.now()).await;
    ended.naming("member")?;
    Ok(NoContent)
}

async fn leave(
    Caller { state, who }: Caller,
    Ids(id): Ids<CompanyId>,
) -> Result<NoContent, ApiError> {
    let ended = state
        .store()
        .end_membership(&who, id, who.profile(), state.now())
        .await;
    ended.naming("company")?;
    Ok(NoContent)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct InvitationCreate {
    email: String,
    /// Role of the new member; a plain member if absent.
    #[serde(default)]
    role: InvitedAs,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::http) enum InvitedAs {
    Admin,
    #[default]
    Member,
}

/// An invitation with the token of its link. The token is returned only once and never stored.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct InvitationCreated {
    #[serde(flatten)]
    invitation: Invitation,
    token: String,
    /// The invitation link, to copy and pass on.
    link: String,
    /// Whether a mail with the link was sent; absent if no mail server is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    mailed: Option<bool>,
}

async fn invite(
    Caller { state, who }: Caller,
    Ids(id): Ids<CompanyId>,
    headers: HeaderMap,
    body: JsonBody<InvitationCreate>,
) -> Result<Created<InvitationCreated>, ApiError> {
    let key = body.idempotency_key(&headers, format_args!("POST /companies/{id}/invitations"))?;
    let email = checked_email(&body.value.email)?;
    let now = state.now();
    let new_id = InvitationId::from_uuid(state.app.env.id());
    let new = NewInvitation {
        id: new_id,
        company: id,
        email,
        role: match body.value.role {
            InvitedAs::Admin => CompanyRole::Admin,
            InvitedAs::Member => CompanyRole::Member,
        },
        token_hash: token_hash(&invitation_token(&state, new_id)?),
        expires_at: now + TimeDelta::days(VALID_DAYS),
        key,
        now,
    };
    let made = state.store().invite(&who, new).await;
    let invitation = made.naming("company")?;
    let replayed = invitation.id != new_id;
    let token = invitation_token(&state, invitation.id)?;
    // A URL fragment never reaches a server log.
    let link = format!("{}/invitations#{token}", state.app.config.server.public_url);
    let mailed = match &state.app.mailer {
        // The first request sent the mail.
        Some(_) if replayed => None,
        Some(mailer) => Some(mailer.invite(&invitation, who.name(), &link).await),
        None => None,
    };
    let created = InvitationCreated {
        invitation,
        token,
        link,
        mailed,
    };
    Ok(Created::new(replayed, created))
}

async fn invitations(
    Caller { state, who }: Caller,
    Ids(id): Ids<CompanyId>,
) -> ListResult<Invitation> {
    let found = state.store().invitations(&who, id, state.now()).await;
    Ok(Json(ListResponse::complete(found.naming("company")?)))
}

async fn revoke(
    Caller { state, who }: Caller,
    Ids((id, invitation)): Ids<(CompanyId, InvitationId)>,
) -> Result<NoContent, ApiError> {
    let store = state.store();
    store.company(&who, id).await.naming("company")?;
    let revoked = store.revoke(&who, id, invitation, state.now()).await;
    revoked.naming("invitation")?;
    Ok(NoContent)
}

async fn received(Caller { state, who }: Caller) -> ListResult<Invitation> {
    let received = state.store().received(&who, state.now()).await?;
    Ok(Json(ListResponse::complete(received)))
}

async fn accept(
    Caller { state, who }: Caller,
    Ids(id): Ids<InvitationId>,
) -> JsonResult<Invitation> {
    let key = InvitationKey::Id(id);
    answer(&state, &who, key, InvitationAnswer::Accept).await
}

async fn decline(
    Caller { state, who }: Caller,
    Ids(id): Ids<InvitationId>,
) -> JsonResult<Invitation> {
    let key = InvitationKey::Id(id);
    answer(&state, &who, key, InvitationAnswer::Decline).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TokenAccept {
    #[schemars(length(min = 1, max = 200))]
    token: String,
}

/// Accepts an invitation by its link. The email address must match as well.
async fn accept_by_token(
    Caller { state, who }: Caller,
    body: JsonBody<TokenAccept>,
) -> JsonResult<Invitation> {
    let token = body.value.token;
    if token.is_empty() || token.len() > LONGEST_TOKEN {
        return Err(ApiError::invalid("token", "is not one of ours"));
    }
    let key = InvitationKey::TokenHash(token_hash(&token));
    answer(&state, &who, key, InvitationAnswer::Accept).await
}

async fn answer(
    state: &AppState,
    who: &Principal,
    key: InvitationKey,
    answer: InvitationAnswer,
) -> JsonResult<Invitation> {
    let answered = state.store().answer(who, key, answer, state.now()).await;
    Ok(Json(answered.naming("invitation")?))
}

/// The token of the link: an HMAC of the invitation's id with the server's secret. It needs no
/// storage, cannot be forged, and a repeated request gets the same token.
fn invitation_token(state: &AppState, id: InvitationId) -> Result<String, ApiError> {
    let secret = state.app.tokens.secret();
    let key = EncodingKey::from_secret(secret.expose_secret().as_bytes());
    let message = format!("invitation {id}");
    jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::HS256).map_err(|error| {
        tracing::error!("an invitation token could not be created: {error}");
        ApiError::internal()
    })
}

fn token_hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(token.as_bytes()))
}

/// A normalised email address. Its existence is verified by signing in with it.
fn checked_email(given: &str) -> Result<String, ApiError> {
    let email = given.trim().to_lowercase();
    let good = email.len() <= LONGEST_EMAIL
        && email
            .chars()
            .all(|c| !c.is_whitespace() && !c.is_control() && !"<>,;()\"\\".contains(c))
        && email.split_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !domain.contains('@')
                && domain.contains('.')
                && !domain.starts_with(['.', '-'])
                && !domain.ends_with(['.', '-'])
                && !domain.contains("..")
        });
    if good {
        return Ok(email);
    }
    Err(ApiError::invalid(
        "email",
        "must be an e-mail address such as ann@example.com",
    ))
}
