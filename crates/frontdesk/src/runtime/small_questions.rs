//! Small questions beside the turns: the assistant for a message, and the title of a conversation.
//! The language model answers them if there is one; otherwise a classifier and the message itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE};
use frontdesk_core::id::{ConversationId, ProfileId};
use frontdesk_core::message::Message;
use frontdesk_core::model::{Ask, DeltaSink, ModelSettings, Prompt};
use frontdesk_core::store::ConversationPatch;
use frontdesk_core::toolbox::Offer;
use frontdesk_core::untrusted;
use frontdesk_offline::{Destination, Router};
use serde_json::{Map, Value, json};

use super::{Runtime, RuntimeError};

/// A slower model is not waited for.
const PATIENCE: Duration = Duration::from_secs(8);
/// The beginning of a message says what it is about.
const READ_CHARS: usize = 1_000;
const ANSWER_TOKENS: u32 = 60;
/// Requests to the model per person, so that small questions cannot be used to spend tokens.
const PER_MINUTE: usize = 20;
/// Number of people at which idle ones are forgotten.
const MANY: usize = 1024;
const LONGEST_TITLE: usize = 60;

#[derive(Default)]
pub(super) struct SmallQuestions {
    router: Arc<Router>,
    /// When each person's latest questions were sent to the model.
    asked: Mutex<HashMap<ProfileId, Vec<DateTime<Utc>>>>,
}

impl SmallQuestions {
    /// Counts a question; `false` if the person has asked too many.
    fn admit(&self, who: ProfileId, now: DateTime<Utc>) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |at: &DateTime<Utc>| *at > now - TimeDelta::minutes(1);
        if asked.len() >= MANY {
            asked.retain(|_, times| times.iter().any(is_recent));
        }
        let times = asked.entry(who).or_default();
        times.retain(is_recent);
        let admitted = times.len() < PER_MINUTE;
        if admitted {
            times.push(now);
        }
        admitted
    }
}

impl Runtime {
    /// The assistant that a message belongs to, of those that the person may use. `None` if the
    /// message names nothing that they do.
    pub async fn choose_assistant(&self, who: &Principal, text: &str) -> Option<Arc<Assistant>> {
        let mut usable = self.assistants();
        usable.retain(|one| who.holds_any(&one.roles));
        if let [only] = usable.as_slice() {
            return Some(Arc::clone(only));
        }
        let text: String = text.chars().take(READ_CHARS).collect();
        if let Some(named) = self.assistant_by_model(who, &usable, &text).await {
            return Some(named);
        }
        let to = |assistant: &Arc<Assistant>| Destination {
            texts: [assistant.title.as_ref(), assistant.description.as_ref()]
                .into_iter()
                .chain(assistant.suggestions_for(who))
                .map(str::to_owned)
                .collect(),
            offer: assistant.toolbox.offer(who, &assistant.first_phase()),
        };
        let destinations: Vec<Destination> = usable.iter().map(to).collect();
        let router = Arc::clone(&self.inner.small_questions.router);
        // The first choice for a set of assistants trains the classifier.
        let chosen = tokio::task::spawn_blocking(move || router.choose(&destinations, &text)).await;
        usable.get(chosen.ok().flatten()?).cloned()
    }

    async fn assistant_by_model(
        &self,
        who: &Principal,
        usable: &[Arc<Assistant>],
        text: &str,
    ) -> Option<Arc<Assistant>> {
        let list = usable.iter();
        let list = list.map(|one| format!("{}: {}. {}", one.name, one.title, one.description));
        let instructions = format!(
            "Choose the assistant for a message. Reply with its name only, the word before the colon.\n\n{}",
            list.collect::<Vec<_>>().join("\n")
        );
        let settings = &usable.first()?.model;
        let answer = self
            .short_answer(who, settings, &instructions, text)
            .await?;
        let named = usable.iter().find(|one| one.name == answer);
        named.cloned()
    }

    /// Gives an untitled conversation a short title: the model's, else the suggested one, else the
    /// beginning of its first message. A title that was given stays.
    pub async fn title_conversation(
        &self,
        who: &Principal,
        id: ConversationId,
        suggestion: Option<&str>,
    ) -> Result<Conversation, RuntimeError> {
        let conversation = self.store().get(who, id).await?;
        let messages = self.store().messages(who, id, None, 1).await?;
        let Some(message) = messages.items.first() else {
            return Ok(conversation);
        };
        if conversation.title != DEFAULT_TITLE {
            return Ok(conversation);
        }
        let text: String = message.content.chars().take(READ_CHARS).collect();
        let by_model = match self.assistant(who, &conversation.assistant) {
            Ok(assistant) => {
                let instructions = "Write a title of at most five words for a conversation that begins with this message, in the language of the message. Reply with the title only.";
                self.short_answer(who, &assistant.model, instructions, &text)
                    .await
            }
            Err(_) => None,
        };
        let given = by_model.or_else(|| suggestion.map(str::to_owned));
        let title = given.unwrap_or_else(|| first_clause(&text).to_owned());
        let title = shortened(&title);
        // The model takes seconds, in which the person may have chosen a title.
        let current = self.store().get(who, id).await?;
        if current.title != DEFAULT_TITLE || untrusted::is_blank(&title) {
            return Ok(current);
        }
        let patch = ConversationPatch {
            title: Some(title),
            owner: None,
            phase: None,
            metadata: Map::new(),
            now: self.inner.env.now(),
        };
        Ok(self.store().update(who, id, patch).await?)
    }

    /// A few words from the language model. `None` if there is none, or it fails.
    async fn short_answer(
        &self,
        who: &Principal,
        settings: &ModelSettings,
        instructions: &str,
        text: &str,
    ) -> Option<String> {
        let model = self.model();
        let now = self.inner.env.now();
        // A model that may not write is the offline model, which cannot answer such questions.
        if !model.may_write() || !self.inner.small_questions.admit(who.profile(), now) {
            return None;
        }
        let settings = ModelSettings {
            max_tokens: Some(ANSWER_TOKENS),
            ..settings.clone()
        };
        // With a schema, the offline model does not stand in for an unavailable one.
        let schema = json!({
            "type": "object",
            "properties": { "answer": { "type": "string" } },
            "required": ["answer"],
            "additionalProperties": false,
        });
        let offer = Offer {
            json: Bytes::from_static(b"[]"),
            tools: Vec::new(),
            elsewhere: Vec::new(),
            phrasings: "".into(),
        };
        let ask = Ask {
            assistant: "frontdesk",
            prompt: Prompt {
                system: &serialised(Message::system(instructions)),
                history: &serialised(Message::user(text)),
                tail: b"",
            },
            offer: &offer,
            settings: &settings,
            reply_schema: Some(&schema),
            summaries: &[],
        };
        let reply = tokio::time::timeout(PATIENCE, model.reply(ask, &mut NoDeltas)).await;
        let reply = reply.ok()?.ok()?;
        let answer = match serde_json::from_str::<Value>(&reply.text) {
            Ok(Value::Object(fields)) => fields.get("answer")?.as_str()?.to_owned(),
            // An endpoint that ignores the schema replies in plain words.
            Ok(_) | Err(_) => reply.text,
        };
        let (clean, _) = untrusted::clean(answer.trim().trim_matches('"'));
        (!untrusted::is_blank(&clean)).then_some(clean)
    }
}

fn serialised(message: Message) -> Bytes {
    Bytes::from(message.to_openai_format().to_string())
}

/// The first line of a text up to a comma, semicolon or colon; a single word is not enough.
fn first_clause(text: &str) -> &str {
    let line = text.trim().lines().next().unwrap_or_default();
    let clause = line.split([',', ';', ':']).next().unwrap_or(line);
    match clause.split_whitespace().count() {
        0 | 1 => line,
        _ => clause,
    }
}

/// A title of one line, cut at a word.
fn shortened(title: &str) -> String {
    let line = title.trim().lines().next().unwrap_or_default();
    let line = line.trim_end_matches('.');
    if line.chars().count() <= LONGEST_TITLE {
        return line.to_owned();
    }
    let mut short = String::new();
    for word in line.split_whitespace() {
        // With a space and the ellipsis.
        if short.chars().count() + word.chars().count() + 2 > LONGEST_TITLE {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    if short.is_empty() {
        short = line.chars().take(LONGEST_TITLE - 1).collect();
    }
    short + "…"
}

/// Discards the streamed text.
pub struct NoDeltas;

impl DeltaSink for NoDeltas {
    fn text(&mut self, _: &str) {}
}

#[cfg(test)]
#[path = "small_questions_tests.rs"]
mod small_questions_tests;
