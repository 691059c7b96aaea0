//! Tokens: verified with a fixed algorithm and required claims, whatever the token says about
//! itself. An issuer has one secret or a set of public keys, never both.

use chrono::{DateTime, Utc};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode,
};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use uuid::Uuid;

use super::claims::Claims;
use super::jwks::KeySet;

/// Larger than any token of an honest issuer.
const LONGEST_TOKEN: usize = 16 * 1024;
/// Who signs what only this installation reads.
const LOCAL_ISSUER: &str = "frontdesk";

/// Signs and checks tokens.
pub struct Tokens {
    /// Signs what is ours to sign.
    secret: SecretString,
    /// Checks it.
    key: DecodingKey,
    /// In what we sign.
    issuer: String,
    audience: String,
    /// What a good token fulfils beside its signature and its times; `algorithms` is the key's.
    demands: Validation,
    /// Whose tokens people sign in with, where those are not ours.
    issued_elsewhere: Option<Issuer>,
}

/// Somebody else who says who people are.
struct Issuer {
    name: String,
    keys: KeySet,
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

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("the token has expired")]
    Expired,
    #[error("the token's signature is wrong")]
    Signature,
    #[error("the token is not valid")]
    Invalid,
    /// The issuer's keys cannot be had at the moment.
    #[error("who you are cannot be checked just now, please try again")]
    Unavailable,
    #[error("people's tokens come from {issuer}, which alone can sign them")]
    NotOurs { issuer: String },
}

impl Tokens {
    /// People's tokens are signed with this secret.
    pub fn with_secret(secret: SecretString, issuer: Option<String>, audience: String) -> Self {
        let issuer = issuer.unwrap_or_else(|| LOCAL_ISSUER.to_owned());
        Self {
            key: DecodingKey::from_secret(secret.expose_secret().as_bytes()),
            secret,
            demands: demands(&issuer, &audience),
            issuer,
            audience,
            issued_elsewhere: None,
        }
    }

    /// People's tokens come from an issuer with public keys; the secret is for services of
    /// ours alone.
    pub fn with_keys(local: SecretString, issuer: String, audience: String, keys: KeySet) -> Self {
        Self {
            key: DecodingKey::from_secret(local.expose_secret().as_bytes()),
            secret: local,
            demands: demands(&issuer, &audience),
            issuer: LOCAL_ISSUER.to_owned(),
            audience,
            issued_elsewhere: Some(Issuer { name: issuer, keys }),
        }
    }

    /// In what we sign for services of ours.
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

    /// Signs a person's token, where those are ours to sign.
    pub fn sign(&self, new: &NewToken) -> Result<String, TokenError> {
        match &self.issued_elsewhere {
            Some(issuer) => Err(TokenError::NotOurs {
                issuer: issuer.name.clone(),
            }),
            None => self.sign_claims(&Claims::of(new, &self.issuer, &self.audience)),
        }
    }

    pub async fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Verified, TokenError> {
        if token.len() > LONGEST_TOKEN {
            return Err(TokenError::Invalid);
        }
        let Some(issuer) = &self.issued_elsewhere else {
            return checked(token, &self.key, &self.demands)?.verified(now);
        };
        let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
        // Nothing is looked up for a token that could not be good anyway.
        if !matches!(header.alg, Algorithm::RS256 | Algorithm::ES256) {
            return Err(TokenError::Invalid);
        }
        let kid = header.kid.ok_or(TokenError::Invalid)?;
        let key = issuer.keys.find(&kid).await?;
        let mut demands = self.demands.clone();
        demands.algorithms = vec![key.algorithm];
        checked(token, &key.decoding, &demands)?.verified(now)
    }
}

/// What people's tokens must fulfil, signed with a secret.
fn demands(issuer: &str, audience: &str) -> Validation {
    let mut demands = Validation::new(Algorithm::HS256);
    // The library would look at the system's clock; the claims check times against ours.
    demands.validate_exp = false;
    demands.validate_nbf = false;
    demands.set_issuer(&[issuer]);
    demands.set_audience(&[audience]);
    demands.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    demands
}

/// The algorithm is the key's, never the token's.
fn checked(token: &str, key: &DecodingKey, demands: &Validation) -> Result<Claims, TokenError> {
    let claims = decode::<Claims>(token, key, demands).map_err(|error| {
        if matches!(error.kind(), ErrorKind::InvalidSignature) {
            TokenError::Signature
        } else {
            TokenError::Invalid
        }
    })?;
    Ok(claims.claims)
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod token_tests;
