//! Tokens with which a person's programs act for them.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::IdempotencyKey;
use crate::id::ApiTokenId;

/// A person has at most so many tokens.
pub const MAX_API_TOKENS: usize = 20;

#[derive(Clone, Debug)]
pub struct NewApiToken {
    pub id: ApiTokenId,
    pub name: String,
    pub hash: String,
    /// The verified claims of the sign-in that created it, as JSON.
    pub identity: String,
    pub expires_at: DateTime<Utc>,
    pub key: Option<IdempotencyKey>,
    pub now: DateTime<Utc>,
}

/// A token without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApiToken {
    pub id: ApiTokenId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}
