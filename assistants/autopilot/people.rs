//! The people of the demo: a buyer, a colleague in the same company, and an operator who keeps the catalogue.

use frontdesk_core::access::{CompanyRole, Role};
use frontdesk_core::persona::Persona;

const COMPANY: &str = "Riverside Racquets";

pub(super) fn personas() -> Vec<Persona> {
    vec![
        Persona {
            name: "buyer",
            display_name: "Bea Buyer",
            email: "bea@riverside.example",
            roles: vec![Role::BUYER],
            company: Some((COMPANY, CompanyRole::Owner)),
        },
        Persona {
            name: "colleague",
            display_name: "Cole League",
            email: "cole@riverside.example",
            roles: vec![Role::BUYER],
            company: Some((COMPANY, CompanyRole::Member)),
        },
        Persona {
            name: "operator",
            display_name: "Olga Operator",
            email: "olga@example.com",
            roles: vec![Role::OPERATOR, Role::BUYER],
            company: None,
        },
    ]
}
