//! The runtime accepts messages, runs workers that answer them, and lets people watch, cancel and
//! decide. All interfaces (terminal, HTTP) use it.

mod deciding;
mod files;
mod notify;
mod opening;
mod previews;
mod queue;
mod refusals;
mod small_questions;
mod waiting;
mod watch;
mod worker;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE};
use frontdesk_core::env::Env;
use frontdesk_core::grant::FieldProblem;
use frontdesk_core::id::{CompanyId, ConversationId, TurnId};
use frontdesk_core::model::Model;
use frontdesk_core::run::{Cancel, Engine};
use frontdesk_core::store::{Budget, IdempotencyKey, NewConversation, PendingApproval, StoreError};
use frontdesk_core::subject::Subjects;
use frontdesk_files::UploadError;
use frontdesk_store::Store;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::installed::Installed;
use crate::live_turns::LiveTurns;
use crate::metrics::Metrics;
use crate::trace::tracer::{Tracer, Tracing};

pub use files::{MAX_FILE_BYTES, Upload};
use notify::Notifier;
pub use notify::{Delivery, Subscription};
pub use opening::{RateState, Saying, Started};
use queue::Queue;
use refusals::Refusals;
pub(crate) use small_questions::NoDeltas;
use small_questions::SmallQuestions;
pub use watch::Watch;

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
    /// Confirmed arguments are missing or invalid.
    #[error("{}", in_a_sentence(.0))]
    Fields(Vec<FieldProblem>),
    /// A card awaits a decision; a message that does not decide it is refused.
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
    /// A repeated request with this key returns the same conversation.
    pub key: Option<IdempotencyKey>,
}

#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Time without a heartbeat after which another worker takes over the turn.
    pub lease: Duration,
    /// Time after its end during which a turn is replayed event by event.
    pub replay: Duration,
    pub turns_in_flight: u32,
    /// Daily token budgets of people and companies.
    pub budget: Budget,
    /// Tokens per message for showing pasted and attached text in full.
    pub text_tokens: u32,
}

/// Cheap to clone; clones share one runtime.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

struct Inner {
    installed: RwLock<Arc<Installed>>,
    subjects: BTreeMap<String, Arc<dyn Subjects>>,
    model: Arc<dyn Model>,
    store: Store,
    engine: Engine,
    live_turns: Arc<LiveTurns>,
    queue: Queue,
    refusals: Refusals,
    small_questions: SmallQuestions,
    notifier: Notifier,
    metrics: Arc<Metrics>,
    tracer: Arc<Tracer>,
    env: Arc<dyn Env>,
    rules: Rules,
    /// Identifies this process in leases.
    node: String,
    /// The newest worker of each turn on this node, with its epoch.
    running: Mutex<HashMap<TurnId, (i64, Cancel)>>,
    tasks: TaskTracker,
    /// Limits concurrent file decoding.
    decodes: Semaphore,
}

pub struct RuntimeParts {
    pub model: Arc<dyn Model>,
    pub store: Store,
    pub env: Arc<dyn Env>,
    pub rules: Rules,
    pub tracing: Tracing,
    pub subjects: BTreeMap<String, Arc<dyn Subjects>>,
}

impl Runtime {
    pub fn new(installed: Installed, parts: RuntimeParts) -> Self {
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
                installed: RwLock::new(Arc::new(installed)),
                subjects,
                model,
                store,
                engine,
                live_turns,
                queue: Queue::default(),
                refusals: Refusals::default(),
                small_questions: SmallQuestions::default(),
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

    pub fn installed(&self) -> Arc<Installed> {
        let installed = self.inner.installed.read();
        Arc::clone(&installed.unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the assistants. Running turns go on with the version that they began with.
    pub fn install(&self, installed: Installed) {
        let mut current = self.inner.installed.write();
        *current
            .as_deref_mut()
            .unwrap_or_else(|poisoned| poisoned.get_mut()) = Arc::new(installed);
    }

    /// In the order of their names.
    pub fn assistants(&self) -> Vec<Arc<Assistant>> {
        self.installed().assistants().cloned().collect()
    }

    pub fn assistant(&self, who: &Principal, name: &str) -> Result<Arc<Assistant>, RuntimeError> {
        let assistant = self
            .installed()
            .assistant(name)
            .cloned()
            .ok_or_else(|| RuntimeError::UnknownAssistant(name.to_owned()))?;
        if who.holds_any(&assistant.roles) {
            return Ok(assistant);
        }
        let roles: Vec<&str> = assistant.roles.iter().map(|role| role.as_str()).collect();
        Err(RuntimeError::NotForYou {
            assistant: assistant.name.to_string(),
            roles: roles.join(" or "),
        })
    }

    pub async fn start_conversation(
        &self,
        who: &Principal,
        new: NewConversationRequest,
    ) -> Result<Conversation, RuntimeError> {
        let id = self.new_conversation_id(&new);
        self.start_as(who, id, new).await
    }

    /// Random, as the docs design requires. A conversation about a subject has a time-ordered id,
    /// as the gig design requires.
    pub fn new_conversation_id(&self, new: &NewConversationRequest) -> ConversationId {
        let id = match new.subject {
            Some(_) => self.inner.env.id(),
            None => Uuid::new_v4(),
        };
        ConversationId::from_uuid(id)
    }

    /// [`Self::start`] with a given id. The result has another id if the idempotency key created a
    /// conversation earlier.
    pub async fn start_as(
        &self,
        who: &Principal,
        id: ConversationId,
        new: NewConversationRequest,
    ) -> Result<Conversation, RuntimeError> {
        let assistant = self.assistant(who, &new.assistant)?;
        let (subject, company_id) = self.subject_for(who, &assistant.name, &new).await?;
        let new = NewConversation {
            id,
            assistant: assistant.name.to_string(),
            title: new.title.unwrap_or_else(|| DEFAULT_TITLE.to_owned()),
            company_id,
            subject,
            phase: assistant.first_phase(),
            metadata: new.metadata,
            key: new.key,
            now: self.inner.env.now(),
        };
        Ok(self.inner.store.create(who, new).await?)
    }

    /// The subject and the company of a new conversation. With a subject it is the subject's company,
    /// if this person may read the subject.
    async fn subject_for(
        &self,
        who: &Principal,
        assistant: &str,
        new: &NewConversationRequest,
    ) -> Result<(Option<String>, Option<CompanyId>), RuntimeError> {
        let subjects = self.inner.subjects.get(assistant);
        let Some(subject) = &new.subject else {
            let found = match subjects {
                Some(subjects) => subjects.default_for(who, new.company_id).await?,
                None => None,
            };
            return Ok(match found {
                Some((subject, company)) => (Some(subject), Some(company)),
                None => (None, new.company_id),
            });
        };
        let invalid = |field, problem: &str| RuntimeError::Invalid {
            field,
            problem: problem.to_owned(),
        };
        let Some(subjects) = subjects else {
            let problem = "this assistant's conversations have no subject; leave it out";
            return Err(invalid("subject", problem));
        };
        let company = subjects.readable_in(who, subject).await?;
        if new.company_id.is_some_and(|asked| asked != company) {
            let problem = "must be the company of the subject, or absent";
            return Err(invalid("company_id", problem));
        }
        Ok((Some(subject.clone()), Some(company)))
    }

    pub async fn watch(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Result<Watch, RuntimeError> {
        // Checks the access; the stream then follows the journal.
        self.inner.store.turn(who, conversation, turn).await?;
        Ok(Watch::from_journal(self, who, conversation, turn, after))
    }

    /// Requests cancellation of a turn. Returns `false` if it has already ended.
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
            // A turn that waited for a decision has no worker to end it.
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

    /// Resumes turns without a worker. A failure is only logged: the decision is stored, and the
    /// next scan finds the turn.
    async fn go_on(&self) {
        if let Err(error) = self.take_over_abandoned().await {
            tracing::warn!("could not resume turns yet: {error}");
        }
    }
}
