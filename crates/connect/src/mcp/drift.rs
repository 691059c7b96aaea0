//! Differences between the tools of a manifest and those that a server offers.

use rmcp::model::Tool;
use serde_json::Value;

use super::operation::McpOperation;

/// A sentence for each difference that makes calls fail: the tool is gone, a parameter is gone, or
/// a new one is required.
pub fn mcp_drift(offered: &[Tool], operation: &McpOperation) -> Vec<String> {
    let name = operation.mcp_tool.as_str();
    let Some(tool) = offered.iter().find(|tool| tool.name == name) else {
        return vec![format!("the server no longer offers the tool `{name}`")];
    };
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let is_declared = |wire: &str| properties.is_some_and(|known| known.contains_key(wire));
    let is_open = tool.input_schema.get("additionalProperties") == Some(&Value::Bool(true));
    let gone = operation
        .parameters
        .iter()
        .map(|(key, parameter)| parameter.wire(key))
        .filter(|wire| !is_open && !is_declared(wire))
        .map(|wire| format!("`{name}` no longer has the parameter `{wire}`"));
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let missing = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(|wire| {
            !operation
                .parameters
                .iter()
                .any(|(key, p)| p.wire(key) == *wire)
        })
        .map(|wire| format!("`{name}` now requires the parameter `{wire}`"));
    gone.chain(missing).collect()
}
