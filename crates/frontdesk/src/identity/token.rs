//! Signed tokens with one fixed algorithm: whatever a token says about itself, it is
//! checked as HS256 or not at all.

use std::path::Path;

use chrono::{DateTime, Utc};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Clocks may differ by this much.
const LEEWAY_SECONDS: i64 = 30;

/// Signs and checks tokens.
pub struct Tokens {
    secret: SecretString,
    issuer: String,
    audience: String,
}

/// What to put into a token.
pub struct NewToken {
    pub subject: Uuid,
    pub name: String,
    pub email: Option<String>,
    pub roles: Vec<String>,
    pub issued: DateTime<Utc>,
    pub expires: DateTime<Utc>,
}

/// What a good token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub subject: Uuid,
    pub name: String,
    pub email: Option<String>,
    pub roles: Vec<String>,
    pub expires: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("the token has expired")]
    Expired,
    #[error("the token's signature is wrong")]
    Signature,
    #[error("the token is not valid")]
    Invalid,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: Uuid,
    aud: String,
    exp: i64,
    #[serde(default)]
    iat: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
    #[serde(default)]
    email: Option<String>,
    /// Supabase's own role, not one of ours.
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    app_metadata: AppMetadata,
}

#[derive(Default, Serialize, Deserialize)]
struct AppMetadata {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    roles: Vec<String>,
}

impl Tokens {
    pub fn new(secret: SecretString, issuer: String, audience: String) -> Self {
        Self {
            secret,
            issuer,
            audience,
        }
    }

    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// For services of ours that check tokens themselves.
    pub fn secret(&self) -> SecretString {
        self.secret.clone()
    }

    /// Signs claims for a service; the audience keeps such a token from being one of ours.
    pub fn sign_claims(&self, claims: &impl Serialize) -> Result<String, TokenError> {
        let key = EncodingKey::from_secret(self.secret.expose_secret().as_bytes());
        encode(&Header::new(Algorithm::HS256), claims, &key).map_err(|_| TokenError::Invalid)
    }

    pub fn sign(&self, new: &NewToken) -> Result<String, TokenError> {
        let claims = Claims {
            iss: self.issuer.clone(),
            sub: new.subject,
            aud: self.audience.clone(),
            exp: new.expires.timestamp(),
            iat: Some(new.issued.timestamp()),
            nbf: None,
            email: new.email.clone(),
            role: Some("authenticated".to_owned()),
            app_metadata: AppMetadata {
                name: Some(new.name.clone()),
                roles: new.roles.clone(),
            },
        };
        self.sign_claims(&claims)
    }

    pub fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Verified, TokenError> {
        let mut validation = Validation::new(Algorithm::HS256);
        // The library would look at the system's clock; times are checked below, against ours.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let key = DecodingKey::from_secret(self.secret.expose_secret().as_bytes());
        let claims = decode::<Claims>(token, &key, &validation)
            .map_err(|error| {
                if matches!(error.kind(), ErrorKind::InvalidSignature) {
                    TokenError::Signature
                } else {
                    TokenError::Invalid
                }
            })?
            .claims;
        let expires = DateTime::from_timestamp(claims.exp, 0).ok_or(TokenError::Invalid)?;
        if claims.exp.saturating_add(LEEWAY_SECONDS) < now.timestamp() {
            return Err(TokenError::Expired);
        }
        if claims
            .nbf
            .is_some_and(|start| start > now.timestamp() + LEEWAY_SECONDS)
        {
            return Err(TokenError::Invalid);
        }
        let name = claims
            .app_metadata
            .name
            .or_else(|| claims.email.clone())
            .unwrap_or_else(|| claims.sub.to_string());
        Ok(Verified {
            subject: claims.sub,
            name,
            email: claims.email,
            roles: claims.app_metadata.roles,
            expires,
        })
    }
}

const SECRET_FILE: &str = "token-secret";

/// The secret of this data folder, made on first use. It signs demo tokens only; with a
/// configured secret it is not looked at.
pub fn local_secret(data_dir: &Path) -> std::io::Result<SecretString> {
    let path = data_dir.join(SECRET_FILE);
    match std::fs::read_to_string(&path) {
        Ok(secret) if !secret.trim().is_empty() => Ok(SecretString::from(secret.trim())),
        Ok(_) => write_secret(&path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => write_secret(&path),
        Err(error) => Err(error),
    }
}

fn write_secret(path: &Path) -> std::io::Result<SecretString> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let secret = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(secret.as_bytes())?;
    Ok(SecretString::from(secret))
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod token_tests;
