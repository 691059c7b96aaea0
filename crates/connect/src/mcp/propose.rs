//! Proposes an assistant over the tools that a server offers, and finds tools that changed since.

use std::collections::HashSet;

use frontdesk_core::tool::Effect;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use super::client::{McpClient, McpError};
use super::operation::McpOperation;
use crate::openapi::{
    Inference, LeftOut, Parameters, differences, free_name, grave_word, label, plain_text,
    schema_parameters, valid_name, words,
};
use crate::operation::Place;
use crate::proposal::{Draft, Proposal, ProposedTool, is_taken, table};

/// `role` may use all tools.
pub async fn propose_mcp(client: &McpClient, name: &str, role: &str) -> Result<Proposal, McpError> {
    let mut draft = Draft {
        name,
        title: label(name),
        description: format!("Works with {}", client.source().name),
        role,
        source: table(client.source()),
        source_reason: "Tools that the server adds later stay out until you add them here."
            .to_owned(),
        tools: Vec::new(),
        left_out: Vec::new(),
    };
    let mut seen = HashSet::new();
    let offered = client.tools().await?;
    for tool in offered
        .iter()
        .filter(|tool| seen.insert(tool.name.as_ref()))
    {
        match parameters(tool) {
            Ok(parameters) => {
                let name = valid_name(&words(&tool.name));
                let name = free_name(&name, |name| is_taken(name, draft.tools.iter()));
                draft.tools.push(proposed(tool, name, parameters));
            }
            Err(reason) => draft.left_out.push(LeftOut {
                request: tool.name.to_string(),
                reason,
                group: String::new(),
            }),
        }
    }
    Ok(draft.finish())
}

/// A sentence for each difference that makes calls fail: the tool is gone, a parameter is gone, or
/// a new one is required.
pub fn mcp_drift(offered: &[Tool], operation: &McpOperation) -> Vec<String> {
    let name = operation.mcp_tool.as_str();
    let Some(tool) = offered.iter().find(|tool| tool.name == name) else {
        return vec![format!("the server no longer offers the tool `{name}`")];
    };
    let is_open = tool.input_schema.get("additionalProperties") == Some(&Value::Bool(true));
    let place = if is_open { Place::Filter } else { Place::Body };
    match parameters(tool) {
        Ok(declared) => {
            let subject = format!("`{name}`");
            differences(&subject, &operation.parameters, &declared, |_, _| place)
        }
        Err(reason) => vec![format!("`{name}` cannot be compared: {reason}")],
    }
}

fn parameters(tool: &Tool) -> Result<Parameters, String> {
    let schema = Value::Object(tool.input_schema.as_ref().clone());
    schema_parameters(&tool.name, schema).map_err(|error| error.to_string())
}

fn proposed(tool: &Tool, name: String, declared: Parameters) -> ProposedTool {
    let hints = tool.annotations.as_ref();
    let title = tool.title.as_deref().or_else(|| hints?.title.as_deref());
    let description = tool.description.as_deref().unwrap_or_default();
    let operation = McpOperation {
        mcp_tool: tool.name.to_string(),
        parameters: declared.all,
    };
    let mut proposed = ProposedTool::new(
        name,
        tool.name.to_string(),
        infer(&tool.name, hints),
        table(operation),
        &plain_text(title.unwrap_or_default()),
        &plain_text(description),
    );
    proposed.unbound = declared.doubtful;
    proposed
}

/// The proposal is for the person who edits the manifest. A server's hint that a tool only reads does not
/// outweigh a grave word in its name.
fn infer(name: &str, hints: Option<&ToolAnnotations>) -> Inference {
    let reads = hints.and_then(|hints| hints.read_only_hint);
    // The protocol's default is true, but most servers without hints do not mean it.
    let destroys = hints.is_some_and(|hints| hints.destructive_hint == Some(true));
    let grave = grave_word(words(name));
    let reason = match (&grave, reads) {
        (Some(word), _) => format!("\"{word}\" always asks"),
        (None, Some(true)) => "the server says that it only reads".to_owned(),
        (None, _) if destroys => "the server says that it destroys".to_owned(),
        (None, Some(false)) => "the server says that it writes".to_owned(),
        (None, None) => {
            "the server does not say whether it writes; if not, set effect = \"read\"".to_owned()
        }
    };
    let is_read = grave.is_none() && reads == Some(true);
    let effect = if is_read {
        Effect::Read
    } else {
        Effect::AtMostOnce
    };
    let always_asks = grave.is_some() || (destroys && !is_read);
    let doubtful = reads.is_none() || (reads == Some(true) && grave.is_some());
    Inference::new(effect, always_asks, reason).doubtful_if(doubtful)
}
