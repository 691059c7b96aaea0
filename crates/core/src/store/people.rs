//! Profiles and companies, as far as signing in needs them.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::StoreError;
use crate::access::{CompanyRole, Membership, Principal};
use crate::conversation::Conversation;
use crate::id::{CompanyId, ConversationId, ProfileId};

#[async_trait]
pub trait People: Send + Sync {
    /// The profile behind an account, created on first sight, with its live memberships. The
    /// address follows the issuer; the name is the person's own once the profile is there.
    async fn sign_in(&self, account: Account) -> Result<(Profile, Vec<Membership>), StoreError>;

    /// Signs in and finds a conversation that the person may see. Whoever says something needs both,
    /// and mostly one look has them.
    async fn enter(
        &self,
        account: Account,
        conversation: ConversationId,
    ) -> Result<Entered, StoreError>;

    /// Creates a company with its owner, or finds it by its id.
    async fn ensure_company(&self, new: NewCompany) -> Result<CompanyId, StoreError>;

    async fn add_member(
        &self,
        company: CompanyId,
        profile: ProfileId,
        standing: CompanyRole,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    async fn remove_member(&self, company: CompanyId, profile: ProfileId)
    -> Result<(), StoreError>;
}

/// Somebody who came into a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Entered {
    pub profile: ProfileId,
    /// The person's own name for themselves.
    pub name: String,
    pub companies: Vec<Membership>,
    pub conversation: Conversation,
}

/// Profiles as people see and edit them.
#[async_trait]
pub trait Profiles: Send + Sync {
    /// One's own, or that of somebody in one of one's companies.
    async fn profile(&self, who: &Principal, id: ProfileId) -> Result<Profile, StoreError>;

    /// Changes one's own; the address is the issuer's to say.
    async fn update_profile(
        &self,
        who: &Principal,
        patch: ProfilePatch,
    ) -> Result<Profile, StoreError>;
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
    pub avatar_url: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// `None` leaves a field as it is.
#[derive(Clone, Debug)]
pub struct ProfilePatch {
    pub display_name: Option<String>,
    /// An empty text takes the picture away.
    pub avatar_url: Option<String>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct NewCompany {
    pub id: CompanyId,
    pub name: String,
    pub owner: ProfileId,
    pub now: DateTime<Utc>,
}
