//! People of the demo: they sign in with one click, on the loopback interface only.

use uuid::Uuid;

use crate::access::{CompanyRole, Role};

#[derive(Clone, Debug)]
pub struct Persona {
    /// What one writes after `--as`.
    pub name: &'static str,
    pub display_name: &'static str,
    pub email: &'static str,
    pub roles: Vec<Role>,
    /// A demo company and where they stand in it.
    pub company: Option<(&'static str, CompanyRole)>,
}

impl Persona {
    /// The same account on every machine, made from the name.
    pub fn subject(&self) -> Uuid {
        demo_id("persona", self.name)
    }

    pub fn profile(&self) -> Uuid {
        demo_id("profile", self.name)
    }
}

/// An id of demo data: the same for the same name.
pub fn demo_id(kind: &str, name: &str) -> Uuid {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(format!("frontdesk demo {kind} {name}").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
