//! The front desk itself: accepts what people send, lets workers answer it, and lets people
//! watch, stop and decide. Every door (terminal, HTTP) goes through here.

mod deciding;
mod files;
mod notify;
mod opening;
mod previews;
mod queue;
mod refusals;
mod waiting;
mod watch;
mod worker;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE};
use frontdesk_core::env::Env;
use frontdesk_core::grant::FieldProblem;
use frontdesk_core::id::{CompanyId, ConversationId, TurnId};
use frontdesk_core::model::Model;
use frontdesk_core::run::{Cancel, Engine};
use frontdesk_core::store::{
    Approvals, Budget, Conversations, IdempotencyKey, NewConversation, PendingApproval, StoreError,
    TurnViews,
};
use frontdesk_core::subject::Subjects;
use frontdesk_files::UploadError;
use frontdesk_store::Store;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::live_turns::LiveTurns;
use crate::metrics::Metrics;
use crate::trace::tracer::{Tracer, Tracing};

pub use files::{MAX_FILE_BYTES, Upload};
use notify::Notifier;
pub use notify::{Delivery, Subscription};
pub use opening::{RateState, Saying, Started};
use queue::Queue;
use refusals::Refusals;
pub use watch::Watch;

/// Why something people sent was not taken.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
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
    /// What a person confirms lacks something, or something in it is wrong.
    #[error("{}", in_a_sentence(.0))]
    Fields(Vec<FieldProblem>),
    /// A decision is awaited; a message that does not decide it has to wait.
    #[error("{titles} waits for a decision. Decide it or withdraw it, then send this.")]
    CardWaits { turn: TurnId, titles: String },
    #[error("{0}")]
    File(#[from] UploadError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn in_a_sentence(problems: &[FieldProblem]) -> String {
    let problems = problems
        .iter()
        .map(|found| format!("{}: {}", found.label, found.problem));
    problems.collect::<Vec<_>>().join(" ")
}

#[derive(Clone, Debug, Default)]
pub struct NewConversationRequest {
    pub assistant: String,
    pub title: Option<String>,
    pub company_id: Option<CompanyId>,
    pub subject: Option<String>,
    pub metadata: Map<String, Value>,
    /// A repeated request with this key gives the same conversation.
    pub key: Option<IdempotencyKey>,
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
    /// Tokens for showing a model in full what people paste or attach in one message.
    pub text_tokens: u32,
}

/// Cheap to clone; all clones are the same desk.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

struct Inner {
    assistants: BTreeMap<&'static str, Arc<Assistant>>,
    subjects: BTreeMap<&'static str, Arc<dyn Subjects>>,
    model: Arc<dyn Model>,
    store: Store,
    engine: Engine,
    live_turns: Arc<LiveTurns>,
    queue: Queue,
    refusals: Refusals,
    notifier: Notifier,
    metrics: Arc<Metrics>,
    tracer: Arc<Tracer>,
    env: Arc<dyn Env>,
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
pub struct RuntimeParts {
    pub model: Arc<dyn Model>,
    pub store: Store,
    pub env: Arc<dyn Env>,
    pub rules: Rules,
    pub tracing: Tracing,
    /// Of the assistants whose conversations can have a subject, by name.
    pub subjects: BTreeMap<&'static str, Arc<dyn Subjects>>,
}

impl Runtime {
    pub fn new(assistants: Vec<Assistant>, parts: RuntimeParts) -> Self {
        let RuntimeParts {
            model,
            store,
            env,
            rules,
            tracing,
            subjects,
        } = parts;
        let metrics = Arc::new(Metrics::default());
        let tracer = Tracer::new(tracing, Arc::clone(&metrics), Arc::clone(&env));
        let tracer = Arc::new(tracer);
        let live_turns = Arc::new(LiveTurns::new(Arc::clone(&tracer)));
        let engine = Engine {
            turns: Arc::new(store.clone()),
            artifacts: Arc::new(store.clone()),
            attachments: Arc::new(store.clone()),
            env: Arc::clone(&env),
            observer: Arc::clone(&live_turns) as _,
            lease_for: rules.lease,
            text_tokens: rules.text_tokens,
        };
        let node = env.id().to_string();
        Self {
            inner: Arc::new(Inner {
                assistants: assistants
                    .into_iter()
                    .map(|assistant| (assistant.name, Arc::new(assistant)))
                    .collect(),
                subjects,
                model,
                store,
                engine,
                live_turns,
                queue: Queue::default(),
                refusals: Refusals::default(),
                notifier: Notifier::default(),
                metrics,
                tracer,
                env,
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
    pub fn assistant(&self, who: &Principal, name: &str) -> Result<&Arc<Assistant>, RuntimeError> {
        let assistant = self
            .inner
            .assistants
            .get(name)
            .ok_or_else(|| RuntimeError::UnknownAssistant(name.to_owned()))?;
        if who.holds_any(&assistant.roles) {
            return Ok(assistant);
        }
        let roles: Vec<&str> = assistant.roles.iter().map(|role| role.as_str()).collect();
        Err(RuntimeError::NotForYou {
            assistant: assistant.name.to_owned(),
            roles: roles.join(" or "),
        })
    }

    pub async fn start_conversation(
        &self,
        who: &Principal,
        new: NewConversationRequest,
    ) -> Result<Conversation, RuntimeError> {
        // The docs design asks for random ids here; all others rise with time.
        let id = ConversationId::from_uuid(Uuid::new_v4());
        self.start_as(who, id, new).await
    }

    /// The same with an id for what is new. Another id in the answer is that of a conversation
    /// that the key of the request made before.
    pub async fn start_as(
        &self,
        who: &Principal,
        id: ConversationId,
        new: NewConversationRequest,
    ) -> Result<Conversation, RuntimeError> {
        let assistant = self.assistant(who, &new.assistant)?;
        let company_id = self.company_for(who, assistant.name, &new).await?;
        let new = NewConversation {
            id,
            assistant: assistant.name.to_owned(),
            title: new.title.unwrap_or_else(|| DEFAULT_TITLE.to_owned()),
            company_id,
            subject: new.subject,
            phase: assistant.first_phase(),
            metadata: new.metadata,
            key: new.key,
            now: self.inner.env.now(),
        };
        Ok(self.inner.store.create(who, new).await?)
    }

    /// Where a new conversation belongs: one about a subject to the subject's company, if this
    /// person may read the subject.
    async fn company_for(
        &self,
        who: &Principal,
        assistant: &str,
        new: &NewConversationRequest,
    ) -> Result<Option<CompanyId>, RuntimeError> {
        let Some(subject) = &new.subject else {
            return Ok(new.company_id);
        };
        let invalid = |field, problem: &str| RuntimeError::Invalid {
            field,
            problem: problem.to_owned(),
        };
        let Some(subjects) = self.inner.subjects.get(assistant) else {
            let problem = "this assistant's conversations have no subject; leave it out";
            return Err(invalid("subject", problem));
        };
        let company = subjects.readable_in(who, subject).await?;
        if new.company_id.is_some_and(|asked| asked != company) {
            let problem = "must be the company of the subject, or absent";
            return Err(invalid("company_id", problem));
        }
        Ok(Some(company))
    }

    /// Watches a turn from a position on.
    pub async fn watch(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Result<Watch, RuntimeError> {
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
    ) -> Result<bool, RuntimeError> {
        let now = self.inner.env.now();
        let asked = self
            .inner
            .store
            .cancel(who, conversation, turn, now)
            .await?;
        self.inner.stop_worker(turn);
        if asked {
            // A turn that waited for a decision has no worker who could end it.
            self.go_on().await;
        }
        Ok(asked)
    }

    pub async fn pending_approvals(
        &self,
        who: &Principal,
    ) -> Result<Vec<PendingApproval>, RuntimeError> {
        Ok(self.inner.store.pending(who, self.inner.env.now()).await?)
    }

    /// Goes on with turns that nobody works on. What was decided about them is kept, whether or not
    /// somebody can go on at this moment; a look around finds them later.
    async fn go_on(&self) {
        if let Err(error) = self.take_over_abandoned().await {
            tracing::warn!("could not go on with a turn yet: {error}");
        }
    }
}
