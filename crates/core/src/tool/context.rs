//! The context of a tool call. Identity comes from here, never from arguments.

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

use super::card::ObjectCard;
use super::output::{Change, Outbox, ProducedFile, Source};
use super::schema::parameters_of;

/// The driver's input to a context.
pub struct ToolSetting {
    pub principal: Arc<Principal>,
    pub conversation: Arc<Conversation>,
    pub handles: Arc<Handles>,
    pub artifacts: Arc<dyn Artifacts>,
    pub attachments: Arc<dyn Attachments>,
    pub turn: TurnId,
    pub call_id: String,
    pub now: DateTime<Utc>,
    /// The person's message that led to this call.
    pub said: String,
    /// Receives progress messages.
    pub progress: Option<mpsc::UnboundedSender<String>>,
    /// `None` without a language model.
    pub drafts: Option<Drafts>,
}

/// The assistant's model, as a source of drafts.
pub struct Drafts {
    pub model: Arc<dyn Model>,
    pub assistant: String,
    pub settings: ModelSettings,
    /// Token limit of all drafts of the call.
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

    /// Passes the person's words to a tool that declares
    /// [`gets_user_text`](super::ToolSpec::gets_user_text).
    pub fn with_words(mut self, words: Vec<String>) -> Self {
        self.words = words;
        self
    }

    /// The person's words in this conversation, as far as the model sees them, newest last, and
    /// their form inputs. Empty unless the tool declares `gets_user_text`.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    pub fn principal(&self) -> &Principal {
        &self.setting.principal
    }

    pub fn conversation(&self) -> &Conversation {
        &self.setting.conversation
    }

    /// The conversation's subject; empty if it has none.
    pub fn subject(&self) -> &str {
        self.setting.conversation.subject.as_deref().unwrap_or("")
    }

    /// The person's message, e.g. to answer in their language. Only the arguments define the call.
    pub fn said(&self) -> &str {
        &self.setting.said
    }

    pub fn handles(&self) -> &Handles {
        &self.setting.handles
    }

    pub fn artifacts(&self) -> &dyn Artifacts {
        self.setting.artifacts.as_ref()
    }

    pub fn attachments(&self) -> &dyn Attachments {
        self.setting.attachments.as_ref()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.setting.now
    }

    /// Equal for all attempts at this call and different for every other call.
    pub fn idempotency_key(&self) -> String {
        format!("{}:{}", self.setting.turn, self.setting.call_id)
    }

    /// Shows a progress message to watchers, e.g. about a retry.
    pub fn progress(&self, text: impl Into<String>) {
        if let Some(progress) = &self.setting.progress {
            // A closed channel means that there are no watchers.
            let _ = progress.send(text.into());
        }
    }

    /// True if [`ToolContext::draft`] has a language model.
    pub fn can_draft(&self) -> bool {
        self.drafter.is_some()
    }

    /// Has the assistant's model write content of this type from the sources. Unsupported quotes,
    /// figures and dates are removed and reported. A crash may repeat the request, so only a
    /// transactional tool should draft.
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
        self.outbox().phase = Some((phase, visible(reason)));
    }

    /// Stores conversation metadata, even if the call then fails; `null` removes a key.
    pub fn remember(&self, key: &str, value: Value) {
        self.outbox().metadata.insert(key.to_owned(), value);
    }

    pub fn retitle(&self, title: impl Into<String>) {
        self.outbox().title = Some(visible(title));
    }

    pub fn cite(&self, mut source: Source) {
        if !source.score.is_finite() {
            // JSON has no NaN, so the journal would become unreadable.
            source.score = 0.0;
        }
        self.outbox().sources.push(source);
    }

    pub fn attach(&self, file: ProducedFile) {
        self.outbox().files.push(file);
    }

    /// Shows an object beside the words of the result. At most [`MAX_LIST_ITEMS`] are kept.
    pub fn show(&self, card: ObjectCard) {
        let mut outbox = self.outbox();
        if outbox.cards.len() < untrusted::MAX_LIST_ITEMS {
            outbox.cards.push(card.storable());
        }
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

/// Foreign text without invisible characters.
fn visible(text: impl Into<String>) -> String {
    let (seen, _) = untrusted::clean(&text.into());
    seen
}
