//! Mails to the caller when something waits for them.

use axum::Json;
use axum::extract::State;
use frontdesk_core::access::Principal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ApiError, Caller, JsonBody, JsonResult, Route};
use crate::http::AppState;
use crate::http::caller::VerifiedToken;

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "people";
    vec![
        Route::get("/me/mail", show)
            .named("get_inbox_mail", SUBJECT, "Get whether I am mailed when something waits")
            .gives::<InboxMailStatus>(200, "The setting"),
        Route::put("/me/mail", change)
            .named("set_inbox_mail", SUBJECT, "Choose whether I am mailed when something waits")
            .about("One mail to the address of the sign-in, two minutes after something began to wait, with the number of waiting things and a link; at most every 30 minutes, and never again about the same things. Mails end 90 days after the last sign-in.")
            .takes::<InboxMailChange>()
            .gives::<InboxMailStatus>(200, "The changed setting")
            .refuses(&[403, 409]),
    ]
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct InboxMailStatus {
    /// A mail server is configured.
    available: bool,
    on: bool,
    /// The address of the sign-in.
    address: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct InboxMailChange {
    on: bool,
    /// The language of the mails: `en`, `ru`, `sv`, `da`, `no` or `de`.
    #[serde(default)]
    language: MailLanguage,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum MailLanguage {
    #[default]
    En,
    Ru,
    Sv,
    Da,
    No,
    De,
}

impl MailLanguage {
    fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ru => "ru",
            Self::Sv => "sv",
            Self::Da => "da",
            Self::No => "no",
            Self::De => "de",
        }
    }
}

async fn show(Caller { who, state }: Caller) -> JsonResult<InboxMailStatus> {
    let on = state.store().inbox_mail_language(&who).await?.is_some();
    Ok(Json(status(&state, &who, on)))
}

async fn change(
    State(state): State<AppState>,
    token: VerifiedToken,
    body: JsonBody<InboxMailChange>,
) -> JsonResult<InboxMailStatus> {
    let InboxMailChange { on, language } = body.value;
    // An API token may have fewer roles than its person.
    let verified = token.into_sign_in()?;
    let identity = verified.to_json().ok_or_else(ApiError::agent_error)?;
    let who = state.app.signed_in(verified).await?;
    if !on {
        state.store().turn_off_inbox_mails(&who).await?;
        return Ok(Json(status(&state, &who, false)));
    }
    if state.app.mailer.is_none() {
        return Err(ApiError::conflict(
            "NO_MAIL_SERVER",
            "No mail server is configured; set SMTP_URL",
        ));
    }
    if who.email().is_none() {
        return Err(ApiError::conflict(
            "NO_ADDRESS",
            "Your sign-in has no email address",
        ));
    }
    let (store, now) = (state.store(), state.now());
    store
        .turn_on_inbox_mails(&who, language.code(), identity, now)
        .await?;
    Ok(Json(status(&state, &who, true)))
}

fn status(state: &AppState, who: &Principal, on: bool) -> InboxMailStatus {
    let available = state.app.mailer.is_some();
    InboxMailStatus {
        available,
        on: on && available,
        address: who.email().map(str::to_owned),
    }
}
