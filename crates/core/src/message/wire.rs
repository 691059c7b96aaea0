//! The OpenAI chat form of a message.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::{Message, ToolCall};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    #[error("a message must be a JSON object: {0}")]
    Shape(String),
    #[error("unknown role {0:?}")]
    Role(String),
    #[error("a {role} message needs `{field}`")]
    Missing {
        role: &'static str,
        field: &'static str,
    },
}

impl Message {
    pub fn to_openai_format(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// Parses a message from a model, a client or our own store.
    pub fn from_openai_format(value: &Value) -> Result<Self, MessageError> {
        let read =
            WireMessage::deserialize(value).map_err(|e| MessageError::Shape(e.to_string()))?;
        Message::try_from(read)
    }
}

impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let function = json!({ "name": self.name, "arguments": self.arguments });
        let call = json!({ "id": self.id, "type": "function", "function": function });
        call.serialize(serializer)
    }
}

#[derive(Deserialize)]
pub(super) struct WireMessage {
    role: String,
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<WireCall>>,
    #[serde(default)]
    tool_call_id: Option<String>,
    #[serde(default)]
    function_call: Option<ReadFunction>,
}

/// Text, or a list of parts of which only texts matter.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct WireCall {
    #[serde(default)]
    id: Option<String>,
    function: ReadFunction,
}

#[derive(Deserialize)]
struct ReadFunction {
    name: String,
    #[serde(default)]
    arguments: Option<Value>,
}

impl ReadFunction {
    /// Some servers send the arguments as an object instead of JSON text.
    fn arguments_text(self) -> String {
        match self.arguments {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        }
    }
}

impl From<WireCall> for ToolCall {
    fn from(read: WireCall) -> Self {
        Self {
            id: read.id.unwrap_or_default(),
            name: read.function.name.clone(),
            arguments: read.function.arguments_text(),
        }
    }
}

impl Content {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

impl TryFrom<WireMessage> for Message {
    type Error = MessageError;

    fn try_from(read: WireMessage) -> Result<Self, MessageError> {
        let content = read.content.map(Content::into_text);
        let needed = |role| {
            move |content: Option<String>| {
                content.ok_or(MessageError::Missing {
                    role,
                    field: "content",
                })
            }
        };
        match read.role.as_str() {
            "system" | "developer" => Ok(Self::System {
                content: needed("system")(content)?,
            }),
            "user" => Ok(Self::User {
                content: needed("user")(content)?,
                name: read.name,
            }),
            "assistant" => {
                let mut tool_calls: Vec<ToolCall> = read
                    .tool_calls
                    .unwrap_or_default()
                    .into_iter()
                    .map(ToolCall::from)
                    .collect();
                if let Some(function) = read.function_call {
                    let name = function.name.clone();
                    tool_calls.push(ToolCall {
                        id: function_call_id(&name),
                        name,
                        arguments: function.arguments_text(),
                    });
                }
                if content.is_none() && tool_calls.is_empty() {
                    return Err(MessageError::Missing {
                        role: "assistant",
                        field: "content",
                    });
                }
                Ok(Self::Assistant {
                    content,
                    tool_calls,
                })
            }
            "tool" => Ok(Self::Tool {
                tool_call_id: read.tool_call_id.ok_or(MessageError::Missing {
                    role: "tool",
                    field: "tool_call_id",
                })?,
                name: read.name,
                content: needed("tool")(content)?,
            }),
            "function" => {
                let name = read.name.ok_or(MessageError::Missing {
                    role: "function",
                    field: "name",
                })?;
                Ok(Self::Tool {
                    tool_call_id: function_call_id(&name),
                    name: Some(name),
                    content: needed("function")(content)?,
                })
            }
            other => Err(MessageError::Role(other.to_owned())),
        }
    }
}

/// The function form has no call ids: a call and the result of the same name get this one.
fn function_call_id(name: &str) -> String {
    format!("function:{name}")
}
