//! Sign-in at the configured issuer: the parameters for the browser, and the code exchange.

use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::demo::SignedIn;
use super::{ApiError, AppState, Json, JsonBody, JsonResult, Route, StatusCode};
use crate::identity::{SignInError, TokenError};

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "people";
    const PATH: &str = "/sign-in";
    vec![
        Route::get(PATH, offer)
            .named("get_sign_in", SUBJECT, "Get the sign-in parameters")
            .about(
                "`issuer` is null if browser sign-in is not configured; clients then need a token.",
            )
            .public()
            .gives::<SignInOffer>(200, "The issuer and its parameters"),
        Route::post(PATH, redeem)
            .named("sign_in", SUBJECT, "Sign in with an authorization code")
            .about("The last step of OpenID Connect's authorization code flow with PKCE.")
            .public()
            .takes::<CodeGrant>()
            .gives::<SignedIn>(201, "A token")
            .refuses(&[401, 404]),
    ]
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct SignInOffer {
    issuer: Option<IssuerOffer>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct IssuerOffer {
    /// Name of the issuer.
    issuer: String,
    /// Address to redirect the browser to.
    authorization_endpoint: String,
    client_id: String,
    scope: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct CodeGrant {
    #[schemars(length(min = 1, max = 4096))]
    code: String,
    /// The verifier whose SHA-256 was sent as `code_challenge`.
    #[schemars(length(min = 43, max = 128))]
    code_verifier: String,
    /// The redirect address that was sent with the authorization request.
    #[schemars(length(min = 1, max = 2048))]
    redirect_uri: String,
}

async fn offer(State(state): State<AppState>) -> JsonResult<SignInOffer> {
    let Some(client) = &state.app.sign_in else {
        return Ok(Json(SignInOffer { issuer: None }));
    };
    let endpoints = client.endpoints().await.map_err(refused)?;
    Ok(Json(SignInOffer {
        issuer: Some(IssuerOffer {
            issuer: client.issuer().to_owned(),
            authorization_endpoint: endpoints.authorization_endpoint,
            client_id: client.client_id().to_owned(),
            scope: client.scope().to_owned(),
        }),
    }))
}

async fn redeem(
    State(state): State<AppState>,
    body: JsonBody<CodeGrant>,
) -> Result<(StatusCode, Json<SignedIn>), ApiError> {
    let Some(client) = &state.app.sign_in else {
        return Err(ApiError::not_found("Resource"));
    };
    let CodeGrant {
        code,
        code_verifier,
        redirect_uri,
    } = body.value;
    let given = client
        .redeem(&code, &code_verifier, &redirect_uri)
        .await
        .map_err(refused)?;
    let now = state.now();
    let mut problem = TokenError::Invalid;
    // Some issuers use opaque access tokens; then the ID token identifies the person.
    for token in given {
        match state.app.tokens.verify(&token, now).await {
            Ok(verified) => {
                let who = state.app.signed_in(verified).await?;
                let signed_in = SignedIn::new(token, who);
                return Ok((StatusCode::CREATED, Json(signed_in)));
            }
            Err(error) => problem = error,
        }
    }
    tracing::warn!("the issuer's tokens cannot be used: {problem}");
    Err(problem.into())
}

fn refused(error: SignInError) -> ApiError {
    match error {
        SignInError::Unavailable => {
            let message = "The sign-in service cannot be reached just now, please try again";
            ApiError::service_unavailable("UNAVAILABLE", message)
        }
        SignInError::Refused => {
            ApiError::unauthorized("The sign-in was not accepted; please start again")
        }
    }
}
