//! Typed identifiers: a conversation's id is not a turn's.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::artifact::Artifact;
use crate::conversation::Conversation;
use crate::message::Message;
use crate::store::{ApiToken, Attachment, Company, Invitation, Profile, Share};
use crate::turn::Turn;

/// The id of a `T`. Conversations without a subject have random v4 ids, everything else v7.
pub struct Id<T> {
    uuid: Uuid,
    of: PhantomData<fn() -> T>,
}

pub type ConversationId = Id<Conversation>;
pub type MessageId = Id<Message>;
pub type TurnId = Id<Turn>;
pub type ProfileId = Id<Profile>;
pub type CompanyId = Id<Company>;
pub type InvitationId = Id<Invitation>;
pub type ArtifactId = Id<Artifact>;
pub type AttachmentId = Id<Attachment>;
pub type ShareId = Id<Share>;
pub type ApiTokenId = Id<ApiToken>;

impl<T> Id<T> {
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self {
            uuid,
            of: PhantomData,
        }
    }

    pub const fn uuid(self) -> Uuid {
        self.uuid
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.uuid == other.uuid
    }
}

impl<T> Eq for Id<T> {}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.uuid.hash(state);
    }
}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.uuid.cmp(&other.uuid)
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.uuid, f)
    }
}

impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.uuid, f)
    }
}

impl<T> FromStr for Id<T> {
    type Err = uuid::Error;

    /// Accepts the hyphenated form only, so that each id has one spelling.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hyphenated = text.parse::<uuid::fmt::Hyphenated>()?;
        Ok(Self::from_uuid(hyphenated.into_uuid()))
    }
}

impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.uuid.serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Uuid::deserialize(deserializer).map(Self::from_uuid)
    }
}

impl<T> JsonSchema for Id<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "uuid" })
    }
}
