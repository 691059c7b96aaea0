//! The passes of a result as objects with buttons, and the pass that an approval card shows.

use frontdesk_core::access::{Principal, Role};
use frontdesk_core::preview::{Fact, ObjectFacts, PreviewSpec};
use frontdesk_core::tool::{CardAction, CardField, CardValue, ObjectCard};
use serde_json::Value;

use super::replies::is_pass_number;

/// The passes in a result: the result itself, or its items.
pub(super) fn of(result: &Value, principal: &Principal) -> Vec<ObjectCard> {
    match result.get("items").and_then(Value::as_array) {
        Some(items) => {
            let cards = items.iter().filter_map(|pass| card(pass, principal));
            cards.collect()
        }
        None => card(result, principal).into_iter().collect(),
    }
}

/// `None` for anything but a pass.
fn card(pass: &Value, principal: &Principal) -> Option<ObjectCard> {
    let text = |field: &str| pass.get(field)?.as_str().map(str::to_owned);
    let number = text("pass_number").filter(|number| is_pass_number(number))?;
    let status = text("status")?;
    let mut fields = vec![CardField::new(
        "pass_number",
        "Pass number",
        CardValue::Text(number.clone()),
    )];
    if let Some(purpose) = text("description") {
        let value = CardValue::Text(purpose);
        fields.push(CardField::new("description", "Purpose", value));
    }
    if let Some(returns) = pass.get("is_returnable").and_then(Value::as_bool) {
        let value = CardValue::YesNo(returns);
        fields.push(CardField::new("is_returnable", "Will return", value));
    }
    for (name, label) in [
        ("created_at", "Created"),
        ("approved_at", "Approved"),
        ("rejected_at", "Rejected"),
        ("exit_time", "Left"),
        ("return_time", "Returned"),
    ] {
        let instant = text(name).and_then(|time| time.parse().ok());
        if let Some(instant) = instant {
            fields.push(CardField::new(name, label, CardValue::Instant(instant)));
        }
    }
    Some(ObjectCard {
        kind: "pass".to_owned(),
        title: text("person_name").unwrap_or_else(|| number.clone()),
        path: Some(format!("/gatepass?gid={number}")),
        actions: actions(&number, &status, principal),
        id: number,
        status: Some(status),
        fields,
    })
}

/// The buttons for this person and the state of the pass.
fn actions(number: &str, status: &str, principal: &Principal) -> Vec<CardAction> {
    let is_admin = principal.holds_any(&[Role::ADMIN_USER]);
    let is_hr = principal.holds_any(&[Role::HR_USER]);
    let waits = status == "pending";
    let printable = matches!(status, "approved" | "exited" | "returned");
    let all = [
        (is_admin && waits, "approve", "Approve", "Approve"),
        (is_admin && waits, "reject", "Reject", "Reject"),
        (is_hr && printable, "qr", "QR code", "Show the QR code of"),
        ((is_hr || is_admin) && printable, "print", "Print", "Print"),
    ];
    let possible = all.into_iter().filter(|(possible, ..)| *possible);
    possible
        .map(|(_, name, label, say)| CardAction::new(name, label, format!("{say} {number}")))
        .collect()
}

/// The pass on an approval card. Each role has its own read of a pass.
pub(super) fn preview() -> PreviewSpec {
    PreviewSpec::new(facts)
        .shows("description", "purpose")
        .read("get_gate_pass_by_number", "pass_number")
        .read("get_gate_pass_by_number_gate", "pass_number")
        .read("get_gate_pass_details", "pass_id")
}

fn facts(pass: &Value) -> Option<ObjectFacts> {
    let text = |field: &str| pass.get(field)?.as_str().map(str::to_owned);
    let state = text("status")?;
    let facts = [
        ("person_name", "Person", text("person_name")),
        ("purpose", "Purpose", text("description")),
        ("status", "State", Some(state.clone())),
        ("created_by", "Requested by", text("created_by")),
    ];
    Some(ObjectFacts {
        subject: text("person_name"),
        state: Some(state),
        facts: facts
            .into_iter()
            .filter_map(|(name, label, value)| Some(Fact::new(name, label, value?)))
            .collect(),
    })
}

#[cfg(test)]
#[path = "pass_cards_tests.rs"]
mod pass_cards_tests;
