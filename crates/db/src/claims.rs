//! The identity a transaction runs as. On Postgres it becomes `request.jwt.claims`, which
//! row-level policies read; SQLite has a single trust domain and ignores it.

use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims(Identity);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    Nobody,
    Subject(Uuid),
    System(&'static str),
}

impl Claims {
    /// No identity: policies show no personal rows.
    pub fn none() -> Self {
        Claims(Identity::Nobody)
    }

    /// A signed-in user, by account subject (`sub` of the token, `profiles.user_id`). This
    /// is not the profile id.
    pub fn subject(id: Uuid) -> Self {
        Claims(Identity::Subject(id))
    }

    /// The platform itself, with the reason for acting without a user.
    pub fn system(reason: &'static str) -> Self {
        Claims(Identity::System(reason))
    }

    /// The user's subject; `None` for the platform and for nobody.
    pub fn subject_id(&self) -> Option<Uuid> {
        match self.0 {
            Identity::Subject(id) => Some(id),
            Identity::Nobody | Identity::System(_) => None,
        }
    }

    /// The platform's reason; `None` for users and for nobody.
    pub fn system_reason(&self) -> Option<&'static str> {
        match self.0 {
            Identity::System(reason) => Some(reason),
            Identity::Nobody | Identity::Subject(_) => None,
        }
    }

    /// The claims as JSON; empty for nobody. Needs no SQL escaping: the only variable part
    /// is a UUID.
    pub(crate) fn json(&self) -> String {
        match self.0 {
            Identity::Nobody => String::new(),
            Identity::Subject(id) => format!(r#"{{"sub":"{id}","role":"authenticated"}}"#),
            Identity::System(_) => r#"{"role":"service_role"}"#.to_owned(),
        }
    }
}
