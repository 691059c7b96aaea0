//! Words that people use for documents.

use frontdesk_core::artifact::{ArtifactStatus, BuiltFrom};

use super::*;
use crate::document::{Document, MadeWith};
use crate::language::Language;

fn stored(kind: &str, key: &str, title: &str) -> Stored {
    Stored {
        document: Document::new(title, Language::En, MadeWith::Model),
        from: BuiltFrom {
            kind: kind.to_owned(),
            key: key.to_owned(),
            version: 1,
        },
        status: ArtifactStatus::Confirmed,
        built_from: Vec::new(),
    }
}

fn project() -> Vec<Stored> {
    vec![
        stored(
            "requirement_profile",
            "",
            "Requirement profile: Payroll Specialist",
        ),
        stored("job_ad", "en", "Payroll Specialist in Malmö"),
        stored("job_ad", "sv", "Lönespecialist till Malmö"),
        stored(
            "ta_screening_template",
            "en",
            "Screening guide for the recruiter: Payroll Specialist",
        ),
        stored(
            "hm_screening_template",
            "en",
            "Interview guide for the hiring manager: Payroll Specialist",
        ),
        stored(
            "headhunting_messages",
            "en",
            "Messages to candidates: Payroll Specialist",
        ),
        stored(
            "candidate_reports",
            "anna nilsson 2026-03-10",
            "Candidate report: Anna Nilsson, 2026-03-10",
        ),
        stored(
            "candidate_reports",
            "ali khan 2026-03-11",
            "Candidate report: Ali Khan, 2026-03-11",
        ),
        stored("job_ad_review", "", "Review of the job ad"),
        stored("di_review", "", "Review of inclusive language"),
        stored("funnel_report", "", "Funnel report: Payroll Specialist"),
        stored(
            "calendar_invite",
            "case",
            "Interview with a case: Payroll Specialist",
        ),
    ]
}

#[test]
fn documents_are_found_by_what_people_call_them() {
    let project = project();
    for (words, kind, key) in [
        ("profile", "requirement_profile", ""),
        ("requirement_profile", "requirement_profile", ""),
        ("the requirement profile", "requirement_profile", ""),
        ("kravprofilen", "requirement_profile", ""),
        ("job ad", "job_ad", "sv"),
        ("job_ad", "job_ad", "sv"),
        ("the Swedish ad, sv", "job_ad", "sv"),
        ("ad (en)", "job_ad", "en"),
        ("Stellenanzeige", "job_ad", "sv"),
        (
            "report on Anna",
            "candidate_reports",
            "anna nilsson 2026-03-10",
        ),
        ("Ali's report", "candidate_reports", "ali khan 2026-03-11"),
        ("job ad review", "job_ad_review", ""),
        ("review of the job ad", "job_ad_review", ""),
        ("inclusive language review", "di_review", ""),
        ("screening template", "ta_screening_template", "en"),
        (
            "hiring manager screening template",
            "hm_screening_template",
            "en",
        ),
        (
            "the guide for the hiring manager",
            "hm_screening_template",
            "en",
        ),
        ("LinkedIn messages", "headhunting_messages", "en"),
        ("invitation", "calendar_invite", "case"),
        ("funnel report", "funnel_report", ""),
    ] {
        let found = choose(&project, words).unwrap_or_else(|told| panic!("{words}: {told}"));
        assert_eq!(
            (found.from.kind.as_str(), found.from.key.as_str()),
            (kind, key),
            "{words}"
        );
    }
}

#[test]
fn candidates_are_never_mixed_up() {
    let told = choose(&project(), "candidate report").err().unwrap();
    assert!(
        told.contains("Anna Nilsson") && told.contains("Ali Khan"),
        "{told}"
    );
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let told = choose(&project(), "the budget").err().unwrap();
    assert!(
        told.contains("budget") && told.contains("Requirement profile"),
        "{told}"
    );
    let mut project = project();
    project.retain(|stored| stored.from.kind != "job_ad");
    let told = choose(&project, "job ad").err().unwrap();
    assert!(told.contains("Review of the job ad"), "{told}");
    assert!(choose(&[], "job ad").err().unwrap().contains("no document"));
}
