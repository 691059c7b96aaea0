//! Implements the model port: reads the prompt, decides, and streams the answer.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use async_trait::async_trait;
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Ask, DeltaSink, Finish, Model, ModelError, Prompt, Reply, Usage};
use serde_json::Value;

use crate::catalog::{Cache, Catalog};
use crate::decide::{Call, Decider, Decision};
use crate::dialogue::Dialogue;
use crate::language::Language;
use crate::say;

pub const MODEL_NAME: &str = "offline";

/// Answers without a language model. Keeps no state but its cache of trained classifiers.
#[derive(Default)]
pub struct OfflineModel {
    /// The language of fixed phrases if the person's is unknown.
    language: Language,
    cache: Cache,
}

impl OfflineModel {
    pub fn new(language: Language) -> Self {
        Self {
            language,
            cache: Cache::default(),
        }
    }

    fn decide(&self, ask: &Ask<'_>) -> Reply {
        let catalog = self.cache.get(ask.offer);
        let dialogue = Dialogue::read(&ask.prompt);
        let language = detect_language(&dialogue).unwrap_or(self.language);
        let decision = if dialogue.done.is_empty() {
            let decider = Decider {
                catalog: &catalog,
                dialogue: &dialogue,
                language,
            };
            decider.decide()
        } else {
            Decision {
                text: say::results(ask.summaries, &dialogue, language),
                ..Decision::default()
            }
        };
        reply(decision, &catalog, &ask.prompt)
    }
}

#[async_trait]
impl Model for OfflineModel {
    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let reply = self.decide(&ask);
        for chunk in reply.text.split_inclusive(char::is_whitespace) {
            sink.text(chunk);
            // Yields so that the reply can be cancelled after each word.
            tokio::task::yield_now().await;
        }
        Ok(reply)
    }

    fn may_write(&self) -> bool {
        false
    }

    fn can_draft(&self) -> bool {
        false
    }
}

fn reply(decision: Decision, catalog: &Catalog, prompt: &Prompt<'_>) -> Reply {
    let id = call_id(prompt);
    let call = |(at, (place, arguments)): (usize, Call)| ToolCall {
        id: format!("call_{id:016x}_{}", at + 1),
        name: catalog.tools[place].name.clone(),
        arguments: Value::Object(arguments).to_string(),
    };
    let calls: Vec<ToolCall> = decision.calls.into_iter().enumerate().map(call).collect();
    Reply {
        text: decision.text,
        finish: if calls.is_empty() {
            Finish::Stop
        } else {
            Finish::ToolCalls
        },
        calls,
        usage: Some(Usage::default()),
        model: Some(MODEL_NAME.to_owned()),
        quick_replies: decision.quick_replies,
        proposes: true,
    }
}

/// The language of the newest message for which detection succeeds.
fn detect_language(dialogue: &Dialogue) -> Option<Language> {
    let mut messages = dialogue.said.iter().chain(dialogue.messages());
    messages.find_map(|message| Language::detect(&message.text))
}

/// Ids that are unique per turn and equal for equal prompts.
fn call_id(prompt: &Prompt<'_>) -> u64 {
    const ENDING: usize = 4_096;
    let mut hasher = DefaultHasher::new();
    let history = prompt.history.as_ref();
    history.len().hash(&mut hasher);
    history[history.len().saturating_sub(ENDING)..].hash(&mut hasher);
    prompt.tail.hash(&mut hasher);
    hasher.finish()
}
