//! Seals and decisions: a seal identifies one call of one turn by one person.

use chrono::{DateTime, Duration, Utc};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{ApprovalCard, DecideError, Seal, arguments_hash};
use crate::access::access_tests::signed_in;
use crate::access::{Identity, Principal, Proof, Role};
use crate::id::{ProfileId, TurnId};

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else {
        panic!("{value}");
    };
    map
}

fn seal(tool: &str, arguments: Value, turn: u128, call: &str, requester: u128) -> Seal {
    Seal::over(
        tool,
        &object(arguments),
        TurnId::from_uuid(Uuid::from_u128(turn)),
        call,
        ProfileId::from_uuid(Uuid::from_u128(requester)),
    )
}

#[test]
fn any_change_breaks_the_seal() {
    let sealed = seal(
        "delete",
        json!({ "ticket": "T-1", "why": ["a", 1] }),
        1,
        "c",
        2,
    );
    let same = seal(
        "delete",
        json!({ "why": ["a", 1], "ticket": "T-1" }),
        1,
        "c",
        2,
    );
    assert_eq!(sealed, same);
    let others = [
        seal(
            "deletes",
            json!({ "ticket": "T-1", "why": ["a", 1] }),
            1,
            "c",
            2,
        ),
        seal(
            "delete",
            json!({ "ticket": "T-2", "why": ["a", 1] }),
            1,
            "c",
            2,
        ),
        seal(
            "delete",
            json!({ "ticket": "T-1", "why": [1, "a"] }),
            1,
            "c",
            2,
        ),
        seal(
            "delete",
            json!({ "ticket": "T-1", "why": ["a", "1"] }),
            1,
            "c",
            2,
        ),
        seal("delete", json!({ "ticket": "T-1" }), 1, "c", 2),
        seal(
            "delete",
            json!({ "ticket": "T-1", "why": ["a", 1], "x": null }),
            1,
            "c",
            2,
        ),
        seal(
            "delete",
            json!({ "ticket": "T-1 ", "why": ["a", 1] }),
            1,
            "c",
            2,
        ),
        seal(
            "delete",
            json!({ "ticket": "T-1", "why": ["a", 1] }),
            3,
            "c",
            2,
        ),
        seal(
            "delete",
            json!({ "ticket": "T-1", "why": ["a", 1] }),
            1,
            "d",
            2,
        ),
        seal(
            "delete",
            json!({ "ticket": "T-1", "why": ["a", 1] }),
            1,
            "c",
            3,
        ),
    ];
    for other in &others {
        assert_ne!(&sealed, other);
    }
    assert_eq!(sealed.as_str().len(), 64);
}

#[test]
fn parts_of_a_seal_cannot_run_into_each_other() {
    assert_ne!(
        seal("ab", json!({}), 1, "c", 2),
        seal("a", json!({}), 1, "c", 2)
    );
    let left = seal("f", json!({}), 1, "cc", 2);
    let right = seal("f", json!({}), 1, "c", 2);
    assert_ne!(left, right);
}

#[test]
fn equal_arguments_have_one_hash_however_they_are_written() {
    let one = arguments_hash(r#"{"b":{"y":1,"x":[2,3]},"a":"ü"}"#);
    assert_eq!(
        one,
        arguments_hash("{ \"a\" : \"\\u00fc\", \"b\": {\"x\":[2,3], \"y\":1} }")
    );
    assert_ne!(one, arguments_hash(r#"{"b":{"y":1,"x":[3,2]},"a":"ü"}"#));
    // Arguments that are not an object are hashed verbatim.
    assert_ne!(arguments_hash("{oh"), arguments_hash("{oh "));
    assert_ne!(arguments_hash("[1]"), arguments_hash("[ 1]"));
}

fn card(approvers: &[Role], expires_at: DateTime<Utc>) -> ApprovalCard {
    let requester = signed_in(&[]);
    ApprovalCard {
        call_id: "a".to_owned(),
        tool: "delete".to_owned(),
        title: "Delete".to_owned(),
        arguments: json!({}),
        seal: seal("delete", json!({}), 1, "a", 2),
        requested_by: requester.profile(),
        requester: requester.name().to_owned(),
        approvers: approvers.to_vec(),
        expires_at,
        editable: false,
        form: Vec::new(),
        confirm: "Delete".to_owned(),
        decline: String::new(),
        consequence: String::new(),
        destructive: false,
        target: None,
        origins: Vec::new(),
        preview: false,
    }
}

fn somebody_else(roles: &[Role]) -> Principal {
    let identity = Identity {
        subject: Uuid::from_u128(8),
        profile: ProfileId::from_uuid(Uuid::from_u128(9)),
        name: "Ada".to_owned(),
        email: None,
        roles: roles.iter().cloned().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Token)
}

#[test]
fn who_may_decide_and_until_when() {
    let now: DateTime<Utc> = "2026-09-01T09:00:00Z".parse().unwrap();
    let own = card(&[], now);
    let by_role = card(&[Role::ADMIN_USER, Role::HR_USER], now);
    let late = now + Duration::milliseconds(1);
    let requester = signed_in(&[Role::GATE_USER]);
    let admin = somebody_else(&[Role::ADMIN_USER]);
    let other_role = DecideError::NotAnApprover("Admin_User or HR_User".to_owned());

    let check = |card: &ApprovalCard, who: &Principal, at, expected| {
        assert_eq!(card.may_be_decided_by(who, at), expected);
    };
    check(&own, &requester, now, Ok(()));
    check(&own, &requester, late, Err(DecideError::Expired));
    check(&own, &admin, now, Err(DecideError::NotTheRequester));
    check(&own, &admin, late, Err(DecideError::NotTheRequester));
    check(&by_role, &admin, now, Ok(()));
    check(&by_role, &admin, late, Err(DecideError::Expired));
    check(&by_role, &requester, now, Err(other_role));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// P9: two calls share a seal exactly if they are the same call.
    #[test]
    fn seals_are_equal_exactly_for_equal_calls(
        one in ("[ab]{1,2}", prop::collection::btree_map("[ab]{1,2}", -2i64..2, 0..3), "[ab]{1,2}"),
        other in ("[ab]{1,2}", prop::collection::btree_map("[ab]{1,2}", -2i64..2, 0..3), "[ab]{1,2}"),
    ) {
        let of = |(tool, arguments, call): &(String, std::collections::BTreeMap<String, i64>, String)| {
            seal(tool, json!(arguments), 1, call, 2)
        };
        prop_assert_eq!(of(&one) == of(&other), one == other);
    }
}

/// Cards that are pending during an upgrade have no form.
#[test]
fn a_card_of_an_older_release_is_read_and_cannot_be_changed() {
    let now: DateTime<Utc> = "2026-09-01T09:00:00Z".parse().unwrap();
    let mut old = serde_json::to_value(card(&[], now)).unwrap();
    for newer in ["editable", "form", "confirm"] {
        old.as_object_mut().unwrap().remove(newer).unwrap();
    }
    let read: ApprovalCard = serde_json::from_value(old).unwrap();
    assert!(!read.editable && read.form.is_empty() && read.confirm.is_empty());
}
