//! The inputs' schemas are what the model reads: complete, described, strict.

use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::calendar_invite::CalendarInviteInput;
use super::candidate_report::CandidateReportInput;
use super::di_review::DiReviewInput;
use super::funnel_report::FunnelReportInput;
use super::headhunting::HeadhuntingInput;
use super::job_ad::JobAdInput;
use super::job_ad_review::JobAdReviewInput;
use super::requirement_profile::RequirementProfileInput;
use super::screening::ScreeningInput;

fn check<T: JsonSchema + DeserializeOwned>(required: &[&str], fields: &[&str]) {
    let schema = serde_json::to_value(schema_for!(T)).unwrap();
    assert_eq!(schema["additionalProperties"], json!(false), "{schema}");
    let mut found: Vec<&str> = schema["required"]
        .as_array()
        .map(|r| r.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    found.sort_unstable();
    let mut expected = required.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let properties = schema["properties"].as_object().unwrap();
    for field in required.iter().chain(fields) {
        assert!(properties.contains_key(*field), "{field} is missing");
    }
    for (name, property) in properties {
        assert!(
            property["description"].is_string(),
            "{name} has no description: {property}"
        );
    }
    let unknown = serde_json::from_value::<T>(json!({"no_such_field": 1}));
    assert!(unknown.is_err());
}

#[test]
fn inputs_have_the_union_of_all_parameters() {
    check::<RequirementProfileInput>(
        &["startup_notes", "position_title"],
        &["old_job_ad", "hiring_manager_input"],
    );
    check::<JobAdInput>(
        &[],
        &[
            "startup_notes",
            "old_job_ad",
            "company_context",
            "tone",
            "include_salary",
            "language",
        ],
    );
    check::<ScreeningInput>(
        &[],
        &[
            "include_good_to_haves",
            "include_role_intro",
            "additional_areas",
            "skills_to_include",
        ],
    );
    check::<HeadhuntingInput>(&[], &["candidate_profile", "company_context"]);
    check::<CandidateReportInput>(
        &["transcript", "candidate_name", "interview_date"],
        &["candidate_cv"],
    );
    check::<FunnelReportInput>(
        &["job_title", "number_of_positions", "hiring_manager_name"],
        &[
            "locations",
            "job_ad_views",
            "apply_clicks",
            "applications_received",
            "qualified_applications",
            "candidates_sourced",
            "candidates_contacted",
            "candidates_replied",
            "candidates_interested",
            "ta_screenings",
            "hm_interviews",
            "case_interviews",
            "team_interviews",
            "tests",
            "references",
            "offers_made",
            "offers_accepted",
            "offers_rejected",
            "time_in_stage",
            "time_to_fill",
        ],
    );
    check::<JobAdReviewInput>(&[], &["job_ad_text", "language", "position_title"]);
    check::<DiReviewInput>(&[], &["job_ad_text", "language"]);
    check::<CalendarInviteInput>(
        &[
            "position_name",
            "hiring_manager_name",
            "hiring_manager_title",
            "location_type",
            "interview_type",
            "duration",
            "booking_method",
        ],
        &[
            "recruiter_name",
            "city",
            "interview_date",
            "interview_time",
            "job_ad_link",
            "additional_participants",
            "agenda",
        ],
    );
}

#[test]
fn choices_are_the_specifications() {
    let schema = serde_json::to_string(&schema_for!(JobAdInput)).unwrap();
    for value in ["formal", "casual", "friendly", "en", "sv", "da", "no", "de"] {
        assert!(
            schema.contains(&format!("\"{value}\"")),
            "{value} in {schema}"
        );
    }
    let schema = serde_json::to_string(&schema_for!(CalendarInviteInput)).unwrap();
    for value in [
        "teams",
        "onsite",
        "hiring_manager",
        "case",
        "team",
        "ta_screening",
        "jobylon",
        "manual",
    ] {
        assert!(
            schema.contains(&format!("\"{value}\"")),
            "{value} in {schema}"
        );
    }
}

#[test]
fn arguments_as_a_model_sends_them_are_read() {
    let ad: JobAdInput =
        serde_json::from_value(json!({"tone": "formal", "include_salary": true, "language": "sv"}))
            .unwrap();
    assert_eq!(ad.include_salary, Some(true));
    let none: JobAdInput =
        serde_json::from_value(json!({"tone": null, "old_job_ad": null})).unwrap();
    assert_eq!(none, JobAdInput::default());
    let funnel: FunnelReportInput = serde_json::from_value(json!({
        "job_title": "X", "number_of_positions": 1, "hiring_manager_name": "Y", "time_in_stage": {"hm_interviews": 12}
    }))
    .unwrap();
    assert_eq!(funnel.time_in_stage["hm_interviews"], 12.0);
}
