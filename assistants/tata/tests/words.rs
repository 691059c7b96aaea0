//! The company's own words: guides in files, facts after approval, and what the assistant says first.

use std::collections::BTreeMap;

use serde_json::json;

use super::kit::{Kit, kit};
use crate::tata::project::FIRST_CHIPS;

#[test]
fn the_greeting_has_the_whole_menu_and_asks_for_the_position() {
    let kit = kit();
    let assistant = &kit.assistant;
    let greeting = assistant.greeting;
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
        "step by step",
    ] {
        assert!(greeting.contains(word), "{word}");
    }
    assert_eq!(assistant.suggestions, FIRST_CHIPS);
    assert_eq!(FIRST_CHIPS.len(), 5);
}

#[test]
fn instructions_name_the_services_and_the_rules() {
    let kit = kit();
    let instructions = kit.assistant.instructions;
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
        "professional",
        "invitations",
        "No emoji",
    ] {
        assert!(instructions.contains(word), "{word}");
    }
}

#[test]
fn a_companys_guide_is_read_from_its_file_and_again_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("default.toml");
    let guide = |fact: &str| {
        format!("company = \"Fibra\"\n\n[[facts]]\nstatus = \"approved\"\ntext.en = \"{fact}\"\n")
    };
    std::fs::write(&path, guide("Fibra has its own network.")).unwrap();
    let setting = folder.path().to_string_lossy().into_owned();
    let kit = Kit::new(BTreeMap::from([("tata.style_guides".to_owned(), setting)]));
    let mut project = kit.project();
    project.confirmed();
    let ad = project.done("create_job_ad", json!({}));
    assert_eq!(ad.result["company"], "Fibra");
    assert!(ad.result.to_string().contains("Fibra has its own network."));

    std::fs::write(&path, guide("Fibra was founded in Luleå, far up north.")).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let file = std::fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(later).unwrap();
    let ad = project.done("create_job_ad", json!({}));
    assert!(ad.result.to_string().contains("founded in Luleå"));
}

#[test]
fn a_broken_guide_is_told_at_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("default.toml"), "company = \"\"").unwrap();
    let setting = folder.path().to_string_lossy().into_owned();
    let settings = BTreeMap::from([("tata.style_guides".to_owned(), setting)]);
    let built = std::panic::catch_unwind(|| Kit::new(settings));
    assert!(built.is_err());
}

#[test]
fn what_nobody_approved_is_left_out_and_told() {
    let kit = kit();
    let mut project = kit.project();
    project.confirmed();
    let ad = project.done(
        "create_job_ad",
        json!({ "company_context": "We are the largest network in Europe." }),
    );
    assert!(!ad.result["team_and_why_gc"].to_string().contains("largest"));
    let warnings = ad.result["warnings"].to_string();
    assert!(warnings.contains("not approved"), "{warnings}");
}

#[test]
fn the_model_and_the_limits_are_the_designs() {
    let kit = kit();
    let assistant = &kit.assistant;
    assert_eq!(assistant.model.model, "gpt-4o");
    assert_eq!(assistant.model.max_tokens, Some(4_000));
    assert_eq!(assistant.limits.window.max_messages, 50);
    assert_eq!(assistant.limits.message.maximum(), 200_000);
}
