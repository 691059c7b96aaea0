//! Previews and the choice of the read that loads them.

use chrono::DateTime;
use serde_json::json;

use super::*;
use crate::access::{Identity, Proof, Role};
use crate::approval::Seal;
use crate::id::{ProfileId, TurnId};
use crate::tool::{ToolDef, ToolSpec};
use crate::toolbox::{RunByData, Toolbox, ToolboxError};

fn card() -> ApprovalCard {
    let value = json!({
        "call_id": "a", "tool": "reject_gate_pass", "title": "Reject gate pass GP-2026-0012",
        "arguments": {}, "requester": "Omar", "approvers": [],
        "requested_by": ProfileId::from_uuid(uuid::Uuid::nil()),
        "seal": Seal::over("t", &Map::new(), TurnId::from_uuid(uuid::Uuid::nil()), "a", ProfileId::from_uuid(uuid::Uuid::nil())),
        "expires_at": DateTime::UNIX_EPOCH,
    });
    serde_json::from_value(value).unwrap()
}

#[test]
fn a_preview_names_the_subject_and_shows_short_plain_facts() {
    let shown = Preview::of(
        &card(),
        ObjectFacts {
            subject: Some("Nadia\u{200B} Hussain\n".to_owned()),
            state: Some("pending".to_owned()),
            facts: vec![Fact::new("purpose", "Purpose", "x ".repeat(5_000)); 40],
        },
    );
    assert_eq!(
        shown.title,
        "Reject gate pass GP-2026-0012 for Nadia Hussain"
    );
    assert_eq!(shown.facts.len(), MOST_FACTS);
    assert_eq!(
        shown.facts[0].value.chars().count(),
        LONGEST_VALUE_CHARS + 1
    );
    assert_eq!(
        (shown.state.as_deref(), shown.problem),
        (Some("pending"), None)
    );
}

#[test]
fn a_preview_without_facts_says_so_and_keeps_the_title() {
    let shown = Preview::unavailable(&card());
    assert_eq!(shown.title, "Reject gate pass GP-2026-0012");
    assert_eq!(shown.problem.as_deref(), Some(UNAVAILABLE));
}

struct Nothing;

#[async_trait::async_trait]
impl RunByData for Nothing {
    async fn run(
        &self,
        _: &ToolDef,
        _: &crate::tool::ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), crate::tool::ToolError> {
        Ok((Value::Null, String::new()))
    }
}

fn def(name: &'static str, argument: &str, spec: ToolSpec) -> ToolDef {
    ToolDef {
        name: name.into(),
        parameters: json!({ "type": "object", "properties": { argument: { "type": "string" } } }),
        spec,
    }
}

fn person(roles: &[Role]) -> Principal {
    let identity = Identity {
        subject: uuid::Uuid::nil(),
        profile: ProfileId::from_uuid(uuid::Uuid::nil()),
        name: "Ada".to_owned(),
        email: None,
        roles: roles.iter().cloned().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Token)
}

fn preview() -> PreviewSpec {
    PreviewSpec::new(|_| None)
        .read("admin_read", "number")
        .read("hr_read", "id")
}

fn build(read: ToolSpec) -> Result<Toolbox, ToolboxError> {
    let run = || std::sync::Arc::new(Nothing);
    let reject = ToolSpec::idempotent("Rejects.")
        .target("number")
        .preview(preview());
    Toolbox::builder()
        .data_tool(def("admin_read", "number", read), run())
        .data_tool(
            def(
                "hr_read",
                "id",
                ToolSpec::read("Reads.").roles([Role::HR_USER]),
            ),
            run(),
        )
        .data_tool(def("reject", "number", reject), run())
        .build()
}

#[test]
fn the_decider_reads_with_a_tool_of_their_own() {
    let toolbox = build(ToolSpec::read("Reads.").roles([Role::ADMIN_USER])).unwrap();
    let read = |roles: &[Role]| {
        let spec = preview();
        let found = spec.call_for(&toolbox, &person(roles), "GP-1");
        found.map(|(tool, arguments)| (tool.to_owned(), Value::Object(arguments)))
    };
    assert_eq!(
        read(&[Role::ADMIN_USER]),
        Some(("admin_read".to_owned(), json!({ "number": "GP-1" })))
    );
    assert_eq!(
        read(&[Role::HR_USER]),
        Some(("hr_read".to_owned(), json!({ "id": "GP-1" })))
    );
    assert_eq!(read(&[Role::GATE_USER]), None);
}

#[test]
fn a_preview_that_writes_is_refused() {
    assert!(matches!(
        build(ToolSpec::idempotent("Writes.")).err(),
        Some(ToolboxError::BadPreview { .. })
    ));
}
