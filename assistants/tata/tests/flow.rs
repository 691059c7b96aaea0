//! A whole project: documents are versioned, equal when read again, and say when they are old.

use frontdesk_core::artifact::{ArtifactStatus, ExportFormat};
use serde_json::{Value, json};

use super::kit::{Called, kit};
use crate::tata::domain::module::Module;
use crate::tata::export::export;
use crate::tata::project::{Project as Loader, position, shelf};

const SARA: &str = include_str!("../demo/transcript-sara-lind.txt");
const JONAS: &str = include_str!("../demo/transcript-jonas-ek.txt");

#[test]
fn pasted_notes_reach_the_processor_byte_for_byte_and_name_the_project() {
    let kit = kit();
    let mut project = kit.project();
    let ad = "Engineer  wanted\t– “now” \u{1F680}\r\n\r\nline\u{a0}two";
    let handle = project.paste(ad);
    project.done("review_di_compliance", json!({ "job_ad_text": handle }));
    assert_eq!(project.newest("di_review").content["original_text"], ad);

    project.confirmed();
    assert_eq!(project.conversation.title, "Senior Network Engineer");
    assert_eq!(
        position(&project.conversation).as_deref(),
        Some("Senior Network Engineer")
    );
    assert_eq!(project.conversation.metadata["language"], "en");
}

#[test]
fn every_document_is_kept_read_again_and_written_out() {
    let kit = kit();
    let mut project = kit.project();
    project.confirmed();
    project.done("create_job_ad", json!({ "include_salary": true }));
    project.done("create_ta_screening_template", json!({}));
    project.done("create_hm_screening_template", json!({}));
    project.done("create_headhunting_messages", json!({}));
    for (name, text) in [("Sara Lind", SARA), ("Jonas Ek", JONAS)] {
        let transcript = project.paste(text);
        let input = json!({ "candidate_name": name, "interview_date": "2026-03-10", "transcript": transcript });
        project.done("create_candidate_report", input);
    }
    project.done("compare_candidates", json!({}));
    project.done(
        "create_funnel_report",
        json!({ "job_title": "Engineer", "number_of_positions": 1, "hiring_manager_name": "Anna Berg",
                "job_ad_views": 100, "apply_clicks": 10, "time_in_stage": { "apply_clicks": 9.5 } }),
    );
    project.done("review_job_ad", json!({}));
    project.done("review_di_compliance", json!({}));
    project.done(
        "create_calendar_invite",
        json!({ "position_name": "Engineer", "hiring_manager_name": "Anna Berg", "hiring_manager_title": "Head of Networks",
                "location_type": "onsite", "interview_type": "case", "duration": 60, "booking_method": "manual",
                "city": "Stockholm", "interview_date": "14 March 2026", "interview_time": "13:30" }),
    );
    let kept = project.kept.list();
    let kinds: std::collections::BTreeSet<&str> = kept.iter().map(|a| a.kind.as_str()).collect();
    for module in Module::ALL {
        assert!(kinds.contains(module.facts().artifact), "{module}");
    }
    for artifact in &kept {
        // Read from the database it is the same text again.
        let stored = serde_json::to_string(&artifact.content).unwrap();
        let read: Value = serde_json::from_str(&stored).unwrap();
        assert_eq!(read, artifact.content);
        let markdown = export(artifact, ExportFormat::Markdown).unwrap();
        let markdown = String::from_utf8(markdown).unwrap();
        assert!(markdown.starts_with("# "), "{markdown}");
        assert!(!markdown.lines().any(|l| l.starts_with("- ")), "{markdown}");
        let docx = export(artifact, ExportFormat::Docx).unwrap();
        assert!(docx.starts_with(b"PK"));
        assert!(export(artifact, ExportFormat::Pdf).is_none());
    }
}

#[test]
fn a_second_report_is_a_second_report_and_comparison_shows_initials_only() {
    let kit = kit();
    let mut project = kit.project();
    project.confirmed();
    project.done("create_ta_screening_template", json!({}));
    let report = |name: &str, text: &str| json!({ "candidate_name": name, "interview_date": "2026-03-10", "transcript": text });
    project.done("create_candidate_report", report("Sara Lind", SARA));
    let alone = project.fails("compare_candidates", json!({}));
    assert!(alone.contains("at least two"), "{alone}");
    project.done("create_candidate_report", report("Jonas Ek", JONAS));
    project.done("create_candidate_report", report("Sara Lind", SARA));
    let versions: Vec<(String, u32)> = project
        .kept
        .list()
        .into_iter()
        .filter(|a| a.kind == "candidate_reports")
        .map(|a| (a.key, a.version))
        .collect();
    assert_eq!(
        versions,
        [
            ("sara lind 2026-03-10".to_owned(), 1),
            ("jonas ek 2026-03-10".to_owned(), 1),
            ("sara lind 2026-03-10".to_owned(), 2),
        ]
    );
    let table = project.done("compare_candidates", json!({}));
    assert_eq!(table.result["columns"], json!(["Criterion", "SL", "JE"]));
    let text = table.result.to_string();
    assert!(!text.contains("Sara") && !text.contains("Jonas"), "{text}");
}

#[tokio::test]
async fn a_changed_profile_is_a_new_version_and_dependents_say_so() {
    use frontdesk_core::assistant::ContextLoader;
    let (conversation, told) = tokio::task::spawn_blocking(|| {
        let kit = kit();
        let mut project = kit.project();
        project.confirmed();
        project.done("create_job_ad", json!({}));
        let ad = project.newest("job_ad");
        assert_eq!(ad.built_from[0].version, 2);
        let notes = "Must have: Ansible, Linux, networks and Norwegian. We sit in Oslo and grow.";
        let changed = project.done(
            "create_requirement_profile",
            json!({ "position_title": "Engineer", "startup_notes": notes }),
        );
        let profile = project.newest("requirement_profile");
        assert_eq!(
            (profile.version, profile.status),
            (3, ArtifactStatus::Draft)
        );
        assert_eq!(project.newest("job_ad"), ad, "nothing is overwritten");
        (project.conversation.clone(), changed.summary)
    })
    .await
    .unwrap();
    assert!(
        told.contains("built on an earlier version of the profile: job ad (en)"),
        "{told}"
    );
    let loader = Loader {
        world: std::sync::Arc::new(super::kit::Still),
    };
    let context = loader
        .load(&super::kit::recruiter(), &conversation)
        .await
        .unwrap();
    assert!(
        context.contains("Made: job ad (en), version 1, built on an older requirement profile"),
        "{context}"
    );
    assert!(
        context.contains("waits for the recruiter's confirmation"),
        "{context}"
    );
    let next = loader.suggest(&conversation);
    assert_eq!(next[0], "Confirm the requirement profile.");
    assert!(shelf(&conversation).made.contains(&Module::JobAd));
}

#[test]
fn a_draft_is_confirmed_by_whoever_approves_what_builds_on_it() {
    let kit = kit();
    let mut project = kit.project();
    let notes = project.paste(include_str!("../demo/startup-notes.txt"));
    project.done(
        "create_requirement_profile",
        json!({ "position_title": "Engineer", "startup_notes": notes }),
    );
    let Called::Asked(granted) = project.call("create_job_ad", json!({})) else {
        panic!("a draft is asked about");
    };
    assert_eq!(
        project.kept.list().len(),
        1,
        "nothing happens before the answer"
    );
    project.run(granted);
    let profile = project.newest("requirement_profile");
    assert_eq!(
        (profile.version, profile.status),
        (2, ArtifactStatus::Confirmed)
    );
    assert_eq!(profile.content["status"], "confirmed");
    assert_eq!(project.newest("job_ad").built_from[0].version, 2);
    let again = project.call("confirm_requirement_profile", json!({}));
    let Called::Asked(granted) = again else {
        panic!("the confirmation itself is asked for");
    };
    let refused = project.run(granted);
    assert_eq!(
        refused.error(),
        Some("The requirement profile is confirmed already.")
    );
}
