//! The figures: how long each processor takes on 20 KB, and the inclusive-language review on longer and longer ads.
//! A measurement for an optimised build:
//! `cargo test --release -p frontdesk-assistants tata_figures -- --ignored --nocapture`.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use super::calendar_invite::CalendarInviteInput;
use super::candidate_report::CandidateReportInput;
use super::di_review::DiReviewInput;
use super::funnel_report::FunnelReportInput;
use super::headhunting::HeadhuntingInput;
use super::job_ad::JobAdInput;
use super::job_ad_review::JobAdReviewInput;
use super::language::Language;
use super::requirement_profile::RequirementProfileInput;
use super::screening::ScreeningInput;
use super::test_desk::{desk, invite, profile};
use super::*;

const TIMES: usize = 21;

fn ad_of(words: usize) -> String {
    let sentence = "We are looking for a young and dynamic colleague who plans networks with us in the north. ";
    sentence.repeat(words / 17 + 1)
}

/// At least 20 KB of it.
fn long(text: &str) -> String {
    text.repeat(20_000 / text.len() + 1)
}

/// Prints the median.
fn show<T>(what: &str, mut work: impl FnMut() -> T) {
    let once = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        let made = black_box(work());
        let took = start.elapsed();
        drop(made);
        took
    };
    let mut took: Vec<Duration> = (0..TIMES).map(|_| once(&mut work)).collect();
    took.sort();
    println!(
        "{what:36} {:8.2} ms",
        took[TIMES / 2].as_secs_f64() * 1000.0
    );
}

fn review(words: usize) -> DiReviewInput {
    DiReviewInput {
        job_ad_text: ad_of(words),
        language: None,
    }
}

#[test]
#[ignore = "a measurement: run it in release"]
fn tata_figures() {
    let desk = desk(Language::En);
    let agreed = profile("01_bullets_en", Language::En);
    let screening = ScreeningInput::default();
    let template = ta_screening::process(&screening, &agreed, &desk)
        .unwrap()
        .artifact;
    let notes = long(include_str!("../demo/startup-notes.txt"));
    let transcript = long(include_str!("../demo/transcript-sara-lind.txt"));

    let input = RequirementProfileInput {
        startup_notes: notes.clone(),
        position_title: "Engineer".into(),
        ..Default::default()
    };
    show("requirement profile", || {
        requirement_profile::process(&input, &desk).unwrap()
    });
    let input = JobAdInput {
        startup_notes: Some(notes.clone()),
        ..Default::default()
    };
    show("job ad", || {
        job_ad::process(&input, &agreed, &desk).unwrap()
    });
    show("TA screening template", || {
        ta_screening::process(&screening, &agreed, &desk).unwrap()
    });
    show("HM screening template", || {
        hm_screening::process(&screening, &agreed, &desk).unwrap()
    });
    let input = HeadhuntingInput {
        candidate_profile: Some(notes.clone()),
        company_context: None,
    };
    show("headhunting messages", || {
        headhunting::process(&input, &agreed, &desk).unwrap()
    });
    let input = CandidateReportInput {
        transcript,
        candidate_name: "Sara Lind".into(),
        interview_date: "2026-03-10".into(),
        candidate_cv: Some(notes),
        language: None,
    };
    show("candidate report, with a CV of 20 KB", || {
        candidate_report::process(&input, &agreed, &template, &desk).unwrap()
    });
    let input = FunnelReportInput {
        job_title: "Engineer".into(),
        number_of_positions: 1,
        hiring_manager_name: "A".into(),
        job_ad_views: Some(10),
        ..Default::default()
    };
    show("funnel report", || {
        funnel_report::process(&input, &BTreeSet::new(), &desk).unwrap()
    });
    let input = JobAdReviewInput {
        job_ad_text: ad_of(4_000),
        language: None,
        position_title: None,
    };
    show("job ad review", || {
        job_ad_review::process(&input, &desk).unwrap()
    });
    let input = CalendarInviteInput {
        agenda: Some("a point\n".repeat(200)),
        ..invite()
    };
    show("calendar invite", || {
        calendar_invite::process(&input, &desk).unwrap()
    });
    for words in [1_250, 2_500, 4_000, 5_000, 10_000] {
        let input = review(words);
        show(&format!("inclusive language, {words} words"), || {
            di_review::process(&input, &desk).unwrap()
        });
    }
}
