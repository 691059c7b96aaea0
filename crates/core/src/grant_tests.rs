//! The rules one by one, each with its exact message.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use serde_json::{Map, Value, json};

use super::{Grounds, Refusal, RefusalReason, Verdict, check_sign_in, decide};
use crate::access::access_tests::{signed_in, signed_in_until};
use crate::access::{Principal, Role};
use crate::artifact::{ArtifactMark, ArtifactStatus};
use crate::conversation::Progress;
use crate::handle::{Handles, TextHandle};
use crate::message::ToolCall;
use crate::phase::Phase;
use crate::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use crate::toolbox::{RunByData, Toolbox};

struct Never;

#[async_trait]
impl RunByData for Never {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Err(ToolError::refused("rules run nothing"))
    }
}

const CLOSING: Phase = Phase::named("closing");

/// One tool and the inputs of the rules.
struct Case {
    spec: ToolSpec,
    parameters: Value,
    principal: Principal,
    phase: Phase,
    progress: Progress,
    message: &'static str,
    own_form: bool,
    foreign_text: bool,
    untrusted_text: bool,
    may_write: bool,
}

fn case(spec: ToolSpec) -> Case {
    Case {
        spec,
        parameters: json!({
            "type": "object",
            "properties": {
                "pass": { "type": "string", "pattern": "^GP-\\d{4}-\\d{4,6}$" },
                "count": { "type": "integer" },
                "notes": { "type": "string", "maxLength": 20, "x-handle": "text" }
            },
            "additionalProperties": false
        }),
        principal: signed_in(&[Role::GATE_USER]),
        phase: Phase::DEFAULT,
        progress: Progress::default(),
        message: "",
        own_form: false,
        foreign_text: false,
        untrusted_text: false,
        may_write: true,
    }
}

impl Case {
    fn decide(&self, name: &str, arguments: &str) -> Verdict {
        let def = ToolDef {
            name: "approve_gate_pass".into(),
            parameters: self.parameters.clone(),
            spec: self.spec.clone(),
        };
        let maker = |name: &'static str, spec: ToolSpec| ToolDef {
            name: name.into(),
            parameters: json!({ "type": "object" }),
            spec,
        };
        let toolbox = Toolbox::builder()
            .data_tool(def, Arc::new(Never))
            .data_tool(
                maker("profile", ToolSpec::read("P.").produces("profile")),
                Arc::new(Never),
            )
            .data_tool(maker("greet", ToolSpec::read("G.")), Arc::new(Never))
            .build()
            .unwrap();
        let call = ToolCall {
            id: "a".to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        let handles = Handles {
            texts: vec![TextHandle {
                number: 1,
                text: "pasted".to_owned(),
            }],
            files: Vec::new(),
        };
        decide(
            &call,
            &Grounds {
                toolbox: &toolbox,
                principal: &self.principal,
                phase: &self.phase,
                progress: &self.progress,
                handles: &handles,
                message: &|| self.message.to_owned(),
                own_form: self.own_form,
                foreign_text: self.foreign_text,
                untrusted_text: self.untrusted_text,
                may_write: self.may_write,
            },
        )
    }

    #[track_caller]
    fn refuses(&self, arguments: &str, reason: RefusalReason, message: &str) {
        let refusal = Refusal {
            reason,
            message: message.to_owned(),
        };
        assert_eq!(
            self.decide("approve_gate_pass", arguments),
            Verdict::Refuse(refusal)
        );
    }

    #[track_caller]
    fn runs(&self, arguments: &str) -> Value {
        let verdict = self.decide("approve_gate_pass", arguments);
        let Verdict::Run(granted) = verdict else {
            panic!("{verdict:?}");
        };
        Value::Object(granted.arguments().clone())
    }

    #[track_caller]
    fn asks(&self, arguments: &str) {
        let verdict = self.decide("approve_gate_pass", arguments);
        assert!(matches!(verdict, Verdict::Ask(_)), "{verdict:?}");
    }
}

fn read() -> ToolSpec {
    ToolSpec::read("Reads.")
}

#[test]
fn an_unknown_tool_is_named_in_at_most_one_line() {
    let case = case(read());
    let check = |name: &str, message: &str| {
        let Verdict::Refuse(refusal) = case.decide(name, "{}") else {
            panic!("{name}");
        };
        assert_eq!(
            (refusal.reason, refusal.message.as_str()),
            (RefusalReason::UnknownTool, message)
        );
    };
    check("drop_table", "Unknown tool: drop_table");
    check("Approve_Gate_Pass", "Unknown tool: Approve_Gate_Pass");
    check("", "Unknown tool: ");
    check(
        &"ü".repeat(10_000),
        &format!("Unknown tool: {}", "ü".repeat(80)),
    );
}

#[test]
fn a_role_that_is_missing_is_named_with_the_one_that_is_held() {
    let mut case = case(read().roles([Role::ADMIN_USER]));
    case.refuses(
        "{}",
        RefusalReason::Role,
        "approve_gate_pass needs the role Admin_User; you are signed in as Gate_User",
    );
    case.spec = read().roles([Role::ADMIN_USER, Role::HR_USER]);
    case.principal = signed_in(&[Role::READER, Role::BUYER]);
    case.refuses(
        "{}",
        RefusalReason::Role,
        "approve_gate_pass needs the role Admin_User or HR_User; you are signed in as Buyer and Reader",
    );
    case.principal = signed_in(&[]);
    case.refuses(
        "{}",
        RefusalReason::Role,
        "approve_gate_pass needs the role Admin_User or HR_User; you are signed in as somebody without a role",
    );
    case.principal = signed_in(&[Role::HR_USER]);
    case.runs("{}");
}

#[test]
fn roles_count_as_long_as_the_sign_in_that_proved_them() {
    let now: DateTime<Utc> = "2026-09-01T09:00:00Z".parse().unwrap();
    let for_admins = ToolDef {
        name: "approve_gate_pass".into(),
        parameters: json!({ "type": "object" }),
        spec: read().roles([Role::ADMIN_USER]),
    };
    let until = |expires| signed_in_until(&[Role::ADMIN_USER], expires);
    let later = until(now + Duration::milliseconds(1));
    assert_eq!(check_sign_in(&for_admins, &later, now), Ok(()));
    let refusal = Refusal {
        reason: RefusalReason::Role,
        message:
            "approve_gate_pass needs the role Admin_User; your sign-in has run out, sign in again"
                .to_owned(),
    };
    assert_eq!(check_sign_in(&for_admins, &until(now), now), Err(refusal));
    // A persona's sign-in does not expire, and a tool for everyone needs no role.
    let persona = signed_in(&[Role::ADMIN_USER]);
    assert_eq!(check_sign_in(&for_admins, &persona, now), Ok(()));
    let for_all = ToolDef {
        spec: read(),
        ..for_admins
    };
    assert_eq!(check_sign_in(&for_all, &until(now), now), Ok(()));
}

#[test]
fn a_phase_that_is_wrong_is_named_with_the_right_ones() {
    let mut case = case(read().phases([CLOSING, Phase::named("after")]));
    case.refuses(
        "{}",
        RefusalReason::Phase,
        "approve_gate_pass can be used in the phase closing or after; this conversation is in default",
    );
    case.phase = CLOSING;
    case.runs("{}");
}

// design: 000 unit ToolExecutor
#[test]
fn everything_that_is_missing_is_listed() {
    let spec = read()
        .needs_confirmed("profile", "a requirement profile")
        .needs_tool("greet");
    let mut case = case(spec);
    case.refuses(
        "{}",
        RefusalReason::Needs,
        "Cannot execute approve_gate_pass: requires a requirement profile, greet",
    );
    let mark = |status| ArtifactMark {
        kind: "profile".to_owned(),
        key: "k".to_owned(),
        version: 1,
        status,
    };
    case.progress.note_artifact(mark(ArtifactStatus::Draft));
    case.refuses(
        "{}",
        RefusalReason::Needs,
        "Cannot execute approve_gate_pass: requires greet, a requirement profile to be confirmed",
    );
    case.progress.tools_done.insert("greet".to_owned());
    case.asks("{}");
    case.progress.note_artifact(mark(ArtifactStatus::Confirmed));
    case.runs("{}");
}

/// C12: invalid values are not repeated to the model.
#[test]
fn arguments_that_break_the_schema_are_named_and_not_repeated() {
    let case = case(read());
    let invalid = RefusalReason::InvalidArguments;
    for pass in [
        "GP-2025-0001/../../admin",
        "GP-2025-0001?x=",
        "GP-2025-0001%2f",
        "GP-2025-0001\\n",
    ] {
        case.refuses(
            &format!(r#"{{"pass":"{pass}"}}"#),
            invalid,
            r#"approve_gate_pass: `pass`: the value does not match "^GP-\d{4}-\d{4,6}$""#,
        );
    }
    case.refuses(
        r#"{"pass":"x","count":"secret"}"#,
        invalid,
        r#"approve_gate_pass: `pass`: the value does not match "^GP-\d{4}-\d{4,6}$"; `count`: the value is not of type "integer""#,
    );
    case.refuses(
        "[]",
        invalid,
        "approve_gate_pass: the arguments must be a JSON object",
    );
    assert_eq!(
        case.runs(r#"{"pass":"GP-2025-0001"}"#),
        json!({ "pass": "GP-2025-0001" })
    );
}

#[test]
fn a_complaint_about_arguments_stays_readable() {
    let case = case(read());
    let check = |arguments: &Value| {
        let Verdict::Refuse(refusal) = case.decide("approve_gate_pass", &arguments.to_string())
        else {
            panic!("{arguments}");
        };
        assert!(
            refusal.message.chars().count() < 2_000,
            "{}",
            refusal.message
        );
    };
    check(&json!({ "x".repeat(100_000): 1 }));
    let many: Map<String, Value> = (0..5_000)
        .map(|n| (format!("field{n}"), json!(1)))
        .collect();
    check(&Value::Object(many));
}

#[test]
fn a_handle_is_put_in_before_the_schema_is_checked() {
    let case = case(read());
    assert_eq!(
        case.runs(r#"{"notes":"text:1"}"#),
        json!({ "notes": "pasted" })
    );
    case.refuses(
        r#"{"notes":"text:2"}"#,
        RefusalReason::InvalidArguments,
        "approve_gate_pass: `notes` names text:2, but this conversation has no such text",
    );
    case.refuses(
        &format!(r#"{{"notes":"{}"}}"#, "x".repeat(21)),
        RefusalReason::InvalidArguments,
        "approve_gate_pass: `notes`: the value is longer than 20 characters",
    );
}

/// Identity comes first, so that people without rights learn nothing about them.
#[test]
fn rules_are_asked_in_their_order() {
    let spec = read()
        .roles([Role::ADMIN_USER])
        .phases([CLOSING])
        .needs_tool("greet");
    let mut case = case(spec);
    let reason = |case: &Case| {
        let verdict = case.decide("approve_gate_pass", "[]");
        let Verdict::Refuse(refusal) = verdict else {
            panic!("{verdict:?}");
        };
        refusal.reason
    };
    assert_eq!(reason(&case), RefusalReason::Role);
    case.principal = signed_in(&[Role::ADMIN_USER]);
    assert_eq!(reason(&case), RefusalReason::Phase);
    case.phase = CLOSING;
    assert_eq!(reason(&case), RefusalReason::Needs);
    case.progress.tools_done.insert("greet".to_owned());
    assert_eq!(reason(&case), RefusalReason::InvalidArguments);
}

const PASS: &str = r#"{"pass":"GP-2026-0001"}"#;

#[test]
fn a_tool_marked_so_always_asks() {
    let mut case = case(
        ToolSpec::at_most_once("Deletes.")
            .target("pass")
            .approval([]),
    );
    case.message = "Delete GP-2026-0001";
    case.asks(PASS);
    case.own_form = true;
    case.asks(PASS);
}

#[test]
fn a_write_asks_unless_the_message_names_its_target() {
    let mut case = case(ToolSpec::at_most_once("Closes.").target("pass"));
    case.message = "Close GP-2026-0001.";
    case.runs(PASS);
    // Text of an earlier turn does not matter: the current message is the request.
    case.foreign_text = true;
    case.runs(PASS);
    case.untrusted_text = true;
    case.asks(PASS);
    case.own_form = true;
    case.runs(PASS);
    case.own_form = false;
    case.untrusted_text = false;
    for unclear in ["Close it", "Is GP-2026-0001 closed?", "GP-2026-00012", ""] {
        case.message = unclear;
        case.asks(PASS);
    }
    // Without the argument, the call has no target to name.
    case.message = "Close GP-2026-0001";
    case.asks("{}");
    case.spec = ToolSpec::at_most_once("Closes.").target("count");
    case.asks(r#"{"count":7}"#);
    case.message = "Close 7";
    case.runs(r#"{"count":7}"#);
}

/// A tool without a target has nothing to name, so no text of others may be in the context.
#[test]
fn a_write_without_a_target_asks_once_others_have_spoken() {
    let mut case = case(ToolSpec::transactional("Writes."));
    case.runs(PASS);
    case.foreign_text = true;
    case.asks(PASS);
    case.own_form = true;
    case.runs(PASS);
}

#[test]
fn reads_and_what_can_be_undone_do_not_ask() {
    let mut case = case(read().target("pass"));
    case.foreign_text = true;
    case.untrusted_text = true;
    case.runs(PASS);
    case.spec = ToolSpec::transactional("Drafts.").undoable();
    case.runs(PASS);
}

// design: promises gaps of the designs
#[test]
fn the_acting_person_is_always_the_signed_in_one() {
    let mut case = case(
        ToolSpec::idempotent("Approves.")
            .target("pass")
            .own_name("name"),
    );
    case.parameters = json!({
        "type": "object",
        "properties": { "pass": { "type": "string" }, "name": { "type": "string" } },
        "required": ["pass", "name"],
        "additionalProperties": false
    });
    case.message = "approve GP-2026-0001";
    let own = case.principal.name().to_owned();
    for arguments in [
        r#"{"pass":"GP-2026-0001"}"#,
        r#"{"pass":"GP-2026-0001","name":"The Director"}"#,
        r#"{"pass":"GP-2026-0001","name":["not","a","name"]}"#,
    ] {
        assert_eq!(
            case.runs(arguments),
            json!({ "pass": "GP-2026-0001", "name": own }),
            "{arguments}"
        );
    }
    // The approval card shows the same person.
    case.message = "";
    let Verdict::Ask(asked) = case.decide(
        "approve_gate_pass",
        r#"{"pass":"GP-2026-0001","name":"The Director"}"#,
    ) else {
        panic!("a card is needed");
    };
    assert_eq!(asked.arguments()["name"], json!(own));
}
