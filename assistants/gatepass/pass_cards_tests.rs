//! A card has the buttons of its reader, and nothing that is no pass becomes one.

use serde_json::json;

use super::*;
use crate::tests::bench::person;

fn pass(status: &str) -> Value {
    json!({
        "id": "p1", "pass_number": "GP-2026-0007", "person_name": "Ali Khan", "status": status,
        "is_returnable": true, "created_at": "2026-11-18T09:30:00Z",
    })
}

fn buttons(status: &str, role: Role) -> Vec<String> {
    let cards = of(&pass(status), &person("Noor", &[role]));
    let actions = cards.into_iter().flat_map(|card| card.actions);
    actions.map(|action| action.say).collect()
}

#[test]
fn buttons_follow_the_role_and_the_state() {
    assert_eq!(
        buttons("pending", Role::ADMIN_USER),
        ["Approve GP-2026-0007", "Reject GP-2026-0007"]
    );
    assert_eq!(buttons("pending", Role::HR_USER), Vec::<String>::new());
    assert_eq!(
        buttons("approved", Role::HR_USER),
        ["Show the QR code of GP-2026-0007", "Print GP-2026-0007"]
    );
    assert_eq!(buttons("approved", Role::GATE_USER), Vec::<String>::new());
}

#[test]
fn lists_have_a_card_for_each_pass() {
    let who = person("Noor", &[Role::HR_USER]);
    let list = json!({ "items": [pass("exited"), { "id": "n1", "message": "x" }] });
    let cards = of(&list, &who);
    assert_eq!(cards.len(), 1);
    assert_eq!(cards[0].title, "Ali Khan");
    assert_eq!(cards[0].path.as_deref(), Some("/gatepass?gid=GP-2026-0007"));
    assert!(of(&json!({ "pass_number": "x", "deleted": true }), &who).is_empty());
}
