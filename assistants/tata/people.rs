//! The demo recruiter.

use frontdesk_core::access::Role;
use frontdesk_core::persona::Persona;

pub(super) fn personas() -> Vec<Persona> {
    vec![Persona {
        name: "recruiter",
        display_name: "Maria Holm",
        email: "maria.holm@example.com",
        roles: vec![Role::RECRUITER],
        company: None,
    }]
}
