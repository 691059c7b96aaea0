//! Sets of tools that are refused, what is offered to whom, and that nothing else runs.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::Utc;
use futures_util::FutureExt;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{RunByData, Toolbox, ToolboxBuilder, ToolboxError};
use crate::access::access_tests::signed_in;
use crate::access::{Principal, Role};
use crate::artifact::{Artifact, ArtifactMark};
use crate::conversation::{Conversation, Progress};
use crate::grant::{Grounds, RefusalReason, Verdict, decide};
use crate::handle::Handles;
use crate::id::{ArtifactId, AttachmentId, ConversationId, TurnId};
use crate::message::ToolCall;
use crate::phase::Phase;
use crate::store::{Artifacts, Attachment, Attachments, NewAttachment, StoreError};
use crate::tool::{
    Tool, ToolContext, ToolDef, ToolError, ToolErrorKind, ToolOutput, ToolSetting, ToolSpec,
};

/// Gives its arguments back.
struct Echo;

#[async_trait]
impl RunByData for Echo {
    async fn run(
        &self,
        def: &ToolDef,
        _ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Ok((Value::Object(arguments), format!("{} ran", def.name)))
    }
}

fn tool(name: &str, spec: ToolSpec) -> ToolDef {
    let parameters = json!({ "type": "object", "properties": { "x": { "type": "string" } } });
    with_parameters(name, spec, parameters)
}

fn with_parameters(name: &str, spec: ToolSpec, parameters: Value) -> ToolDef {
    ToolDef {
        name: name.to_owned().into(),
        parameters,
        spec,
    }
}

fn build(defs: impl IntoIterator<Item = ToolDef>) -> Result<Toolbox, ToolboxError> {
    let add = |builder: ToolboxBuilder, def| builder.data_tool(def, Arc::new(Echo));
    defs.into_iter().fold(Toolbox::builder(), add).build()
}

#[track_caller]
fn check_refused(defs: impl IntoIterator<Item = ToolDef>, error: &str) {
    let built = build(defs).map(|_| ());
    assert_eq!(
        built.map_err(|error| error.to_string()),
        Err(error.to_owned())
    );
}

fn read() -> ToolSpec {
    ToolSpec::read("Reads.")
}

#[test]
fn a_name_is_used_once_and_is_a_name() {
    check_refused(
        [tool("a", read()), tool("a", read())],
        "two tools are named a",
    );
    for bad in [
        "",
        "with space",
        "dot.ted",
        "ümlaut",
        "a/b",
        &"x".repeat(65),
    ] {
        check_refused(
            [tool(bad, read())],
            &format!("{bad:?} is not a tool name: 1–64 letters, digits, `_` or `-`"),
        );
    }
    assert!(build([tool(&"x".repeat(64), read()), tool("A-b_9", read())]).is_ok());
}

#[test]
fn every_tool_says_what_it_is_for() {
    check_refused([tool("a", ToolSpec::read(" \n"))], "a has no description");
}

#[test]
fn parameters_are_a_schema_of_an_object() {
    for (parameters, problem) in [
        (json!({ "type": "string" }), "its `type` must be \"object\""),
        (json!({}), "its `type` must be \"object\""),
        (
            json!({ "type": ["object"] }),
            "its `type` must be \"object\"",
        ),
    ] {
        check_refused(
            [with_parameters("a", read(), parameters)],
            &format!("the parameters of a are not a JSON Schema of an object: {problem}"),
        );
    }
    for nonsense in [
        json!({ "type": "object", "properties": { "x": { "type": "strin" } } }),
        json!({ "type": "object", "properties": [] }),
        json!({ "type": "object", "properties": { "x": { "pattern": "(" } } }),
        json!({ "type": "object", "required": "x" }),
        json!({ "type": "object", "properties": { "x": { "$ref": "https://example.org/x" } } }),
    ] {
        let built = build([with_parameters("a", read(), nonsense.clone())]);
        assert!(
            matches!(built, Err(ToolboxError::BadSchema { .. })),
            "{nonsense}"
        );
    }
}

#[test]
fn a_target_is_one_of_the_parameters() {
    check_refused(
        [tool("a", ToolSpec::at_most_once("Writes.").target("pass"))],
        "the target of a is `pass`, which is not one of its parameters",
    );
    assert!(build([tool("a", ToolSpec::at_most_once("Writes.").target("x"))]).is_ok());
}

#[test]
fn what_a_tool_needs_somebody_must_make() {
    check_refused(
        [tool("ad", read().needs_artifact("profile", "a profile"))],
        "ad needs an artifact profile, which no tool provides",
    );
    check_refused(
        [tool("ad", read().needs_tool("profile"))],
        "ad needs the tool profile, which no tool provides",
    );
    let chain = [
        tool("c", read().needs_tool("b").needs_artifact("p", "p")),
        tool("b", read().needs_confirmed("p", "p")),
        tool("a", read().produces("p")),
    ];
    assert!(build(chain).is_ok());
}

#[test]
fn tools_that_wait_for_each_other_are_refused() {
    check_refused(
        [tool("a", read().needs_tool("a"))],
        "these tools need each other in a circle: a → a",
    );
    check_refused(
        [
            tool("free", read()),
            tool("a", read().needs_tool("b")),
            tool("b", read().needs_artifact("p", "p")),
            tool("c", read().produces("p").needs_tool("a")),
        ],
        "these tools need each other in a circle: a → b → c → a",
    );
    // A tool that only depends on a circle is not named as part of it.
    check_refused(
        [
            tool("x", read().needs_tool("a")),
            tool("a", read().needs_tool("b")),
            tool("b", read().needs_tool("a")),
        ],
        "these tools need each other in a circle: a → b → a",
    );
    // Two makers of one thing, both of which wait for the one that needs it.
    check_refused(
        [
            tool("a", read().needs_artifact("p", "p")),
            tool("b", read().produces("p").needs_tool("a")),
            tool("c", read().produces("p").needs_tool("a")),
        ],
        "these tools need each other in a circle: a → b → a",
    );
    // One maker that is free is enough.
    let free = [
        tool("a", read().needs_artifact("p", "p")),
        tool("b", read().produces("p").needs_tool("a")),
        tool("c", read().produces("p")),
    ];
    assert!(build(free).is_ok());
}

const CLOSING: Phase = Phase::named("closing");

#[test]
fn an_offer_is_what_this_person_may_use_in_this_phase() {
    let toolbox = build([
        tool("everyone", read()),
        tool("guards", read().roles([Role::GATE_USER])),
        tool("admins", read().roles([Role::ADMIN_USER, Role::HR_USER])),
        tool("closing", read().phases([CLOSING])),
    ])
    .unwrap();
    let check = |roles: &[Role], phase: &Phase, expected: &[&str]| {
        let offer = toolbox.offer(&signed_in(roles), phase);
        let names: Vec<&str> = offer.tools.iter().map(|def| def.name.as_ref()).collect();
        assert_eq!(
            (names.as_slice(), offer.is_empty()),
            (expected, expected.is_empty())
        );
        let json: Vec<Value> = serde_json::from_slice(&offer.json).unwrap();
        let sent: Vec<&Value> = json.iter().map(|tool| &tool["function"]["name"]).collect();
        assert_eq!(sent, expected);
    };
    check(&[], &Phase::DEFAULT, &["everyone"]);
    check(&[Role::GATE_USER], &Phase::DEFAULT, &["everyone", "guards"]);
    check(
        &[Role::HR_USER],
        &CLOSING,
        &["everyone", "admins", "closing"],
    );
}

#[test]
fn an_offer_is_made_once_and_has_the_same_bytes_for_everyone() {
    let defs = || {
        [
            tool("everyone", read()),
            tool("guards", read().roles([Role::GATE_USER])),
        ]
    };
    let toolbox = build(defs()).unwrap();
    let guard = toolbox.offer(&signed_in(&[Role::GATE_USER]), &Phase::DEFAULT);
    let again = toolbox.offer(&signed_in(&[Role::GATE_USER, Role::READER]), &CLOSING);
    assert!(Arc::ptr_eq(&guard, &again));
    let rebuilt = build(defs()).unwrap();
    let same = rebuilt.offer(&signed_in(&[Role::GATE_USER]), &Phase::DEFAULT);
    assert_eq!(guard.json, same.json);
    let reader = toolbox.offer(&signed_in(&[Role::READER]), &Phase::DEFAULT);
    assert_ne!(reader.json, guard.json);
}

/// Finds a pass by its number.
struct FindPass;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindPassArgs {
    /// The number on the pass.
    number: String,
    count: Option<u8>,
    #[schemars(extend("x-handle" = "text"))]
    notes: Option<String>,
}

#[derive(Serialize)]
struct Found {
    number: String,
}

impl Tool for FindPass {
    const NAME: &'static str = "find_pass";
    type Args = FindPassArgs;
    type Output = Found;

    fn spec() -> ToolSpec {
        ToolSpec::read("Finds a pass.").title("Look for a pass")
    }

    async fn call(&self, ctx: &ToolContext, args: FindPassArgs) -> Result<Found, ToolError> {
        if args.number == "none" {
            return Err(
                ToolError::refused("No such pass").near(["GP-1".to_owned(), "GP-2".to_owned()])
            );
        }
        ctx.suggest(["Show it".to_owned()]);
        let count = args.count.map_or(0, usize::from) + args.notes.map_or(0, |notes| notes.len());
        Ok(Found {
            number: format!("{}×{count} for {}", args.number, ctx.principal().name()),
        })
    }

    fn summary(found: &Found) -> String {
        format!("Found {}.", found.number)
    }
}

/// Property 1 of the recruiting design: what is offered is a valid function definition.
#[test]
fn property_1_a_typed_tool_describes_itself() {
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
                    "notes": { "type": ["string", "null"] }
                },
                "required": ["number"]
            }
        } })
    );
    assert_eq!(def.parameters["properties"]["notes"]["x-handle"], "text");
}

/// A store in which there is nothing.
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
        progress: None,
    })
}

fn verdict(
    toolbox: &Toolbox,
    who: &Principal,
    phase: &Phase,
    name: &str,
    arguments: &str,
) -> Verdict {
    let call = ToolCall {
        id: "a".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let grounds = Grounds {
        toolbox,
        principal: who,
        phase,
        progress: &Progress::default(),
        handles: &Handles::default(),
        words: &Vec::new,
        untrusted_context: false,
    };
    decide(&call, &grounds)
}

/// Grants and runs a call; tools of tests never wait.
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

#[test]
fn a_tool_defined_by_data_runs_with_its_definition() {
    let toolbox = build([tool("a", read()), tool("b", read())]).unwrap();
    let output = run(&toolbox, "b", r#"{"x":"1"}"#).unwrap();
    assert_eq!(output.result, json!({ "x": "1" }));
    assert_eq!(output.summary, "b ran");
    assert_eq!(toolbox.get("c").map(|def| def.name.clone()), None);
    assert_eq!(toolbox.defs().count(), 2);
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

fn subset<T: Clone + std::fmt::Debug + 'static>(
    of: &[T],
) -> impl Strategy<Value = Vec<T>> + use<T> {
    prop::sample::subsequence(of.to_vec(), 0..=of.len())
}

/// Names that are almost the tool's.
fn variant(name: &str, which: usize) -> String {
    match which {
        0 => name.to_owned(),
        1 => name.to_uppercase(),
        2 => format!(" {name}"),
        3 => format!("{name}\u{200B}"),
        4 => format!("functions.{name}"),
        5 => name.replace('_', "-"),
        _ => format!("{name}/"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// P8: a tool outside somebody's set is neither offered nor runnable, by whatever name.
    #[test]
    fn p8_a_tool_outside_the_role_is_neither_offered_nor_runnable(
        tools in prop::collection::vec((subset(Role::all()), subset(&[Phase::DEFAULT, CLOSING])), 1..5),
        roles in subset(Role::all()),
        phase in prop::sample::select(vec![Phase::DEFAULT, CLOSING]),
        which in 0usize..7,
    ) {
        let defs = tools.iter().enumerate().map(|(n, (roles, phases))| {
            let spec = read().roles(roles.clone()).phases(phases.clone());
            tool(&format!("tool_{n}"), spec)
        });
        let toolbox = build(defs).unwrap();
        let who = signed_in(&roles);
        let offer = toolbox.offer(&who, &phase);
        let json = String::from_utf8(offer.json.to_vec()).unwrap();
        for (n, (allowed, phases)) in tools.iter().enumerate() {
            let name = format!("tool_{n}");
            let role_ok = allowed.is_empty() || allowed.iter().any(|role| roles.contains(role));
            let phase_ok = phases.is_empty() || phases.contains(&phase);
            prop_assert_eq!(json.contains(&format!("\"{name}\"")), role_ok && phase_ok);
            prop_assert_eq!(offer.tools.iter().any(|def| def.name == name), role_ok && phase_ok);

            let asked = variant(&name, which);
            match verdict(&toolbox, &who, &phase, &asked, "{}") {
                Verdict::Run(granted) => {
                    prop_assert!(asked == name && role_ok && phase_ok);
                    prop_assert_eq!(granted.name(), name);
                }
                Verdict::Ask(_) => prop_assert!(false, "nothing here asks"),
                Verdict::Refuse(refusal) => {
                    let reason = match (asked == name, role_ok) {
                        (false, _) => RefusalReason::UnknownTool,
                        (true, false) => RefusalReason::Role,
                        (true, true) => RefusalReason::Phase,
                    };
                    prop_assert_eq!(refusal.reason, reason);
                    prop_assert!(refusal.message.contains(&asked), "{}", refusal.message);
                    prop_assert!(asked != name || !(role_ok && phase_ok));
                }
            }
        }
        prop_assert_eq!(&offer.json, &Bytes::from(json));
    }
}
