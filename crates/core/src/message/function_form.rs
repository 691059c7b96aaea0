//! The older `function` / `function_call` form: no call ids, at most one call per message.

use serde_json::{Value, json};

use super::{Message, MessageError};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionFormError {
    #[error("message {index}: {error}")]
    Message { index: usize, error: MessageError },
    #[error("the function form holds one call a message; this one makes {0}")]
    SeveralCalls(usize),
    #[error("a function result needs the function's name")]
    NamelessResult,
}

/// The id of a call without one; a result of the same name gets the same id.
pub(super) fn call_id(name: &str) -> String {
    format!("function:{name}")
}

/// Parses a thread in the function form. Numbered ids keep each result with its own call.
pub fn from_function_thread(thread: &[Value]) -> Result<Vec<Message>, FunctionFormError> {
    let mut number = 0;
    thread
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let message = Message::from_openai_format(value)
                .map_err(|error| FunctionFormError::Message { index, error })?;
            Ok(match message {
                Message::Assistant {
                    content,
                    mut tool_calls,
                } if has(value, "function_call") => {
                    number += 1;
                    // It was parsed last; other calls have their own ids.
                    if let Some(call) = tool_calls.last_mut() {
                        call.id = format!("{}:{number}", call.id);
                    }
                    Message::Assistant {
                        content,
                        tool_calls,
                    }
                }
                Message::Tool {
                    tool_call_id,
                    name,
                    content,
                } if !has(value, "tool_call_id") => Message::Tool {
                    tool_call_id: format!("{tool_call_id}:{number}"),
                    name,
                    content,
                },
                other @ (Message::System { .. }
                | Message::User { .. }
                | Message::Assistant { .. }
                | Message::Tool { .. }) => other,
            })
        })
        .collect()
}

/// True if the field is not `null`: clients send the fields of both forms.
fn has(message: &Value, field: &str) -> bool {
    message.get(field).is_some_and(|value| !value.is_null())
}

pub fn to_function_form(message: &Message) -> Result<Value, FunctionFormError> {
    match message {
        Message::System { .. } | Message::User { .. } => Ok(message.to_openai_format()),
        Message::Assistant {
            content,
            tool_calls,
        } => {
            let mut value = json!({ "role": "assistant" });
            if let Some(content) = content {
                value["content"] = json!(content);
            }
            match tool_calls.as_slice() {
                [] => {}
                [call] => {
                    value["function_call"] =
                        json!({ "name": call.name, "arguments": call.arguments });
                }
                several => return Err(FunctionFormError::SeveralCalls(several.len())),
            }
            Ok(value)
        }
        Message::Tool { name, content, .. } => {
            let name = name.as_ref().ok_or(FunctionFormError::NamelessResult)?;
            Ok(json!({ "role": "function", "name": name, "content": content }))
        }
    }
}

#[cfg(test)]
#[path = "function_form_tests.rs"]
mod function_form_tests;
