//! The demo people of the documents: a reader, who can only ask, and an operator, who adds
//! and removes documents.

use frontdesk_core::access::Role;
use frontdesk_core::persona::Persona;

pub(super) fn personas() -> Vec<Persona> {
    vec![
        Persona {
            name: "reader",
            display_name: "Rae Reader",
            email: "rae@example.com",
            roles: vec![Role::READER],
            company: None,
        },
        Persona {
            name: "operator",
            display_name: "Olga Operator",
            email: "olga@example.com",
            roles: vec![Role::READER, Role::OPERATOR],
            company: None,
        },
    ]
}
