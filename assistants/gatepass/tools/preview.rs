//! The pass that an approval card shows.

use frontdesk_core::preview::{Fact, ObjectFacts, PreviewSpec};
use serde_json::Value;

/// Each role has its own route to a pass.
pub(super) fn of_pass() -> PreviewSpec {
    PreviewSpec::new(describe)
        .shows("description", "purpose")
        .read("get_gate_pass_by_number", "pass_number")
        .read("get_gate_pass_by_number_gate", "pass_number")
        .read("get_gate_pass_details", "pass_id")
}

fn describe(pass: &Value) -> Option<ObjectFacts> {
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
