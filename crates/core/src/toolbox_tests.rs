//! Invalid sets of tools, each with its error.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::{RunByData, Toolbox, ToolboxBuilder, ToolboxError};
use crate::access::Principal;
use crate::conversation::Progress;
use crate::grant::{Grounds, Verdict, decide};
use crate::handle::Handles;
use crate::message::ToolCall;
use crate::phase::Phase;
use crate::tool::{ToolContext, ToolDef, ToolError, ToolSpec};

/// Returns its arguments.
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

pub(super) fn tool(name: &str, spec: ToolSpec) -> ToolDef {
    let parameters = json!({ "type": "object", "properties": { "x": { "type": "string" } } });
    with_parameters(name, spec, parameters)
}

pub(super) fn with_parameters(name: &str, spec: ToolSpec, parameters: Value) -> ToolDef {
    ToolDef {
        name: name.to_owned().into(),
        parameters,
        spec,
    }
}

pub(super) fn build(defs: impl IntoIterator<Item = ToolDef>) -> Result<Toolbox, ToolboxError> {
    let add = |builder: ToolboxBuilder, def| builder.data_tool(def, Arc::new(Echo));
    defs.into_iter().fold(Toolbox::builder(), add).build()
}

#[track_caller]
pub(super) fn read() -> ToolSpec {
    ToolSpec::read("Reads.")
}

/// The verdict on a call in a new conversation.
pub(super) fn verdict(
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
        message: &String::new,
        own_form: false,
        foreign_text: false,
        untrusted_text: false,
        may_write: true,
    };
    decide(&call, &grounds)
}

fn check_refused(defs: impl IntoIterator<Item = ToolDef>, error: &str) {
    let built = build(defs).map(|_| ());
    assert_eq!(
        built.map_err(|error| error.to_string()),
        Err(error.to_owned())
    );
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
fn every_tool_needs_a_description() {
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
    check_refused(
        [tool("a", read().own_name("name"))],
        "a puts the person's own name into `name`, which is not one of its parameters",
    );
    assert!(build([tool("a", read().own_name("x"))]).is_ok());
}

#[test]
fn every_need_must_have_a_producer() {
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
        "these tools need each other in a cycle: a → a",
    );
    check_refused(
        [
            tool("free", read()),
            tool("a", read().needs_tool("b")),
            tool("b", read().needs_artifact("p", "p")),
            tool("c", read().produces("p").needs_tool("a")),
        ],
        "these tools need each other in a cycle: a → b → c → a",
    );
    // A tool that merely depends on a cycle is not reported as part of it.
    check_refused(
        [
            tool("x", read().needs_tool("a")),
            tool("a", read().needs_tool("b")),
            tool("b", read().needs_tool("a")),
        ],
        "these tools need each other in a cycle: a → b → a",
    );
    // Two producers of one need, both of which wait for its consumer.
    check_refused(
        [
            tool("a", read().needs_artifact("p", "p")),
            tool("b", read().produces("p").needs_tool("a")),
            tool("c", read().produces("p").needs_tool("a")),
        ],
        "these tools need each other in a cycle: a → b → a",
    );
    // One independent producer is enough.
    let free = [
        tool("a", read().needs_artifact("p", "p")),
        tool("b", read().produces("p").needs_tool("a")),
        tool("c", read().produces("p")),
    ];
    assert!(build(free).is_ok());
}
