//! Principals, and the exact comparison of role names.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{CompanyRole, Identity, KnownRoles, Membership, Principal, Proof, Role};
use crate::id::{CompanyId, ProfileId};

/// Also used by the tests of other modules.
pub(crate) fn signed_in(roles: &[Role]) -> Principal {
    Principal::authenticated(identity(roles, None), Proof::Token)
}

pub(crate) fn signed_in_until(roles: &[Role], expires: DateTime<Utc>) -> Principal {
    Principal::authenticated(identity(roles, Some(expires)), Proof::Token)
}

fn identity(roles: &[Role], expires: Option<DateTime<Utc>>) -> Identity {
    Identity {
        subject: Uuid::from_u128(1),
        profile: ProfileId::from_uuid(Uuid::from_u128(2)),
        name: "Omar".to_owned(),
        email: Some("omar@example.org".to_owned()),
        roles: roles.iter().cloned().collect(),
        companies: Vec::new(),
        expires,
    }
}

/// Five roles to choose from.
pub(crate) const SOME_ROLES: [Role; 5] = [
    Role::HR_USER,
    Role::ADMIN_USER,
    Role::GATE_USER,
    Role::named("Agent"),
    Role::OPERATOR,
];

/// A10: only the exact name of a declared role is a role.
#[test]
fn a_role_is_known_by_its_exact_name() {
    let known: KnownRoles = SOME_ROLES.into_iter().collect();
    for role in &SOME_ROLES {
        assert_eq!(known.get(role.as_str()).as_ref(), Some(role));
    }
    assert_eq!(known.get("Recruiter"), None);
    for name in [
        "", "hr_user", "HR_USER", " HR_User", "HR_User ", "HR-User", "root", "*",
    ] {
        assert_eq!(known.get(name), None, "{name:?}");
    }
}

#[test]
fn one_of_the_allowed_roles_is_enough_and_none_means_everyone() {
    let nobody = signed_in(&[]);
    let guard = signed_in(&[Role::GATE_USER]);
    let check = |who: &Principal, allowed: &[Role], expected| {
        assert_eq!(who.holds_any(allowed), expected, "{who:?} {allowed:?}");
    };
    check(&nobody, &[], true);
    check(&nobody, &[Role::GATE_USER], false);
    check(&guard, &[], true);
    check(&guard, &[Role::GATE_USER, Role::ADMIN_USER], true);
    check(&guard, &[Role::ADMIN_USER], false);
}

#[test]
fn memberships_are_read_afresh_and_nothing_else_changes() {
    let company = CompanyId::from_uuid(Uuid::from_u128(7));
    let before = signed_in(&[Role::BUYER]);
    let member = Membership {
        company,
        standing: CompanyRole::Member,
    };
    let after = before.clone().with_companies(vec![member]);
    assert!(!before.is_member_of(company));
    assert!(after.is_member_of(company));
    assert_eq!(after.with_companies(Vec::new()), before);
}

/// A turn stores its principal as JSON, which must lose nothing.
#[test]
fn a_stored_principal_is_the_same_person() {
    let mut identity = identity(&SOME_ROLES, Some(Utc::now()));
    identity.companies.push(Membership {
        company: CompanyId::from_uuid(Uuid::from_u128(7)),
        standing: CompanyRole::Owner,
    });
    let person = Principal::authenticated(identity, Proof::Token);
    let stored = serde_json::to_string(&person).unwrap();
    assert_eq!(serde_json::from_str::<Principal>(&stored).unwrap(), person);
}
