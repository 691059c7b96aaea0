//! Large and hostile pastes: every processor answers, and none of them takes more than time in proportion to the text.

use std::collections::BTreeSet;

use super::calendar_invite::CalendarInviteInput;
use super::candidate_report::CandidateReportInput;
use super::di_review::DiReviewInput;
use super::headhunting::HeadhuntingInput;
use super::job_ad::JobAdInput;
use super::job_ad_review::JobAdReviewInput;
use super::language::Language;
use super::requirement_profile::RequirementProfileInput;
use super::screening::ScreeningInput;
use super::test_desk::{desk, invite, profile};
use super::*;

/// Up to 200 KB. With work that grows with the square of the text this test would take an hour.
fn texts() -> Vec<String> {
    let patterns = [
        "(-",
        "must have ",
        "and ",
        ", ",
        "a: ",
        "\n- ",
        "nice to have must have ",
        "00:00:01 A\n",
        "{title} [[x|y]] ",
        "((",
        "\"'",
        "Must have: Python, SQL and Rust. ",
        "# ",
        "🚀",
        "\u{301}",
        "年",
        "1) ",
        "e.g. ",
        "x",
        "\u{0}\u{7}",
        "| \\ * _ ` < ",
    ];
    // Plain notes in full; of the others a fifth, which shows the same in a fifth of the time.
    let size = |pattern: &str| match pattern.starts_with("Must have:") {
        true => 200_000,
        false => 40_000,
    };
    patterns
        .iter()
        .map(|p| p.repeat(size(p) / p.len()))
        .collect()
}

#[test]
fn two_hundred_kilobytes_of_anything_are_answered() {
    let desk = desk(Language::En);
    let profile = profile("01_bullets_en", Language::En);
    let template = ta_screening::process(&ScreeningInput::default(), &profile, &desk)
        .unwrap()
        .artifact;
    for text in texts() {
        let _ = requirement_profile::process(
            &RequirementProfileInput {
                startup_notes: text.clone(),
                position_title: "X".into(),
                ..Default::default()
            },
            &desk,
        );
        let input = JobAdInput {
            startup_notes: Some(text.clone()),
            company_context: Some(text.clone()),
            include_salary: Some(true),
            ..Default::default()
        };
        job_ad::process(&input, &profile, &desk).unwrap();
        let input = HeadhuntingInput {
            candidate_profile: Some(text.clone()),
            company_context: Some(text.clone()),
        };
        headhunting::process(&input, &profile, &desk).unwrap();
        let input = CandidateReportInput {
            transcript: text.clone(),
            candidate_name: "A B".into(),
            interview_date: "2026-03-10".into(),
            candidate_cv: Some(text.clone()),
            language: None,
        };
        let _ = candidate_report::process(&input, &profile, &template, &desk);
        let _ = di_review::process(
            &DiReviewInput {
                job_ad_text: text.clone(),
                language: None,
            },
            &desk,
        );
        let input = JobAdReviewInput {
            job_ad_text: text.clone(),
            language: None,
            position_title: Some("X".into()),
        };
        let _ = job_ad_review::process(&input, &desk);
    }
}

#[test]
fn text_that_looks_like_our_templates_stays_text() {
    let desk = desk(Language::De);
    let input = CalendarInviteInput {
        position_name: "{company} [[du|Sie]]".into(),
        hiring_manager_name: "{title}".into(),
        hiring_manager_title: "[[a|b]]".into(),
        ..invite()
    };
    let body = calendar_invite::process(&input, &desk)
        .unwrap()
        .artifact
        .body;
    assert!(
        body.contains("{company} [[du|Sie]]") && body.contains("• {title}, [[a|b]]"),
        "{body}"
    );
    let funnel = funnel_report::FunnelReportInput {
        job_title: "{manager}".into(),
        number_of_positions: 1,
        hiring_manager_name: "{title}".into(),
        tests: Some(1),
        ..Default::default()
    };
    let summary = funnel_report::process(&funnel, &BTreeSet::new(), &desk)
        .unwrap()
        .artifact
        .summary;
    assert!(
        summary.starts_with("Dieser Bericht betrifft die Besetzung der Stelle {manager}."),
        "{summary}"
    );
}
