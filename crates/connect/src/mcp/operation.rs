//! One tool of an MCP server as a tool of an assistant.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::tool::{NO_SUMMARY, ToolContext, ToolDef, ToolError, ToolErrorKind};
use frontdesk_core::toolbox::RunByData;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::client::{McpClient, McpError};
use super::content;
use crate::operation::{Parameter, Place, schema_of};
use crate::request::bound;

/// A tool of an MCP server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpOperation {
    /// The tool's name at the server.
    pub mcp_tool: String,
    /// The parameters by the names that the model sees. `in` has no meaning here.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: IndexMap<String, Parameter>,
}

impl McpOperation {
    /// The JSON Schema of the arguments that a model gives.
    pub fn schema(&self) -> Value {
        schema_of(&self.parameters, |_, _| Place::Body)
    }

    fn arguments(
        &self,
        given: &Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<Map<String, Value>, ToolError> {
        let mut arguments = Map::new();
        for (key, parameter) in &self.parameters {
            let fact = parameter.bind.and_then(|binding| bound(binding, ctx));
            if parameter.bind.is_some() && fact.is_none() {
                // Without it, the call would concern everybody.
                let problem = format!("The sign-in does not tell `{key}`, which this action needs");
                return Err(ToolError::refused(problem));
            }
            let value = match parameter.is_shown() {
                true => given.get(key).or(parameter.default.as_ref()).cloned(),
                false => parameter.value.clone().or(fact),
            };
            if let Some(value) = value {
                arguments.insert(parameter.wire(key).to_owned(), value);
            }
        }
        Ok(arguments)
    }
}

/// Runs one tool of a server for a model's call.
pub struct McpTool {
    client: Arc<McpClient>,
    operation: McpOperation,
}

impl McpTool {
    pub fn new(client: Arc<McpClient>, operation: McpOperation) -> Self {
        Self { client, operation }
    }
}

#[async_trait]
impl RunByData for McpTool {
    async fn run(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        let arguments = self.operation.arguments(&arguments, ctx)?;
        let called = self.client.call(&self.operation.mcp_tool, arguments).await;
        let result = called.map_err(|error| failed(&error, def))?;
        if result.is_error == Some(true) {
            let refusal = self.client.refused(&content::error_text(&result));
            return Err(ToolError::refused(refusal.to_string()));
        }
        let value = content::read(result, ctx);
        let sentence = value
            .as_str()
            .filter(|text| text.chars().count() <= MAX_SUMMARY);
        let summary = sentence.unwrap_or(NO_SUMMARY).to_owned();
        Ok((value, summary))
    }
}

/// A longer result is no sentence.
const MAX_SUMMARY: usize = 200;

/// The client has logged the cause. A write without an answer has an unknown outcome.
fn failed(error: &McpError, def: &ToolDef) -> ToolError {
    let kind = match error {
        McpError::Unavailable { .. } | McpError::Gone(..) => ToolErrorKind::Failed,
        McpError::Refused(..) => ToolErrorKind::Refused,
        McpError::Lost(_) if def.spec.effect.writes() => ToolErrorKind::Unknown,
        McpError::Lost(_) => ToolErrorKind::Failed,
    };
    let advice = if kind == ToolErrorKind::Unknown {
        ". It is not known whether this was carried out; check before trying again."
    } else {
        "."
    };
    ToolError::new(kind, format!("{error}{advice}"))
}
