//! The demo recruiter.

use frontdesk_core::access::{CompanyRole, Role};
use frontdesk_core::persona::Persona;

pub(super) fn personas() -> Vec<Persona> {
    vec![Persona {
        name: "recruiter",
        display_name: "Maria Holm",
        email: "maria.holm@example.com",
        roles: vec![Role::RECRUITER],
        // The workspace with the gigs of the demo; one person looks after both.
        company: Some(("Nordlys Talent", CompanyRole::Owner)),
    }]
}
