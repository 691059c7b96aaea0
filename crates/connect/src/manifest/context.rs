//! FactLoader from a GET, loaded for the person before each turn.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::ContextLoader;
use frontdesk_core::conversation::Conversation;
use serde_json::{Map, Value};

use crate::client::HttpSource;
use crate::operation::Operation;
use crate::request::{ApiRequest, fact};

/// A turn must not wait longer for facts.
const BUDGET: Duration = Duration::from_secs(5);
/// In characters.
const LONGEST: usize = 6_000;

pub(super) struct FactLoader {
    pub(super) title: String,
    pub(super) source: Arc<HttpSource>,
    pub(super) operation: Operation,
}

#[async_trait]
impl ContextLoader for FactLoader {
    async fn load(&self, principal: &Principal, conversation: &Conversation) -> Option<String> {
        let operation = self.bound(principal, conversation)?;
        let request = ApiRequest::new(&operation, &Map::new(), None, Vec::new()).ok()?;
        let options = self.source.options(principal, BUDGET, &|_| {});
        let rules = &operation.response;
        match self
            .source
            .send(&request, rules.success.as_ref(), &options)
            .await
        {
            Ok(answer) => {
                let read = rules.read(answer.json().ok()?, self.source.zone()).ok()?;
                Some(format!(
                    "{}: {}",
                    self.title,
                    short(&read.value.to_string())
                ))
            }
            Err(failed) => {
                let name = &self.source.source().name;
                tracing::warn!("facts are left out: {}", failed.failure.in_log(name));
                None
            }
        }
    }

    /// They change, so that earlier turns keep none.
    fn is_passing(&self) -> bool {
        true
    }
}

impl FactLoader {
    /// The operation with the values of this person. `None` if one is unknown: without it, the facts
    /// would be about everybody.
    fn bound(&self, principal: &Principal, conversation: &Conversation) -> Option<Operation> {
        let mut operation = self.operation.clone();
        for parameter in operation.parameters.values_mut() {
            if let Some(binding) = parameter.bind.take() {
                let text = fact(binding, principal, conversation)?;
                parameter.value = Some(Value::String(text));
            }
        }
        Some(operation)
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… (cut)", &text[..end]),
        None => text.to_owned(),
    }
}
