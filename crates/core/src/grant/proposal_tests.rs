//! Writes of a model that may not write, and the calls that a person confirms instead.

use std::sync::Arc;

use async_trait::async_trait;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{FieldProblem, Unconfirmed, confirm};
use crate::access::Role;
use crate::access::access_tests::signed_in;
use crate::conversation::Progress;
use crate::grant::{Grounds, RefusalReason, Verdict, decide};
use crate::handle::{Handles, TextHandle};
use crate::message::ToolCall;
use crate::phase::Phase;
use crate::tool::{Effect, ToolContext, ToolDef, ToolError, ToolSpec};
use crate::toolbox::{RunByData, Toolbox};

struct Never;

#[async_trait]
impl RunByData for Never {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Err(ToolError::refused("rules run nothing"))
    }
}

fn toolbox(spec: ToolSpec) -> Toolbox {
    let parameters = json!({
        "type": "object",
        "properties": {
            "pass_number": { "type": "string", "pattern": "^GP-[0-9]+$" },
            "visitor": { "type": "string", "minLength": 1, "maxLength": 20 },
            "days": { "type": "integer", "minimum": 1 },
            "kind": { "enum": ["day", "week"] },
            "notes": { "type": "string", "x-handle": "text" },
            "created_by": { "type": "string" }
        },
        "required": ["visitor", "kind"],
        "additionalProperties": false
    });
    let def = ToolDef {
        name: "create_pass".into(),
        parameters,
        spec,
    };
    let builder = Toolbox::builder().data_tool(def, Arc::new(Never));
    builder.build().unwrap()
}

/// Builds the rules' inputs for a person with these roles.
fn with_grounds<T>(
    toolbox: &Toolbox,
    roles: &[Role],
    may_write: bool,
    ask: impl FnOnce(&Grounds<'_>) -> T,
) -> T {
    let handles = Handles {
        texts: vec![TextHandle {
            number: 1,
            text: "pasted".to_owned(),
        }],
        files: Vec::new(),
    };
    ask(&Grounds {
        toolbox,
        principal: &signed_in(roles),
        phase: &Phase::DEFAULT,
        progress: &Progress::default(),
        handles: &handles,
        message: &String::new,
        own_form: false,
        foreign_text: false,
        untrusted_text: false,
        may_write,
    })
}

fn verdict(spec: ToolSpec, may_write: bool, arguments: &str) -> Verdict {
    let call = ToolCall {
        id: "a".to_owned(),
        name: "create_pass".to_owned(),
        arguments: arguments.to_owned(),
    };
    with_grounds(&toolbox(spec), &[Role::HR_USER], may_write, |grounds| {
        decide(&call, grounds)
    })
}

fn with_effect(effect: Effect) -> ToolSpec {
    match effect {
        Effect::Read => ToolSpec::read("R."),
        Effect::Idempotent => ToolSpec::idempotent("I."),
        Effect::Transactional => ToolSpec::transactional("T."),
        Effect::AtMostOnce => ToolSpec::at_most_once("A."),
    }
}

const EFFECTS: [Effect; 4] = [
    Effect::Read,
    Effect::Idempotent,
    Effect::Transactional,
    Effect::AtMostOnce,
];

/// A tool's approval rule.
type Rule = fn(ToolSpec) -> ToolSpec;

const RULES: [(&str, Rule, &str); 4] = [
    ("by default", |spec| spec, "run"),
    ("unless named", |spec| spec.target("pass_number"), "ask"),
    ("by the requester", |spec| spec.approval([]), "ask"),
    ("by others", |spec| spec.approval([Role::ADMIN_USER]), "ask"),
];

/// Covers model, effect, declaration and approval rule.
#[test]
fn which_calls_become_proposals() {
    let valid = r#"{"visitor":"Sara","kind":"day"}"#;
    for may_write in [true, false] {
        for effect in EFFECTS {
            for undoable in [true, false] {
                for (rule, apply, ordinary) in RULES {
                    let mut spec = apply(with_effect(effect));
                    spec.undoable = undoable;
                    let proposes =
                        !may_write && effect != Effect::Read && !undoable && rule != "by others";
                    let free = rule == "unless named" && (effect == Effect::Read || undoable);
                    let expected = match (proposes, free) {
                        (true, _) => "propose",
                        (false, true) => "run",
                        (false, false) => ordinary,
                    };
                    let found = match verdict(spec, may_write, valid) {
                        Verdict::Run(_) => "run",
                        Verdict::Ask(_) => "ask",
                        Verdict::Propose(_) => "propose",
                        Verdict::Refuse(refusal) => panic!("{refusal:?}"),
                    };
                    assert_eq!(found, expected, "{may_write} {effect:?} {undoable} {rule}");
                }
            }
        }
    }
}

#[test]
fn a_proposal_keeps_valid_arguments_and_resolves_handles() {
    let spec = ToolSpec::at_most_once("Creates.").own_name("created_by");
    let given = r#"{"visitor":"","days":0,"kind":"day","notes":"text:1","pass_number":"7",
        "created_by":"Somebody Else","colour":"red"}"#;
    let Verdict::Propose(proposal) = verdict(spec, false, given) else {
        panic!("a proposal");
    };
    let own_name = signed_in(&[]).name().to_owned();
    assert_eq!(
        Value::Object(proposal.arguments().clone()),
        json!({ "kind": "day", "notes": "pasted", "created_by": own_name })
    );
}

#[test]
fn rights_are_checked_before_a_proposal_is_made() {
    let spec = ToolSpec::at_most_once("Creates.").roles([Role::ADMIN_USER]);
    let Verdict::Refuse(refusal) = verdict(spec, false, "{}") else {
        panic!("a refusal");
    };
    assert_eq!(refusal.reason, RefusalReason::Role);
}

fn confirmed(spec: ToolSpec, arguments: Value) -> Result<Value, Unconfirmed> {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object");
    };
    with_grounds(&toolbox(spec), &[Role::HR_USER], false, |grounds| {
        let granted = confirm("create_pass", arguments, grounds)?;
        Ok(Value::Object(granted.arguments().clone()))
    })
}

#[test]
fn confirmed_arguments_are_checked_field_by_field_in_plain_words() {
    let creates = || ToolSpec::at_most_once("Creates.").own_name("created_by");
    let problems = |arguments: Value| match confirmed(creates(), arguments) {
        Err(Unconfirmed::Fields(problems)) => {
            let messages = problems.into_iter().map(|found: FieldProblem| {
                format!("{}, {}: {}", found.field, found.label, found.problem)
            });
            let mut messages: Vec<String> = messages.collect();
            messages.sort();
            messages
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(
        problems(json!({})),
        [
            "kind, Kind: This is needed.",
            "visitor, Visitor: This is needed."
        ]
    );
    assert_eq!(
        problems(json!({
            "visitor": "", "kind": "year", "days": 0, "pass_number": "7", "notes": "text:9",
            "colour": "red"
        })),
        [
            "colour, Colour: There is no such field.",
            "days, Days: Enter 1 or more.",
            "kind, Kind: Enter one of: day, week.",
            "notes, Notes: This is not in this conversation.",
            "pass_number, Pass number: This does not have the right form.",
            "visitor, Visitor: This is needed.",
        ]
    );
    assert_eq!(
        problems(json!({ "visitor": "x".repeat(21), "kind": "day", "days": "three" })),
        [
            "days, Days: Enter this: whole number.",
            "visitor, Visitor: Enter at most 20 characters.",
        ]
    );

    let own_name = signed_in(&[]).name().to_owned();
    let given = json!({ "visitor": "Sara", "kind": "day", "notes": "text:1", "created_by": "Eve" });
    assert_eq!(
        confirmed(creates(), given),
        Ok(json!({ "visitor": "Sara", "kind": "day", "notes": "pasted", "created_by": own_name }))
    );
    let barred = confirmed(creates().roles([Role::ADMIN_USER]), json!({}));
    assert!(matches!(barred, Err(Unconfirmed::Refused(_))));
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..9).prop_map(Value::from),
        "(GP-)?[0-9a-z:]{0,8}".prop_map(Value::from),
        prop::sample::select(vec![
            "day",
            "week",
            "text:1",
            "text:2",
            "[text:1, 6 characters]"
        ])
        .prop_map(Value::from),
        Just(json!(["day", 1])),
        Just(json!({ "visitor": {} })),
    ]
}

fn any_arguments() -> impl Strategy<Value = String> {
    let names = [
        "visitor",
        "kind",
        "days",
        "notes",
        "pass_number",
        "created_by",
        "a/b",
        "~0",
    ];
    let map = prop::collection::btree_map(prop::sample::select(names.to_vec()), any_value(), 0..7);
    prop_oneof![
        9 => map.prop_map(|map| json!(map).to_string()),
        1 => "[\\PC]{0,20}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// No tool and no arguments let a model that may not write run a write.
    #[test]
    fn no_write_runs_without_a_decision(
        effect in prop::sample::select(EFFECTS.to_vec()),
        rule in 0..RULES.len(),
        owned in any::<bool>(),
        arguments in any_arguments(),
    ) {
        let mut spec = RULES[rule].1(with_effect(effect));
        if owned {
            spec = spec.own_name("created_by");
        }
        match verdict(spec.clone(), false, &arguments) {
            Verdict::Run(_) => prop_assert!(!effect.writes()),
            Verdict::Ask(_) | Verdict::Refuse(_) => {
                prop_assert!(!effect.writes() || !spec.approvers().is_empty());
            }
            Verdict::Propose(proposal) => {
                prop_assert!(effect.writes());
                // The kept arguments are valid, and proposing them again changes nothing.
                let kept = Value::Object(proposal.arguments().clone());
                let Verdict::Propose(again) = verdict(spec.clone(), false, &kept.to_string()) else {
                    return Err(TestCaseError::fail("no proposal"));
                };
                prop_assert_eq!(&again, &proposal);
                match confirmed(spec, kept) {
                    Ok(_) => {}
                    Err(Unconfirmed::Fields(problems)) => {
                        for found in problems {
                            prop_assert_eq!(found.problem, "This is needed.");
                        }
                    }
                    Err(Unconfirmed::Refused(refusal)) => {
                        return Err(TestCaseError::fail(format!("{refusal:?}")));
                    }
                }
            }
        }
    }
}
