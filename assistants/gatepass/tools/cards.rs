//! Texts on the cards of tools that write, and the pass that a card shows.

use frontdesk_core::preview::{Fact, ObjectFacts, PreviewSpec};
use frontdesk_core::tool::ToolSpec;
use serde_json::Value;

use super::parameters::{PASS_ID, PASS_NUMBER};

/// Texts of one tool's cards.
struct CardWords {
    tool: &'static str,
    title: &'static str,
    confirm: &'static str,
    decline: &'static str,
    consequence: &'static str,
    destructive: bool,
    /// The call is about an existing pass.
    about_a_pass: bool,
}

const ABOUT_A_PASS: CardWords = CardWords {
    tool: "",
    title: "",
    confirm: "",
    decline: "",
    consequence: "",
    destructive: false,
    about_a_pass: true,
};

const CARDS: &[CardWords] = &[
    CardWords {
        tool: "create_gate_pass",
        title: "Create a gate pass for {person_name}",
        confirm: "Create the pass",
        decline: "Don't create",
        consequence: "An admin is asked to decide about the new pass.",
        about_a_pass: false,
        ..ABOUT_A_PASS
    },
    CardWords {
        tool: "approve_gate_pass",
        title: "Approve gate pass {pass_number}",
        confirm: "Approve the pass",
        decline: "Don't approve",
        consequence: "The person may leave the site on this pass.",
        ..ABOUT_A_PASS
    },
    CardWords {
        tool: "reject_gate_pass",
        title: "Reject gate pass {pass_number}",
        confirm: "Reject the pass",
        decline: "Don't reject",
        consequence: "The person may not leave the site on this pass.",
        ..ABOUT_A_PASS
    },
    CardWords {
        tool: "delete_gate_pass",
        title: "Delete gate pass {pass_number}",
        confirm: "Delete the pass",
        decline: "Don't delete",
        consequence: "The pass is deleted for good.",
        destructive: true,
        ..ABOUT_A_PASS
    },
    CardWords {
        tool: "scan_exit",
        title: "Record the exit on gate pass {pass_number}",
        confirm: "Record the exit",
        decline: "Don't record",
        consequence: "The person counts as outside from now on.",
        ..ABOUT_A_PASS
    },
    CardWords {
        tool: "scan_return",
        title: "Record the return on gate pass {pass_number}",
        confirm: "Record the return",
        decline: "Don't record",
        consequence: "The person counts as back from now on.",
        ..ABOUT_A_PASS
    },
];

/// Adds the card texts of this tool, if it has any.
pub(super) fn with_card(tool: &str, spec: ToolSpec) -> ToolSpec {
    let Some(card) = CARDS.iter().find(|card| card.tool == tool) else {
        return spec;
    };
    let mut spec = spec
        .card_title(card.title)
        .verb(card.confirm)
        .decline(card.decline)
        .consequence(card.consequence);
    if card.destructive {
        spec = spec.destructive();
    }
    if card.about_a_pass {
        spec = spec.preview(pass_preview());
    }
    spec
}

/// Each role has its own route to a pass.
fn pass_preview() -> PreviewSpec {
    PreviewSpec::new(describe)
        .shows("description", "purpose")
        .read("get_gate_pass_by_number", PASS_NUMBER.name)
        .read("get_gate_pass_by_number_gate", PASS_NUMBER.name)
        .read("get_gate_pass_details", PASS_ID.name)
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
