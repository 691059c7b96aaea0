//! Companies, their members, and invitations to email addresses that the issuer has verified.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::IdempotencyKey;
use crate::access::CompanyRole;
use crate::id::{CompanyId, InvitationId, ProfileId};

/// Maximum number of companies per owner.
pub const MAX_OWNED_COMPANIES: i64 = 20;
/// Maximum number of unanswered invitations per company.
pub const MAX_OPEN_INVITATIONS: i64 = 100;

#[derive(Clone, Debug)]
pub struct CompanyDraft {
    pub id: CompanyId,
    pub name: String,
    /// A repeated request with this key returns the first result.
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
    /// The caller's role in it.
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
    /// Lower case, trimmed.
    pub email: String,
    /// The future role; never owner.
    pub role: CompanyRole,
    /// Hash of the token in the link; the token itself is not stored.
    pub token_hash: String,
    pub expires_at: DateTime<Utc>,
    /// A repeated request with this key returns the first result.
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

/// How the invited person identifies an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvitationKey {
    Id(InvitationId),
    /// Hash of the token in the link.
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
