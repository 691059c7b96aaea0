//! The measured scene: a number of tools, a number of earlier messages, one tool call and
//! an answer of 61 tokens.

use std::sync::Arc;

use anyhow::Result;
use async_trait::async_trait;
use frontdesk_core::access::Role;
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::message::Message;
use frontdesk_core::model::ModelSettings;
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::{RunByData, Toolbox, ToolboxError};
use frontdesk_core::transcript::{Line, LineKind, Transcript};
use serde_json::{Map, Value, json};

pub const ASSISTANT: &str = "bench";
pub const SYSTEM: &str =
    "You help people with their orders. Answer briefly and only from what tools return.";
pub const QUESTION: &str = "Where is my order number 4711, and when will it arrive?";
/// The tool's result, as sent to the model.
pub const RESULT: &str = r#"{"status":"shipped"}"#;
pub const TOOLS: usize = 22;

pub struct Scene {
    pub tools: usize,
    pub history: usize,
}

impl Scene {
    pub const fn new(tools: usize, history: usize) -> Self {
        Self { tools, history }
    }

    /// Earlier messages, alternating between user and assistant.
    pub fn transcript(&self) -> Transcript {
        let mut transcript = Transcript::with_capacity(self.history, self.history * 160);
        for number in 0..self.history {
            let line = if number % 2 == 0 {
                Line::user(format!(
                    "Earlier question number {number} about an order that was placed a while ago."
                ))
            } else {
                let answer = format!(
                    "Earlier answer number {number}: it was delivered and signed for on time."
                );
                Line::new(LineKind::Answer, &Message::assistant(answer))
            };
            transcript.push(&line);
        }
        transcript
    }
}

struct Tool;

#[async_trait]
impl RunByData for Tool {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Ok((json!({ "status": "shipped" }), "Shipped.".to_owned()))
    }
}

fn tool_defs(count: usize) -> impl Iterator<Item = ToolDef> {
    (0..count).map(|number| ToolDef {
        name: format!("tool_{number}").into(),
        parameters: json!({
            "type": "object",
            "properties": { "order": { "type": "string", "description": "The number of the order." } },
            "required": ["order"],
            "additionalProperties": false,
        }),
        spec: ToolSpec::read(format!("Look up part {number} of an order by its number."))
            .roles([Role::BUYER]),
    })
}

/// The `tools` array that both sides send.
pub fn tools_json(count: usize) -> String {
    let tools: Vec<Value> = tool_defs(count).map(|def| def.to_openai_format()).collect();
    Value::Array(tools).to_string()
}

pub fn assistant(tools: usize, limits: Limits) -> Result<Assistant, ToolboxError> {
    let mut toolbox = Toolbox::builder();
    let runner = Arc::new(Tool);
    for def in tool_defs(tools) {
        toolbox = toolbox.data_tool(def, runner.clone());
    }
    Ok(Assistant {
        name: ASSISTANT.into(),
        title: "Bench".into(),
        description: "Measured, not used.".into(),
        instructions: SYSTEM.into(),
        toolbox: toolbox.build()?,
        model: ModelSettings {
            model: ASSISTANT.to_owned(),
            temperature: None,
            max_tokens: None,
        },
        limits,
        ..Assistant::absent()
    })
}
