//! The table of modules and the chips.

use std::collections::BTreeSet;

use super::chips::{Shelf, chips};
use super::module::Module;
use super::requirement_profile::ProfileStatus;

#[test]
fn the_table_is_the_specifications() {
    let rows: Vec<(String, &str, &str, Vec<&str>)> = Module::ALL
        .iter()
        .map(|m| {
            let f = m.facts();
            (
                serde_json::to_value(m)
                    .unwrap()
                    .as_str()
                    .unwrap()
                    .to_owned(),
                f.artifact,
                f.tool,
                f.needs.iter().map(|n| n.words()).collect(),
            )
        })
        .collect();
    assert_eq!(rows, specified());
}

fn specified() -> Vec<(String, &'static str, &'static str, Vec<&'static str>)> {
    let profile = vec!["requirement profile"];
    vec![
        (
            "REQUIREMENT_PROFILE".to_owned(),
            "requirement_profile",
            "create_requirement_profile",
            vec![],
        ),
        (
            "JOB_AD".to_owned(),
            "job_ad",
            "create_job_ad",
            profile.clone(),
        ),
        (
            "TA_SCREENING".to_owned(),
            "ta_screening_template",
            "create_ta_screening_template",
            profile.clone(),
        ),
        (
            "HM_SCREENING".to_owned(),
            "hm_screening_template",
            "create_hm_screening_template",
            profile.clone(),
        ),
        (
            "HEADHUNTING".to_owned(),
            "headhunting_messages",
            "create_headhunting_messages",
            profile,
        ),
        (
            "CANDIDATE_REPORT".to_owned(),
            "candidate_reports",
            "create_candidate_report",
            vec!["requirement profile", "TA screening template"],
        ),
        (
            "FUNNEL_REPORT".to_owned(),
            "funnel_report",
            "create_funnel_report",
            vec![],
        ),
        (
            "JOB_AD_REVIEW".to_owned(),
            "job_ad_review",
            "review_job_ad",
            vec![],
        ),
        (
            "DI_REVIEW".to_owned(),
            "di_review",
            "review_di_compliance",
            vec![],
        ),
        (
            "CALENDAR_INVITE".to_owned(),
            "calendar_invite",
            "create_calendar_invite",
            vec![],
        ),
    ]
}

#[test]
fn descriptions_say_what_they_require() {
    for module in Module::ALL {
        let sentence = module.requires_sentence();
        assert_eq!(module.needs().is_empty(), sentence.is_empty(), "{module}");
        for need in module.needs() {
            assert!(
                sentence.contains("requires") && sentence.contains(need.words()),
                "{sentence}"
            );
        }
    }
}

#[test]
fn chips_follow_the_documents_that_exist() {
    let starts = |shelf: &Shelf, expected: &[&str]| {
        let found = chips(shelf);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (chip, start) in found.iter().zip(expected) {
            assert!(chip.starts_with(start), "{chip}");
        }
    };
    starts(
        &Shelf::default(),
        &[
            "Create the requirement profile. Position:",
            "Create a funnel report",
            "Review this job ad:",
            "Review this job ad for inclusive",
            "Write an interview invitation",
        ],
    );
    let built = [
        "Write the job ad",
        "Create the TA screening",
        "Create the screening template for the hiring manager",
        "Write headhunting",
    ];
    let draft = Shelf {
        profile: Some(ProfileStatus::Draft),
        ..Shelf::default()
    };
    starts(
        &draft,
        &[&["Confirm the requirement profile"][..], &built].concat(),
    );
    let confirmed = Shelf {
        profile: Some(ProfileStatus::Confirmed),
        ..Shelf::default()
    };
    starts(&confirmed, &built);
    let screened = Shelf {
        made: BTreeSet::from([Module::TaScreening, Module::JobAd]),
        candidate_reports: 2,
        ..confirmed
    };
    let more = [
        "Create a candidate report",
        "Compare the candidates",
        "Review our job ad for inclusive",
    ];
    // What is missing comes first, what is there already last.
    let [ad, guide, interview, outreach] = built;
    starts(
        &screened,
        &[&[interview, outreach][..], &more, &[ad, guide]].concat(),
    );
}
