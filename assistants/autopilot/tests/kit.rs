//! The assistant over a real database, and a conversation whose state is kept as the store keeps it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeZone, Utc};
use frontdesk_core::access::{Identity, Principal, Proof, Role};
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::{Conversation, DEFAULT_TITLE, Progress};
use frontdesk_core::env::Env;
use frontdesk_core::grant::{self, Grounds, Verdict};
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::search::{
    ChunkConfig, Query, RetrievalResult, RetrievedChunk, Search, SearchError,
};
use frontdesk_core::store::{Artifacts, Attachments};
use frontdesk_core::tool::{Outbox, ToolContext, ToolOutput, ToolSetting};
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_store::{Appliers, Store};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use tempfile::TempDir;
use uuid::Uuid;

use crate::package::bundle;
use crate::{journey, product_store};
use frontdesk_bundle::{Bundle, SetupContext};

/// A clock that does not move.
pub(super) struct FixedClock;

impl Env for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 11, 1, 9, 0, 0).unwrap()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// A search index that finds pages that share a word with the query, or fails.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) kept: Mutex<Vec<(String, String)>>,
    pub(super) replaced: Mutex<usize>,
    pub(super) broken: bool,
}

#[async_trait]
impl Search for Pages {
    async fn search(&self, query: &Query) -> Result<RetrievalResult, SearchError> {
        query.check()?;
        if self.broken {
            return Err(SearchError::TimedOut);
        }
        let asked: Vec<String> = query
            .text
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let mut chunks = Vec::new();
        for (path, text) in self.kept.lock().unwrap().iter() {
            let lower = text.to_lowercase();
            let shared = asked.iter().filter(|word| lower.contains(*word)).count();
            if shared > 0 {
                chunks.push(RetrievedChunk {
                    chunk_id: path.clone(),
                    similarity_score: shared as f64 / asked.len() as f64,
                    chunk_text: text.clone(),
                    url: path.clone(),
                    title: text
                        .lines()
                        .next()
                        .map(|line| line.trim_start_matches("# ").to_owned()),
                    chunk_index: 0,
                    token_count: 1,
                    timestamp: FixedClock.now(),
                    chunk_config: ChunkConfig {
                        chunk_size: 1,
                        chunk_overlap: 0,
                    },
                    model_name: String::new(),
                    dimension: 1,
                    vector: None,
                    context: None,
                    section: None,
                    page: None,
                });
            }
        }
        chunks.sort_by(|a, b| b.similarity_score.total_cmp(&a.similarity_score));
        chunks.truncate(query.top_k);
        Ok(RetrievalResult::new(query.text.clone(), chunks, 0.0))
    }

    async fn replace(&self, _: &str, documents: Vec<(String, String)>) -> Result<(), SearchError> {
        *self.replaced.lock().unwrap() += 1;
        *self.kept.lock().unwrap() = documents;
        Ok(())
    }
}

pub(super) struct Kit {
    pub(super) bundle: Bundle,
    store: Store,
    _folder: TempDir,
}

impl Kit {
    pub(super) async fn new() -> Self {
        Self::with(Arc::new(Pages::default())).await
    }

    pub(super) async fn with(search: Arc<dyn Search>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let db = Db::open_sqlite(&path, SqliteOptions::default())
            .await
            .unwrap();
        db.migrate(&[Store::migrations(), product_store::MIGRATIONS])
            .await
            .unwrap();
        let ctx = SetupContext {
            db: db.clone(),
            settings: BTreeMap::new(),
            public_url: "http://localhost:8080".to_owned(),
            env: Arc::new(FixedClock),
            services: BTreeMap::new(),
            search,
            conversation_api: Arc::new(frontdesk_testkit::UnavailableApi),
            service_tokens: Arc::new(|_, _| Err("no service is called".into())),
            person_tokens: Arc::new(|_| None),
        };
        Self {
            bundle: bundle(&ctx).unwrap(),
            store: Store::new(db, Appliers::default()),
            _folder: folder,
        }
    }

    pub(super) fn assistant(&self) -> &Assistant {
        &self.bundle.assistant
    }

    pub(super) fn talk(&self) -> Talk<'_> {
        Talk {
            kit: self,
            who: person(&[Role::BUYER]),
            words: Vec::new(),
            conversation: Conversation {
                id: ConversationId::from_uuid(Uuid::new_v4()),
                user_id: person(&[]).profile(),
                company_id: None,
                assistant: "autopilot".to_owned(),
                subject: None,
                title: DEFAULT_TITLE.to_owned(),
                phase: journey::DISCOVERY_PHASE,
                metadata: Map::new(),
                progress: Progress::default(),
                message_count: 0,
                last_message_at: None,
                created_at: FixedClock.now(),
                updated_at: FixedClock.now(),
            },
        }
    }
}

pub(super) fn person(roles: &[Role]) -> Principal {
    let id = frontdesk_core::persona::demo_id("test person", "Bea");
    let identity = Identity {
        subject: id,
        profile: ProfileId::from_uuid(id),
        name: "Bea Carter".to_owned(),
        email: None,
        roles: roles.iter().cloned().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Persona)
}

/// A conversation with its state.
pub(super) struct Talk<'k> {
    kit: &'k Kit,
    who: Principal,
    pub(super) words: Vec<String>,
    pub(super) conversation: Conversation,
}

impl Talk<'_> {
    /// The person says something, and a model calls `record_facts` without facts.
    pub(super) async fn says(&mut self, words: &str) -> ToolOutput {
        self.words.push(words.to_owned());
        self.done("record_facts", serde_json::json!({})).await
    }

    pub(super) async fn call(
        &mut self,
        tool: &str,
        arguments: Value,
    ) -> Result<ToolOutput, String> {
        let call = ToolCall {
            id: "call_1".to_owned(),
            name: tool.to_owned(),
            arguments: arguments.to_string(),
        };
        let toolbox = &self.kit.assistant().toolbox;
        let verdict = grant::decide(
            &call,
            &Grounds {
                toolbox,
                principal: &self.who,
                phase: &self.conversation.phase,
                progress: &self.conversation.progress,
                handles: &Handles::default(),
                message: &|| self.words.last().cloned().unwrap_or_default(),
                own_form: false,
                foreign_text: true,
                untrusted_text: false,
                may_write: true,
            },
        );
        let granted = match verdict {
            Verdict::Run(granted) => granted,
            Verdict::Refuse(refusal) => return Err(refusal.message),
            Verdict::Ask(_) | Verdict::Propose(_) => return Err("waits for approval".to_owned()),
        };
        let ctx = ToolContext::new(ToolSetting {
            principal: Arc::new(self.who.clone()),
            conversation: Arc::new(self.conversation.clone()),
            handles: Arc::new(Handles::default()),
            artifacts: Arc::new(self.kit.store.clone()) as Arc<dyn Artifacts>,
            attachments: Arc::new(self.kit.store.clone()) as Arc<dyn Attachments>,
            turn: TurnId::from_uuid(Uuid::now_v7()),
            call_id: "call_1".to_owned(),
            now: FixedClock.now(),
            said: self.words.last().cloned().unwrap_or_default(),
            progress: None,
            drafts: None,
        });
        let output = toolbox
            .run(ctx.with_words(self.words.clone()), granted)
            .await
            .map_err(|error| error.message)?;
        self.keep(tool, &output.outbox);
        Ok(output)
    }

    pub(super) async fn done(&mut self, tool: &str, arguments: Value) -> ToolOutput {
        match self.call(tool, arguments).await {
            Ok(output) => output,
            Err(problem) => panic!("{tool}: {problem}"),
        }
    }

    /// The error of a call that must fail without any effect.
    pub(super) async fn fails(&mut self, tool: &str, arguments: Value) -> String {
        let before = self.conversation.clone();
        match self.call(tool, arguments).await {
            Ok(output) => panic!("{tool}: {output:?}"),
            Err(problem) => {
                assert_eq!(self.conversation, before);
                problem
            }
        }
    }

    fn keep(&mut self, tool: &str, outbox: &Outbox) {
        self.conversation.metadata.extend(outbox.metadata.clone());
        self.conversation
            .progress
            .tools_done
            .insert(tool.to_owned());
        for artifact in &outbox.artifacts {
            let mark = self.conversation.progress.next_mark(artifact);
            self.conversation.progress.note_artifact(mark);
        }
        if let Some((phase, _)) = &outbox.phase {
            self.conversation.phase = phase.clone();
        }
        if let Some(title) = &outbox.title {
            self.conversation.title.clone_from(title);
        }
    }

    /// Enough facts for an estimate, in the ROI phase.
    pub(super) async fn interviewed(&mut self) {
        for words in [
            "we run a 6-court pickleball club",
            "we vacuum for 2 hours a day",
            "We spend $3,500 a month on cleaning.",
            "We are called Riverside Pickleball",
        ] {
            self.says(words).await;
        }
        self.done("set_phase", serde_json::json!({ "phase": "roi" }))
            .await;
    }
}
