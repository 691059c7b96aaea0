//! The older `function` / `function_call` form, in which a call has no id and each
//! assistant message makes at most one call.

use serde_json::{Value, json};

use super::{Message, MessageError};

/// Why a thread cannot be read or written in the function form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionFormError {
    #[error("message {index}: {error}")]
    Message { index: usize, error: MessageError },
    #[error("the function form holds one call a message; this one makes {0}")]
    SeveralCalls(usize),
    #[error("a function result needs the function's name")]
    NamelessResult,
}

/// The id given to a call that came without one; a result of the same name carries it too.
pub(super) fn call_id(name: &str) -> String {
    format!("function:{name}")
}

/// Reads a thread in the function form. Calls are numbered, so that two calls of one
/// function keep their own results.
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
                    // It was read after any others, which have ids of their own.
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

/// Whether the field says something: clients send the fields of both forms, some `null`.
fn has(message: &Value, field: &str) -> bool {
    message.get(field).is_some_and(|value| !value.is_null())
}

/// Writes a message in the function form.
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
