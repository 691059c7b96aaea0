//! A message and its exact OpenAI wire form, both ways.
//!
//! Serialisation is canonical. Parsing is tolerant: it accepts unknown fields, `null` and missing
//! content, text in parts, and the older `function`/`function_call` form.

mod wire;

pub use wire::MessageError;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One message as a model sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase", try_from = "wire::WireMessage")]
pub enum Message {
    System {
        content: String,
    },
    User {
        content: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// `content` is `None` if the model only called tools; `Some("")` is an empty text.
    Assistant {
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    Tool {
        content: String,
        tool_call_id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
}

/// A model's call. `arguments` is its JSON text verbatim and may be invalid.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "wire::WireCall")]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentsError {
    #[error("the arguments are longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("the arguments are not valid JSON: {0}")]
    NotJson(String),
    #[error("the arguments must be a JSON object")]
    NotAnObject,
}

impl ToolCall {
    /// Longer arguments are a model fault, not a request.
    pub const MAX_ARGUMENT_BYTES: usize = 512 * 1024;

    /// Parses the arguments as an object. Some servers send an empty text for no arguments.
    pub fn parse_arguments(&self) -> Result<Map<String, Value>, ArgumentsError> {
        if self.arguments.len() > Self::MAX_ARGUMENT_BYTES {
            return Err(ArgumentsError::TooLong {
                limit: Self::MAX_ARGUMENT_BYTES,
            });
        }
        if self.arguments.trim().is_empty() {
            return Ok(Map::new());
        }
        match serde_json::from_str(&self.arguments) {
            Ok(Value::Object(map)) => Ok(map),
            Ok(_) => Err(ArgumentsError::NotAnObject),
            Err(error) => Err(ArgumentsError::NotJson(error.to_string())),
        }
    }
}

impl Message {
    pub fn system(content: impl Into<String>) -> Self {
        Self::System {
            content: content.into(),
        }
    }

    pub fn user(content: impl Into<String>) -> Self {
        Self::User {
            content: content.into(),
            name: None,
        }
    }

    pub fn assistant(content: impl Into<String>) -> Self {
        Self::Assistant {
            content: Some(content.into()),
            tool_calls: Vec::new(),
        }
    }

    pub fn calls(content: Option<String>, tool_calls: Vec<ToolCall>) -> Self {
        Self::Assistant {
            content,
            tool_calls,
        }
    }

    pub fn tool(
        tool_call_id: impl Into<String>,
        name: impl Into<String>,
        content: impl Into<String>,
    ) -> Self {
        Self::Tool {
            tool_call_id: tool_call_id.into(),
            name: Some(name.into()),
            content: content.into(),
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::System { content } | Self::User { content, .. } | Self::Tool { content, .. } => {
                Some(content)
            }
            Self::Assistant { content, .. } => content.as_deref(),
        }
    }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod message_tests;
