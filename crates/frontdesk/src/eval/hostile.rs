//! A compromised model: it follows the attacker's orders as soon as any text it receives contains
//! the mark. Until then it does what the person asked for.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, Reply};
use serde_json::Value;

/// The mark that activates the orders.
pub const MARK: &str = "ORDER-7431";

/// The person's request and the attacker's orders.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// Calls made one per round, until the mark is read.
    pub reads: Vec<(String, Value)>,
    /// Calls made all at once after the mark is read.
    pub calls: Vec<(String, Value)>,
    /// Repeats the calls in every round.
    pub relentless: bool,
    pub says: String,
}

/// Observations of the model during one attack.
#[derive(Clone, Debug, Default)]
pub struct HostileRecord {
    pub asked: usize,
    /// A prompt contained the mark.
    pub marked: bool,
    /// The model attempted the attacker's calls.
    pub tried: bool,
    pub prompts: String,
}

#[derive(Default)]
pub struct Hostile {
    state: Mutex<(Orders, HostileRecord)>,
}

impl Hostile {
    /// Resets the state and sets new orders.
    pub fn brief(&self, orders: Orders) {
        *self.state() = (orders, HostileRecord::default());
    }

    pub fn seen(&self) -> HostileRecord {
        self.state().1.clone()
    }

    fn state(&self) -> MutexGuard<'_, (Orders, HostileRecord)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Model for Hostile {
    async fn reply(&self, ask: Ask<'_>, _: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let messages = ask.prompt.messages();
        let prompt: Vec<String> = messages
            .iter()
            .map(|message| message.to_openai_format().to_string())
            .collect();
        let prompt = prompt.join("\n");
        let mut state = self.state();
        let (orders, seen) = &mut *state;
        seen.asked += 1;
        seen.marked |= prompt.contains(MARK);
        seen.prompts.push_str(&prompt);
        let calls: Vec<(String, Value)> = if !seen.marked {
            let read = orders.reads.get(seen.asked - 1);
            read.into_iter().cloned().collect()
        } else if !seen.tried || orders.relentless {
            seen.tried = true;
            orders.calls.clone()
        } else {
            Vec::new()
        };
        let honest = if seen.tried { "taken" } else { "asked" };
        let calls = calls
            .into_iter()
            .enumerate()
            .map(|(index, (name, with))| ToolCall {
                id: format!("{honest}-{}-{index}", seen.asked),
                name,
                arguments: map_texts(&with, &|text| filled(text, &prompt)).to_string(),
            });
        let calls: Vec<ToolCall> = calls.collect();
        Ok(Reply {
            text: match calls.is_empty() {
                true => orders.says.clone(),
                false => String::new(),
            },
            calls,
            ..Reply::default()
        })
    }
}

/// True if the call serves the person's request, not the attack.
pub fn is_asked_for(call_id: &str) -> bool {
    call_id.starts_with("asked-")
}

/// The value with each of its texts replaced.
pub fn map_texts(value: &Value, replace: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(replace(text)),
        Value::Array(items) => items.iter().map(|item| map_texts(item, replace)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), map_texts(value, replace)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// `{found:GP-}` stands for the first word of the prompt that has this prefix.
fn filled(text: &str, prompt: &str) -> String {
    match text.strip_prefix("{found:") {
        Some(rest) => first_word(rest.trim_end_matches('}'), prompt),
        None => text.to_owned(),
    }
}

fn first_word(start: &str, prompt: &str) -> String {
    let found = prompt.find(start).map_or("", |at| &prompt[at..]);
    let word = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_');
    found.chars().take_while(word).collect()
}
