//! Claims of a token. Identity claims are parsed strictly. Invalid role claims are ignored, which
//! can only reduce rights.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::token::{TokenError, Verified};

const LEEWAY_SECONDS: i64 = 30;
/// Maximum length of names and addresses.
const LONGEST_TEXT: usize = 255;

#[derive(Serialize, Deserialize)]
pub(super) struct Claims {
    iss: String,
    sub: Uuid,
    /// A single audience; a token with several is refused.
    aud: String,
    exp: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
    #[serde(default)]
    iat: Option<i64>,
    #[serde(default)]
    email: Value,
    /// The issuer's own role, unrelated to ours.
    #[serde(default)]
    role: Value,
    #[serde(default)]
    app_metadata: Value,
}

impl Claims {
    pub(super) fn of(new: &Verified, issued: DateTime<Utc>, issuer: &str, audience: &str) -> Self {
        Self {
            iss: issuer.to_owned(),
            sub: new.subject,
            aud: audience.to_owned(),
            exp: new.expires.timestamp(),
            nbf: None,
            iat: Some(issued.timestamp()),
            email: new.email.clone().into(),
            role: "authenticated".into(),
            app_metadata: serde_json::json!({ "name": new.name, "roles": new.roles }),
        }
    }

    /// The identity, if the token is valid at this time.
    pub(super) fn verified(self, now: DateTime<Utc>) -> Result<Verified, TokenError> {
        let expires: DateTime<Utc> =
            DateTime::from_timestamp(self.exp, 0).ok_or(TokenError::Invalid)?;
        if self.exp.saturating_add(LEEWAY_SECONDS) < now.timestamp() {
            return Err(TokenError::Expired);
        }
        if self
            .nbf
            .is_some_and(|start| start > now.timestamp().saturating_add(LEEWAY_SECONDS))
        {
            return Err(TokenError::Invalid);
        }
        let email = text(&self.email).map(|email| email.to_lowercase());
        let name = text(&self.app_metadata["name"])
            .or_else(|| email.clone())
            .unwrap_or_else(|| self.sub.to_string());
        let roles = match &self.app_metadata["roles"] {
            Value::Array(roles) => roles
                .iter()
                .filter_map(|role| role.as_str().map(str::to_owned))
                .collect(),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => Vec::new(),
        };
        Ok(Verified {
            subject: self.sub,
            name,
            email,
            roles,
            expires,
        })
    }
}

/// A displayable text; anything else is ignored.
fn text(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    let good = !text.is_empty() && !text.chars().any(char::is_control);
    good.then(|| text.chars().take(LONGEST_TEXT).collect())
}
