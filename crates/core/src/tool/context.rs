//! What a tool knows about the call it serves. Identity stands here, never in arguments.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::access::Principal;
use crate::artifact::NewArtifact;
use crate::conversation::Conversation;
use crate::draft::{Draft, DraftError, DraftSignal, Drafted, Drafter};
use crate::handle::Handles;
use crate::id::TurnId;
use crate::model::{Model, ModelSettings};
use crate::phase::Phase;
use crate::store::{Artifacts, Attachments};

use crate::untrusted;

use super::output::{Change, Outbox, ProducedFile, Source};
use super::schema::parameters_of;

/// What the driver gives a context.
pub struct ToolSetting {
    pub principal: Arc<Principal>,
    pub conversation: Arc<Conversation>,
    pub handles: Arc<Handles>,
    pub artifacts: Arc<dyn Artifacts>,
    pub attachments: Arc<dyn Attachments>,
    pub turn: TurnId,
    pub call_id: String,
    pub now: DateTime<Utc>,
    /// What the person wrote that this call serves.
    pub said: String,
    /// Receives sentences about work in progress.
    pub progress: Option<mpsc::UnboundedSender<String>>,
    /// Where drafts come from; `None` without a language model.
    pub drafts: Option<Drafts>,
}

/// The model of the assistant, as a source of drafts.
pub struct Drafts {
    pub model: Arc<dyn Model>,
    pub assistant: &'static str,
    pub settings: ModelSettings,
    /// The most tokens that all drafts of the call may use.
    pub tokens: u64,
    pub signals: mpsc::UnboundedSender<DraftSignal>,
}

pub struct ToolContext {
    setting: ToolSetting,
    drafter: Option<Drafter>,
    words: Vec<String>,
    outbox: Mutex<Outbox>,
}

impl ToolContext {
    pub fn new(mut setting: ToolSetting) -> Self {
        let drafter = setting.drafts.take().map(Drafter::new);
        Self {
            drafter,
            setting,
            words: Vec::new(),
            outbox: Mutex::new(Outbox::default()),
        }
    }

    /// Gives the person's words to a tool that declared [`gets_user_text`](super::ToolSpec::gets_user_text).
    pub fn with_words(mut self, words: Vec<String>) -> Self {
        self.words = words;
        self
    }

    /// What the person wrote in this conversation, as far as the model was shown it, newest
    /// last, and what they filled into a form. Empty unless the tool
    /// declared that it gets them.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    pub fn principal(&self) -> &Principal {
        &self.setting.principal
    }

    pub fn conversation(&self) -> &Conversation {
        &self.setting.conversation
    }

    /// What the conversation is about; empty when it has no subject.
    pub fn subject(&self) -> &str {
        self.setting.conversation.subject.as_deref().unwrap_or("")
    }

    /// The person's own words, e.g. to answer in their language. Never more than a hint: what a
    /// call does stands in its arguments.
    pub fn said(&self) -> &str {
        &self.setting.said
    }

    pub fn handles(&self) -> &Handles {
        &self.setting.handles
    }

    /// Earlier documents of this conversation.
    pub fn artifacts(&self) -> &dyn Artifacts {
        self.setting.artifacts.as_ref()
    }

    /// Files beside this conversation.
    pub fn attachments(&self) -> &dyn Attachments {
        self.setting.attachments.as_ref()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.setting.now
    }

    /// The same for every attempt at this call, and for no other call.
    pub fn idempotency_key(&self) -> String {
        format!("{}:{}", self.setting.turn, self.setting.call_id)
    }

    /// Tells those who watch what is going on, e.g. that a request is being repeated.
    pub fn progress(&self, text: impl Into<String>) {
        if let Some(progress) = &self.setting.progress {
            // A closed channel means that nobody watches any more.
            let _ = progress.send(text.into());
        }
    }

    /// Whether [`ToolContext::draft`] has a language model to ask.
    pub fn can_draft(&self) -> bool {
        self.drafter.is_some()
    }

    /// Has the model of the assistant write content of this type from the given sources. Quotes,
    /// figures and dates that the sources do not have are left out and reported. May be asked for
    /// again after a crash, so only a transactional tool should draft.
    pub async fn draft<T>(&self, draft: Draft) -> Result<Drafted<T>, DraftError>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let Some(drafter) = &self.drafter else {
            return Err(DraftError::Unavailable);
        };
        if !draft.progress.is_empty() {
            self.progress(draft.progress.clone());
        }
        let schema = parameters_of::<T>();
        let (content, left_out) = drafter.draft(&draft, &schema).await?;
        let content = serde_json::from_value(content)
            .map_err(|error| DraftError::Unusable(error.to_string()))?;
        Ok(Drafted { content, left_out })
    }

    pub fn save(&self, artifact: NewArtifact) {
        self.outbox().artifacts.push(artifact);
    }

    pub fn change(&self, kind: &str, data: Value) {
        self.outbox().changes.push(Change {
            kind: kind.to_owned(),
            data,
        });
    }

    pub fn move_to(&self, phase: Phase, reason: impl Into<String>) {
        self.outbox().phase = Some((phase, seen_of(reason)));
    }

    /// Keeps a value in the conversation's metadata, also when the call then fails; `null`
    /// removes it.
    pub fn remember(&self, key: &str, value: Value) {
        self.outbox().metadata.insert(key.to_owned(), value);
    }

    pub fn retitle(&self, title: impl Into<String>) {
        self.outbox().title = Some(seen_of(title));
    }

    pub fn cite(&self, mut source: Source) {
        if !source.score.is_finite() {
            // JSON has no NaN: the journal could not be read again.
            source.score = 0.0;
        }
        self.outbox().sources.push(source);
    }

    pub fn attach(&self, file: ProducedFile) {
        self.outbox().files.push(file);
    }

    pub fn suggest(&self, replies: impl IntoIterator<Item = String>) {
        self.outbox().quick_replies.extend(replies);
    }

    pub(crate) fn take_outbox(self) -> Outbox {
        self.outbox
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn outbox(&self) -> MutexGuard<'_, Outbox> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Words that may come from a model or from others, without what nobody sees.
fn seen_of(text: impl Into<String>) -> String {
    let (seen, _) = untrusted::clean(&text.into());
    seen
}
