//! Companies, who belongs to them, and how people come to them: by an invitation to the
//! address that their issuer vouches for.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{IdempotencyKey, StoreError};
use crate::access::{CompanyRole, Principal};
use crate::id::{CompanyId, InvitationId, ProfileId};

/// Companies a person may own.
pub const MAX_OWNED_COMPANIES: i64 = 20;
/// Invitations of a company that nobody has answered yet.
pub const MAX_OPEN_INVITATIONS: i64 = 100;

#[async_trait]
pub trait Companies: Send + Sync {
    /// Makes a company that this person owns.
    async fn found(&self, who: &Principal, new: CompanyDraft) -> Result<Company, StoreError>;

    /// Those this person belongs to, by name.
    async fn companies(&self, who: &Principal) -> Result<Vec<Company>, StoreError>;

    async fn company(&self, who: &Principal, id: CompanyId) -> Result<Company, StoreError>;

    /// Everyone in it, for those who are in it.
    async fn members(&self, who: &Principal, id: CompanyId) -> Result<Vec<Member>, StoreError>;

    /// Ends a membership: one's own, or anyone's but the owner's where one runs the company.
    async fn end_membership(
        &self,
        who: &Principal,
        company: CompanyId,
        member: ProfileId,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError>;
}

#[async_trait]
pub trait Invitations: Send + Sync {
    /// Invites an address; an open invitation of the same address is replaced.
    async fn invite(&self, who: &Principal, new: NewInvitation) -> Result<Invitation, StoreError>;

    /// All of a company, newest first, for those who run it: the addresses are of people who
    /// have not agreed to anything yet.
    async fn invitations(
        &self,
        who: &Principal,
        company: CompanyId,
        now: DateTime<Utc>,
    ) -> Result<Vec<Invitation>, StoreError>;

    /// Those that this person can answer.
    async fn received(
        &self,
        who: &Principal,
        now: DateTime<Utc>,
    ) -> Result<Vec<Invitation>, StoreError>;

    /// Joins the company or declines; only for whom it is addressed to, and only once.
    async fn answer(
        &self,
        who: &Principal,
        which: InvitationKey,
        answer: InvitationAnswer,
        now: DateTime<Utc>,
    ) -> Result<Invitation, StoreError>;

    /// Takes an invitation back; it is as if it had never been.
    async fn revoke(
        &self,
        who: &Principal,
        company: CompanyId,
        id: InvitationId,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError>;
}

#[derive(Clone, Debug)]
pub struct CompanyDraft {
    pub id: CompanyId,
    pub name: String,
    /// A repeated request with this key gives what the first one made.
    pub key: Option<IdempotencyKey>,
    pub now: DateTime<Utc>,
}

/// A company as one of its members sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Company {
    pub id: CompanyId,
    pub name: String,
    pub owner_id: ProfileId,
    pub created_at: DateTime<Utc>,
    /// Where the person who asks stands in it.
    pub role: CompanyRole,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    pub profile_id: ProfileId,
    pub display_name: String,
    pub email: Option<String>,
    pub avatar_url: Option<String>,
    pub role: CompanyRole,
    pub joined_at: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct NewInvitation {
    pub id: InvitationId,
    pub company: CompanyId,
    /// Lower case, without spaces around it.
    pub email: String,
    /// What they will be; never the owner.
    pub role: CompanyRole,
    /// Of the token in the link; the token itself is kept nowhere.
    pub token_hash: String,
    pub expires_at: DateTime<Utc>,
    /// A repeated request with this key gives what the first one made.
    pub key: Option<IdempotencyKey>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invitation {
    pub id: InvitationId,
    pub company_id: CompanyId,
    pub company_name: String,
    pub email: String,
    pub role: CompanyRole,
    pub invited_by: ProfileId,
    pub status: InvitationStatus,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvitationStatus {
    Pending,
    Accepted,
    Declined,
    Expired,
}

/// How an invitation is named by whom it is addressed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvitationKey {
    Id(InvitationId),
    /// Of the token in the link they were sent.
    TokenHash(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationAnswer {
    Accept,
    Decline,
}

impl InvitationAnswer {
    pub fn status(self) -> InvitationStatus {
        match self {
            InvitationAnswer::Accept => InvitationStatus::Accepted,
            InvitationAnswer::Decline => InvitationStatus::Declined,
        }
    }
}
