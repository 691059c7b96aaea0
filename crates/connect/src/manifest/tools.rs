//! A tool of a manifest: its declaration, and what follows a success.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::access::Role;
use frontdesk_core::phase::Phase;
use frontdesk_core::preview::{Fact, ObjectFacts, PreviewSpec};
use frontdesk_core::tool::{
    ApprovalRule, Effect, Example, ToolContext, ToolDef, ToolError, ToolSpec,
};
use frontdesk_core::toolbox::RunByData;
use serde_json::{Map, Value};

use super::build::{AssistantBuilder, SourceClient};
use super::error::{Problem, at, unknown};
use super::format::{Consent, Manifest, ToolEntry};
use crate::mcp::McpTool;
use crate::openapi::label;
use crate::operation::HttpMethod;
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
) -> Result<(ToolDef, Arc<dyn RunByData>), Problem> {
    let source = builder.source(&entry.source)?;
    let mut def = ToolDef {
        name: name.to_owned().into(),
        parameters: Value::Null,
        spec: spec(builder, entry, source)?,
    };
    let runner: Arc<dyn RunByData> = match source {
        SourceClient::Http(source) => {
            let operation = entry
                .operation()
                .ok_or_else(|| at("", "needs a `request`, e.g. \"GET /tickets/{ticket_id}\""))?;
            if let Some(problem) = operation.problem() {
                return Err(at("request", problem));
            }
            def.parameters = operation.schema();
            let tool = HttpTool::new(Arc::clone(source), operation);
            (builder.runner)(&mut def, tool.listed_by(lists(builder.manifest, entry)))
        }
        SourceClient::Mcp(client) => {
            let operation = entry
                .mcp_operation()
                .ok_or_else(|| at("", "needs `mcp_tool`, the tool's name at its MCP server"))?;
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

/// The tools that list what this one is about, with their roles.
fn lists(manifest: &Manifest, entry: &ToolEntry) -> Vec<(String, Vec<Role>)> {
    let lists_it = |other: &ToolEntry| {
        let request = other.request.as_ref();
        entry.object.is_some()
            && other.object == entry.object
            && request.is_some_and(|r| r.method == HttpMethod::Get && r.names().next().is_none())
    };
    let lists = manifest.tool.iter().filter(|(_, other)| lists_it(other));
    let mut lists: Vec<(&String, &ToolEntry)> = lists.collect();
    // The general list first: it has the most filters.
    lists.sort_by_key(|(_, other)| Reverse(other.parameters.len()));
    lists
        .into_iter()
        .map(|(name, other)| (name.clone(), other.roles.clone()))
        .collect()
}

fn spec(
    builder: &AssistantBuilder<'_>,
    entry: &ToolEntry,
    source: &SourceClient,
) -> Result<ToolSpec, Problem> {
    builder.check_phases("phases", &entry.phases)?;
    builder.check_phases("moves_to", entry.moves_to.as_slice())?;
    builder.check_tools("needs", &entry.needs)?;
    for (key, template) in [
        ("summary", &entry.summary),
        ("card_title", &entry.card_title),
    ] {
        if let Some(rest) = template.as_deref().and_then(unclosed) {
            let name = rest.split_whitespace().next().unwrap_or_default();
            return Err(at(key, format!("has `{{{name}` without `}}`")));
        }
    }
    let (timeout, knows_keys) = match source {
        SourceClient::Http(source) => (source.budget() + MARGIN, source.knows_keys()),
        SourceClient::Mcp(client) => (client.source().timeout.0 + START_TIME, false),
    };
    let timeout = entry.timeout.map_or(timeout, |timeout| timeout.0);
    let mut spec = ToolSpec::read(entry.description.clone()).timeout(timeout);
    for tool in &entry.needs {
        spec = spec.needs_tool(tool.clone());
    }
    spec.effect = effect(entry, knows_keys)?;
    spec.roles.clone_from(&entry.roles);
    spec.phases = entry.phases.iter().cloned().map(Phase::stored).collect();
    let deletes = entry.method() == Some(HttpMethod::Delete) && spec.effect.writes();
    spec.destructive = entry.destructive.unwrap_or(deletes);
    spec.title = entry.title.clone().map(Into::into);
    spec.verb = entry.verb.clone().map(Into::into);
    spec.decline = entry.decline.clone().map(Into::into);
    spec.own_name = entry.own_name.clone().map(Into::into);
    spec.card_title = entry.card_title.clone().map(Into::into);
    spec.consequence = entry.consequence.clone().map(Into::into);
    let approvers = entry.approvers.clone();
    spec.approval = match entry.consent {
        Some(Consent::UnlessOrdered) if !approvers.is_empty() => {
            let problem = "with `approvers`, every call waits; use \"always\", or leave it out";
            return Err(at("consent", problem));
        }
        Some(Consent::UnlessOrdered) => ApprovalRule::UnlessOrdered,
        None if approvers.is_empty() && !spec.destructive => ApprovalRule::UnlessOrdered,
        Some(Consent::Always) | None => ApprovalRule::Always { approvers },
    };
    if let Some(target) = &entry.target {
        if entry.parameters.get(target).is_some_and(|p| !p.is_shown()) {
            let problem = format!("`{target}` is filled in; a target is given by the person");
            return Err(at("target", problem));
        }
        if !entry.shown().any(|name| name == target) {
            return Err(at("target", unknown("parameter", target, entry.shown())));
        }
        spec.target = Some(target.clone().into());
    }
    if let Some(read) = &entry.preview {
        let preview = preview(builder.manifest, read, entry.target.as_deref());
        spec.preview = Some(preview.map_err(|problem| at("preview", problem))?);
    }
    let examples = entry.examples.iter().map(|example| Example {
        say: example.say.clone().into(),
        arguments: Value::Object(example.arguments.clone()),
    });
    spec.examples = examples.collect();
    Ok(spec)
}

/// The text behind the first `{` of a template that has no end.
fn unclosed(template: &str) -> Option<&str> {
    let mut pieces = template.split('{').skip(1);
    pieces.find(|piece| !piece.contains('}'))
}

fn effect(entry: &ToolEntry, knows_keys: bool) -> Result<Effect, Problem> {
    match (entry.effect.map(Effect::from), entry.method()) {
        (Some(Effect::Read), Some(HttpMethod::Delete)) => {
            let problem = "a DELETE changes something; use \"at_most_once\" or \"idempotent\"";
            Err(at("effect", problem))
        }
        (Some(effect), _) => Ok(effect),
        (None, Some(HttpMethod::Get | HttpMethod::Head)) => Ok(Effect::Read),
        (None, _) if knows_keys => Ok(Effect::Idempotent),
        (None, _) => Ok(Effect::AtMostOnce),
    }
}

/// The preview reads the target with another tool: by the parameter of the same name, or by the
/// only one that it requires.
fn preview(manifest: &Manifest, read: &str, target: Option<&str>) -> Result<PreviewSpec, String> {
    let target = target.ok_or("needs a `target` to read")?;
    let tools = &manifest.tool;
    let names = tools.keys().map(String::as_str);
    let other = tools
        .get(read)
        .ok_or_else(|| unknown("tool", read, names))?;
    let shown: Vec<&str> = other.shown().collect();
    let argument = match shown[..] {
        [only] => only,
        _ if shown.contains(&target) => target,
        _ => {
            return Err(format!(
                "`{read}` has no parameter `{target}` to take the target"
            ));
        }
    };
    Ok(PreviewSpec::new(describe).read(read.to_owned(), argument.to_owned()))
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
