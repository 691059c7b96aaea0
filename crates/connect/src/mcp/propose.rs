//! Proposes an assistant over the tools that a server offers.

use std::collections::HashSet;

use frontdesk_core::tool::Effect;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;
use toml::Table;

use super::client::{McpClient, McpError};
use super::operation::McpOperation;
use crate::openapi::{
    LeftOut, Names, base_form, capitalised, is_grave, plain_text, schema_parameters, shortened,
    twins, valid_name, words,
};
use crate::proposal::{Draft, DraftTool, Proposal, ProposedTool};

const MAX_TITLE: usize = 60;
const MAX_DESCRIPTION: usize = 300;

/// `role` may use all tools.
pub async fn propose_mcp(client: &McpClient, name: &str, role: &str) -> Result<Proposal, McpError> {
    Ok(propose(&client.tools().await?, client, name, role))
}

fn propose(tools: &[Tool], client: &McpClient, name: &str, role: &str) -> Proposal {
    let mut names = Names::new();
    let mut left_out = Vec::new();
    let mut notes = Vec::new();
    let mut drafts = Vec::new();
    let mut seen = HashSet::new();
    for tool in tools.iter().filter(|tool| seen.insert(tool.name.as_ref())) {
        match parameters(tool) {
            Ok((operation, doubtful)) => {
                let unique = names.claim(&valid_name(&words(&tool.name)));
                notes.extend(doubtful.iter().map(|key| {
                    format!("`{unique}`: `{key}` may be the signed-in person; if so, bind it or give it a constant value.")
                }));
                drafts.push(draft(tool, unique, &operation));
            }
            Err(reason) => left_out.push(LeftOut {
                request: tool.name.to_string(),
                reason,
                group: String::new(),
            }),
        }
    }
    let described: Vec<(&str, &str)> = drafts
        .iter()
        .map(|draft| {
            let text = draft.table.get("description").and_then(toml::Value::as_str);
            (draft.proposed.name.as_str(), text.unwrap_or_default())
        })
        .collect();
    notes.extend(twins(&described).into_iter().map(|(one, other)| {
        format!("`{one}` and `{other}` have nearly the same description; say how they differ.")
    }));
    let draft = Draft {
        name: name.to_owned(),
        title: title_of(name),
        description: format!("Works with {}", client.source().name),
        role: role.to_owned(),
        // Plain data without nulls; a failure leaves an empty table, which a check reports.
        source: Table::try_from(client.source()).unwrap_or_default(),
        source_reason: "Tools that the server adds later stay out until you add them here."
            .to_owned(),
        tools: drafts,
    };
    draft.finish(left_out, notes)
}

fn parameters(tool: &Tool) -> Result<(McpOperation, Vec<String>), String> {
    let schema = Value::Object(tool.input_schema.as_ref().clone());
    let (parameters, doubtful) =
        schema_parameters(&tool.name, &schema).map_err(|error| error.to_string())?;
    let operation = McpOperation {
        mcp_tool: tool.name.to_string(),
        parameters,
    };
    Ok((operation, doubtful))
}

fn draft(tool: &Tool, name: String, operation: &McpOperation) -> DraftTool {
    let hints = tool.annotations.as_ref();
    let title = tool.title.as_deref().or_else(|| hints?.title.as_deref());
    let title = match title.map(plain_text) {
        Some(title) if !title.is_empty() => shortened(&title, MAX_TITLE),
        _ => title_of(&name),
    };
    let description = match tool.description.as_deref().map(plain_text) {
        Some(text) if !text.is_empty() => shortened(&text, MAX_DESCRIPTION),
        _ => format!("{title}."),
    };
    let proposed = infer(&tool.name, name, hints);
    let request = ("mcp_tool", tool.name.to_string());
    let mut draft = DraftTool::new(proposed, title, description, request);
    let mut rest = Table::try_from(operation).unwrap_or_default();
    rest.remove("mcp_tool");
    draft.table.extend(rest);
    draft
}

/// The proposal is for the person who edits the manifest. A server's hint that a tool only reads does not
/// outweigh a grave word in its name.
fn infer(request: &str, name: String, hints: Option<&ToolAnnotations>) -> ProposedTool {
    let hint = |read: fn(&ToolAnnotations) -> Option<bool>| hints.and_then(read);
    let grave = words(request)
        .iter()
        .map(|word| base_form(word))
        .find(|word| is_grave(word));
    let reads = hint(|h| h.read_only_hint) == Some(true);
    // The protocol's default is true, but most servers without hints do not mean it.
    let destroys = hint(|h| h.destructive_hint) == Some(true);
    let (effect, always_asks, reason) = match (reads, grave) {
        (true, None) => (
            Effect::Read,
            false,
            "the server says that it only reads".to_owned(),
        ),
        (_, Some(word)) => {
            let effect = Effect::AtMostOnce;
            (effect, true, format!("\"{word}\" always asks"))
        }
        (false, None) if destroys => {
            let reason = "the server says that it destroys".to_owned();
            (Effect::AtMostOnce, true, reason)
        }
        (false, None) if hints.is_some_and(|h| h.read_only_hint.is_some()) => {
            let reason = "the server says that it writes".to_owned();
            (Effect::AtMostOnce, false, reason)
        }
        (false, None) => {
            let reason = "the server does not say whether it writes; if not, set effect = \"read\"";
            (Effect::AtMostOnce, false, reason.to_owned())
        }
    };
    ProposedTool {
        name,
        request: request.to_owned(),
        effect,
        always_asks,
        doubtful: hints.and_then(|h| h.read_only_hint).is_none() || (reads && always_asks),
        reason,
    }
}

fn title_of(name: &str) -> String {
    capitalised(&name.replace(['_', '-'], " "))
}
