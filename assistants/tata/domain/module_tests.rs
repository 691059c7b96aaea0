//! The table of modules, the refusals and the chips.

use std::collections::BTreeSet;

use super::chips::{Shelf, chips};
use super::module::{DependencyError, Module};
use super::requirement_profile::ProfileStatus;

#[test]
fn the_table_is_the_specifications() {
    let rows: Vec<(&str, &str, &str, Vec<&str>)> = Module::ALL
        .iter()
        .map(|m| {
            let f = m.facts();
            (
                f.name,
                f.artifact,
                f.tool,
                f.needs.iter().map(|n| n.name()).collect(),
            )
        })
        .collect();
    let profile = vec!["REQUIREMENT_PROFILE"];
    assert_eq!(
        rows,
        [
            (
                "REQUIREMENT_PROFILE",
                "requirement_profile",
                "create_requirement_profile",
                vec![]
            ),
            ("JOB_AD", "job_ad", "create_job_ad", profile.clone()),
            (
                "TA_SCREENING",
                "ta_screening_template",
                "create_ta_screening_template",
                profile.clone()
            ),
            (
                "HM_SCREENING",
                "hm_screening_template",
                "create_hm_screening_template",
                profile.clone()
            ),
            (
                "HEADHUNTING",
                "headhunting_messages",
                "create_headhunting_messages",
                profile
            ),
            (
                "CANDIDATE_REPORT",
                "candidate_reports",
                "create_candidate_report",
                vec!["REQUIREMENT_PROFILE", "TA_SCREENING"]
            ),
            (
                "FUNNEL_REPORT",
                "funnel_report",
                "create_funnel_report",
                vec![]
            ),
            ("JOB_AD_REVIEW", "job_ad_review", "review_job_ad", vec![]),
            ("DI_REVIEW", "di_review", "review_di_compliance", vec![]),
            (
                "CALENDAR_INVITE",
                "calendar_invite",
                "create_calendar_invite",
                vec![]
            ),
        ]
    );
}

#[test]
fn a_refusal_names_all_that_is_missing() {
    let refused = Module::CandidateReport.ready(|_| false).unwrap_err();
    let both = vec![Module::RequirementProfile, Module::TaScreening];
    assert_eq!(
        refused,
        DependencyError {
            module: Module::CandidateReport,
            missing: both
        }
    );
    assert_eq!(
        refused.to_string(),
        "Cannot execute CANDIDATE_REPORT: requires REQUIREMENT_PROFILE, TA_SCREENING"
    );
    assert_eq!(
        refused.in_words(),
        "The candidate report builds on a confirmed requirement profile and a TA screening template, which this project does \
         not have yet. Shall we make them first?"
    );
    let one = Module::JobAd.ready(|_| false).unwrap_err();
    assert_eq!(
        one.to_string(),
        "Cannot execute JOB_AD: requires REQUIREMENT_PROFILE"
    );
    assert_eq!(
        one.in_words(),
        "The job ad builds on a confirmed requirement profile, which this project does not have yet. Shall we make it first?"
    );
    assert_eq!(
        Module::CandidateReport
            .ready(|m| m == Module::RequirementProfile)
            .unwrap_err()
            .missing,
        [Module::TaScreening]
    );
    assert_eq!(Module::FunnelReport.ready(|_| false), Ok(()));
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

fn labels(shelf: &Shelf) -> Vec<String> {
    chips(shelf).into_iter().map(|c| c.label).collect()
}

#[test]
fn chips_follow_the_documents_that_exist() {
    let nothing = Shelf::default();
    assert_eq!(
        labels(&nothing),
        [
            "Requirement profile",
            "Funnel report",
            "Review a job ad",
            "Check for inclusive language",
            "Interview invitation"
        ]
    );
    let built = [
        "Job ad",
        "TA screening template",
        "Hiring manager screening template",
        "Headhunting messages",
    ];
    let draft = Shelf {
        profile: Some(ProfileStatus::Draft),
        ..Shelf::default()
    };
    assert_eq!(
        labels(&draft),
        [&["Confirm the profile"][..], &built].concat()
    );
    let confirmed = Shelf {
        profile: Some(ProfileStatus::Confirmed),
        ..Shelf::default()
    };
    assert_eq!(labels(&confirmed), built);
    let screened = Shelf {
        made: BTreeSet::from([Module::TaScreening, Module::JobAd]),
        candidate_reports: 2,
        ..confirmed
    };
    let more = [
        "Candidate report",
        "Compare the candidates",
        "Check the ad for inclusive language",
    ];
    assert_eq!(labels(&screened), [&built[..], &more].concat());
}
