//! Authenticates callers by bearer tokens with a lifetime of at most one minute, issued for
//! this service, with the user's name and roles. Identity in a request body is ignored.

use axum::http::{HeaderMap, header};
use chrono::{DateTime, Utc};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::Value;
use strum::IntoStaticStr;

use crate::error::ApiError;
use crate::pass::{NAME_MAX, clean};
use crate::settings::Settings;

/// The `aud` of tokens for this service.
pub const AUDIENCE: &str = "gatepass";

/// Tolerated clock difference between two machines.
const LEEWAY_SECONDS: i64 = 30;

/// A user's role. Names are case-sensitive, as in the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(suffix = "_User", const_into_str)]
pub enum Role {
    #[strum(to_string = "HR")]
    Hr,
    Admin,
    Gate,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Hr, Role::Admin, Role::Gate];
}

/// An authenticated caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// Stable id of the user.
    pub sub: String,
    /// The name recorded for approvals, rejections, deletions and scans.
    pub name: String,
    pub roles: Vec<Role>,
}

impl Caller {
    pub(crate) fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }

    /// Refuses a caller who has none of `roles`; the error names the required ones.
    pub(crate) fn require(&self, roles: &[Role]) -> Result<(), ApiError> {
        if roles.iter().any(|role| self.has(*role)) {
            return Ok(());
        }
        let names = |roles: &[Role]| -> Vec<&str> { roles.iter().map(|r| r.into_str()).collect() };
        let have = match self.roles.is_empty() {
            true => "no role of the gate pass service".to_owned(),
            false => names(&self.roles).join(", "),
        };
        Err(ApiError::forbidden(format!(
            "This needs the role {}; you have {have}.",
            names(roles).join(" or ")
        ))
        .with_details(
            serde_json::json!({"required_roles": names(roles), "roles": names(&self.roles)}),
        ))
    }
}

/// Verifies tokens against one secret, one algorithm, one issuer and one audience.
pub(crate) struct Verifier {
    key: DecodingKey,
    issuer: String,
    signature_only: Validation,
}

/// The claims with strict types: a number in a string is not a number.
#[derive(Deserialize)]
struct Claims {
    sub: String,
    name: String,
    #[serde(default)]
    roles: Value,
    aud: String,
    iss: String,
    exp: i64,
    nbf: Option<i64>,
}

impl Verifier {
    pub(crate) fn new(settings: &Settings) -> Self {
        // Times and audience are checked below, against the service's own clock and with
        // exact types.
        let mut signature_only = Validation::new(Algorithm::HS256);
        signature_only.required_spec_claims.clear();
        signature_only.validate_exp = false;
        signature_only.validate_nbf = false;
        signature_only.validate_aud = false;
        Self {
            key: DecodingKey::from_secret(settings.token_secret.expose_secret().as_bytes()),
            issuer: settings.token_issuer.clone(),
            signature_only,
        }
    }

    pub(crate) fn caller(
        &self,
        headers: &HeaderMap,
        now: DateTime<Utc>,
    ) -> Result<Caller, ApiError> {
        let token = bearer(headers)?;
        let claims = jsonwebtoken::decode::<Claims>(token, &self.key, &self.signature_only)
            .map_err(
                |error| match matches!(error.kind(), ErrorKind::InvalidSignature) {
                    true => ApiError::unauthorized(
                        "INVALID_SIGNATURE",
                        "The token was not signed for this service.",
                    ),
                    false => invalid("The token cannot be read."),
                },
            )?
            .claims;
        if claims.aud != AUDIENCE || claims.iss != self.issuer {
            return Err(invalid("The token was made for another service."));
        }
        let now = now.timestamp();
        if claims.exp.saturating_add(LEEWAY_SECONDS) <= now {
            return Err(ApiError::unauthorized(
                "TOKEN_EXPIRED",
                "The token has expired; get a new one.",
            ));
        }
        if claims
            .nbf
            .is_some_and(|nbf| nbf.saturating_sub(LEEWAY_SECONDS) > now)
        {
            return Err(invalid("The token is not valid yet."));
        }
        let name = clean(&claims.name, NAME_MAX)
            .map_err(|_| invalid("The token has no usable name."))?
            .to_owned();
        if claims.sub.is_empty() || claims.sub.len() > 255 || claims.sub.contains('\0') {
            return Err(invalid("The token has no usable subject."));
        }
        Ok(Caller {
            sub: claims.sub,
            name,
            roles: known_roles(&claims.roles),
        })
    }
}

/// Unknown or misspelled roles grant nothing.
fn known_roles(claim: &Value) -> Vec<Role> {
    let named = claim.as_array().map(Vec::as_slice).unwrap_or_default();
    Role::ALL
        .into_iter()
        .filter(|role| named.iter().any(|name| name == role.into_str()))
        .collect()
}

fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = values.next() else {
        return Err(ApiError::unauthorized(
            "UNAUTHORIZED",
            "Send a token in the header Authorization: Bearer ….",
        ));
    };
    if values.next().is_some() {
        return Err(ApiError::bad_request(
            "Send one Authorization header, not several.",
        ));
    }
    let text = value
        .to_str()
        .map_err(|_| invalid("The token cannot be read."))?;
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(token.trim()),
        Some(_) | None => Err(ApiError::unauthorized(
            "UNAUTHORIZED",
            "Send a token in the header Authorization: Bearer ….",
        )),
    }
}

fn invalid(message: &str) -> ApiError {
    ApiError::unauthorized("INVALID_TOKEN", message)
}
