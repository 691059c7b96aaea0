//! Properties 3, 4 and 5: a role has its own tools, keeps them, and reaches no others.

use std::collections::BTreeSet;
use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::grant::RefusalReason;
use frontdesk_core::phase::Phase;
use frontdesk_core::toolbox::RunByData;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::super::bench::{Bench, CallOutcome, Entry, Talk, entries, entry, person, plain_tokens};
use super::super::upstream::Upstream;
use super::{
    GATE_ROLES, a_photo, any_roles, call_approved, config, entry_with_arguments, good_answer,
    permitted, runtime,
};
use crate::runner::Runner;

/// The setting names who decides about deletions, and changes no other decision.
#[test]
fn the_delete_approver_decides_deletions_only() {
    let settings = [("gatepass.delete_approver", "HR_User")];
    let bench = Bench::with("http://127.0.0.1:9", &settings, plain_tokens());
    let bench = runtime().block_on(bench);
    let changed: Vec<&str> = bench
        .assistant
        .toolbox
        .defs()
        .filter(|def| def.spec.approvers() == [Role::HR_USER])
        .map(|def| def.name.as_ref())
        .collect();
    assert_eq!(changed, ["delete_gate_pass"]);
}

// # Feature: gatepass-ai-agent, Property 3: Role-Based Tool Filtering
// design: 003 role-based access, tool registry, property 3
#[test]
fn role_based_tool_filtering() {
    let runtime = runtime();
    let bench = runtime.block_on(Bench::new("http://127.0.0.1:9"));
    proptest!(config(), |(roles in any_roles())| {
        let who = person("Anyone", &roles);
        let offer = bench.assistant.toolbox.offer(&who, &Phase::DEFAULT);
        let offered: BTreeSet<&str> = offer.tools.iter().map(|def| def.name.as_ref()).collect();
        let authorised: BTreeSet<&str> = entries().iter()
            .filter(|entry| entry.def.spec.roles.iter().any(|role| roles.contains(role)))
            .map(|entry| entry.def.name.as_ref())
            .collect();
        prop_assert_eq!(&offered, &authorised);
        let json: Value = serde_json::from_slice(&offer.json).unwrap();
        prop_assert_eq!(json.as_array().unwrap().len(), offered.len());
        let expected = |role: &Role| match role.as_str() {
            "HR_User" => 7,
            "Admin_User" => 10,
            "Gate_User" => 6,
            _ => 0,
        };
        if let [only] = roles.as_slice() {
            prop_assert_eq!(offered.len(), expected(only));
        }
        prop_assert_eq!(offered.contains("get_qr_code"), roles.iter().any(|role| expected(role) > 0));
    });
}

// # Feature: gatepass-ai-agent, Property 4: Role Context Persistence
// design: 003 GatePassAgent, property 4, unit agent roles
#[test]
fn role_context_persistence() {
    let runtime = runtime();
    let upstream = runtime.block_on(Upstream::start(|seen, _| good_answer(seen)));
    let bench = runtime.block_on(Bench::new(&upstream.url));
    let steps = proptest::collection::vec(entry_with_arguments(), 1..6);
    proptest!(config(), |(role in select(GATE_ROLES.to_vec()), steps in steps, reset: bool)| {
        runtime.block_on(async {
            let mut talk = bench.talk(person("Someone", std::slice::from_ref(&role))).await;
            let before = bench.assistant.toolbox.offer(&talk.who, &Phase::DEFAULT).json.clone();
            for (entry, arguments) in steps {
                // The role stays the same after any call, allowed or not.
                call_approved(&bench, &talk, entry, &arguments).await;
                let told = situation(&bench, &talk).await;
                let line = format!("Signed in: Someone, role {role}.");
                prop_assert!(told.starts_with(&line), "{}", told);
                prop_assert_eq!(&bench.assistant.toolbox.offer(&talk.who, &Phase::DEFAULT).json, &before);
            }
            if reset {
                talk.conversation = bench.store.reset(&talk.who, talk.conversation.id).await.unwrap();
                prop_assert!(situation(&bench, &talk).await.contains(role.as_str()));
            }
            Ok(())
        })?;
    });
}

async fn situation(bench: &Bench, talk: &Talk) -> String {
    let loader = &bench.assistant.context[0];
    loader.load(&talk.who, &talk.conversation).await.unwrap()
}

// # Feature: gatepass-ai-agent, Property 5: Role-Based Authorization Enforcement
// design: 003 property 5, client errors first
#[test]
fn role_based_authorization_enforcement() {
    let runtime = runtime();
    let upstream = runtime.block_on(Upstream::start(|seen, _| good_answer(seen)));
    let bench = runtime.block_on(Bench::new(&upstream.url));
    proptest!(config(), |((entry, arguments) in entry_with_arguments(), roles in any_roles())| {
        let roles: Vec<Role> = roles.into_iter().filter(|role| !entry.def.spec.roles.contains(role)).collect();
        runtime.block_on(async {
            let mut talk = bench.talk(person("Someone Else", &roles)).await;
            talk.words.push(arguments.get("pass_number").and_then(Value::as_str).unwrap_or_default().to_owned());
            bench.attach(&mut talk, "photo.jpg", a_photo()).await;
            let called = bench.call(&talk, &entry.def.name, Value::Object(arguments.clone())).await;
            let CallOutcome::Refused(refusal) = called else {
                return Err(TestCaseError::fail(format!("{}: {called:?}", entry.def.name)));
            };
            prop_assert_eq!(refusal.reason, RefusalReason::Role);
            prop_assert!(refusal.message.contains(entry.def.spec.roles[0].as_str()));

            // The tool itself also refuses, should a call ever reach it.
            let tool = Arc::clone(&bench.gate.tools[entry.def.name.as_ref()].1);
            let runner = Runner::new(tool, chrono_tz::Tz::UTC);
            let ctx = bench.context(&talk, None);
            let error = runner.run(&entry.def, &ctx, arguments).await.unwrap_err();
            let kind = error.details.unwrap()["error_type"].clone();
            let known = roles.iter().any(|role| GATE_ROLES.contains(role));
            prop_assert_eq!(kind, if known { json!("permission_denied") } else { json!("invalid_role") });
            prop_assert_eq!(upstream.seen().len(), 0, "no request may leave");
            Ok(())
        })?;
    });
    // Control: a permitted call does reach the server.
    runtime.block_on(async {
        let entry = entry("get_qr_code");
        let arguments = Map::from_iter([("pass_number".to_owned(), json!("GP-2026-0001"))]);
        let talk = permitted(&bench, entry, &arguments).await;
        call_approved(&bench, &talk, entry, &arguments).await.done();
        assert_eq!(upstream.seen().len(), 1);
    });
}

/// The whole matrix, and misspelled tool names.
// design: 003 roles, unit registry roles
#[test]
fn every_tool_for_every_role_and_every_spelling() {
    let runtime = runtime();
    let upstream = runtime.block_on(Upstream::start(|seen, _| good_answer(seen)));
    let bench = runtime.block_on(Bench::new(&upstream.url));
    let (mut allowed, mut denied) = (0, 0);
    for entry in entries().iter() {
        let arguments = example_of(entry);
        for roles in subsets(&GATE_ROLES) {
            let spellings = [
                entry.def.name.to_string(),
                entry.def.name.to_uppercase(),
                format!(" {}", entry.def.name),
                format!("{}\u{200b}", entry.def.name),
            ];
            for (index, name) in spellings.iter().enumerate() {
                runtime.block_on(async {
                    upstream.take();
                    let mut talk = bench.talk(person("Someone", &roles)).await;
                    talk.words.push(arguments.to_string());
                    bench.attach(&mut talk, "photo.jpg", a_photo()).await;
                    let called = match bench.call(&talk, name, arguments.clone()).await {
                        CallOutcome::Asked(granted) => bench.run(&talk, granted).await,
                        other @ (CallOutcome::Refused(_)
                        | CallOutcome::Done(_)
                        | CallOutcome::Failed(_)) => other,
                    };
                    let may =
                        index == 0 && entry.def.spec.roles.iter().any(|role| roles.contains(role));
                    assert_eq!(
                        matches!(called, CallOutcome::Done(_)),
                        may,
                        "{name} {roles:?} {called:?}"
                    );
                    assert_eq!(upstream.take().len(), usize::from(may), "{name} {roles:?}");
                    *(if may { &mut allowed } else { &mut denied }) += 1;
                });
            }
        }
    }
    assert_eq!(allowed + denied, 640);
    // 18 tools of one role are in 4 of the 8 role sets, the tool of two roles in 6, the tool of
    // three in 7.
    assert_eq!(allowed, 18 * 4 + 6 + 7);
}

fn example_of(entry: &Entry) -> Value {
    entry.def.spec.examples[0].arguments.clone()
}

fn subsets(roles: &[Role]) -> Vec<Vec<Role>> {
    (0..1 << roles.len())
        .map(|mask: usize| {
            let chosen = roles
                .iter()
                .enumerate()
                .filter(|(place, _)| mask & (1 << place) != 0);
            chosen.map(|(_, role)| role.clone()).collect()
        })
        .collect()
}
