//! Opens turns: validates the input, stores it with its message, and starts a worker.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{AttachmentId, ConversationId, MessageId, TurnId};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{
    Accepted, Budget, IdempotencyKey, OpenTurn, Opening, RateLeft, RateLimit, Revision, StoreError,
    StoredMessage, Turns,
};
use frontdesk_core::transcript::Line;
use frontdesk_core::untrusted;
use serde_json::{Map, Value};

use super::{Runtime, RuntimeError, Watch};

const MINUTE: Duration = Duration::from_secs(60);

/// A longer message, in bytes, is never the answer to a card.
const LONGEST_ANSWER: usize = 80;

#[derive(Clone, Debug, Default)]
pub struct Saying {
    pub content: String,
    pub metadata: Map<String, Value>,
    pub attachments: Vec<AttachmentId>,
    pub key: Option<IdempotencyKey>,
}

/// An accepted turn, whose message is stored.
pub struct Started {
    pub turn: TurnId,
    pub state: TurnState,
    pub user_message: StoredMessage,
    /// The request was repeated; nothing new was started.
    pub replayed: bool,
    /// The remaining rate; `None` if the request was not counted.
    pub rate: Option<RateState>,
    pub watch: Watch,
}

/// A person's rate with an assistant after this request.
#[derive(Clone, Copy, Debug)]
pub struct RateState {
    pub max: u32,
    pub left: RateLeft,
}

impl Runtime {
    /// Accepts a message. On return it is stored and a worker answers it, even if the caller
    /// disconnects.
    pub async fn say(
        &self,
        who: &Principal,
        conversation: ConversationId,
        saying: Saying,
    ) -> Result<Started, RuntimeError> {
        let conversation = self.inner.store.get(who, conversation).await?;
        self.say_in(who, &conversation, saying).await
    }

    /// [`Runtime::say`] for a conversation that is already loaded.
    pub async fn say_in(
        &self,
        who: &Principal,
        conversation: &Conversation,
        saying: Saying,
    ) -> Result<Started, RuntimeError> {
        let assistant = self.assistant(who, &conversation.assistant)?;
        check_content(&assistant, &saying.content)?;
        let short = (saying.content.len() <= LONGEST_ANSWER).then(|| saying.content.clone());
        let opening = Opening::Message {
            id: MessageId::from_uuid(self.inner.env.id()),
            content: saying.content,
            metadata: saying.metadata,
            attachments: saying.attachments,
        };
        let opened = self.open(who, &assistant, conversation, opening, None, saying.key);
        match opened.await {
            Err(RuntimeError::Store(StoreError::TurnInProgress { turn })) => {
                let message = short.unwrap_or_default();
                self.answer_card(who, conversation, turn, &message).await
            }
            opened => opened,
        }
    }

    /// Accepts a form: the same checks as for a model's call, but no model.
    pub async fn fill_form(
        &self,
        who: &Principal,
        conversation: ConversationId,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<IdempotencyKey>,
    ) -> Result<Started, RuntimeError> {
        let (conversation, assistant) = self.conversation(who, conversation).await?;
        let title = match assistant.toolbox.get(tool) {
            Some(def) => def.title(),
            None => tool.to_owned(),
        };
        let opening = Opening::Form {
            id: MessageId::from_uuid(self.inner.env.id()),
            content: format!("/{tool} ({title})"),
            tool: tool.to_owned(),
            arguments,
        };
        self.open(who, &assistant, &conversation, opening, None, key)
            .await
    }

    /// Retries the message of a failed turn without storing it twice.
    pub async fn retry(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        key: Option<IdempotencyKey>,
    ) -> Result<Started, RuntimeError> {
        let (conversation, assistant) = self.conversation(who, conversation).await?;
        let opening = Opening::Retry { turn };
        self.open(who, &assistant, &conversation, opening, None, key)
            .await
    }

    /// Answers the person's own message again: with another content, or as it is. What followed it
    /// is set aside.
    pub async fn revise(
        &self,
        who: &Principal,
        conversation: ConversationId,
        message: MessageId,
        content: Option<String>,
        key: Option<IdempotencyKey>,
    ) -> Result<Started, RuntimeError> {
        let (conversation, assistant) = self.conversation(who, conversation).await?;
        let store = &self.inner.store;
        let earlier = store.opening_of(who, conversation.id, message).await?;
        let revision = Revision {
            message,
            unchanged: content.is_none(),
            writes: writing_tools(&assistant),
        };
        let opening = self.next_version(earlier, content)?;
        if let Opening::Message { content, .. } = &opening {
            check_content(&assistant, content)?;
        }
        self.open(who, &assistant, &conversation, opening, Some(revision), key)
            .await
    }

    async fn conversation(
        &self,
        who: &Principal,
        id: ConversationId,
    ) -> Result<(Conversation, Arc<Assistant>), RuntimeError> {
        let conversation = self.inner.store.get(who, id).await?;
        let assistant = self.assistant(who, &conversation.assistant)?;
        Ok((conversation, assistant))
    }

    /// The opening with another message id. A form whose text is changed is a message.
    fn next_version(
        &self,
        earlier: Opening,
        changed: Option<String>,
    ) -> Result<Opening, RuntimeError> {
        let id = MessageId::from_uuid(self.inner.env.id());
        match (earlier, changed) {
            (
                Opening::Message {
                    content,
                    metadata,
                    attachments,
                    ..
                },
                changed,
            ) => Ok(Opening::Message {
                id,
                content: changed.unwrap_or(content),
                metadata,
                attachments,
            }),
            (Opening::Form { .. }, Some(content)) => Ok(Opening::Message {
                id,
                content,
                metadata: Map::new(),
                attachments: Vec::new(),
            }),
            (
                Opening::Form {
                    content,
                    tool,
                    arguments,
                    ..
                },
                None,
            ) => Ok(Opening::Form {
                id,
                content,
                tool,
                arguments,
            }),
            (Opening::Retry { .. }, _) => Err(StoreError::NotFound.into()),
        }
    }

    async fn open(
        &self,
        who: &Principal,
        assistant: &Arc<Assistant>,
        conversation: &Conversation,
        opening: Opening,
        revision: Option<Revision>,
        key: Option<IdempotencyKey>,
    ) -> Result<Started, RuntimeError> {
        let inner = &self.inner;
        let now = inner.env.now();
        let rate = RateLimit {
            bucket: format!("messages:{}:{}", assistant.name, who.profile()),
            max: assistant.limits.messages_a_minute,
            window: MINUTE,
        };
        // A repeated key is answered even beyond the rate limit, and an invalid retry gets its own
        // error. Only the store can detect both.
        let fresh = key.is_none() && !matches!(opening, Opening::Retry { .. });
        if fresh && let Some(retry_after) = inner.refusals.left(&rate.bucket, now) {
            return Err(StoreError::RateLimited { retry_after }.into());
        }
        let request = OpenTurn {
            revision,
            turn: TurnId::from_uuid(inner.env.id()),
            conversation: conversation.id,
            key,
            rate: rate.clone(),
            in_flight: inner.rules.turns_in_flight,
            budget: Budget {
                reserve: assistant.reserve(who, &conversation.phase),
                ..inner.rules.budget
            },
            window: assistant.limits.window,
            context: load_context(assistant, who, conversation).await,
            file_texts: self.file_texts(who, &opening).await?,
            opening,
            node: inner.node.clone(),
            lease_for: inner.engine.lease_for,
            turn_for: assistant.limits.turn,
            now,
        };
        let accepted = {
            let _place = inner.queue.enter(who.profile()).await;
            inner.store.open(who, request).await
        };
        if let Err(StoreError::RateLimited { retry_after }) = &accepted {
            inner.refusals.note(rate.bucket, now, *retry_after);
        }
        Ok(self.started(who, assistant, conversation.id, accepted?))
    }

    /// Starts a worker for a new turn; a repeated one has its own already.
    fn started(
        &self,
        who: &Principal,
        assistant: &Arc<Assistant>,
        conversation: ConversationId,
        accepted: Accepted,
    ) -> Started {
        match accepted {
            Accepted::Opened(opened) => {
                let turn = opened.lease.turn;
                let user_message = opened.user_message.clone();
                let rate = opened.rate.map(|left| RateState {
                    max: assistant.limits.messages_a_minute,
                    left,
                });
                let watch = Watch::live(self, who, conversation, turn, &opened.entries);
                self.work_on(Some(Arc::clone(assistant)), *opened);
                Started {
                    turn,
                    state: TurnState::Running,
                    user_message,
                    replayed: false,
                    rate,
                    watch,
                }
            }
            Accepted::Replay {
                turn,
                state,
                user_message,
            } => Started {
                turn,
                state,
                user_message: *user_message,
                replayed: true,
                rate: None,
                watch: Watch::from_journal(self, who, conversation, turn, 0),
            },
        }
    }
}

fn writing_tools(assistant: &Assistant) -> Vec<String> {
    let writes = (assistant.toolbox.defs()).filter(|def| def.spec.effect.writes());
    writes.map(|def| def.name.to_string()).collect()
}

fn check_content(assistant: &Assistant, content: &str) -> Result<(), RuntimeError> {
    let problem = if untrusted::is_blank(content) {
        "must not be empty".to_owned()
    } else if content.contains('\0') {
        "must not contain NUL characters".to_owned()
    } else if !assistant.limits.message.admits(content) {
        let max = assistant.limits.message.maximum();
        return Err(RuntimeError::TooLong { max });
    } else {
        return Ok(());
    };
    Err(RuntimeError::Invalid {
        field: "content",
        problem,
    })
}

async fn load_context(
    assistant: &Assistant,
    who: &Principal,
    conversation: &Conversation,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for loader in &assistant.context {
        if let Some(text) = loader.load(who, conversation).await {
            lines.push(if loader.is_passing() {
                Line::passing(text)
            } else {
                Line::context(text)
            });
        }
    }
    lines
}
