//! The people of the demo: a buyer, a colleague in the same company, and an operator who keeps the catalogue.

use frontdesk_core::access::{CompanyRole, Role};
use frontdesk_core::persona::Persona;

const COMPANY: &str = "Riverside Racquets";

pub(super) fn personas() -> Vec<Persona> {
    vec![
        Persona {
            name: "buyer".into(),
            display_name: "Bea Carter".into(),
            email: "bea@riverside.example".into(),
            roles: vec![Role::BUYER],
            company: Some((COMPANY, CompanyRole::Owner)),
        },
        Persona {
            name: "colleague".into(),
            display_name: "Cole Mercer".into(),
            email: "cole@riverside.example".into(),
            roles: vec![Role::BUYER],
            company: Some((COMPANY, CompanyRole::Member)),
        },
        Persona {
            name: "operator".into(),
            display_name: "Olga Berg".into(),
            email: "olga@example.com".into(),
            roles: vec![Role::OPERATOR, Role::BUYER],
            company: None,
        },
    ]
}
