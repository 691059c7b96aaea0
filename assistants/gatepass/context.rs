//! The conversation's context: stored in its metadata, sent to the model at the start of each turn,
//! cleared by a reset.

use std::sync::Arc;

use async_trait::async_trait;
use chrono_tz::Tz;
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::tool::ToolContext;
use frontdesk_core::untrusted;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::package::Gate;
use super::replies::{STATUSES, is_pass_id, is_pass_number};

/// The design's context of a conversation. Each field is a key of the metadata.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ConversationContext {
    pub(super) current_pass_number: Option<String>,
    pub(super) current_pass_id: Option<String>,
    pub(super) last_operation: Option<String>,
    /// Known parameters of an unfinished request. A list means that the person must choose.
    pub(super) pending_parameters: Map<String, Value>,
}

/// How a result changes the current pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    /// No pass is mentioned; the current one stays.
    Nothing,
    /// This pass becomes current.
    One {
        number: Option<String>,
        id: Option<String>,
    },
    /// Several passes: the person must say which one they mean.
    Several(Vec<String>),
    /// The current pass was deleted.
    Gone,
}

/// The parameter that may hold a list of candidates.
const PENDING: &str = "pass_number";

/// More candidates than this are not offered as a choice.
const MOST_CANDIDATES: usize = 20;

impl Mention {
    /// The passes that a result names.
    pub(super) fn in_result(result: &Value) -> Self {
        let text = |pass: &Value, field: &str| pass.get(field)?.as_str().map(str::to_owned);
        let number = |pass: &Value| text(pass, "pass_number").filter(|n| is_pass_number(n));
        let one = |pass: &Value| Mention::One {
            number: number(pass),
            id: text(pass, "id").filter(|id| is_pass_id(id)),
        };
        if result["deleted"] == true {
            return Mention::Gone;
        }
        let is_pass = |value: &&Value| value.get("pass_number").is_some();
        match result.get("items").and_then(Value::as_array) {
            None if is_pass(&result) => one(result),
            None => Mention::Nothing,
            Some(items) => match items.iter().filter(is_pass).collect::<Vec<_>>()[..] {
                [] => Mention::Nothing,
                [only] => one(only),
                ref several => {
                    Mention::Several(several.iter().filter_map(|pass| number(pass)).collect())
                }
            },
        }
    }
}

impl ConversationContext {
    /// Reads the metadata and ignores malformed values.
    pub(super) fn of(metadata: &Map<String, Value>) -> Self {
        let text = |key: &str| metadata.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            current_pass_number: text("current_pass_number").filter(|n| is_pass_number(n)),
            current_pass_id: text("current_pass_id").filter(|id| is_pass_id(id)),
            last_operation: text("last_operation").filter(|name| is_pass_id(name)),
            pending_parameters: metadata
                .get("pending_parameters")
                .and_then(Value::as_object)
                .map(storable)
                .unwrap_or_default(),
        }
    }

    /// The context after a failed call: its arguments are kept until the request is complete.
    pub(super) fn interrupted(self, arguments: &Map<String, Value>) -> Self {
        Self {
            pending_parameters: storable(arguments),
            ..self
        }
    }

    /// The context after a successful call.
    pub(super) fn after(self, tool: &str, mention: Mention) -> Self {
        let mut next = Self {
            last_operation: Some(tool.to_owned()),
            pending_parameters: Map::new(),
            ..self
        };
        match mention {
            Mention::Nothing => {}
            Mention::One { number, id } => {
                // The number alone still refers to the pass with the known id.
                let same = number.is_some() && number == next.current_pass_number;
                next.current_pass_id = id.or(next.current_pass_id.filter(|_| same));
                next.current_pass_number = number;
            }
            Mention::Several(numbers) => {
                next.current_pass_number = None;
                next.current_pass_id = None;
                if (2..=MOST_CANDIDATES).contains(&numbers.len()) {
                    next.pending_parameters
                        .insert(PENDING.to_owned(), json!(numbers));
                }
            }
            Mention::Gone => {
                next.current_pass_number = None;
                next.current_pass_id = None;
            }
        }
        next
    }

    /// Stores the context together with the record of the call.
    pub(super) fn remember(&self, ctx: &ToolContext) {
        for (key, value) in self.metadata() {
            ctx.remember(&key, value);
        }
    }

    /// The metadata update; null removes a key.
    fn metadata(&self) -> Map<String, Value> {
        let mut update = json!(self).as_object().cloned().unwrap_or_default();
        if self.pending_parameters.is_empty() {
            update.insert("pending_parameters".to_owned(), Value::Null);
        }
        update
    }
}

/// The values that may be stored and sent to the model again. Free text is excluded: the owner can
/// write into the metadata, and a model may repeat other people's text.
fn storable(arguments: &Map<String, Value>) -> Map<String, Value> {
    let is_storable = |name: &str, value: &Value| {
        let text = value.as_str();
        match name {
            PENDING => text.is_some_and(is_pass_number),
            "pass_id" | "notification_id" => text.is_some_and(is_pass_id),
            "status" => text.is_some_and(|status| STATUSES.contains(&status)),
            "is_returnable" => value.is_boolean(),
            _ => false,
        }
    };
    let kept = arguments.iter().filter_map(|(name, value)| {
        let value = match is_storable(name, value) {
            true => value.clone(),
            false => candidates(value).filter(|_| name == PENDING)?,
        };
        Some((name.clone(), value))
    });
    kept.collect()
}

/// The passes to choose from.
fn candidates(value: &Value) -> Option<Value> {
    let numbers = value.as_array()?.iter().filter_map(Value::as_str);
    let numbers: Vec<&str> = numbers
        .filter(|number| is_pass_number(number))
        .take(MOST_CANDIDATES)
        .collect();
    (!numbers.is_empty()).then(|| json!(numbers))
}

/// Adds the signed-in person, the site's time and the current pass to the model's context.
pub(super) struct Situation {
    pub(super) env: Arc<dyn Env>,
    pub(super) zone: Tz,
    pub(super) gate: Arc<Gate>,
}

#[async_trait]
impl ContextLoader for Situation {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        Some(self.describe(principal, &conversation.metadata))
    }

    /// No free text is kept, see [`storable`].
    fn holds_foreign_text(&self) -> bool {
        false
    }

    fn incomplete(
        &self,
        conversation: &Conversation,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Map<String, Value> {
        if !self.gate.has_tool(tool) {
            return Map::new();
        }
        ConversationContext::of(&conversation.metadata)
            .interrupted(arguments)
            .metadata()
    }
}

impl Situation {
    fn describe(&self, principal: &Principal, metadata: &Map<String, Value>) -> String {
        let (name, _) = untrusted::clean(principal.name());
        let name: Vec<&str> = name.split_whitespace().collect();
        let roles: Vec<&str> = principal.roles().iter().map(Role::as_str).collect();
        let now = self.env.now().with_timezone(&self.zone);
        let mut text = format!(
            "Signed in: {}, role {}.\nNow: {} ({}).",
            name.join(" "),
            roles.join(" and "),
            now.format("%Y-%m-%dT%H:%M:%S%:z"),
            self.zone,
        );
        for (key, value) in ConversationContext::of(metadata).metadata() {
            match value {
                Value::Null => {}
                Value::String(value) => text.push_str(&format!("\n{key}: {value}")),
                Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    text.push_str(&format!("\n{key}: {value}"));
                }
            }
        }
        text
    }
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod context_tests;
