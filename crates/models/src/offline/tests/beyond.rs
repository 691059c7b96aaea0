//! Requests for tools that the assistant has and this person cannot use now.

use frontdesk_core::access::Role;
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{ToolDef, ToolSpec};
use frontdesk_core::toolbox::{Bar, Elsewhere, Offer};
use serde_json::json;

use super::talk::Talk;
use super::toolboxes;

fn tool(name: &'static str, parameters: serde_json::Value, spec: ToolSpec) -> ToolDef {
    ToolDef {
        name: name.into(),
        parameters,
        spec,
    }
}

fn number() -> serde_json::Value {
    json!({ "type": "object", "required": ["number"],
            "properties": { "number": { "type": "string", "pattern": "^T-[0-9]{4}$" } } })
}

/// What a doorkeeper has, and what others have.
fn door() -> Offer {
    let show = ToolSpec::read("Show the barcode of a ticket, to scan or to print.")
        .title("Show the barcode of a ticket")
        .example("Show the barcode of T-0001", json!({ "number": "T-0001" }));
    let print = ToolSpec::read("Print a ticket on paper.")
        .title("Print a ticket")
        .roles([Role::HR_USER])
        .example("Print T-0001", json!({ "number": "T-0001" }));
    let mut offer = toolboxes::offer(vec![tool("get_barcode", number(), show)]);
    offer.elsewhere.push(Elsewhere {
        tool: tool("print_ticket", number(), print),
        bar: Bar::Role,
    });
    offer
}

/// The first phase of a journey, and what belongs to the second.
fn journey() -> Offer {
    let phases = json!({ "type": "object", "required": ["phase"],
        "properties": { "phase": { "type": "string", "enum": ["needs", "figures"] } } });
    let go = ToolSpec::transactional("Move on to another phase, or back.")
        .title("Change the phase")
        .example("go to the figures", json!({ "phase": "figures" }));
    let savings = ToolSpec::read("Calculate the savings.")
        .title("Calculate the savings")
        .phases([Phase::named("figures")])
        .example("what would we save?", json!({}));
    let none = json!({ "type": "object", "properties": {} });
    let mut offer = toolboxes::offer(vec![tool("set_phase", phases, go)]);
    offer.elsewhere.push(Elsewhere {
        tool: tool("calculate_savings", none, savings),
        bar: Bar::Phase,
    });
    offer
}

#[test]
fn what_another_role_does_is_not_mistaken_for_something_else() {
    let mut talk = Talk::new(door());
    talk.say("show the barcode of T-0007");
    for words in ["print it", "print T-0007", "could you print T-0007 please"] {
        let turn = talk.say(words);
        assert!(turn.calls.is_empty(), "{words}: {:?}", turn.calls);
        assert!(
            turn.text.contains("Print a ticket"),
            "{words}: {}",
            turn.text
        );
        assert!(turn.text.contains("HR_User"), "{words}: {}", turn.text);
    }
    let turn = talk.say("show the barcode of T-0008");
    assert_eq!(turn.calls.len(), 1);
}

#[test]
fn what_belongs_to_another_phase_is_told_with_the_way_there() {
    let mut talk = Talk::new(journey());
    for words in [
        "does it pay off?",
        "calculate the savings",
        "what would we save?",
    ] {
        let turn = talk.say(words);
        assert!(turn.calls.is_empty(), "{words}: {:?}", turn.calls);
        assert!(turn.text.contains("figures"), "{words}: {}", turn.text);
        assert_eq!(talk.quick_replies, ["Go to the figures"], "{words}");
    }
    let turn = talk.say("Go to the figures");
    assert_eq!(turn.calls.len(), 1);
}
