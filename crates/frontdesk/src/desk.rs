//! The front desk itself: accepts what people send, lets workers answer it, and lets people
//! watch, stop and decide. Every door (terminal, HTTP) goes through here.

mod bell;
mod ears;
mod files;
mod queue;
mod refusals;
mod watch;
mod worker;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE};
use frontdesk_core::id::{AttachmentId, CompanyId, ConversationId, MessageId, TurnId};
use frontdesk_core::model::Model;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::run::{Cancel, Engine};
use frontdesk_core::store::{
    Accepted, Approvals, Budget, Conversations, IdempotencyKey, NewConversation, OpenTurn, Opening,
    PendingApproval, RateLeft, RateLimit, StoreError, StoredMessage, TurnViews, Turns,
};
use frontdesk_core::transcript::Line;
use frontdesk_core::untrusted;
use frontdesk_core::world::World;
use frontdesk_files::Refused;
use frontdesk_store::Store;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::audience::Hub;
use crate::metrics::Metrics;
use crate::trace::tracer::{Tracer, Tracing};

use bell::Bell;
use ears::Ears;
pub use files::MAX_FILE_BYTES;
use queue::Queue;
use refusals::Refusals;
pub use watch::Watch;

const MINUTE: Duration = Duration::from_secs(60);

/// Why something people sent was not taken.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error("there is no assistant named {0}")]
    UnknownAssistant(String),
    #[error("{assistant} is for people with the role {roles}")]
    NotForYou { assistant: String, roles: String },
    #[error("content: must be at most {max} characters long")]
    TooLong { max: usize },
    #[error("{field}: {problem}")]
    Invalid {
        field: &'static str,
        problem: String,
    },
    #[error("{0}")]
    File(#[from] Refused),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a person wants to say.
#[derive(Clone, Debug, Default)]
pub struct Saying {
    pub content: String,
    pub metadata: Map<String, Value>,
    pub attachments: Vec<AttachmentId>,
    pub key: Option<IdempotencyKey>,
}

#[derive(Clone, Debug, Default)]
pub struct NewTalk {
    pub assistant: String,
    pub title: Option<String>,
    pub company_id: Option<CompanyId>,
    pub subject: Option<String>,
    pub metadata: Map<String, Value>,
}

/// A turn that was accepted: its message is durable.
pub struct Started {
    pub turn: TurnId,
    pub state: TurnState,
    pub user_message: StoredMessage,
    /// The same request came before; nothing new was started.
    pub replayed: bool,
    /// What the rate leaves; `None` where nothing was counted.
    pub rate: Option<RateState>,
    pub watch: Watch,
}

/// A person's rate with an assistant, after a request was counted.
#[derive(Clone, Copy, Debug)]
pub struct RateState {
    pub max: u32,
    pub left: RateLeft,
}

/// What an operator set for all turns.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How long a worker may be silent before another goes on with its turn.
    pub lease: Duration,
    /// How long after its end a turn is told event by event.
    pub replay: Duration,
    /// Turns of one person that may be worked on at once.
    pub turns_in_flight: u32,
    /// Tokens that people and companies may use in a day.
    pub budget: Budget,
}

/// Cheap to clone; all clones are the same desk.
#[derive(Clone)]
pub struct Desk {
    inner: Arc<Inner>,
}

struct Inner {
    assistants: BTreeMap<&'static str, Arc<Assistant>>,
    model: Arc<dyn Model>,
    store: Store,
    engine: Engine,
    hub: Arc<Hub>,
    bell: Bell,
    queue: Queue,
    refusals: Refusals,
    ears: Ears,
    metrics: Arc<Metrics>,
    tracer: Arc<Tracer>,
    world: Arc<dyn World>,
    rules: Rules,
    /// Names this process in leases.
    node: String,
    /// The newest worker of each turn here, by its epoch.
    running: Mutex<HashMap<TurnId, (i64, Cancel)>>,
    tasks: TaskTracker,
    /// Files are decoded a few at a time.
    decodes: Semaphore,
}

/// What a desk is made of besides its assistants.
pub struct DeskParts {
    pub model: Arc<dyn Model>,
    pub store: Store,
    pub world: Arc<dyn World>,
    pub rules: Rules,
    pub tracing: Tracing,
}

impl Desk {
    pub fn new(assistants: Vec<Assistant>, parts: DeskParts) -> Self {
        let DeskParts {
            model,
            store,
            world,
            rules,
            tracing,
        } = parts;
        let metrics = Arc::new(Metrics::default());
        let tracer = Tracer::new(tracing, Arc::clone(&metrics), Arc::clone(&world));
        let tracer = Arc::new(tracer);
        let hub = Arc::new(Hub::new(Arc::clone(&tracer)));
        let engine = Engine {
            turns: Arc::new(store.clone()),
            artifacts: Arc::new(store.clone()),
            attachments: Arc::new(store.clone()),
            world: Arc::clone(&world),
            audience: Arc::clone(&hub) as _,
            lease_for: rules.lease,
        };
        let node = world.id().to_string();
        Self {
            inner: Arc::new(Inner {
                assistants: assistants
                    .into_iter()
                    .map(|assistant| (assistant.name, Arc::new(assistant)))
                    .collect(),
                model,
                store,
                engine,
                hub,
                bell: Bell::default(),
                queue: Queue::default(),
                refusals: Refusals::default(),
                ears: Ears::default(),
                metrics,
                tracer,
                world,
                rules,
                node,
                running: Mutex::new(HashMap::new()),
                tasks: TaskTracker::new(),
                decodes: Semaphore::new(files::DECODES_AT_ONCE),
            }),
        }
    }

    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.inner.metrics
    }

    pub fn tracer(&self) -> &Arc<Tracer> {
        &self.inner.tracer
    }

    /// Turns that are worked on here at this moment.
    pub fn at_work(&self) -> usize {
        let running = self.inner.running.lock();
        running.unwrap_or_else(PoisonError::into_inner).len()
    }

    pub fn model(&self) -> &Arc<dyn Model> {
        &self.inner.model
    }

    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    pub fn assistants(&self) -> impl Iterator<Item = &Arc<Assistant>> {
        self.inner.assistants.values()
    }

    /// The assistant of this name, if this person may talk to it.
    pub fn assistant(&self, who: &Principal, name: &str) -> Result<&Arc<Assistant>, DeskError> {
        let assistant = self
            .inner
            .assistants
            .get(name)
            .ok_or_else(|| DeskError::UnknownAssistant(name.to_owned()))?;
        if who.holds_any(&assistant.roles) {
            return Ok(assistant);
        }
        let roles: Vec<&str> = assistant.roles.iter().map(|role| role.as_str()).collect();
        Err(DeskError::NotForYou {
            assistant: assistant.name.to_owned(),
            roles: roles.join(" or "),
        })
    }

    pub async fn start_conversation(
        &self,
        who: &Principal,
        new: NewTalk,
    ) -> Result<Conversation, DeskError> {
        let assistant = self.assistant(who, &new.assistant)?;
        let new = NewConversation {
            // The docs design asks for random ids here; all others rise with time.
            id: ConversationId::from_uuid(Uuid::new_v4()),
            assistant: assistant.name.to_owned(),
            title: new.title.unwrap_or_else(|| DEFAULT_TITLE.to_owned()),
            company_id: new.company_id,
            subject: new.subject,
            phase: assistant.first_phase(),
            metadata: new.metadata,
            now: self.inner.world.now(),
        };
        Ok(self.inner.store.create(who, new).await?)
    }

    /// Takes a message. When this returns, the message is stored and a worker answers it,
    /// whatever becomes of the caller.
    pub async fn say(
        &self,
        who: &Principal,
        conversation: ConversationId,
        saying: Saying,
    ) -> Result<Started, DeskError> {
        let conversation = self.inner.store.get(who, conversation).await?;
        let assistant = Arc::clone(self.assistant(who, &conversation.assistant)?);
        check_content(&assistant, &saying.content)?;
        let opening = Opening::Message {
            id: MessageId::from_uuid(self.inner.world.id()),
            content: saying.content,
            metadata: saying.metadata,
            attachments: saying.attachments,
        };
        self.open(who, &assistant, &conversation, opening, saying.key)
            .await
    }

    /// Takes a filled-in form: the same checks as a model's call, and no model.
    pub async fn fill_form(
        &self,
        who: &Principal,
        conversation: ConversationId,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<IdempotencyKey>,
    ) -> Result<Started, DeskError> {
        let conversation = self.inner.store.get(who, conversation).await?;
        let assistant = Arc::clone(self.assistant(who, &conversation.assistant)?);
        let title = match assistant.toolbox.get(tool) {
            Some(def) => def.title(),
            None => tool.to_owned(),
        };
        let opening = Opening::Form {
            id: MessageId::from_uuid(self.inner.world.id()),
            content: format!("/{tool} ({title})"),
            tool: tool.to_owned(),
            arguments,
        };
        self.open(who, &assistant, &conversation, opening, key)
            .await
    }

    /// Answers the message of a turn that failed again, without storing it twice.
    pub async fn retry(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
    ) -> Result<Started, DeskError> {
        let conversation = self.inner.store.get(who, conversation).await?;
        let assistant = Arc::clone(self.assistant(who, &conversation.assistant)?);
        let opening = Opening::Retry { turn };
        self.open(who, &assistant, &conversation, opening, None)
            .await
    }

    async fn open(
        &self,
        who: &Principal,
        assistant: &Arc<Assistant>,
        conversation: &Conversation,
        opening: Opening,
        key: Option<IdempotencyKey>,
    ) -> Result<Started, DeskError> {
        let inner = &self.inner;
        let now = inner.world.now();
        let rate = RateLimit {
            bucket: format!("messages:{}:{}", assistant.name, who.profile()),
            max: assistant.limits.messages_a_minute,
            window: MINUTE,
        };
        // A repeated key is answered although the rate is used up, and a retry says first
        // what is wrong with it; both are for the store to see.
        let fresh = key.is_none() && !matches!(opening, Opening::Retry { .. });
        if fresh && let Some(retry_after) = inner.refusals.left(&rate.bucket, now) {
            return Err(StoreError::RateLimited { retry_after }.into());
        }
        let request = OpenTurn {
            turn: TurnId::from_uuid(inner.world.id()),
            conversation: conversation.id,
            opening,
            key,
            rate: rate.clone(),
            in_flight: inner.rules.turns_in_flight,
            budget: Budget {
                reserve: assistant.reserve(who, &conversation.phase),
                ..inner.rules.budget
            },
            window: assistant.limits.window,
            context: load_context(assistant, who, conversation).await,
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

    /// Lets a worker answer what was accepted, unless it was before.
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
                user_message,
                replayed: true,
                rate: None,
                watch: Watch::from_journal(self, who, conversation, turn, 0),
            },
        }
    }

    /// Watches a turn from a position on.
    pub async fn watch(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Result<Watch, DeskError> {
        // Access is checked here; the stream itself then follows the journal.
        self.inner.store.turn(who, conversation, turn).await?;
        Ok(Watch::from_journal(self, who, conversation, turn, after))
    }

    /// Asks for a turn to be stopped. `false` when it was over already.
    pub async fn cancel(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
    ) -> Result<bool, DeskError> {
        let now = self.inner.world.now();
        let asked = self
            .inner
            .store
            .cancel(who, conversation, turn, now)
            .await?;
        self.inner.stop_worker(turn);
        Ok(asked)
    }

    pub async fn pending_approvals(
        &self,
        who: &Principal,
    ) -> Result<Vec<PendingApproval>, DeskError> {
        Ok(self
            .inner
            .store
            .pending(who, self.inner.world.now())
            .await?)
    }

    /// Decides a card and lets the turn go on.
    pub async fn decide(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
        decision: Decision,
        reason: Option<String>,
    ) -> Result<PendingApproval, DeskError> {
        let now = self.inner.world.now();
        let decided = self
            .inner
            .store
            .decide(who, turn, call_id, decision, reason, now)
            .await?;
        // It is decided, whether or not somebody can go on with it at this moment.
        if let Err(error) = self.take_over_abandoned().await {
            tracing::warn!("could not go on with a decided turn yet: {error}");
        }
        Ok(decided)
    }
}

fn check_content(assistant: &Assistant, content: &str) -> Result<(), DeskError> {
    let problem = if untrusted::is_blank(content) {
        "must not be empty".to_owned()
    } else if content.contains('\0') {
        "must not contain NUL characters".to_owned()
    } else if !assistant.limits.message.admits(content) {
        let max = assistant.limits.message.maximum();
        return Err(DeskError::TooLong { max });
    } else {
        return Ok(());
    };
    Err(DeskError::Invalid {
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
