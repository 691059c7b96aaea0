//! Tokens with which a person's programs act for them.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{IdempotencyKey, StoreError};
use crate::access::Principal;
use crate::id::ApiTokenId;

/// A person has at most so many tokens.
pub const MAX_API_TOKENS: usize = 20;

#[async_trait]
pub trait ApiTokens: Send + Sync {
    /// A token of the caller. Only its hash is stored.
    async fn create_api_token(
        &self,
        who: &Principal,
        new: NewApiToken,
    ) -> Result<ApiToken, StoreError>;

    /// The caller's own, oldest first.
    async fn api_tokens(&self, who: &Principal) -> Result<Vec<ApiToken>, StoreError>;

    async fn revoke_api_token(&self, who: &Principal, id: ApiTokenId) -> Result<(), StoreError>;

    /// The identity that a token was created with, while it is valid.
    async fn identity_of_token(
        &self,
        hash: String,
        now: DateTime<Utc>,
    ) -> Result<Option<(String, DateTime<Utc>)>, StoreError>;
}

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
