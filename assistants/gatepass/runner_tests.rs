//! Requests of calls, and every status and failure of the design's section on errors.

use std::time::Duration;

use frontdesk_connect::explain::explain;
use frontdesk_connect::{
    ApiRequest, BadArgument, BadFile, CallSubject, Failed, Failure, Refusal, Source, Target,
    missing_file, refused_file,
};

use super::super::tests::bench::{Bench, Entry, admin, entry, guard, hr, person};
use super::super::tests::upstream::{self, Upstream};
use super::*;

struct Call {
    entry: &'static Entry,
    arguments: Map<String, Value>,
}

fn call(tool: &str, arguments: Value) -> Call {
    Call {
        entry: entry(tool),
        arguments: serde_json::from_value(arguments).unwrap(),
    }
}

/// The source as the manifest describes it.
fn source() -> Source {
    let manifest: toml::Table = include_str!("assistant.toml").parse().unwrap();
    manifest["source"]["api"].clone().try_into().unwrap()
}

/// Explains a failure as the runner does, with the list that the person may see.
fn explained(failed: Failed, call: &Call) -> ToolError {
    let lists = [
        ("list_all_gate_passes_admin", Role::ADMIN_USER),
        ("list_gate_passes", Role::HR_USER),
    ];
    let roles = &call.entry.def.spec.roles;
    let list = lists.iter().find(|(_, role)| *role == roles[0]);
    let subject = CallSubject {
        source: &source(),
        operation: &call.entry.operation,
        tool: &call.entry.def.name,
        writes: call.entry.def.spec.effect.writes(),
        arguments: &call.arguments,
        list_tool: list.map(|(name, _)| *name),
        state: None,
        call: "turn:call".to_owned(),
    };
    explain(failed, &subject)
}

fn approve() -> Call {
    call(
        "approve_gate_pass",
        json!({ "pass_number": "GP-2026-0007" }),
    )
}

fn answered(status: u16, body: Value, call: &Call) -> ToolError {
    let failure = Failure::Answered(Refusal {
        status,
        body: Some(body),
        ..Refusal::default()
    });
    explained(
        Failed {
            failure,
            unsure: false,
        },
        call,
    )
}

fn info(error: &ToolError) -> &Value {
    let info = error.details.as_ref().unwrap();
    for field in [
        "error_type",
        "error_message",
        "user_guidance",
        "retry_possible",
        "related_context",
    ] {
        assert!(!info[field].is_null(), "{field} is missing in {info}");
    }
    info
}

// design: 003 error resilience, GatePassAPIClient.handle_error, ErrorInfo.error_type
// design: 003 API error 400, API error 500, API errors mapped, unit client statuses
#[test]
fn each_status_has_a_kind_and_guidance() {
    let cases = [
        (400, "bad_request", ToolErrorKind::Invalid, false),
        (401, "unauthorized", ToolErrorKind::Failed, true),
        (403, "forbidden", ToolErrorKind::Refused, false),
        (404, "not_found", ToolErrorKind::Refused, false),
        (409, "bad_request", ToolErrorKind::Invalid, false),
        (413, "file_too_large", ToolErrorKind::Invalid, false),
        (415, "invalid_file_format", ToolErrorKind::Invalid, false),
        (422, "validation_error", ToolErrorKind::Invalid, false),
        (429, "rate_limited", ToolErrorKind::Failed, true),
        (500, "server_error", ToolErrorKind::Failed, true),
        (503, "server_error", ToolErrorKind::Failed, true),
        (302, "invalid_response", ToolErrorKind::Failed, false),
    ];
    for (status, error_type, kind, retry) in cases {
        let error = answered(status, json!({}), &approve());
        let info = info(&error);
        assert_eq!(
            (&info["error_type"], error.kind),
            (&json!(error_type), kind),
            "{status}"
        );
        assert_eq!(info["retry_possible"], retry, "{status}");
        assert_eq!(info["related_context"]["http_status"], status);
        assert_eq!(info["related_context"]["pass_number"], "GP-2026-0007");
        assert!(!info["user_guidance"].as_str().unwrap().is_empty());
    }
}

// design: 003 API error 403, recovery 403
#[test]
fn a_wrong_state_is_named_with_the_possible_actions() {
    let body = json!({ "error": { "code": "INVALID_STATE", "message": "no", "details": {
        "current_status": "approved", "is_returnable": true,
        "allowed_actions": ["delete", "scan_exit", "print"], "action_allowed_from": ["pending"],
    } } });
    let error = answered(403, body, &approve());
    assert_eq!(
        error.message,
        "GP-2026-0007 is approved; this needs a pass that is pending. \
         Possible now: delete (an admin), record the exit (a guard), print (HR or an admin)."
    );
    let context = &info(&error)["related_context"];
    assert_eq!(context["current_status"], "approved");
    assert_eq!(
        context["allowed_actions"],
        json!(["delete", "scan_exit", "print"])
    );
}

#[test]
fn a_return_on_a_non_returnable_pass_is_explained() {
    let body = json!({ "error": { "details": {
        "current_status": "exited", "is_returnable": false, "allowed_actions": [], "action_allowed_from": ["exited"],
    } } });
    let error = answered(
        403,
        body,
        &call("scan_return", json!({ "pass_number": "GP-2026-0003" })),
    );
    assert!(
        error
            .message
            .starts_with("GP-2026-0003 is exited and not returnable"),
        "{}",
        error.message
    );
    assert!(
        error.message.contains("Nothing more can be done"),
        "{}",
        error.message
    );
}

#[test]
fn a_missing_role_is_named() {
    let body =
        json!({ "error": { "message": "no", "details": { "required_roles": ["Admin_User"] } } });
    let error = answered(403, body, &approve());
    assert_eq!(info(&error)["error_type"], "permission_denied");
    assert!(error.message.contains("Admin_User"));
}

// design: 003 API error 404, recovery 404
#[test]
fn a_missing_pass_is_named_and_the_list_offered_if_allowed() {
    let error = answered(404, json!({}), &approve());
    assert_eq!(
        error.message,
        "There is no gate pass GP-2026-0007. Check it for typing errors, or let me list the gate passes there are."
    );
    assert_eq!(
        info(&error)["related_context"]["suggested_tool"],
        "list_all_gate_passes_admin"
    );
    let error = answered(
        404,
        json!({}),
        &call(
            "get_gate_pass_photos",
            json!({ "pass_number": "GP-2026-0099" }),
        ),
    );
    assert!(
        error.message.contains("read it again from the pass"),
        "{}",
        error.message
    );
    let error = answered(
        404,
        json!({}),
        &call("mark_notification_read", json!({ "notification_id": "n1" })),
    );
    assert!(error.message.starts_with("There is no such notification."));
}

// design: 003 API error 422, API errors parsed, recovery 422
#[test]
fn a_broken_rule_is_named_with_its_field() {
    let ours = json!({ "error": { "code": "VALIDATION_ERROR", "message": "…", "details": { "fields": [
        { "field": "person_name", "rule": "max_length", "message": "person_name must have at most 200 characters; it has 10000." },
        { "field": "description", "rule": "required", "message": "description must not be blank." },
    ] } } });
    let create = call("create_gate_pass", json!({ "person_name": "x" }));
    let error = answered(422, ours, &create);
    assert_eq!(
        error.message,
        "person_name must have at most 200 characters; it has 10000. description must not be blank. \
         Correct person_name and description and try again."
    );
    assert_eq!(
        info(&error)["related_context"]["fields"][0]["rule"],
        "max_length"
    );

    // FastAPI's error shape.
    let fastapi = json!({ "detail": [{ "loc": ["body", "person_name"], "msg": "Field required", "type": "missing" }] });
    let error = answered(422, fastapi, &create);
    assert_eq!(
        error.message,
        "person_name: Field required. Correct person_name and try again."
    );
    let error = answered(422, json!({ "detail": "Pass already used" }), &create);
    assert!(error.message.starts_with("Pass already used"));
}

#[test]
fn text_of_the_api_is_sanitised_and_truncated() {
    let long = format!("bad\u{202e}\n{}", "x".repeat(5000));
    let error = answered(400, json!({ "error": { "message": long } }), &approve());
    assert!(
        error.message.chars().count() < 400 && error.message.starts_with("bad xxx"),
        "{}",
        error.message
    );
    let error = answered(
        500,
        json!({ "error": { "message": "SELECT * FROM passes" } }),
        &approve(),
    );
    assert!(!format!("{:?}", error.details).contains("SELECT"));
}

// design: 003 network timeout, network refused, network DNS, network errors by kind
// design: 003 recovery network
#[test]
fn network_failures_have_distinct_kinds() {
    let cases: [(Failure, &str, bool); 7] = [
        (Failure::Timeout, "timeout", true),
        (Failure::Refused, "connection_refused", true),
        (Failure::NoSuchHost, "dns_failure", false),
        (Failure::Lost("reset".into()), "connection_lost", true),
        (
            Failure::Unreachable("tls".into()),
            "connection_failed",
            true,
        ),
        (Failure::Malformed("not JSON"), "invalid_response", true),
        (Failure::Unusable("no token".into()), "internal", false),
    ];
    let show = call(
        "get_gate_pass_by_number",
        json!({ "pass_number": "GP-2026-0007" }),
    );
    for (failure, error_type, retry) in cases {
        let error = explained(
            Failed {
                failure,
                unsure: true,
            },
            &show,
        );
        assert_eq!(error.kind, ToolErrorKind::Failed, "a read changes nothing");
        assert_eq!(
            (&info(&error)["error_type"], &info(&error)["retry_possible"]),
            (&json!(error_type), &json!(retry))
        );
        assert!(error.cause.is_some(), "the operator hears of it");
        assert!(!error.message.contains("reset") && !error.message.contains("no token"));
    }
}

#[test]
fn a_write_with_unknown_outcome_is_not_reported_as_failed() {
    let error = explained(
        Failed {
            failure: Failure::Timeout,
            unsure: true,
        },
        &approve(),
    );
    assert_eq!(error.kind, ToolErrorKind::Unknown);
    assert!(
        error
            .message
            .contains("look at the current state before trying again")
    );
    let error = explained(
        Failed {
            failure: Failure::Refused,
            unsure: false,
        },
        &approve(),
    );
    assert_eq!(error.kind, ToolErrorKind::Failed);
}

#[test]
fn a_long_wait_is_reported_in_seconds() {
    let failure = Failure::Answered(Refusal {
        status: 429,
        retry_after: Some(Duration::from_secs(90)),
        ..Refusal::default()
    });
    let error = explained(
        Failed {
            failure,
            unsure: false,
        },
        &approve(),
    );
    assert!(
        error.message.contains("Try again in 90 seconds"),
        "{}",
        error.message
    );
}

// design: 003 client file format, client file size, client errors at once
#[test]
fn an_invalid_photo_is_refused_before_any_request() {
    let photo = &entry("scan_exit").operation.parameters["photo"];
    let error = missing_file("scan_exit", "photo", photo);
    assert_eq!(info(&error)["error_type"], "missing_parameter");
    assert!(
        error
            .message
            .contains("Please attach one (JPEG, PNG or HEIC, at most 5 MB"),
        "{}",
        error.message
    );
    for (bad, error_type) in [
        (BadFile::Empty, "invalid_file_format"),
        (BadFile::WrongKind, "invalid_file_format"),
        (BadFile::TooLarge, "file_too_large"),
    ] {
        let error = refused_file("scan_exit", "photo", photo, bad, 6_000_000);
        assert_eq!(info(&error)["error_type"], error_type);
        assert_eq!(info(&error)["related_context"]["max_file_size"], 5_242_880);
        assert_eq!(error.kind, ToolErrorKind::Invalid);
        assert!(error.message.contains("at most 5 MB"), "{}", error.message);
    }
}

// design: 003 client role
#[test]
fn an_unknown_role_and_a_wrong_role_have_different_errors() {
    let approve = &entry("approve_gate_pass").def;
    assert!(check_role(approve, &person("Omar", &[Role::ADMIN_USER])).is_ok());
    let error = check_role(approve, &person("Bilal", &[Role::GATE_USER])).unwrap_err();
    assert_eq!(info(&error)["error_type"], "permission_denied");
    assert!(
        error
            .message
            .contains("needs the role Admin_User; you are signed in as Gate_User")
    );
    let error = check_role(approve, &person("Rita", &[Role::RECRUITER])).unwrap_err();
    assert_eq!(info(&error)["error_type"], "invalid_role");
}

fn check_path(id: &str, expected: Result<&str, BadArgument>) {
    let call = call("get_gate_pass_details", json!({ "pass_id": id }));
    let request = ApiRequest::new(&call.entry.operation, &call.arguments, None, vec![]);
    let segment = request.map(|request| match request.target {
        Target::Path(segments) => segments[2].clone(),
        Target::Url(url) => panic!("an address: {url}"),
    });
    assert_eq!(segment, expected.map(str::to_owned));
}

#[test]
fn a_path_value_stays_within_its_segment() {
    check_path("a1", Ok("a1"));
    check_path(" a1 ", Ok("a1"));
    // Encoded when the URL is built.
    check_path("../../admin", Ok("../../admin"));
    for bad in ["", "  ", ".", "..", "a\nb", "a\0b"] {
        check_path(bad, Err(BadArgument::NoIdentifier("pass_id".to_owned())));
    }
}

#[tokio::test]
async fn a_person_is_offered_the_list_that_they_may_see() {
    let upstream = Upstream::start(|_, _| upstream::json(404, json!({}))).await;
    let bench = Bench::new(&upstream.url).await;
    let mut offered = Vec::new();
    for who in [hr(), admin(), guard()] {
        let talk = bench.talk(who).await;
        let missing = json!({ "pass_number": "GP-2026-0099" });
        let error = bench.call(&talk, "get_qr_code", missing).await.failed();
        let context = &error.details.unwrap()["related_context"];
        offered.push(context["suggested_tool"].clone());
    }
    assert_eq!(
        offered,
        [
            json!("list_gate_passes"),
            json!("list_all_gate_passes_admin"),
            Value::Null
        ]
    );
}
