//! The demo people of the gate, one for each role, and their opening questions.

use frontdesk_core::access::{Principal, Role};
use frontdesk_core::persona::Persona;

use super::tools::{ADMIN, GATE, HR};

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

/// Maximum number of opening questions.
const MOST: usize = 4;

const OPENINGS: [(&[Role], &[&str]); 3] = [
    (
        HR,
        &[
            "Create a gate pass for Ali Khan, bank visit, he will be back",
            "Which passes are pending?",
            "Who is out at the moment?",
            "Do I have any notifications?",
        ],
    ),
    (
        ADMIN,
        &[
            "Which passes are waiting for a decision?",
            "Who is out at the moment?",
            "List the rejected passes",
            "Do I have any notifications?",
        ],
    ),
    (
        GATE,
        &[
            "Record an exit",
            "Record a return",
            "Show a gate pass",
            "Show the photos of a gate pass",
        ],
    ),
];

/// Opening questions by role; those of several roles are interleaved.
pub(super) fn openings(principal: &Principal) -> Vec<&'static str> {
    let held: Vec<&[&str]> = OPENINGS
        .iter()
        .filter(|(roles, _)| principal.holds_any(roles))
        .map(|(_, openings)| *openings)
        .collect();
    let mut offered = Vec::new();
    for place in 0..MOST {
        for openings in &held {
            let next = openings.get(place).filter(|next| !offered.contains(*next));
            offered.extend(next);
        }
    }
    offered.truncate(MOST);
    offered
}
