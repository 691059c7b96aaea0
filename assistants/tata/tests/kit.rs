//! Calls tools as a model does: the assistant as the product builds it, and a project whose documents
//! are kept in order.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeZone, Utc};
use frontdesk_core::access::{Identity, Principal, Proof, Role};
use frontdesk_core::artifact::{Artifact, ArtifactMark};
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE, Progress};
use frontdesk_core::env::Env;
use frontdesk_core::grant::{self, GrantedCall, Grounds, Verdict};
use frontdesk_core::handle::{Handles, TextHandle};
use frontdesk_core::id::{ArtifactId, ConversationId, ProfileId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, ModelErrorKind, Reply};
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{Artifacts, Attachments, StoreError};
use frontdesk_core::tool::{Drafts, Outbox, ToolContext, ToolError, ToolOutput, ToolSetting};
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_store::{Appliers, Store};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::documents::document;
use crate::facts;
use crate::package::bundle;
use frontdesk_bundle::SetupContext;

/// Time stands still, so that documents made twice are equal.
pub(super) struct Still;

impl Env for Still {
    fn now(&self) -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 3, 14, 9, 30, 0).unwrap()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

pub(super) struct Kit {
    pub(super) assistant: Arc<Assistant>,
    pub(super) store: Store,
    pub(super) runtime: Runtime,
    _folder: TempDir,
}

/// One with the neutral guide. Its folder goes with it.
pub(super) fn kit() -> Kit {
    Kit::new(BTreeMap::new())
}

impl Kit {
    pub(super) fn new(settings: BTreeMap<String, String>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let db = runtime.block_on(async {
            let path = folder.path().join("test.db");
            let db = Db::open_sqlite(&path, SqliteOptions::default())
                .await
                .unwrap();
            db.migrate(&[Store::migrations(), facts::MIGRATIONS])
                .await
                .unwrap();
            db
        });
        let ctx = SetupContext {
            db: db.clone(),
            settings,
            public_url: "http://localhost:8080".to_owned(),
            env: Arc::new(Still),
            services: BTreeMap::new(),
            search: Arc::new(frontdesk_core::search::Nowhere),
            conversation_api: Arc::new(frontdesk_testkit::UnavailableApi),
            service_tokens: Arc::new(|_, _| Err("no service is called".into())),
            person_tokens: Arc::new(|_| None),
        };
        Self {
            assistant: Arc::new(bundle(&ctx).unwrap().assistant),
            store: Store::new(db, Appliers::default()),
            runtime,
            _folder: folder,
        }
    }

    pub(super) fn project(&self) -> Project<'_> {
        let id = ConversationId::from_uuid(Uuid::new_v4());
        let who = recruiter();
        Project {
            kit: self,
            conversation: Conversation {
                id,
                user_id: who.profile(),
                company_id: None,
                assistant: "tata".to_owned(),
                subject: None,
                title: DEFAULT_TITLE.to_owned(),
                phase: Phase::DEFAULT,
                metadata: Map::new(),
                progress: Progress::default(),
                message_count: 0,
                last_message_at: None,
                created_at: Still.now(),
                updated_at: Still.now(),
            },
            kept: Arc::new(KeptArtifacts::default()),
            handles: Handles::default(),
            words: Vec::new(),
            model: None,
        }
    }
}

pub(super) fn recruiter() -> Principal {
    let id = frontdesk_core::persona::demo_id("test person", "Maria Holm");
    let identity = Identity {
        subject: id,
        profile: ProfileId::from_uuid(id),
        name: "Maria Holm".to_owned(),
        email: None,
        roles: [Role::RECRUITER].into_iter().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Persona)
}

/// How a call went.
#[derive(Debug)]
pub(super) enum CallOutcome {
    Refused(String),
    Asked(GrantedCall),
    Done(ToolOutput),
    Failed(ToolError),
}

impl CallOutcome {
    /// The error that the model gets.
    pub(super) fn error(&self) -> Option<&str> {
        match self {
            CallOutcome::Refused(message) => Some(message),
            CallOutcome::Failed(error) => Some(&error.message),
            CallOutcome::Asked(_) | CallOutcome::Done(_) => None,
        }
    }
}

/// Documents in the order in which they were kept.
#[derive(Default)]
pub(super) struct KeptArtifacts(Mutex<Vec<Artifact>>);

impl KeptArtifacts {
    pub(super) fn list(&self) -> Vec<Artifact> {
        self.0.lock().unwrap().clone()
    }
}

#[async_trait]
impl Artifacts for KeptArtifacts {
    async fn latest(
        &self,
        _: &Principal,
        _: ConversationId,
        kind: &str,
        key: &str,
    ) -> Result<Option<Artifact>, StoreError> {
        let list = self.list();
        let found = list.into_iter().rev();
        Ok({ found }.find(|a| a.kind == kind && a.key == key))
    }

    async fn all(
        &self,
        _: &Principal,
        _: ConversationId,
    ) -> Result<Vec<(ArtifactId, ArtifactMark)>, StoreError> {
        let mark = |a: Artifact| {
            let mark = ArtifactMark {
                kind: a.kind,
                key: a.key,
                version: a.version,
                status: a.status,
            };
            (a.id, mark)
        };
        Ok(self.list().into_iter().map(mark).collect())
    }

    async fn artifact(
        &self,
        _: &Principal,
        _: ConversationId,
        id: ArtifactId,
    ) -> Result<Artifact, StoreError> {
        let found = self.list().into_iter().find(|a| a.id == id);
        found.ok_or(StoreError::NotFound)
    }
}

/// A conversation and what it has come to.
pub(super) struct Project<'k> {
    kit: &'k Kit,
    pub(super) conversation: Conversation,
    pub(super) kept: Arc<KeptArtifacts>,
    handles: Handles,
    /// The recruiter's messages.
    words: Vec<String>,
    model: Option<Arc<Scripted>>,
}

/// A language model that answers what a test gives it, and keeps what it was asked.
#[derive(Default)]
pub(super) struct Scripted {
    answers: Mutex<VecDeque<Reply>>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    /// The rules, instructions and sources of every request.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Model for Scripted {
    async fn reply(&self, ask: Ask<'_>, _: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        assert!(ask.is_draft());
        assert_strict(ask.reply_schema.unwrap());
        let messages = ask.prompt.messages();
        let texts: Vec<String> = messages
            .iter()
            .map(|m| {
                m.to_openai_format()["content"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect();
        self.asked.lock().unwrap().push(texts.join("\n"));
        let answer = self.answers.lock().unwrap().pop_front();
        answer.ok_or_else(|| ModelError::new(ModelErrorKind::Unavailable, "the script is empty"))
    }
}

impl Project<'_> {
    /// Pastes a text; returns its handle.
    pub(super) fn paste(&mut self, text: &str) -> String {
        let number = u32::try_from(self.handles.texts.len()).unwrap() + 1;
        let text = text.to_owned();
        self.handles.texts.push(TextHandle { number, text });
        format!("text:{number}")
    }

    /// Adds a message of the recruiter.
    pub(super) fn say(&mut self, text: &str) -> &mut Self {
        self.words.push(text.to_owned());
        self
    }

    /// From now on there is a language model; it answers with these drafts, in order.
    pub(super) fn drafts(&mut self, drafts: impl IntoIterator<Item = Value>) -> Arc<Scripted> {
        self.replies(drafts.into_iter().map(|draft| Reply {
            text: draft.to_string(),
            ..Reply::default()
        }))
    }

    pub(super) fn replies(&mut self, replies: impl IntoIterator<Item = Reply>) -> Arc<Scripted> {
        let model = Arc::clone(self.model.get_or_insert_default());
        model.answers.lock().unwrap().extend(replies);
        model
    }

    /// A call whose arguments the recruiter filled in themselves, as in a form.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> CallOutcome {
        let before = self.words.len();
        texts_in(&arguments, &mut self.words);
        let called = self.call_as_model(tool, arguments);
        self.words.truncate(before);
        called
    }

    /// A call whose arguments a model wrote.
    pub(super) fn call_as_model(&mut self, tool: &str, arguments: Value) -> CallOutcome {
        let call = ToolCall {
            id: "call_1".to_owned(),
            name: tool.to_owned(),
            arguments: arguments.to_string(),
        };
        let verdict = grant::decide(
            &call,
            &Grounds {
                toolbox: &self.kit.assistant.toolbox,
                principal: &recruiter(),
                phase: &Phase::DEFAULT,
                progress: &self.conversation.progress,
                handles: &self.handles,
                message: &String::new,
                own_form: false,
                foreign_text: false,
                untrusted_text: false,
                may_write: true,
            },
        );
        match verdict {
            Verdict::Refuse(refusal) => CallOutcome::Refused(refusal.message),
            Verdict::Ask(granted) => CallOutcome::Asked(granted),
            Verdict::Run(granted) => self.run(granted),
            Verdict::Propose(_) => unreachable!("the model of these tests may write"),
        }
    }

    /// Runs a call that was granted, or approved by a person, and keeps what it hands over.
    pub(super) fn run(&mut self, granted: GrantedCall) -> CallOutcome {
        let ctx = ToolContext::new(ToolSetting {
            principal: Arc::new(recruiter()),
            conversation: Arc::new(self.conversation.clone()),
            handles: Arc::new(self.handles.clone()),
            artifacts: Arc::clone(&self.kept) as Arc<dyn Artifacts>,
            attachments: Arc::new(self.kit.store.clone()) as Arc<dyn Attachments>,
            turn: TurnId::from_uuid(Uuid::now_v7()),
            call_id: "call_1".to_owned(),
            now: Still.now(),
            said: self.words.last().cloned().unwrap_or_default(),
            progress: None,
            drafts: self.model.as_ref().map(|model| Drafts {
                model: Arc::clone(model) as Arc<dyn Model>,
                assistant: "tata".to_owned(),
                settings: self.kit.assistant.model.clone(),
                tokens: 200_000,
                signals: mpsc::unbounded_channel().0,
            }),
        })
        .with_words(self.words.clone());
        let toolbox = &self.kit.assistant.toolbox;
        match self.kit.runtime.block_on(toolbox.run(ctx, granted)) {
            Ok(output) => {
                self.keep(&output.outbox);
                CallOutcome::Done(output)
            }
            Err(error) => CallOutcome::Failed(error),
        }
    }

    /// The result of a call that must succeed; whatever it asks for is approved.
    pub(super) fn done(&mut self, tool: &str, arguments: Value) -> ToolOutput {
        let called = match self.call(tool, arguments) {
            CallOutcome::Asked(granted) => self.run(granted),
            other @ (CallOutcome::Refused(_) | CallOutcome::Done(_) | CallOutcome::Failed(_)) => {
                other
            }
        };
        match called {
            CallOutcome::Done(output) => output,
            other @ (CallOutcome::Refused(_) | CallOutcome::Asked(_) | CallOutcome::Failed(_)) => {
                panic!("{tool}: {other:?}")
            }
        }
    }

    /// The error of a call that must not succeed.
    pub(super) fn fails(&mut self, tool: &str, arguments: Value) -> String {
        let before = self.kept.list().len();
        let called = self.call(tool, arguments);
        assert_eq!(self.kept.list().len(), before, "nothing is stored half-way");
        match called.error() {
            Some(message) => message.to_owned(),
            None => panic!("{tool}: {called:?}"),
        }
    }

    fn keep(&mut self, outbox: &Outbox) {
        for new in &outbox.artifacts {
            let mark = self.conversation.progress.next_mark(new);
            self.kept.0.lock().unwrap().push(Artifact {
                id: ArtifactId::from_uuid(Uuid::now_v7()),
                conversation: self.conversation.id,
                kind: new.kind.clone(),
                key: new.key.clone(),
                version: mark.version,
                status: new.status,
                title: new.title.clone(),
                content: new.content.clone(),
                built_from: new.built_from.clone(),
                author: None,
                created_at: Still.now(),
            });
            self.conversation.progress.note_artifact(mark);
        }
        self.conversation.metadata.extend(outbox.metadata.clone());
        if let Some(title) = &outbox.title {
            self.conversation.title.clone_from(title);
        }
    }

    /// The standard start: notes, profile, confirmation.
    pub(super) fn confirmed(&mut self) {
        let notes = self.paste(include_str!("../demo/startup-notes.txt"));
        self.done(
            "create_requirement_profile",
            json!({ "position_title": "Senior Network Engineer", "startup_notes": notes }),
        );
        self.done("confirm_requirement_profile", json!({}));
    }

    /// The newest document of a kind, as people read it.
    pub(super) fn markdown(&self, kind: &str) -> String {
        document(&self.newest(kind)).unwrap().to_markdown()
    }

    /// The notes for the recruiter beside the newest document of a kind.
    pub(super) fn notes(&self, kind: &str) -> Vec<String> {
        document(&self.newest(kind)).unwrap().notes
    }

    /// The newest document of a kind.
    pub(super) fn newest(&self, kind: &str) -> Artifact {
        let list = self.kept.list();
        let found = list.into_iter().rev().find(|a| a.kind == kind);
        found.unwrap_or_else(|| panic!("there is no {kind}"))
    }
}

/// Providers enforce a schema only where every field of every object is required.
fn assert_strict(schema: &Value) {
    if let Some(fields) = schema["properties"].as_object() {
        assert_eq!(schema["additionalProperties"], json!(false), "{schema}");
        let required = schema["required"].as_array().map_or(0, Vec::len);
        assert_eq!(required, fields.len(), "{schema}");
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(assert_strict),
        Value::Array(items) => items.iter().for_each(assert_strict),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn texts_in(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| texts_in(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
