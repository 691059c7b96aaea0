//! The demo recruiter and the workspace with the demo's gigs.

use frontdesk_core::access::{CompanyRole, Role};
use frontdesk_core::persona::Persona;

/// The company that the demo's gigs belong to.
pub(super) const WORKSPACE: &str = "Nordlys Talent";

pub(super) fn personas() -> Vec<Persona> {
    vec![Persona {
        name: "recruiter".into(),
        display_name: "Maria Holm".into(),
        email: "maria.holm@example.com".into(),
        roles: vec![Role::RECRUITER],
        company: Some((WORKSPACE, CompanyRole::Owner)),
    }]
}
