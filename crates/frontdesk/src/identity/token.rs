//! Tokens are verified with a fixed algorithm and required claims, regardless of their header. An
//! issuer has one secret or a set of public keys, never both.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::claims::Claims;
use super::jwks::KeySet;
use super::person_tokens::PersonTokens;

/// In bytes. Larger than any legitimate token.
const LONGEST_TOKEN: usize = 16 * 1024;
/// Issuer of tokens that only this installation reads.
const LOCAL_ISSUER: &str = "frontdesk";

/// Signs and verifies tokens.
pub struct Tokens {
    /// Signs our own tokens.
    secret: SecretString,
    /// Verifies our own tokens.
    key: DecodingKey,
    /// Issuer of our own tokens.
    issuer: String,
    audience: String,
    /// Requirements besides signature and times; `algorithms` is set from the key.
    requirements: Validation,
    /// The issuer of people's tokens, if it is not this installation.
    external_issuer: Option<Issuer>,
    people: PersonTokens,
}

/// An external issuer.
struct Issuer {
    name: String,
    keys: KeySet,
}

/// The identity in a valid token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    pub subject: Uuid,
    pub name: String,
    pub email: Option<String>,
    pub roles: Vec<String>,
    pub expires: DateTime<Utc>,
}

impl Verified {
    /// This person with the roles that they hold now.
    pub fn of(who: &Principal, expires: DateTime<Utc>) -> Self {
        Self {
            subject: who.subject(),
            name: who.name().to_owned(),
            email: who.email().map(str::to_owned),
            roles: who.roles().iter().map(ToString::to_string).collect(),
            expires,
        }
    }

    /// For storing, so that the server can act for this person later.
    pub fn to_json(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    /// The stored identity, valid until `expires`.
    pub fn from_json(identity: &str, expires: DateTime<Utc>) -> Option<Self> {
        let verified: Self = serde_json::from_str(identity).ok()?;
        Some(Self {
            expires,
            ..verified
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("the token has expired")]
    Expired,
    #[error("the token's signature is wrong")]
    Signature,
    #[error("the token is not valid")]
    Invalid,
    /// The issuer's keys are unavailable.
    #[error("your identity cannot be verified right now, please try again")]
    Unavailable,
    #[error("only {issuer} can sign people's tokens")]
    NotOurs { issuer: String },
}

impl Tokens {
    /// People's tokens are signed with this secret.
    pub fn with_secret(secret: SecretString, issuer: Option<String>, audience: String) -> Self {
        let issuer = issuer.unwrap_or_else(|| LOCAL_ISSUER.to_owned());
        Self {
            key: DecodingKey::from_secret(secret.expose_secret().as_bytes()),
            secret,
            requirements: requirements(&issuer, &audience),
            issuer,
            audience,
            external_issuer: None,
            people: PersonTokens::default(),
        }
    }

    /// People's tokens come from an issuer with public keys; the local secret is for bundled
    /// services only.
    pub fn with_keys(local: SecretString, issuer: String, audience: String, keys: KeySet) -> Self {
        Self {
            key: DecodingKey::from_secret(local.expose_secret().as_bytes()),
            secret: local,
            requirements: requirements(&issuer, &audience),
            issuer: LOCAL_ISSUER.to_owned(),
            audience,
            external_issuer: Some(Issuer { name: issuer, keys }),
            people: PersonTokens::default(),
        }
    }

    /// Issuer of tokens for bundled services.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// For bundled services that verify tokens themselves.
    pub fn secret(&self) -> SecretString {
        self.secret.clone()
    }

    /// Signs claims for a service; the audience prevents its use as a person's token.
    pub fn sign_claims(&self, claims: &impl Serialize) -> Result<String, TokenError> {
        let key = EncodingKey::from_secret(self.secret.expose_secret().as_bytes());
        encode(&Header::new(Algorithm::HS256), claims, &key).map_err(|_| TokenError::Invalid)
    }

    /// Signs a person's token; fails if an external issuer does that.
    pub fn sign(&self, identity: &Verified, now: DateTime<Utc>) -> Result<String, TokenError> {
        match &self.external_issuer {
            Some(issuer) => Err(TokenError::NotOurs {
                issuer: issuer.name.clone(),
            }),
            None => {
                let claims = Claims::of(identity, now, &self.issuer, &self.audience);
                self.sign_claims(&claims)
            }
        }
    }

    /// Verifies a person's token and keeps it for [`Self::of_person`].
    pub async fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Verified, TokenError> {
        let verified = self.check(token, now).await?;
        self.people
            .keep(verified.subject, token, verified.expires, now);
        Ok(verified)
    }

    /// The token with which this person last signed in here, while it is valid.
    pub fn of_person(&self, subject: Uuid, now: DateTime<Utc>) -> Option<SecretString> {
        self.people.of(subject, now)
    }

    async fn check(&self, token: &str, now: DateTime<Utc>) -> Result<Verified, TokenError> {
        if token.len() > LONGEST_TOKEN {
            return Err(TokenError::Invalid);
        }
        let Some(issuer) = &self.external_issuer else {
            return checked(token, &self.key, &self.requirements)?.verified(now);
        };
        let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
        // Avoids a key lookup for a token that cannot be valid.
        if !matches!(header.alg, Algorithm::RS256 | Algorithm::ES256) {
            return Err(TokenError::Invalid);
        }
        let kid = header.kid.ok_or(TokenError::Invalid)?;
        let key = issuer.keys.find(&kid).await?;
        let mut requirements = self.requirements.clone();
        requirements.algorithms = vec![key.algorithm];
        checked(token, &key.decoding, &requirements)?.verified(now)
    }
}

/// Requirements on people's tokens that are signed with a secret.
fn requirements(issuer: &str, audience: &str) -> Validation {
    let mut requirements = Validation::new(Algorithm::HS256);
    // The library would use the system clock; the claims check uses ours.
    requirements.validate_exp = false;
    requirements.validate_nbf = false;
    requirements.set_issuer(&[issuer]);
    requirements.set_audience(&[audience]);
    requirements.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    requirements
}

/// The algorithm comes from the key, never from the token.
fn checked(
    token: &str,
    key: &DecodingKey,
    requirements: &Validation,
) -> Result<Claims, TokenError> {
    let claims = decode::<Claims>(token, key, requirements).map_err(|error| {
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
