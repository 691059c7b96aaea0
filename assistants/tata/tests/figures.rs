//! The figures: how long each tool takes on about 20 KB, and the inclusive-language review on longer and longer ads.
//! A measurement for an optimised build:
//! `cargo test --release -p frontdesk-assistants tata_figures -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use serde_json::json;

use super::kit::kit;

fn ad_of(words: usize) -> String {
    let sentence = "We are looking for a young and dynamic colleague who plans networks with us in the north. ";
    sentence.repeat(words / 17 + 1)
}

fn best_of(times: usize, mut work: impl FnMut()) -> Duration {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..times).map(|_| once(&mut work)).min().unwrap()
}

#[test]
#[ignore = "a measurement: run it in release"]
fn tata_figures() {
    let kit = kit();
    let mut project = kit.project();
    project.confirmed();
    project.done("create_ta_screening_template", json!({}));
    let notes = include_str!("../demo/startup-notes.txt").repeat(12);
    let transcript = include_str!("../demo/transcript-sara-lind.txt").repeat(12);
    let ad = ad_of(3_000);
    let inputs = [
        (
            "create_requirement_profile",
            json!({ "position_title": "E", "startup_notes": notes }),
        ),
        ("create_job_ad", json!({ "startup_notes": notes })),
        ("create_ta_screening_template", json!({})),
        ("create_hm_screening_template", json!({})),
        (
            "create_headhunting_messages",
            json!({ "candidate_profile": notes }),
        ),
        (
            "create_candidate_report",
            json!({ "candidate_name": "Sara Lind", "interview_date": "2026-03-10", "transcript": transcript }),
        ),
        (
            "create_funnel_report",
            json!({ "job_title": "E", "number_of_positions": 1, "hiring_manager_name": "A", "job_ad_views": 10 }),
        ),
        ("review_job_ad", json!({ "job_ad_text": ad })),
        ("review_di_compliance", json!({ "job_ad_text": ad })),
    ];
    for (tool, input) in inputs {
        let took = best_of(5, || {
            project.done(tool, input.clone());
        });
        println!("{tool:32} {:8.2} ms", took.as_secs_f64() * 1000.0);
    }
    for words in [1_250, 2_500, 5_000, 10_000] {
        let text = ad_of(words);
        let took = best_of(5, || {
            project.done("review_di_compliance", json!({ "job_ad_text": text }));
        });
        println!(
            "review_di_compliance {words:6} words {:8.2} ms",
            took.as_secs_f64() * 1000.0
        );
    }
}
