//! A tool of a manifest: its declaration, and what follows a success.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::phase::Phase;
use frontdesk_core::preview::{Fact, ObjectFacts, PreviewSpec};
use frontdesk_core::tool::{
    ApprovalRule, Effect, Example, ToolContext, ToolDef, ToolError, ToolSpec,
};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value};

use super::build::{AssistantBuilder, SourceClient};
use super::error::{ManifestError, hint};
use super::format::{Consent, Manifest, ToolEntry};
use crate::mcp::{McpOperation, McpTool};
use crate::openapi::capitalised;
use crate::operation::{HttpMethod, Operation};
use crate::tool::HttpTool;

/// The first call of an MCP server's tool may start its program.
const START_TIME: Duration = Duration::from_secs(60);
/// The platform aborts a tool this long after its own deadline.
const MARGIN: Duration = Duration::from_secs(5);

/// The declaration of a tool, and its runner.
pub(super) fn tool(
    builder: &AssistantBuilder<'_>,
    name: &str,
    entry: &ToolEntry,
) -> Result<(ToolDef, Arc<dyn RunByData>), ManifestError> {
    let key = format!("tool.{name}");
    let source = builder.source(&key, entry.source.as_deref())?;
    let mut def = ToolDef {
        name: name.to_owned().into(),
        parameters: Value::Null,
        spec: spec(builder, &key, entry, source)?,
    };
    let runner: Arc<dyn RunByData> = match source {
        SourceClient::Http(source) => {
            let operation = operation(builder.manifest, entry).ok_or_else(|| {
                let problem = "needs a `request`, e.g. \"GET /tickets/{ticket_id}\"";
                builder.places.error(&key, problem)
            })?;
            if let Some(problem) = operation.problem() {
                return Err(builder.places.error(&format!("{key}.request"), problem));
            }
            def.parameters = operation.schema();
            let tool = HttpTool::new(Arc::clone(source), operation);
            (builder.runner)(&mut def, tool.listed_by(builder.lists(entry)?))
        }
        SourceClient::Mcp(client) => {
            let operation = mcp_operation(entry).ok_or_else(|| {
                let problem = "needs `mcp_tool`, the tool's name at its MCP server";
                builder.places.error(&key, problem)
            })?;
            def.parameters = operation.schema();
            Arc::new(McpTool::new(Arc::clone(client), operation))
        }
    };
    if entry.moves_to.is_none() && entry.quick_replies.is_empty() {
        return Ok((def, runner));
    }
    let followed = ToolWithFollowUp {
        tool: runner,
        phase: entry.moves_to.clone().map(Phase::stored),
        replies: entry.quick_replies.clone(),
    };
    Ok((def, Arc::new(followed)))
}

/// The tool's request; `None` for a tool of an MCP server.
pub(super) fn operation(manifest: &Manifest, entry: &ToolEntry) -> Option<Operation> {
    let mut response = entry.response.clone();
    let kind = entry
        .object
        .as_ref()
        .and_then(|name| manifest.object.get(name));
    if let Some(kind) = kind.filter(|_| response.fields.is_empty()) {
        response.fields.clone_from(&kind.fields);
    }
    Some(Operation {
        request: entry.request.clone()?,
        parameters: entry.parameters.clone(),
        response,
        object: entry.object.clone(),
        reference: entry.reference.clone(),
        state: entry.state.clone(),
        lookup: entry.lookup.clone(),
        refusals: entry.refusals.clone(),
        summary: entry.summary.clone(),
    })
}

/// The tool of an MCP server; `None` for a request.
pub(super) fn mcp_operation(entry: &ToolEntry) -> Option<McpOperation> {
    Some(McpOperation {
        mcp_tool: entry.mcp_tool.clone()?,
        parameters: entry.parameters.clone(),
    })
}

fn spec(
    builder: &AssistantBuilder<'_>,
    key: &str,
    entry: &ToolEntry,
    source: &SourceClient,
) -> Result<ToolSpec, ManifestError> {
    let at = |field: &str| format!("{key}.{field}");
    let effect = effect(builder, key, entry, source)?;
    let deletes = method(entry) == Some(HttpMethod::Delete) && effect.writes();
    let longest = match source {
        SourceClient::Http(source) => source.budget() + MARGIN,
        SourceClient::Mcp(client) => client.source().timeout.0 + START_TIME,
    };
    let mut spec = ToolSpec::read(entry.description.clone()).timeout(longest);
    spec.effect = effect;
    spec.roles = builder.roles(&at("roles"), &entry.roles)?;
    spec.phases = builder.phases(&at("phases"), &entry.phases)?;
    spec.destructive = entry.destructive.unwrap_or(deletes);
    spec.title = entry.title.clone().map(Into::into);
    spec.verb = entry.verb.clone().map(Into::into);
    spec.decline = entry.decline.clone().map(Into::into);
    spec.own_name = entry.own_name.clone().map(Into::into);
    spec.card_title = entry.card_title.clone().map(Into::into);
    spec.consequence = entry.consequence.clone().map(Into::into);
    if let Some(timeout) = entry.timeout {
        spec.timeout = timeout.0;
    }
    for tool in builder.tools(&at("needs"), &entry.needs)? {
        spec = spec.needs_tool(tool);
    }
    if let Some(phase) = &entry.moves_to {
        builder.phases(&at("moves_to"), std::slice::from_ref(phase))?;
    }
    let approvers = builder.roles(&at("approvers"), &entry.approvers)?;
    spec.approval = match entry.consent {
        Some(Consent::UnlessOrdered) if !approvers.is_empty() => {
            let problem = "with `approvers`, every call waits; use \"always\", or leave it out";
            return Err(builder.places.error(&at("consent"), problem));
        }
        Some(Consent::UnlessOrdered) => ApprovalRule::UnlessOrdered,
        None if approvers.is_empty() && !spec.destructive => ApprovalRule::UnlessOrdered,
        Some(Consent::Always) | None => ApprovalRule::Always { approvers },
    };
    let shown = || {
        let all = entry.parameters.iter();
        all.filter(|(_, parameter)| parameter.is_shown())
            .map(|(name, _)| name.as_str())
    };
    if let Some(target) = &entry.target {
        if !shown().any(|name| name == target) {
            let problem = format!("there is no parameter `{target}`{}", hint(target, shown()));
            return Err(builder.places.error(&at("target"), problem));
        }
        spec.target = Some(target.clone().into());
    }
    if let Some(read) = &entry.preview {
        let preview = preview(builder, read, entry.target.as_deref());
        let preview = preview.map_err(|problem| builder.places.error(&at("preview"), problem))?;
        spec.preview = Some(preview);
    }
    spec.examples = entry
        .examples
        .iter()
        .map(|example| Example {
            say: example.say.clone().into(),
            arguments: Value::Object(example.arguments.clone()),
        })
        .collect();
    Ok(spec)
}

fn effect(
    builder: &AssistantBuilder<'_>,
    key: &str,
    entry: &ToolEntry,
    source: &SourceClient,
) -> Result<Effect, ManifestError> {
    let reads = matches!(method(entry), Some(HttpMethod::Get | HttpMethod::Head));
    let knows_keys = match source {
        SourceClient::Http(source) => source.knows_keys(),
        SourceClient::Mcp(_) => false,
    };
    match entry.effect.map(Effect::from) {
        Some(Effect::Read) if method(entry) == Some(HttpMethod::Delete) => {
            let problem = "a DELETE changes something; use \"at_most_once\" or \"idempotent\"";
            Err(builder.places.error(&format!("{key}.effect"), problem))
        }
        Some(effect) => Ok(effect),
        None if reads => Ok(Effect::Read),
        None if knows_keys => Ok(Effect::Idempotent),
        None => Ok(Effect::AtMostOnce),
    }
}

fn method(entry: &ToolEntry) -> Option<HttpMethod> {
    entry.request.as_ref().map(|request| request.method)
}

/// The preview reads the target with another tool: by the parameter of the same name, or by the
/// only one that it requires.
fn preview(
    builder: &AssistantBuilder<'_>,
    read: &str,
    target: Option<&str>,
) -> Result<PreviewSpec, String> {
    let target = target.ok_or("needs a `target` to read")?;
    let tools = &builder.manifest.tool;
    let names = || tools.keys().map(String::as_str);
    let other = tools
        .get(read)
        .ok_or_else(|| format!("there is no tool `{read}`{}", hint(read, names())))?;
    let shown: Vec<&String> = other
        .parameters
        .iter()
        .filter(|(_, parameter)| parameter.is_shown())
        .map(|(name, _)| name)
        .collect();
    let same = shown.iter().find(|name| name.as_str() == target);
    let argument = match (same, &shown[..]) {
        (Some(name), _) => (*name).clone(),
        (None, [only]) => (*only).clone(),
        (None, _) => {
            return Err(format!(
                "`{read}` has no parameter `{target}` to take the target"
            ));
        }
    };
    Ok(PreviewSpec::new(describe).read(read.to_owned(), argument))
}

/// The plain fields of an object as facts.
fn describe(value: &Value) -> Option<ObjectFacts> {
    let object = value.as_object()?;
    let text = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let state = ["status", "state"].iter().find_map(|key| object.get(*key));
    Some(ObjectFacts {
        subject: None,
        state: state.and_then(text),
        facts: object
            .iter()
            .filter_map(|(name, value)| Some(Fact::new(name, &label(name), text(value)?)))
            .collect(),
    })
}

/// "due_date" as "Due date".
fn label(name: &str) -> String {
    capitalised(&name.replace(['_', '-'], " "))
}

/// A tool whose success moves the conversation or suggests next messages.
struct ToolWithFollowUp {
    tool: Arc<dyn RunByData>,
    phase: Option<Phase>,
    replies: Vec<String>,
}

#[async_trait]
impl RunByData for ToolWithFollowUp {
    async fn run(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        let done = self.tool.run(def, ctx, arguments).await?;
        if let Some(phase) = &self.phase {
            ctx.move_to(phase.clone(), def.title());
        }
        ctx.suggest(self.replies.iter().cloned());
        Ok(done)
    }
}
