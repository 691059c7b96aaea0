//! Golden conversations are parsed as written, and an error names its line.

use serde_json::json;

use super::*;

const FILE: &str = "\
# A guard cannot approve      assistant: gatepass   as: gate
user:     Approve GP-2026-0001,
          I am Omar.
model:    call approve_gate_pass {\"pass_number\":\"GP-2026-0001\"}
model:    call get_qr_code
refused:  approve_gate_pass needs the role Admin_User

model:    Only an admin can approve passes.
outcome:  answered
";

#[test]
fn a_file_is_read_line_by_line() {
    let golden = Golden::parse(FILE).unwrap();
    assert_eq!(golden.title, "A guard cannot approve");
    assert_eq!(golden.assistant, "gatepass");
    assert_eq!(golden.persona, "gate");
    let kinds: Vec<StepKind> = golden.steps.into_iter().map(|step| step.kind).collect();
    assert_eq!(
        kinds,
        [
            StepKind::User("Approve GP-2026-0001,\nI am Omar.".into()),
            StepKind::ModelCalls(vec![
                ModelCall {
                    name: "approve_gate_pass".into(),
                    arguments: "{\"pass_number\":\"GP-2026-0001\"}".into(),
                },
                ModelCall {
                    name: "get_qr_code".into(),
                    arguments: "{}".into(),
                },
            ]),
            StepKind::Refused("approve_gate_pass needs the role Admin_User".into()),
            StepKind::ModelSays("Only an admin can approve passes.".into()),
            StepKind::Outcome("answered".into()),
        ]
    );
}

fn check_error(text: &str, line: usize, problem: &str) {
    let error = Golden::parse(text).unwrap_err();
    assert_eq!(
        (error.line, error.problem.contains(problem)),
        (line, true),
        "{error}"
    );
}

#[test]
fn a_bad_file_names_its_line() {
    check_error("", 1, "empty");
    check_error("# x   assistant: a", 1, "`as:`");
    check_error("# x   assistant: a   as: b\nhello", 2, "word: text");
    check_error(
        "# x   assistant: a   as: b\nshout: hello",
        2,
        "unknown word `shout`",
    );
    check_error("# x   assistant: a   as: b\nuser: hello", 0, "outcome");
}

#[test]
fn only_named_fields_are_compared() {
    let found = json!({ "a": 1, "b": { "c": 2, "d": 3 } });
    assert!(includes(&found, &json!({ "b": { "c": 2 } })));
    assert!(!includes(&found, &json!({ "b": { "c": 3 } })));
    assert!(!includes(&found, &json!({ "e": null })));
}
