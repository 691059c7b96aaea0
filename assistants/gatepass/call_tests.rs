//! Requests of calls: path, query, JSON and form, and values that are refused.

use frontdesk_core::access::Role;
use serde_json::json;

use super::super::tests::bench::person;
use super::*;

fn entry(name: &str) -> &'static Entry {
    tools::all().find(|entry| entry.name == name).unwrap()
}

fn arguments(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

fn check_path(id: &str, expected: Result<&str, BadSegment>) {
    let who = person("Ayesha", &[Role::HR_USER]);
    let call = Call::new(
        entry("get_gate_pass_details"),
        arguments(json!({ "pass_id": id })),
        &who,
    );
    let request = call.request(None, "key".to_owned());
    assert_eq!(
        request.map(|r| r.segments[2].clone()),
        expected.map(str::to_owned)
    );
}

#[test]
fn a_path_value_stays_within_its_segment() {
    check_path("a1", Ok("a1"));
    check_path(" a1 ", Ok("a1"));
    // Encoded when the URL is built.
    check_path("../../admin", Ok("../../admin"));
    for bad in ["", "  ", ".", "..", "a\nb", "a\0b"] {
        check_path(bad, Err(BadSegment("pass_id")));
    }
}

#[test]
fn writes_carry_the_key_of_their_call_and_reads_none() {
    let who = person("Omar Farooq", &[Role::ADMIN_USER]);
    for entry in tools::all() {
        let given = arguments(
            json!({ "pass_number": "GP-2026-0001", "pass_id": "a", "notification_id": "n" }),
        );
        let request = Call::new(entry, given, &who)
            .request(None, "key".to_owned())
            .unwrap();
        assert_eq!(
            request.idempotency_key.is_some(),
            entry.effect.writes(),
            "{}",
            entry.name
        );
    }
}

#[test]
fn a_person_is_offered_the_list_that_they_may_see() {
    let lists_with = |roles: &[Role]| {
        Call::new(entry("get_qr_code"), Map::new(), &person("x", roles)).lists_with
    };
    assert_eq!(lists_with(&[Role::HR_USER]), Some("list_gate_passes"));
    assert_eq!(
        lists_with(&[Role::ADMIN_USER]),
        Some("list_all_gate_passes_admin")
    );
    assert_eq!(lists_with(&[Role::GATE_USER]), None);
}
