//! Profiles and companies for signing in.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::Membership;
use crate::conversation::Conversation;
use crate::id::{CompanyId, ProfileId};

/// A signed-in person and a conversation that they may see.
#[derive(Clone, Debug, PartialEq)]
pub struct Entered {
    pub profile: ProfileId,
    /// The name in the person's profile.
    pub name: String,
    pub companies: Vec<Membership>,
    pub conversation: Conversation,
}

/// An issuer's claims about a person.
#[derive(Clone, Debug)]
pub struct Account {
    pub subject: Uuid,
    /// Used if the profile does not exist yet.
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

/// `None` leaves a field unchanged.
#[derive(Clone, Debug)]
pub struct ProfilePatch {
    pub display_name: Option<String>,
    /// An empty text removes the picture.
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
