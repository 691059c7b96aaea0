//! Checks that a list of messages is valid input for any provider.

use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_core::untrusted::is_blank;
use serde_json::Value;

/// Every call has exactly one result, right after it, and every result has a call. No server
/// refuses the names, arguments and texts.
pub(crate) fn valid(messages: &[Message]) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    for message in messages {
        match message {
            Message::Tool { tool_call_id, .. } => {
                let Some(at) = open.iter().position(|id| id == tool_call_id) else {
                    return Err(format!("a result without its call: {message:?}"));
                };
                open.remove(at);
            }
            Message::System { .. } | Message::User { .. } | Message::Assistant { .. }
                if !open.is_empty() =>
            {
                return Err(format!("calls without results: {open:?}"));
            }
            Message::Assistant {
                content,
                tool_calls,
            } => {
                if content.as_deref().is_some_and(is_blank) {
                    return Err("a blank text".to_owned());
                }
                tool_calls.iter().try_for_each(valid_call)?;
                open = tool_calls.iter().map(|call| call.id.clone()).collect();
                let mut ids = open.clone();
                ids.sort();
                ids.dedup();
                if ids.len() != open.len() {
                    return Err(format!("ids are used twice: {open:?}"));
                }
            }
            Message::System { .. } | Message::User { .. } => {}
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    Err(format!("calls without results at the end: {open:?}"))
}

fn valid_call(call: &ToolCall) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !(1..=64).contains(&call.name.len()) || !call.name.chars().all(plain) {
        return Err(format!("not a function name: {:?}", call.name));
    }
    if !(1..=64).contains(&call.id.len()) {
        return Err(format!("not a call id: {:?}", call.id));
    }
    match serde_json::from_str::<Value>(&call.arguments) {
        Ok(Value::Object(_)) => Ok(()),
        _ => Err(format!("arguments are not an object: {:?}", call.arguments)),
    }
}

/// Also checks that each stored line has the right kind.
pub(crate) fn valid_lines(lines: &[Line]) -> Result<(), String> {
    let mut messages = Vec::new();
    for line in lines {
        let value: Value = serde_json::from_str(&line.wire).map_err(|e| e.to_string())?;
        let message = Message::from_openai_format(&value).map_err(|e| e.to_string())?;
        let kind = match &message {
            Message::System { .. } => LineKind::Context,
            Message::User { .. } => LineKind::User,
            Message::Tool { .. } => LineKind::Result,
            Message::Assistant { tool_calls, .. } if tool_calls.is_empty() => LineKind::Answer,
            Message::Assistant { .. } => LineKind::Calls,
        };
        if kind != line.kind {
            return Err(format!("{:?} is marked {:?}", message, line.kind));
        }
        messages.push(message);
    }
    valid(&messages)
}

/// A whole request: the system prompt, then a valid history.
pub(crate) fn valid_request(messages: &[Message]) -> Result<(), String> {
    match messages.first() {
        Some(Message::System { .. }) => valid(messages),
        first => Err(format!("the system prompt is not first but {first:?}")),
    }
}
