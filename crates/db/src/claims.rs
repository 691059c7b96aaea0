//! Who a transaction runs as. On Postgres this becomes `request.jwt.claims`, which row-level
//! policies read; on SQLite, one trust domain, it changes nothing.

use uuid::Uuid;

/// The identity behind a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims(Who);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    Subject(Uuid),
    System(&'static str),
}

impl Claims {
    /// No identity: policies show nothing that belongs to a person.
    pub fn none() -> Self {
        Claims(Who::Nobody)
    }

    /// A signed-in person, by the subject of their account (`sub` of the token, `profiles.user_id`),
    /// which is not the id of their profile.
    pub fn subject(id: Uuid) -> Self {
        Claims(Who::Subject(id))
    }

    /// The platform itself, with the reason for acting without a person.
    pub fn system(reason: &'static str) -> Self {
        Claims(Who::System(reason))
    }

    /// The person, if there is one.
    pub fn subject_id(&self) -> Option<Uuid> {
        match self.0 {
            Who::Subject(id) => Some(id),
            Who::Nobody | Who::System(_) => None,
        }
    }

    /// Why the platform acts by itself, if it does.
    pub fn system_reason(&self) -> Option<&'static str> {
        match self.0 {
            Who::System(reason) => Some(reason),
            Who::Nobody | Who::Subject(_) => None,
        }
    }

    /// The claims as JSON, the empty string for nobody. It contains no quote that SQL would have to
    /// escape: a UUID is the only part that varies.
    pub(crate) fn json(&self) -> String {
        match self.0 {
            Who::Nobody => String::new(),
            Who::Subject(id) => format!(r#"{{"sub":"{id}","role":"authenticated"}}"#),
            Who::System(_) => r#"{"role":"service_role"}"#.to_owned(),
        }
    }
}
