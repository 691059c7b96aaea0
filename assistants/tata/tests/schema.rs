//! The tools' schemas are what the model reads: the design's parameters, described, strict.

use serde_json::{Value, json};

use super::kit::kit;

fn check(tool: &str, required: &[&str], optional: &[&str]) {
    let kit = kit();
    let schema = &kit.assistant.toolbox.get(tool).unwrap().parameters;
    assert_eq!(schema["additionalProperties"], json!(false), "{tool}");
    let found = schema["required"].as_array().cloned().unwrap_or_default();
    let mut found: Vec<&str> = found.iter().filter_map(Value::as_str).collect();
    found.sort_unstable();
    let mut expected = required.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected, "{tool}");
    let properties = schema["properties"].as_object().unwrap();
    for field in required.iter().chain(optional) {
        assert!(properties.contains_key(*field), "{tool} has no {field}");
    }
    for (name, property) in properties {
        assert!(property["description"].is_string(), "{tool}: {name}");
    }
}

// design: 000 derived schemas, requirement profile parameters, job ad parameters
// design: 000 module parameters
#[test]
fn every_tool_has_the_designs_parameters() {
    check(
        "create_requirement_profile",
        &["startup_notes", "position_title"],
        &["old_job_ad", "hiring_manager_input"],
    );
    check(
        "create_job_ad",
        &[],
        &["tone", "include_salary", "language"],
    );
    for tool in [
        "create_ta_screening_template",
        "create_hm_screening_template",
    ] {
        check(
            tool,
            &[],
            &[
                "include_good_to_haves",
                "include_role_intro",
                "additional_areas",
                "skills_to_include",
            ],
        );
    }
    check(
        "create_headhunting_messages",
        &[],
        &["candidate_profile", "company_context"],
    );
    check(
        "create_candidate_report",
        &["transcript", "candidate_name", "interview_date"],
        &["candidate_cv"],
    );
    check(
        "create_funnel_report",
        &["job_title", "number_of_positions", "hiring_manager_name"],
        &["job_ad_views", "time_in_stage", "time_to_fill", "format"],
    );
    check("review_job_ad", &[], &["job_ad_text", "position_title"]);
    check("review_di_compliance", &[], &["job_ad_text"]);
    check(
        "create_calendar_invite",
        &[
            "location_type",
            "interview_type",
            "duration",
            "booking_method",
        ],
        &[
            "position_name",
            "hiring_manager_name",
            "city",
            "agenda",
            "additional_participants",
        ],
    );
    check("revise_document", &["document", "instruction"], &[]);
}

// design: 000 job ad parameters, job ad language
#[test]
fn choices_are_the_designs() {
    let kit = kit();
    let schema = &kit
        .assistant
        .toolbox
        .get("create_job_ad")
        .unwrap()
        .parameters;
    let choices = |field: &str| {
        let mut choices = schema["properties"][field]["enum"]
            .as_array()
            .unwrap()
            .clone();
        choices.retain(Value::is_string);
        Value::Array(choices)
    };
    assert_eq!(choices("tone"), json!(["formal", "casual", "friendly"]));
    assert_eq!(choices("language"), json!(["en", "sv", "da", "no", "de"]));
}
