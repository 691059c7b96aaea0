//! Profiles and companies, as far as signing in needs them.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::StoreError;
use crate::access::{Membership, Standing};
use crate::id::{CompanyId, ProfileId};

#[async_trait]
pub trait People: Send + Sync {
    /// The profile behind an account, created on first sight, with its live memberships.
    async fn sign_in(&self, account: Account) -> Result<(Profile, Vec<Membership>), StoreError>;

    /// Creates a company with its owner, or finds it by its id.
    async fn ensure_company(&self, new: NewCompany) -> Result<CompanyId, StoreError>;

    async fn add_member(
        &self,
        company: CompanyId,
        profile: ProfileId,
        standing: Standing,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    async fn remove_member(&self, company: CompanyId, profile: ProfileId)
    -> Result<(), StoreError>;
}

/// What an issuer says about a person.
#[derive(Clone, Debug)]
pub struct Account {
    pub subject: Uuid,
    /// Used when the profile does not exist yet.
    pub profile: ProfileId,
    pub name: String,
    pub email: Option<String>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    pub id: ProfileId,
    pub user_id: Uuid,
    pub display_name: String,
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct NewCompany {
    pub id: CompanyId,
    pub name: String,
    pub owner: ProfileId,
    pub now: DateTime<Utc>,
}
