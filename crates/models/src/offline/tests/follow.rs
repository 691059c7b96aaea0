//! Messages that go on with the last call, and those that only look as if they did.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::{Value, json};

use super::talk::Talk;
use super::toolboxes::{change_list, docs, object, offer, tool};

fn machines() -> Vec<ToolDef> {
    vec![
        tool(
            "find_machines",
            object(
                json!({
                    "surface": {"type": ["string", "null"], "enum": ["carpet", "wood", "tile", null], "description": "Only for this kind of floor."},
                    "mode": {"type": ["string", "null"], "enum": ["mop", "vacuum", null], "description": "Only those that clean so."},
                }),
                &[],
            ),
            ToolSpec::read("Find machines by floor and by how they clean.")
                .title("Find machines")
                .example("find machines for carpet", json!({"surface": "carpet"}))
                .example("which machines can mop?", json!({"mode": "mop"})),
        ),
        change_list(),
    ]
}

#[track_caller]
fn goes_on(tools: Vec<ToolDef>, first: &str, then: &str, wanted: &[(&str, Value)]) {
    let mut talk = Talk::new(offer(tools));
    talk.say(first);
    let turn = talk.say(then);
    let calls: Vec<(&str, Value)> = turn
        .calls
        .iter()
        .map(|(name, arguments)| (name.as_str(), arguments.clone()))
        .collect();
    assert_eq!(calls, wanted, "{first} / {then}: {}", turn.text);
}

#[test]
fn one_value_takes_the_place_of_another() {
    let first = "which machines can mop tile?";
    let wood = json!({"mode": "mop", "surface": "wood"});
    for then in [
        "and wood?",
        "sorry, I meant wood",
        "no, wood",
        "what about wood",
    ] {
        goes_on(machines(), first, then, &[("find_machines", wood.clone())]);
    }
    let leases = json!({"query": "leases"});
    for then in ["no, leases", "and leases?"] {
        let looked_up = [("search_docs", leases.clone())];
        goes_on(docs(), "How do approvals work?", then, &looked_up);
    }
}

#[test]
fn one_more_is_done_in_the_same_way() {
    let first = "take the Omega Plus off the list";
    let taken = [("change_list", json!({"remove": ["Sigma Plus"]}))];
    goes_on(machines(), first, "and the Sigma Plus too", &taken);
}

#[test]
fn what_is_about_something_else_does_not_go_on() {
    let first = "put the Omega Plus on the list";
    // A name alone orders no change, and a question asks.
    goes_on(machines(), first, "Sigma Plus", &[]);
    goes_on(machines(), first, "and who makes it?", &[]);
    goes_on(machines(), first, "great work, see you tomorrow", &[]);
}

#[test]
fn a_question_that_points_back_keeps_what_it_is_about() {
    for (then, query) in [
        (
            "how often must it be renewed?",
            "How do leases work? how often must it be renewed?",
        ),
        (
            "and do I tell anybody?",
            "How do leases work? and do I tell anybody?",
        ),
        ("how do approvals work?", "how do approvals work?"),
    ] {
        let looked_up = [("search_docs", json!({"query": query}))];
        goes_on(docs(), "How do leases work?", then, &looked_up);
    }
}
