//! Authenticated people and their rights. Only authentication creates a [`Principal`]; text from a
//! model or a client never does.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::id::{CompanyId, ProfileId};

/// A role in the company's systems. Assistants and manifests name their roles; no list is built in.
/// Compared exactly: `hr_user` is not `HR_User`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Role(Cow<'static, str>);

impl Role {
    pub const HR_USER: Role = Role(Cow::Borrowed("HR_User"));
    pub const ADMIN_USER: Role = Role(Cow::Borrowed("Admin_User"));
    pub const GATE_USER: Role = Role(Cow::Borrowed("Gate_User"));
    pub const RECRUITER: Role = Role(Cow::Borrowed("Recruiter"));
    pub const BUYER: Role = Role(Cow::Borrowed("Buyer"));
    pub const READER: Role = Role(Cow::Borrowed("Reader"));
    pub const OPERATOR: Role = Role(Cow::Borrowed("Operator"));

    pub const fn named(name: &'static str) -> Role {
        Role(Cow::Borrowed(name))
    }

    /// A role as declared in a manifest.
    pub fn declared(name: String) -> Role {
        Role(Cow::Owned(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for Role {
    fn schema_name() -> Cow<'static, str> {
        "Role".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "The name of a role, as an assistant declares it. Upper and lower case differ."
        })
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The roles that an installation knows: those that its assistants name, and the operator's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRoles(BTreeSet<Role>);

impl KnownRoles {
    /// Returns `None` for an undeclared role, because it grants no rights.
    pub fn get(&self, name: &str) -> Option<Role> {
        self.0.iter().find(|role| role.0 == name).cloned()
    }

    /// The names, for messages to people.
    pub fn in_words(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(Role::as_str).collect();
        names.join(", ")
    }
}

impl FromIterator<Role> for KnownRoles {
    fn from_iter<T: IntoIterator<Item = Role>>(roles: T) -> Self {
        let operator = std::iter::once(Role::OPERATOR);
        Self(operator.chain(roles).collect())
    }
}

/// A person's role within a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CompanyRole {
    Owner,
    Admin,
    Member,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Membership {
    pub company: CompanyId,
    pub standing: CompanyRole,
}

/// Evidence of a person's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A verified token.
    Token,
    /// A demo persona on the loopback interface.
    Persona,
}

/// An authenticated person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal(Identity);

/// Facts about a person that the authentication layer established.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// `auth.uid()`: the account at the issuer.
    pub subject: Uuid,
    pub profile: ProfileId,
    pub name: String,
    pub email: Option<String>,
    pub roles: BTreeSet<Role>,
    pub companies: Vec<Membership>,
    pub expires: Option<DateTime<Utc>>,
}

impl Principal {
    /// The only constructor; `proof` makes each caller state its evidence.
    pub fn authenticated(identity: Identity, proof: Proof) -> Self {
        tracing::trace!(?proof, profile = %identity.profile, "principal created");
        Self(identity)
    }

    pub fn subject(&self) -> Uuid {
        self.0.subject
    }

    pub fn profile(&self) -> ProfileId {
        self.0.profile
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }

    pub fn email(&self) -> Option<&str> {
        self.0.email.as_deref()
    }

    pub fn roles(&self) -> &BTreeSet<Role> {
        &self.0.roles
    }

    pub fn companies(&self) -> &[Membership] {
        &self.0.companies
    }

    pub fn expires(&self) -> Option<DateTime<Utc>> {
        self.0.expires
    }

    /// True once the sign-in that proved these roles has expired.
    pub fn has_expired(&self, now: DateTime<Utc>) -> bool {
        self.0.expires.is_some_and(|expires| expires <= now)
    }

    pub fn is_member_of(&self, company: CompanyId) -> bool {
        self.0.companies.iter().any(|m| m.company == company)
    }

    /// True when one of `allowed` is held; an empty list means everyone signed in.
    pub fn holds_any(&self, allowed: &[Role]) -> bool {
        allowed.is_empty() || allowed.iter().any(|role| self.0.roles.contains(role))
    }

    /// Replaces the memberships with current ones when a turn resumes.
    pub fn with_companies(mut self, companies: Vec<Membership>) -> Self {
        self.0.companies = companies;
        self
    }
}

#[cfg(test)]
#[path = "access_tests.rs"]
pub(crate) mod access_tests;
