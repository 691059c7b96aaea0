//! The demo people of the gate, one for each role, and their first messages.

use frontdesk_core::access::Role;
use frontdesk_core::assistant::Suggestion;
use frontdesk_core::persona::Persona;

const HR: &[Role] = &[Role::HR_USER];
const ADMIN: &[Role] = &[Role::ADMIN_USER];
const GATE: &[Role] = &[Role::GATE_USER];

pub(super) fn personas() -> Vec<Persona> {
    vec![
        Persona {
            name: "hr".into(),
            display_name: "Ayesha Siddiqui".into(),
            email: "ayesha.siddiqui@example.com".into(),
            roles: vec![Role::HR_USER],
            company: None,
        },
        Persona {
            name: "admin".into(),
            display_name: "Omar Farooq".into(),
            email: "omar.farooq@example.com".into(),
            roles: vec![Role::ADMIN_USER],
            company: None,
        },
        Persona {
            name: "gate".into(),
            display_name: "Bilal Ahmed".into(),
            email: "bilal.ahmed@example.com".into(),
            roles: vec![Role::GATE_USER],
            company: None,
        },
    ]
}

/// First messages by role. Roles take turns, so that somebody with two sees some of each.
pub(super) fn suggestions() -> Vec<Suggestion> {
    let one = |roles: &[&[Role]], text: &'static str| Suggestion {
        text: text.into(),
        roles: roles.concat(),
    };
    vec![
        one(
            &[HR],
            "Create a gate pass for Ali Khan, bank visit, he will be back",
        ),
        one(&[ADMIN], "Which passes are waiting for a decision?"),
        one(&[GATE], "Record an exit"),
        one(&[HR], "Which passes are pending?"),
        one(&[ADMIN], "List the rejected passes"),
        one(&[GATE], "Record a return"),
        one(&[HR, ADMIN], "Who is out at the moment?"),
        one(&[HR, ADMIN], "Do I have any notifications?"),
    ]
}
