//! The demo people of the gate: one for each role.

use frontdesk_core::access::Role;
use frontdesk_core::persona::Persona;

pub(super) fn personas() -> Vec<Persona> {
    vec![
        Persona {
            name: "hr",
            display_name: "Ayesha Siddiqui",
            email: "ayesha.siddiqui@example.com",
            roles: vec![Role::HR_USER],
            company: None,
        },
        Persona {
            name: "admin",
            display_name: "Omar Farooq",
            email: "omar.farooq@example.com",
            roles: vec![Role::ADMIN_USER],
            company: None,
        },
        Persona {
            name: "gate",
            display_name: "Bilal Ahmed",
            email: "bilal.ahmed@example.com",
            roles: vec![Role::GATE_USER],
            company: None,
        },
    ]
}
