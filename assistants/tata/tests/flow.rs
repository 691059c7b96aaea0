//! A whole project: documents are versioned, equal when read again, and say when they are old.

use frontdesk_core::artifact::{ArtifactStatus, ExportFormat};
use frontdesk_core::assistant::ContextLoader;
use serde_json::{Value, json};

use super::kit::{CallOutcome, Still, kit, recruiter};
use crate::document::Document;
use crate::documents::export;
use crate::module::MODULES;
use crate::project::{Project as Loader, position};

const SARA: &str = include_str!("../demo/transcript-sara-lind.txt");
const JONAS: &str = include_str!("../demo/transcript-jonas-ek.txt");

fn funnel() -> Value {
    json!({ "job_title": "Engineer", "number_of_positions": 1, "hiring_manager_name": "Anna Berg",
            "job_ad_views": 100, "apply_clicks": 10, "time_in_stage": { "apply_clicks": 9.5 } })
}

// design: 000 dependency injection, MemoryManager, module processors, InMemoryToolRegistry
// design: 000 create_calendar_invite, test files, execute without processor
#[test]
fn every_document_is_kept_read_again_and_written_out() {
    let kit = kit();
    let mut project = kit.project();
    project.confirmed();
    for tool in [
        "create_job_ad",
        "create_ta_screening_template",
        "create_hm_screening_template",
        "create_headhunting_messages",
    ] {
        project.done(tool, json!({}));
    }
    for (name, text) in [("Sara Lind", SARA), ("Jonas Ek", JONAS)] {
        let transcript = project.paste(text);
        let input = json!({ "candidate_name": name, "interview_date": "2026-03-10", "transcript": transcript });
        project.done("create_candidate_report", input);
    }
    project.done("compare_candidates", json!({}));
    project.done("create_funnel_report", funnel());
    project.done("review_job_ad", json!({}));
    project.done("review_di_compliance", json!({}));
    project.done(
        "create_calendar_invite",
        json!({ "hiring_manager_name": "Anna Berg", "location_type": "teams", "interview_type": "case", "duration": 60, "booking_method": "jobylon" }),
    );
    let kept = project.kept.list();
    for row in &MODULES {
        assert!(
            kept.iter().any(|artifact| artifact.kind == row.artifact),
            "{}",
            row.artifact
        );
    }
    for artifact in &kept {
        let document: Document = serde_json::from_value(artifact.content.clone()).unwrap();
        assert_eq!(
            serde_json::to_value(&document).unwrap(),
            artifact.content,
            "{}",
            artifact.kind
        );
        let text = document.to_markdown();
        assert_eq!(
            Document::read_markdown(&text, &document).unwrap(),
            document,
            "{text}"
        );
        assert_eq!(
            export(artifact, ExportFormat::Markdown).unwrap().unwrap(),
            text.into_bytes()
        );
        assert!(
            export(artifact, ExportFormat::Docx)
                .unwrap()
                .unwrap()
                .starts_with(b"PK")
        );
        assert_eq!(export(artifact, ExportFormat::Pdf), Ok(None));
    }
    let comparison = project.markdown("candidate_comparison");
    assert!(
        comparison.contains("| Criterion | SL | JE |"),
        "{comparison}"
    );
}

#[test]
fn the_first_document_names_the_project() {
    let kit = kit();
    let mut project = kit.project();
    project.confirmed();
    assert_eq!(project.conversation.title, "Senior Network Engineer");
    assert_eq!(
        position(&project.conversation).as_deref(),
        Some("Senior Network Engineer")
    );
    assert_eq!(project.conversation.metadata["language"], "en");
}

#[test]
fn a_profile_is_a_draft_until_somebody_agrees() {
    let kit = kit();
    let mut project = kit.project();
    let call =
        json!({ "position_title": "Cook", "startup_notes": "Must have: knives, fire and salt" });
    project.done("create_requirement_profile", call);
    assert_eq!(
        project.newest("requirement_profile").status,
        ArtifactStatus::Draft
    );
    // A document that needs it asks for the agreement, and keeps it.
    let CallOutcome::Asked(granted) = project.call("create_job_ad", json!({})) else {
        panic!("no card was shown")
    };
    let CallOutcome::Done(_) = project.run(granted) else {
        panic!()
    };
    let profile = project.newest("requirement_profile");
    assert_eq!(
        (profile.version, profile.status),
        (2, ArtifactStatus::Confirmed)
    );
    assert_eq!(project.newest("job_ad").built_from[0].version, 2);
    let CallOutcome::Asked(granted) = project.call("confirm_requirement_profile", json!({})) else {
        panic!()
    };
    let CallOutcome::Failed(error) = project.run(granted) else {
        panic!()
    };
    assert!(error.message.contains("confirmed already"));
}

#[test]
fn a_new_profile_makes_the_others_old() {
    let kit = kit();
    let mut project = kit.project();
    project.confirmed();
    project.done("create_job_ad", json!({}));
    let notes = json!({ "position_title": "Engineer", "startup_notes": "Must have: Ansible, Swedish and English" });
    project.done("create_requirement_profile", notes);
    assert!(project.notes("requirement_profile")[0].contains("job ad (en)"));
    let loader = Loader {
        env: std::sync::Arc::new(Still),
    };
    let who = recruiter();
    let told = loader.load(&who, &project.conversation);
    let told = kit.runtime.block_on(told).unwrap();
    for line in [
        "Position: Senior Network Engineer",
        "requirement profile, version 3, waits for the recruiter's confirmation",
        "job ad (en), version 1, built on an older requirement profile",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert_eq!(
        loader.suggest(&project.conversation)[0],
        "Confirm the requirement profile."
    );
}

#[test]
fn bad_input_is_told_in_words_and_stores_nothing() {
    let kit = kit();
    let mut project = kit.project();
    let mut check = |tool: &str, input: Value, expected: &str| {
        let told = project.fails(tool, input);
        assert!(told.contains(expected), "{told}");
    };
    let profile = |notes: &str| json!({ "position_title": "Engineer", "startup_notes": notes });
    check("create_requirement_profile", profile(""), "notes");
    check("create_requirement_profile", profile(" \n\t"), "notes");
    check(
        "create_requirement_profile",
        json!({ "position_title": " ", "startup_notes": "SQL" }),
        "position title",
    );
    check(
        "create_requirement_profile",
        json!({ "position_title": "E", "startup_notes": "SQL", "language": "fr" }),
        "language",
    );
    check(
        "review_di_compliance",
        json!({ "job_ad_text": " " }),
        "empty",
    );
    check(
        "review_job_ad",
        json!({ "job_ad_text": "text:9" }),
        "no such text",
    );
    check("create_job_ad", json!({ "tone": "loud" }), "requires");
    project.confirmed();
    project.done("create_ta_screening_template", json!({}));
    let report = |name: &str, date: &str, transcript: &str| json!({ "candidate_name": name, "interview_date": date, "transcript": transcript });
    for (call, expected) in [
        (report("Anna", "2026-02-30", "Hi"), "does not exist"),
        (report(" ", "2026-03-10", "Hi"), "candidate name"),
        (report("Anna", "2026-03-10", " "), "transcript"),
    ] {
        let told = project.fails("create_candidate_report", call);
        assert!(told.contains(expected), "{told}");
    }
    let told = project.fails("compare_candidates", json!({}));
    assert!(told.contains("candidate reports"), "{told}");
}
