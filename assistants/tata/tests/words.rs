//! The company's own words: guides in files, facts after approval, and what the assistant says first.

use std::collections::BTreeMap;

use frontdesk_core::assistant::Suggestion;
use frontdesk_core::phase::Phase;
use serde_json::json;

use super::kit::{CallOutcome, Kit, kit};
use super::samples;
use crate::chips::FIRST;

#[test]
fn the_greeting_has_the_whole_menu_and_asks_for_the_position() {
    let kit = kit();
    let assistant = &kit.assistant;
    let greeting = &assistant.greeting;
    for word in [
        "position",
        "requirement profile",
        "job ad",
        "screening templates",
        "headhunting",
        "candidate reports",
        "funnel report",
        "inclusive language",
        "invitations",
        "changed",
    ] {
        assert!(greeting.contains(word), "{word}");
    }
    assert_eq!(assistant.suggestions, Suggestion::for_all(FIRST));
    assert_eq!(FIRST.len(), 4);
}

// design: 000 SYSTEM_PROMPT
#[test]
fn instructions_name_the_services_and_the_rules() {
    let kit = kit();
    // The first message of every request.
    let system = kit.assistant.system_message(&Phase::DEFAULT);
    let system: serde_json::Value = serde_json::from_slice(&system).unwrap();
    assert_eq!(system["role"], "system");
    let instructions = system["content"].as_str().unwrap();
    assert!(instructions.starts_with("You are Tata"), "{instructions}");
    for word in [
        "Talent Acquisition Team Assistant",
        "requirement profile",
        "job advertisement",
        "screening templates",
        "headhunting messages",
        "funnel reports",
        "reviewing job ads",
        "inclusive language",
        "Never invent",
        "ask the recruiter",
        "helpful, professional",
        "invitations",
        "No emoji",
    ] {
        assert!(instructions.contains(word), "{word}");
    }
}

#[test]
fn a_companys_guide_and_its_approved_facts_are_a_source_of_ads() {
    let folder = tempfile::tempdir().unwrap();
    let guide = "company = \"Fibra\"\n[[facts]]\nstatus = \"approved\"\ntext.en = \"Fibra has its own network.\"\n";
    std::fs::write(folder.path().join("default.toml"), guide).unwrap();
    let setting = folder.path().to_string_lossy().into_owned();
    let kit = Kit::new(BTreeMap::from([("tata.style_guides".to_owned(), setting)]));
    let mut project = kit.project();
    project.confirmed();
    let model = project.drafts([samples::messages()]);
    project.done("create_headhunting_messages", json!({}));
    assert!(
        model.asked()[0].contains("<source name=\"company\">\nFibra\nFibra has its own network.\n")
    );
}

#[test]
fn a_new_fact_waits_for_a_card() {
    let kit = kit();
    let mut project = kit.project();
    let sentence = "We are owned by EQT, and we say so in our advertisements.";
    let CallOutcome::Asked(granted) =
        project.call("add_company_fact", json!({ "sentence": sentence }))
    else {
        panic!("no card")
    };
    let CallOutcome::Done(output) = project.run(granted) else {
        panic!()
    };
    assert_eq!(output.result["language"], "en");
    assert_eq!(output.outbox.changes[0].data["sentence"], sentence);
}

#[test]
fn a_broken_guide_is_told_at_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("default.toml"), "compani = \"\"").unwrap();
    let setting = folder.path().to_string_lossy().into_owned();
    let settings = BTreeMap::from([("tata.style_guides".to_owned(), setting)]);
    let built = std::panic::catch_unwind(|| Kit::new(settings));
    assert!(built.is_err());
}

#[test]
fn every_drafting_tool_says_what_it_does_and_may_take_its_time() {
    let kit = kit();
    for def in kit.assistant.toolbox.defs() {
        assert!(!def.spec.description.trim().is_empty() && !def.title().is_empty());
        assert!(def.spec.examples.len() >= 3, "{}", def.name);
        if def.spec.gets_user_text {
            assert!(def.spec.undoable, "{}", def.name);
            assert_eq!(def.spec.timeout.as_secs(), 240, "{}", def.name);
        }
    }
    assert_eq!(kit.assistant.limits.turn.as_secs(), 300);
    let writing = kit.assistant.toolbox.defs();
    assert_eq!(writing.filter(|def| def.spec.gets_user_text).count(), 11);
}

// design: 000 client model
#[test]
fn the_model_and_the_limits_are_the_designs() {
    let kit = kit();
    let assistant = &kit.assistant;
    assert_eq!(assistant.model.model, "gpt-4o");
    assert_eq!(assistant.model.max_tokens, Some(4_000));
    assert_eq!(assistant.limits.window.max_messages, 50);
    assert_eq!(assistant.limits.message.maximum(), 200_000);
}
