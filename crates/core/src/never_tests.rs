//! Rules about who may call what, against the tools that people are really offered.

use std::sync::Arc;

use async_trait::async_trait;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::access::access_tests::{SOME_ROLES, signed_in};
use crate::phase::PhaseSpec;
use crate::tool::{ToolContext, ToolError, ToolSpec};
use crate::toolbox::{RunByData, Toolbox};

struct Nothing;

#[async_trait]
impl RunByData for Nothing {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Ok((Value::Null, String::new()))
    }
}

const CLOSING: Phase = Phase::named("closing");

fn assistant(roles: &[Role], tools: Vec<(&str, ToolSpec)>) -> Assistant {
    let runner: Arc<dyn RunByData> = Arc::new(Nothing);
    let toolbox = tools
        .into_iter()
        .fold(Toolbox::builder(), |builder, (name, spec)| {
            let def = ToolDef {
                name: name.to_owned().into(),
                parameters: json!({ "type": "object", "properties": {} }),
                spec,
            };
            builder.data_tool(def, Arc::clone(&runner))
        });
    Assistant {
        roles: roles.to_vec(),
        phases: vec![PhaseSpec {
            phase: CLOSING,
            aliases: &[],
            instructions: "".into(),
        }],
        toolbox: toolbox.build().unwrap(),
        ..Assistant::absent()
    }
}

fn rule(text: &str) -> Never {
    text.parse().unwrap()
}

#[test]
fn a_rule_is_proved_or_refuted_with_a_call() {
    let agent = Role::named("Agent");
    let desk = assistant(
        &[],
        vec![
            ("list_tickets", ToolSpec::read("List.")),
            (
                "delete_ticket",
                ToolSpec::at_most_once("Delete.")
                    .roles([agent.clone()])
                    .phases([CLOSING])
                    .approval([]),
            ),
            (
                "close_ticket",
                ToolSpec::at_most_once("Close.").roles([agent]),
            ),
        ],
    );
    for holds in [
        "Guest: delete_*",
        "Guest: *_ticket",
        "*: delete_* unasked",
        "Agent: open_*",
    ] {
        assert_eq!(rule(holds).counterexample(&desk), None, "{holds}");
    }
    let told = |text: &str| rule(text).counterexample(&desk).unwrap().to_string();
    assert_eq!(
        told("Agent: delete_*"),
        "\"Agent: delete_*\" does not hold: a person with the role Agent can call delete_ticket in the phase closing; a card asks first"
    );
    assert_eq!(
        told("Guest: *"),
        "\"Guest: *\" does not hold: a person with the role Guest can call list_tickets in the phase closing"
    );
    assert_eq!(
        told("*: *_ticket unasked"),
        "\"*: *_ticket unasked\" does not hold: a person with the role Agent can call close_ticket in the phase closing"
    );
    assert!(!rule("Agent: open_*").applies_to(&desk));
}

#[test]
fn a_text_that_is_no_rule_is_refused_with_an_example() {
    for text in [
        "",
        "delete_*",
        ": x",
        "Agent:",
        "Agent: a b",
        "Agent: a unasked b",
    ] {
        let error = text.parse::<Never>().unwrap_err().to_string();
        assert!(error.contains("Guest: delete_*"), "{text:?} {error}");
    }
    assert_eq!(
        rule(" Agent :  x   unasked ").to_string(),
        "Agent: x unasked"
    );
}

fn some_roles() -> impl Strategy<Value = Vec<Role>> {
    prop::sample::subsequence(SOME_ROLES.to_vec(), 0..=SOME_ROLES.len())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A proved rule holds for everybody with that one role, in every phase that has the tool.
    #[test]
    fn a_rule_agrees_with_what_people_are_offered(
        allowed in some_roles(),
        tool_roles in some_roles(),
        role in prop::sample::select(SOME_ROLES.to_vec()),
    ) {
        let spec = ToolSpec::read("Read.").roles(tool_roles.clone());
        let desk = assistant(&allowed, vec![("read_it", spec)]);
        let who = signed_in(std::slice::from_ref(&role));
        let offered = who.holds_any(&desk.roles)
            && desk.toolbox.offer(&who, &CLOSING).tools.iter().any(|def| def.name == "read_it");
        let refuted = rule(&format!("{role}: read_*")).counterexample(&desk).is_some();
        prop_assert_eq!(refuted, offered);
    }
}
