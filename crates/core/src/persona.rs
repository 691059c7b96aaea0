//! Demo people. They sign in with one click, on the loopback interface only.

use std::borrow::Cow;

use uuid::Uuid;

use crate::access::{CompanyRole, Role};

#[derive(Clone, Debug)]
pub struct Persona {
    /// The value of `--as`.
    pub name: Cow<'static, str>,
    pub display_name: Cow<'static, str>,
    pub email: Cow<'static, str>,
    pub roles: Vec<Role>,
    /// A demo company and the person's role in it.
    pub company: Option<(&'static str, CompanyRole)>,
}

impl Persona {
    /// The same account on every machine, derived from the name.
    pub fn subject(&self) -> Uuid {
        demo_id("persona", &self.name)
    }

    pub fn profile(&self) -> Uuid {
        demo_id("profile", &self.name)
    }
}

/// A stable id of demo data, derived from the name.
pub fn demo_id(kind: &str, name: &str) -> Uuid {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(format!("frontdesk demo {kind} {name}").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
