//! Schema and execution of a typed tool.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::Utc;
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::toolbox_tests::{build, read, tool, verdict};
use super::{RunByData, Toolbox};
use crate::access::Principal;
use crate::access::access_tests::signed_in;
use crate::artifact::{Artifact, ArtifactMark};
use crate::conversation::{Conversation, Progress};
use crate::grant::Verdict;
use crate::handle::Handles;
use crate::id::{ArtifactId, AttachmentId, ConversationId, TurnId};
use crate::phase::Phase;
use crate::store::{Artifacts, Attachment, Attachments, NewAttachment, StoreError};
use crate::tool::{
    Tool, ToolContext, ToolDef, ToolError, ToolErrorKind, ToolOutput, ToolSetting, ToolSpec,
};

/// Finds a pass by its number.
struct FindPass;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindPassArgs {
    /// The number on the pass.
    number: String,
    count: Option<u8>,
    #[expect(dead_code, reason = "asked for, so that it is read from the arguments")]
    steps: Option<Vec<i64>>,
    #[schemars(extend("x-handle" = "text"))]
    notes: Option<String>,
}

#[derive(Serialize)]
struct FoundPass {
    number: String,
}

impl Tool for FindPass {
    const NAME: &'static str = "find_pass";
    type Args = FindPassArgs;
    type Output = FoundPass;

    fn spec() -> ToolSpec {
        ToolSpec::read("Finds a pass.").title("Look for a pass")
    }

    async fn call(&self, ctx: &ToolContext, args: FindPassArgs) -> Result<FoundPass, ToolError> {
        if args.number == "none" {
            return Err(
                ToolError::refused("No such pass").near(["GP-1".to_owned(), "GP-2".to_owned()])
            );
        }
        ctx.suggest(["Show it".to_owned()]);
        let count = args.count.map_or(0, usize::from) + args.notes.map_or(0, |notes| notes.len());
        Ok(FoundPass {
            number: format!("{}×{count} for {}", args.number, ctx.principal().name()),
        })
    }

    fn summary(found: &FoundPass) -> String {
        format!("Found {}.", found.number)
    }
}

/// Property 1 of the recruiting design: a tool's offer is a valid function definition.
#[test]
fn a_typed_tool_describes_itself() {
    let toolbox = Toolbox::builder().tool(FindPass).build().unwrap();
    let def = toolbox.get("find_pass").unwrap();
    assert_eq!(def.title(), "Look for a pass");
    assert_eq!(
        def.to_openai_format(),
        json!({ "type": "function", "function": {
            "name": "find_pass",
            "description": "Finds a pass.",
            "parameters": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "number": { "type": "string", "description": "The number on the pass." },
                    "count": { "type": ["integer", "null"], "minimum": 0, "maximum": 255 },
                    "steps": { "type": ["array", "null"], "items": { "type": "integer" } },
                    "notes": { "type": ["string", "null"] }
                },
                "required": ["number"]
            }
        } })
    );
    assert_eq!(def.parameters["properties"]["notes"]["x-handle"], "text");
}

/// An empty store.
struct Nothing;

#[async_trait]
impl Artifacts for Nothing {
    async fn latest(
        &self,
        _: &Principal,
        _: ConversationId,
        _: &str,
        _: &str,
    ) -> Result<Option<Artifact>, StoreError> {
        Ok(None)
    }

    async fn all(
        &self,
        _: &Principal,
        _: ConversationId,
    ) -> Result<Vec<(ArtifactId, ArtifactMark)>, StoreError> {
        Ok(Vec::new())
    }

    async fn artifact(
        &self,
        _: &Principal,
        _: ConversationId,
        _: ArtifactId,
    ) -> Result<Artifact, StoreError> {
        Err(StoreError::NotFound)
    }
}

#[async_trait]
impl Attachments for Nothing {
    async fn attach(&self, _: &Principal, _: NewAttachment) -> Result<Attachment, StoreError> {
        Err(StoreError::Forbidden)
    }

    async fn attachment(
        &self,
        _: &Principal,
        _: AttachmentId,
    ) -> Result<(Attachment, Bytes), StoreError> {
        Err(StoreError::NotFound)
    }
}

fn context(principal: Principal) -> ToolContext {
    let conversation = Conversation {
        id: ConversationId::from_uuid(Uuid::from_u128(1)),
        user_id: principal.profile(),
        company_id: None,
        assistant: "desk".to_owned(),
        subject: Some("gig-1".to_owned()),
        title: "Passes".to_owned(),
        phase: Phase::DEFAULT,
        metadata: Map::new(),
        progress: Progress::default(),
        message_count: 0,
        last_message_at: None,
        created_at: Utc::now(),
        updated_at: Utc::now(),
    };
    ToolContext::new(ToolSetting {
        principal: Arc::new(principal),
        conversation: Arc::new(conversation),
        handles: Arc::new(Handles::default()),
        artifacts: Arc::new(Nothing),
        attachments: Arc::new(Nothing),
        turn: TurnId::from_uuid(Uuid::from_u128(2)),
        call_id: "a".to_owned(),
        now: Utc::now(),
        said: String::new(),
        progress: None,
        drafts: None,
    })
}

/// Grants and runs a call; the tools of these tests never wait.
fn run(toolbox: &Toolbox, name: &str, arguments: &str) -> Result<ToolOutput, ToolError> {
    let who = signed_in(&[]);
    let Verdict::Run(granted) = verdict(toolbox, &who, &Phase::DEFAULT, name, arguments) else {
        panic!("{name} {arguments} is not granted");
    };
    toolbox.run(context(who), granted).now_or_never().unwrap()
}

#[test]
fn a_typed_tool_runs_with_its_arguments_and_who_asks() {
    let toolbox = Toolbox::builder().tool(FindPass).build().unwrap();
    let output = run(
        &toolbox,
        "find_pass",
        r#"{"number":"GP-1","count":2,"notes":"xyz"}"#,
    )
    .unwrap();
    assert_eq!(output.result, json!({ "number": "GP-1×5 for Omar" }));
    assert_eq!(output.summary, "Found GP-1×5 for Omar.");
    assert_eq!(output.outbox.quick_replies, ["Show it"]);

    let error = run(&toolbox, "find_pass", r#"{"number":"none"}"#).unwrap_err();
    assert_eq!(error.message, "No such pass. Did you mean: GP-1, GP-2?");
    assert_eq!(error.kind, ToolErrorKind::Refused);
}

/// 2.0 and 1e15 are integers in JSON Schema; a value out of range is reported.
#[test]
fn a_number_is_taken_however_it_is_written_and_else_named() {
    let toolbox = Toolbox::builder().tool(FindPass).build().unwrap();
    let written = r#"{"number":"GP-1","count":2.0,"steps":[1e15,-3.0]}"#;
    let output = run(&toolbox, "find_pass", written).unwrap();
    assert_eq!(output.result, json!({ "number": "GP-1×2 for Omar" }));
    let error = run(
        &toolbox,
        "find_pass",
        r#"{"number":"GP-1","steps":[1,1e300]}"#,
    );
    let error = error.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::Invalid);
    assert!(
        error.message.starts_with("`steps[1]`: "),
        "{}",
        error.message
    );
}

#[test]
fn a_tool_defined_by_data_runs_with_its_definition() {
    let toolbox = build([tool("a", read()), tool("b", read())]).unwrap();
    let output = run(&toolbox, "b", r#"{"x":"1"}"#).unwrap();
    assert_eq!(output.result, json!({ "x": "1" }));
    assert_eq!(output.summary, "b ran");
    assert_eq!(toolbox.get("c").map(|def| def.name.clone()), None);
    assert_eq!(toolbox.defs().count(), 2);
}

/// Stores metadata and then fails.
struct Forgetful;

#[async_trait]
impl RunByData for Forgetful {
    async fn run(
        &self,
        _: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        ctx.remember("pending", Value::Object(arguments));
        ctx.suggest(["Never shown".to_owned()]);
        Err(ToolError::invalid("photo", "attach one"))
    }
}

#[test]
fn metadata_of_a_failed_tool_is_kept() {
    let toolbox = Toolbox::builder()
        .data_tool(tool("a", read()), Arc::new(Forgetful))
        .build()
        .unwrap();
    let error = run(&toolbox, "a", r#"{"x":"1"}"#).unwrap_err();
    assert_eq!(error.message, "`photo`: attach one");
    assert_eq!(
        Value::Object(error.remembered),
        json!({ "pending": { "x": "1" } })
    );
}

#[test]
fn the_key_of_a_call_is_its_turn_and_its_id() {
    let ctx = context(signed_in(&[]));
    assert_eq!(
        ctx.idempotency_key(),
        "00000000-0000-0000-0000-000000000002:a"
    );
    assert_eq!(ctx.subject(), "gig-1");
}
