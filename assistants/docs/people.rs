//! The demo reader. Everyone who is signed in may ask; this one can do nothing else.

use frontdesk_core::access::Role;
use frontdesk_core::persona::Persona;

pub(super) fn personas() -> Vec<Persona> {
    vec![Persona {
        name: "reader",
        display_name: "Rae Reader",
        email: "rae@example.com",
        roles: vec![Role::READER],
        company: None,
    }]
}
