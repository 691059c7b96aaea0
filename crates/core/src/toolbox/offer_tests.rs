//! Offers by role and phase; other tools cannot run.

use std::sync::Arc;

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::Value;

use crate::access::Role;
use crate::access::access_tests::{SOME_ROLES, signed_in};
use crate::grant::{RefusalReason, Verdict};
use crate::phase::Phase;
use crate::toolbox::Bar;
use crate::toolbox::toolbox_tests::{build, read, tool, verdict};

const CLOSING: Phase = Phase::named("closing");

#[test]
fn an_offer_is_what_this_person_may_use_in_this_phase() {
    let toolbox = build([
        tool("everyone", read()),
        tool("guards", read().roles([Role::GATE_USER])),
        tool("admins", read().roles([Role::ADMIN_USER, Role::HR_USER])),
        tool("closing", read().phases([CLOSING])),
    ])
    .unwrap();
    let check = |roles: &[Role], phase: &Phase, expected: &[&str]| {
        let offer = toolbox.offer(&signed_in(roles), phase);
        let names: Vec<&str> = offer.tools.iter().map(|def| def.name.as_ref()).collect();
        assert_eq!(
            (names.as_slice(), offer.is_empty()),
            (expected, expected.is_empty())
        );
        let json: Vec<Value> = serde_json::from_slice(&offer.json).unwrap();
        let sent: Vec<&Value> = json.iter().map(|tool| &tool["function"]["name"]).collect();
        assert_eq!(sent, expected);
    };
    check(&[], &Phase::DEFAULT, &["everyone"]);
    check(&[Role::GATE_USER], &Phase::DEFAULT, &["everyone", "guards"]);
    check(
        &[Role::HR_USER],
        &CLOSING,
        &["everyone", "admins", "closing"],
    );
}

// design: 000 ToolRegistry.get_openai_tools
#[test]
fn an_offer_is_made_once_and_has_the_same_bytes_for_everyone() {
    let defs = || {
        [
            tool("everyone", read()),
            tool("guards", read().roles([Role::GATE_USER])),
        ]
    };
    let toolbox = build(defs()).unwrap();
    let guard = toolbox.offer(&signed_in(&[Role::GATE_USER]), &Phase::DEFAULT);
    let again = toolbox.offer(&signed_in(&[Role::GATE_USER, Role::READER]), &CLOSING);
    assert!(Arc::ptr_eq(&guard, &again));
    let rebuilt = build(defs()).unwrap();
    let same = rebuilt.offer(&signed_in(&[Role::GATE_USER]), &Phase::DEFAULT);
    assert_eq!(guard.json, same.json);
    let reader = toolbox.offer(&signed_in(&[Role::READER]), &Phase::DEFAULT);
    assert_ne!(reader.json, guard.json);
}

fn subset<T: Clone + std::fmt::Debug + 'static>(
    of: &[T],
) -> impl Strategy<Value = Vec<T>> + use<T> {
    prop::sample::subsequence(of.to_vec(), 0..=of.len())
}

/// Names similar to the tool's.
fn variant(name: &str, which: usize) -> String {
    match which {
        0 => name.to_owned(),
        1 => name.to_uppercase(),
        2 => format!(" {name}"),
        3 => format!("{name}\u{200B}"),
        4 => format!("functions.{name}"),
        5 => name.replace('_', "-"),
        _ => format!("{name}/"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// P8: a tool outside a person's set is neither offered nor runnable under any name.
    #[test]
    fn a_tool_outside_the_role_is_neither_offered_nor_runnable(
        tools in prop::collection::vec((subset(&SOME_ROLES), subset(&[Phase::DEFAULT, CLOSING])), 1..5),
        roles in subset(&SOME_ROLES),
        phase in prop::sample::select(vec![Phase::DEFAULT, CLOSING]),
        which in 0usize..7,
    ) {
        let defs = tools.iter().enumerate().map(|(n, (roles, phases))| {
            let spec = read().roles(roles.clone()).phases(phases.clone());
            tool(&format!("tool_{n}"), spec)
        });
        let toolbox = build(defs).unwrap();
        let who = signed_in(&roles);
        let offer = toolbox.offer(&who, &phase);
        let json = String::from_utf8(offer.json.to_vec()).unwrap();
        for (n, (allowed, phases)) in tools.iter().enumerate() {
            let name = format!("tool_{n}");
            let role_ok = allowed.is_empty() || allowed.iter().any(|role| roles.contains(role));
            let phase_ok = phases.is_empty() || phases.contains(&phase);
            prop_assert_eq!(json.contains(&format!("\"{name}\"")), role_ok && phase_ok);
            prop_assert_eq!(offer.tools.iter().any(|def| def.name == name), role_ok && phase_ok);

            let asked = variant(&name, which);
            match verdict(&toolbox, &who, &phase, &asked, "{}") {
                Verdict::Run(granted) => {
                    prop_assert!(asked == name && role_ok && phase_ok);
                    prop_assert_eq!(granted.name(), name);
                }
                Verdict::Ask(_) | Verdict::Propose(_) => prop_assert!(false, "nothing here asks"),
                Verdict::Refuse(refusal) => {
                    let reason = match (asked == name, role_ok) {
                        (false, _) => RefusalReason::UnknownTool,
                        (true, false) => RefusalReason::Role,
                        (true, true) => RefusalReason::Phase,
                    };
                    prop_assert_eq!(refusal.reason, reason);
                    prop_assert!(refusal.message.contains(&asked), "{}", refusal.message);
                    prop_assert!(asked != name || !(role_ok && phase_ok));
                }
            }
        }
        prop_assert_eq!(&offer.json, &Bytes::from(json));
    }
}

#[test]
fn other_tools_are_listed_with_the_reason() {
    let toolbox = build([
        tool("guards", read().roles([Role::GATE_USER])),
        tool("admins", read().roles([Role::ADMIN_USER])),
        tool("closing", read().roles([Role::GATE_USER]).phases([CLOSING])),
    ])
    .unwrap();
    let seen = |roles: &[Role], phase: &Phase| {
        let offer = toolbox.offer(&signed_in(roles), phase);
        let others = offer.elsewhere.iter();
        let others = others.map(|other| (other.tool.name.to_string(), other.bar));
        others.collect::<Vec<_>>()
    };
    let barred = |name: &str, bar: Bar| (name.to_owned(), bar);
    assert_eq!(
        seen(&[Role::GATE_USER], &Phase::DEFAULT),
        [barred("admins", Bar::Role), barred("closing", Bar::Phase)]
    );
    assert_eq!(
        seen(&[Role::GATE_USER], &CLOSING),
        [barred("admins", Bar::Role)]
    );
    // A person without any tool learns nothing about the others.
    assert_eq!(seen(&[Role::READER], &CLOSING), []);
}
