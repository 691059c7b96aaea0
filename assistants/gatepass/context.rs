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

use super::replies::{Call, is_pass_id, is_pass_number};
use super::tools::{self, Entry, Kind, STATUSES};

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
    pub(super) fn number(number: &str) -> Self {
        Mention::One {
            number: is_pass_number(number).then(|| number.to_owned()),
            id: None,
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
            pending_parameters: pending(metadata),
        }
    }

    /// The context after a failed call: its arguments are kept until the request is complete.
    pub(super) fn interrupted(self, entry: &Entry, arguments: &Map<String, Value>) -> Self {
        let given = entry.parameters.iter().filter_map(|parameter| {
            let value = arguments.get(&parameter.name)?;
            Some((parameter.name.clone(), storable(parameter.kind, value)?))
        });
        Self {
            pending_parameters: given.collect(),
            ..self
        }
    }

    /// The context after a successful call.
    pub(super) fn after(self, call: &Call, mention: Mention) -> Self {
        let mut next = Self {
            last_operation: Some(call.entry.name.clone()),
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
        let pending = match self.pending_parameters.is_empty() {
            true => Value::Null,
            false => json!(self.pending_parameters),
        };
        Map::from_iter([
            (
                "current_pass_number".to_owned(),
                json!(self.current_pass_number),
            ),
            ("current_pass_id".to_owned(), json!(self.current_pass_id)),
            ("last_operation".to_owned(), json!(self.last_operation)),
            ("pending_parameters".to_owned(), pending),
        ])
    }
}

/// Reads the known parameters of an unfinished request.
fn pending(metadata: &Map<String, Value>) -> Map<String, Value> {
    let Some(Value::Object(found)) = metadata.get("pending_parameters") else {
        return Map::new();
    };
    let parameters = tools::all().flat_map(|entry| &entry.parameters);
    parameters
        .filter_map(|parameter| {
            let value = storable(parameter.kind, found.get(&parameter.name)?)?;
            Some((parameter.name.clone(), value))
        })
        .collect()
}

/// A value that may be stored and sent to the model again. Free text is excluded: the owner can
/// write into the metadata, and a model may repeat other people's text.
fn storable(kind: Kind, value: &Value) -> Option<Value> {
    let text = |good: &dyn Fn(&str) -> bool| {
        let text = value.as_str().filter(|text| good(text));
        text.map(|text| json!(text))
    };
    match kind {
        Kind::PassNumber => text(&is_pass_number).or_else(|| candidates(value)),
        Kind::Id => text(&is_pass_id),
        Kind::Status => text(&|status| STATUSES.contains(&status)),
        Kind::Flag => value.as_bool().map(Value::Bool),
        Kind::Text | Kind::Search | Kind::Photo | Kind::OwnName => None,
    }
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
}

#[async_trait]
impl ContextLoader for Situation {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        Some(self.describe(principal, &conversation.metadata))
    }

    /// No free text is kept, see [`kept`].
    fn holds_foreign_text(&self) -> bool {
        false
    }

    fn incomplete(
        &self,
        conversation: &Conversation,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Map<String, Value> {
        let Some(entry) = tools::all().find(|entry| entry.name == tool) else {
            return Map::new();
        };
        ConversationContext::of(&conversation.metadata)
            .interrupted(entry, arguments)
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
        let context = ConversationContext::of(metadata);
        let mut line = |key: &str, value: Option<&str>| {
            if let Some(value) = value {
                text.push_str(&format!("\n{key}: {value}"));
            }
        };
        line(
            "current_pass_number",
            context.current_pass_number.as_deref(),
        );
        line("current_pass_id", context.current_pass_id.as_deref());
        line("last_operation", context.last_operation.as_deref());
        if !context.pending_parameters.is_empty() {
            let pending = Value::Object(context.pending_parameters).to_string();
            line("pending_parameters", Some(&pending));
        }
        text
    }
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod context_tests;
