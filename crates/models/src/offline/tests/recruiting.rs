//! A recruiter's toolbox: long texts, choices, booleans and many numbers.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::{Value, json};

use super::toolboxes::{object, tool};

fn language() -> Value {
    json!({"anyOf": [{"type": "string", "enum": ["en", "sv", "da", "no", "de"]}, {"type": "null"}], "description": "Language of the text."})
}

fn count(what: &str) -> Value {
    json!({"type": ["integer", "null"], "minimum": 0, "description": what})
}

fn long_text(what: &str) -> Value {
    json!({"type": "string", "x-handle": "text", "description": what})
}

pub(super) fn tools() -> Vec<ToolDef> {
    let screening = || {
        object(
            json!({
                "include_good_to_haves": {"type": "boolean", "default": false, "description": "Also ask about good-to-haves."},
                "include_role_intro": {"type": "boolean", "default": false, "description": "Begin with an introduction of the role."},
            }),
            &[],
        )
    };
    vec![
        tool(
            "create_job_ad",
            object(
                json!({
                    "tone": {"type": ["string", "null"], "enum": ["formal", "casual", "friendly", null], "description": "How it sounds."},
                    "include_salary": {"type": ["boolean", "null"], "description": "Whether the ad names the salary."},
                    "language": language(),
                }),
                &[],
            ),
            ToolSpec::transactional("Create a job ad. Requires a requirement profile.")
                .title("Write a job ad")
                .example("write the job ad", json!({}))
                .example("job ad in Danish, friendly", json!({"language": "da", "tone": "friendly"})),
        ),
        tool(
            "create_ta_screening_template",
            screening(),
            ToolSpec::transactional("Create the screening template with interview questions for the talent acquisition partner (recruiter).")
                .title("Screening template for the recruiter")
                .example("screening questions for me", json!({})),
        ),
        tool(
            "create_hm_screening_template",
            screening(),
            ToolSpec::transactional("Create the screening template with interview questions for the hiring manager.")
                .title("Screening template for the hiring manager")
                .example("hiring manager screening template", json!({})),
        ),
        tool(
            "create_headhunting_messages",
            object(json!({"candidate_profile": {"type": ["string", "null"], "x-handle": "text", "description": "The candidate's LinkedIn profile."}}), &[]),
            ToolSpec::transactional("Create outreach messages to contact candidates on LinkedIn, in five languages.")
                .title("Outreach messages")
                .example("headhunting messages", json!({})),
        ),
        tool(
            "create_candidate_report",
            object(
                json!({
                    "transcript": long_text("Transcript of the interview."),
                    "candidate_name": {"type": "string", "description": "Name of the candidate."},
                    "interview_date": {"type": "string", "format": "date", "description": "Day of the interview."},
                }),
                &["transcript", "candidate_name", "interview_date"],
            ),
            ToolSpec::transactional("Create a candidate report from an interview transcript.")
                .title("Candidate report")
                .example(
                    "report on Lars Holm, interview of 2026-11-02, transcript attached",
                    json!({"transcript": "text:1", "candidate_name": "Lars Holm", "interview_date": "2026-11-02"}),
                ),
        ),
        tool(
            "create_funnel_report",
            object(
                json!({
                    "job_title": {"type": "string", "description": "Title of the job."},
                    "number_of_positions": {"type": "integer", "minimum": 1, "description": "How many people are hired."},
                    "hiring_manager_name": {"type": "string", "description": "Name of the hiring manager."},
                    "job_ad_views": count("Views of the job ad."),
                    "apply_clicks": count("Clicks on apply."),
                    "applications_received": count("Applications received."),
                    "offers_made": count("Offers made."),
                }),
                &["job_title", "number_of_positions", "hiring_manager_name"],
            ),
            ToolSpec::read("Create a funnel report: conversion of each recruitment stage and its bottlenecks.")
                .title("Funnel report")
                .example(
                    "funnel report for Data Analyst, 1 position, hiring manager Nils Dahl: 900 views, 40 applications",
                    json!({"job_title": "Data Analyst", "number_of_positions": 1, "hiring_manager_name": "Nils Dahl", "job_ad_views": 900, "applications_received": 40}),
                ),
        ),
        tool(
            "review_job_ad",
            object(json!({"job_ad_text": long_text("The job ad."), "language": language()}), &["job_ad_text"]),
            ToolSpec::read("Review a pasted job ad: structure, content and compliance.")
                .title("Review a job ad")
                .example("review my job ad", json!({"job_ad_text": "text:1"})),
        ),
        tool(
            "review_di_compliance",
            object(json!({"job_ad_text": long_text("The job ad."), "language": language()}), &["job_ad_text"]),
            ToolSpec::read("Review a pasted job ad for diversity and inclusion: bias, gendered or excluding words.")
                .title("Diversity and inclusion review")
                .example("check this ad for bias", json!({"job_ad_text": "text:1"})),
        ),
        tool(
            "create_calendar_invite",
            object(
                json!({
                    "position_name": {"type": "string", "description": "Name of the position."},
                    "hiring_manager_name": {"type": "string", "description": "Name of the hiring manager."},
                    "location_type": {"type": "string", "enum": ["teams", "onsite"], "description": "Where it takes place."},
                    "interview_type": {"type": "string", "enum": ["hiring_manager", "case", "team", "ta_screening"], "description": "Kind of interview."},
                    "duration": {"type": "integer", "minimum": 15, "maximum": 240, "description": "Length in minutes."},
                    "booking_method": {"type": "string", "enum": ["jobylon", "manual"], "description": "How the time is booked."},
                    "city": {"type": ["string", "null"], "enum": ["stockholm", "copenhagen", "oslo", null], "description": "City of an onsite interview."},
                }),
                &["position_name", "hiring_manager_name", "location_type", "interview_type", "duration", "booking_method"],
            ),
            ToolSpec::read("Create the text of a calendar invite to an interview.")
                .title("Calendar invite")
                .example(
                    "invite to a 90 minute hiring manager interview on Teams, position Sales Lead, manager Eva Lind, booked manually",
                    json!({"position_name": "Sales Lead", "hiring_manager_name": "Eva Lind", "location_type": "teams",
                        "interview_type": "hiring_manager", "duration": 90, "booking_method": "manual"}),
                ),
        ),
    ]
}
