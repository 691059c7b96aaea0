//! The demo people of the documents: a reader, who can only ask, and an operator, who adds
//! and removes documents.

use frontdesk_core::access::Role;
use frontdesk_core::persona::Persona;

pub(super) fn personas() -> Vec<Persona> {
    vec![
        Persona {
            name: "reader".into(),
            display_name: "Rae Lindqvist".into(),
            email: "rae@example.com".into(),
            roles: vec![Role::READER],
            company: None,
        },
        Persona {
            name: "operator".into(),
            display_name: "Olga Berg".into(),
            email: "olga@example.com".into(),
            roles: vec![Role::READER, Role::OPERATOR],
            company: None,
        },
    ]
}
