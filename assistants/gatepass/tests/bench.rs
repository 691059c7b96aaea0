//! The test bench: the assistant as the product builds it, the real store, and people with roles. A
//! call passes the same rules as a model's.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use bytes::Bytes;
use frontdesk_connect::Operation;
use frontdesk_core::access::{Identity, Principal, Proof, Role};
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::{Conversation, Progress};
use frontdesk_core::env::Env;
use frontdesk_core::grant::{self, GrantedCall, Grounds, Refusal, Verdict};
use frontdesk_core::handle::{FileHandle, Handles};
use frontdesk_core::id::{AttachmentId, ConversationId, ProfileId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{Account, Attachments, NewAttachment, NewConversation};
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolOutput, ToolSetting};
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_store::{Appliers, Store};
use serde_json::{Map, Value};
use tempfile::TempDir;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::env::{TIMEOUT, TestEnv};
use crate::package::{Gate, bundle, load};
use crate::settings::Config;
use frontdesk_bundle::{MintToken, SetupContext};

pub(crate) struct Bench {
    pub(crate) assistant: Arc<Assistant>,
    pub(crate) env: Arc<TestEnv>,
    pub(crate) store: Store,
    /// The tools, for calls that bypass the toolbox.
    pub(crate) gate: Arc<Gate>,
    /// Progress messages.
    pub(crate) progress: Mutex<Vec<String>>,
    _folder: TempDir,
}

/// A tool of the manifest.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) def: ToolDef,
    pub(crate) operation: Operation,
}

/// All tools of the manifest, in its order.
pub(crate) fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let load = || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let bench = runtime.unwrap().block_on(Bench::new("http://127.0.0.1:9"));
            let defs = bench.assistant.toolbox.defs();
            defs.map(|def| Entry {
                def: def.clone(),
                operation: bench.gate.tools[def.name.as_ref()].1.operation().clone(),
            })
            .collect()
        };
        // A thread of its own: tests may run in a runtime.
        std::thread::spawn(load).join().unwrap()
    });
    &ENTRIES
}

pub(crate) fn entry(name: &str) -> &'static Entry {
    entries()
        .iter()
        .find(|entry| entry.def.name == name)
        .unwrap()
}

/// Outcome of a call.
#[derive(Debug)]
pub(crate) enum CallOutcome {
    Refused(Refusal),
    /// The call waits for a person's confirmation.
    Asked(GrantedCall),
    Done(ToolOutput),
    Failed(ToolError),
}

impl CallOutcome {
    pub(crate) fn done(self) -> ToolOutput {
        match self {
            CallOutcome::Done(output) => output,
            other @ (CallOutcome::Refused(_) | CallOutcome::Asked(_) | CallOutcome::Failed(_)) => {
                panic!("expected a result, got {other:?}")
            }
        }
    }

    pub(crate) fn failed(self) -> ToolError {
        match self {
            CallOutcome::Failed(error) => error,
            other @ (CallOutcome::Refused(_) | CallOutcome::Asked(_) | CallOutcome::Done(_)) => {
                panic!("expected a failure, got {other:?}")
            }
        }
    }
}

/// A conversation with its attached files.
pub(crate) struct Talk {
    pub(crate) who: Principal,
    pub(crate) conversation: Conversation,
    pub(crate) handles: Handles,
    /// The person's own messages.
    pub(crate) words: Vec<String>,
}

impl Talk {
    fn names(&self, pass_number: Option<&Value>) -> bool {
        let number = pass_number.and_then(Value::as_str).unwrap_or("-");
        self.words.iter().any(|words| words.contains(number))
    }
}

pub(crate) fn person(name: &str, roles: &[Role]) -> Principal {
    let id = frontdesk_core::persona::demo_id("test person", name);
    let identity = Identity {
        subject: id,
        profile: ProfileId::from_uuid(id),
        name: name.to_owned(),
        email: None,
        roles: roles.iter().cloned().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Persona)
}

pub(crate) fn hr() -> Principal {
    person("Ayesha Siddiqui", &[Role::HR_USER])
}

pub(crate) fn admin() -> Principal {
    person("Omar Farooq", &[Role::ADMIN_USER])
}

pub(crate) fn guard() -> Principal {
    person("Bilal Ahmed", &[Role::GATE_USER])
}

/// Writes the principal and audience as plain text instead of signing a token.
pub(crate) fn plain_tokens() -> MintToken {
    Arc::new(|who, audience| Ok(format!("{audience}.{}", who.profile())))
}

impl Bench {
    pub(crate) async fn new(base_url: &str) -> Self {
        Self::with(base_url, &[], plain_tokens()).await
    }

    pub(crate) async fn with(base_url: &str, settings: &[(&str, &str)], tokens: MintToken) -> Self {
        Self::with_env(TestEnv::new(), base_url, settings, tokens).await
    }

    pub(crate) async fn with_env(
        env: Arc<TestEnv>,
        base_url: &str,
        settings: &[(&str, &str)],
        tokens: MintToken,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let db = Db::open_sqlite(&path, SqliteOptions::default())
            .await
            .unwrap();
        db.migrate(&[Store::migrations()]).await.unwrap();
        let timeout = TIMEOUT.as_secs().to_string();
        let mut set: BTreeMap<String, String> = BTreeMap::new();
        set.insert("gatepass.api_base_url".into(), base_url.into());
        set.insert("gatepass.api_timeout".into(), timeout);
        // As for the bundled API; a test of another API says no.
        set.insert("gatepass.api_idempotency_keys".into(), "yes".into());
        set.extend(
            settings
                .iter()
                .map(|(key, value)| ((*key).into(), (*value).into())),
        );
        let ctx = SetupContext {
            db: db.clone(),
            settings: set,
            public_url: "http://localhost:8080".to_owned(),
            env: Arc::clone(&env) as _,
            services: BTreeMap::new(),
            search: Arc::new(frontdesk_core::search::Nowhere),
            conversation_api: Arc::new(frontdesk_testkit::UnavailableApi),
            service_tokens: tokens,
            person_tokens: Arc::new(|_| None),
        };
        let config = Config::new(&ctx.settings, None).unwrap();
        let bundle = bundle(&ctx).unwrap();
        Self {
            gate: Arc::new(load(&config, &ctx).unwrap().1),
            assistant: Arc::new(bundle.assistant),
            env,
            store: Store::new(db, Appliers::default()),
            progress: Mutex::default(),
            _folder: folder,
        }
    }

    /// A new conversation of this person.
    pub(crate) async fn talk(&self, who: Principal) -> Talk {
        let account = Account {
            subject: who.subject(),
            profile: who.profile(),
            name: who.name().to_owned(),
            email: who.email().map(str::to_owned),
            now: self.env.now(),
        };
        self.store.sign_in(account).await.unwrap();
        let new = NewConversation {
            key: None,
            id: ConversationId::from_uuid(Uuid::new_v4()),
            assistant: "gatepass".to_owned(),
            title: "Test".to_owned(),
            company_id: None,
            subject: None,
            phase: Phase::DEFAULT,
            metadata: Map::new(),
            now: self.env.now(),
        };
        let conversation = self.store.create(&who, new).await.unwrap();
        Talk {
            who,
            conversation,
            handles: Handles::default(),
            words: Vec::new(),
        }
    }

    pub(crate) async fn attach(
        &self,
        talk: &mut Talk,
        name: &str,
        bytes: impl Into<Bytes>,
    ) -> String {
        let bytes = bytes.into();
        let sent = bytes.len() as u64;
        self.attach_reencoded(talk, name, bytes, sent).await
    }

    /// Attaches a picture that had this size when the person sent it.
    pub(crate) async fn attach_reencoded(
        &self,
        talk: &mut Talk,
        name: &str,
        bytes: impl Into<Bytes>,
        sent: u64,
    ) -> String {
        let bytes = bytes.into();
        let id = AttachmentId::from_uuid(Uuid::now_v7());
        let new = NewAttachment {
            key: None,
            id,
            conversation: talk.conversation.id,
            name: name.to_owned(),
            media_type: "application/octet-stream".to_owned(),
            bytes: bytes.clone(),
            sent,
            now: self.env.now(),
        };
        self.store.attach(&talk.who, new).await.unwrap();
        let number = u32::try_from(talk.handles.files.len()).unwrap() + 1;
        talk.handles.files.push(FileHandle {
            number,
            attachment: id,
            name: name.to_owned(),
            media_type: "application/octet-stream".to_owned(),
            bytes: bytes.len() as u64,
        });
        format!("file:{number}")
    }

    /// A call as a model makes it. The person has named the visitor and the notification; the test
    /// itself names passes.
    pub(crate) async fn call(&self, talk: &Talk, tool: &str, arguments: Value) -> CallOutcome {
        let call = ToolCall {
            id: "call_1".to_owned(),
            name: tool.to_owned(),
            arguments: arguments.to_string(),
        };
        let said = ["person_name", "notification_id"].map(|key| arguments[key].clone());
        let said = said.iter().filter(|value| !value.is_null());
        let said: Vec<String> = said
            .map(|value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            })
            .collect();
        let verdict = grant::decide(
            &call,
            &Grounds {
                toolbox: &self.assistant.toolbox,
                principal: &talk.who,
                phase: &Phase::DEFAULT,
                progress: &Progress::default(),
                handles: &talk.handles,
                message: &|| [talk.words.as_slice(), said.as_slice()].concat().join(". "),
                own_form: false,
                foreign_text: true,
                untrusted_text: false,
                may_write: true,
            },
        );
        match verdict {
            Verdict::Refuse(refusal) => CallOutcome::Refused(refusal),
            // The person confirms a decision about a pass that they named.
            Verdict::Ask(granted)
                if tool != "delete_gate_pass"
                    && talk.names(granted.arguments().get("pass_number")) =>
            {
                self.run(talk, granted).await
            }
            Verdict::Ask(granted) => CallOutcome::Asked(granted),
            Verdict::Propose(_) => unreachable!("the model of these tests may write"),
            Verdict::Run(granted) => self.run(talk, granted).await,
        }
    }

    /// Runs a granted or approved call.
    pub(crate) async fn run(&self, talk: &Talk, granted: GrantedCall) -> CallOutcome {
        let (progress, mut heard) = mpsc::unbounded_channel();
        let ctx = self.context(talk, Some(progress));
        let result = self.assistant.toolbox.run(ctx, granted).await;
        while let Ok(text) = heard.try_recv() {
            self.progress.lock().unwrap().push(text);
        }
        match result {
            Ok(output) => CallOutcome::Done(output),
            Err(error) => CallOutcome::Failed(error),
        }
    }

    pub(crate) fn context(
        &self,
        talk: &Talk,
        progress: Option<mpsc::UnboundedSender<String>>,
    ) -> ToolContext {
        ToolContext::new(ToolSetting {
            principal: Arc::new(talk.who.clone()),
            conversation: Arc::new(talk.conversation.clone()),
            handles: Arc::new(talk.handles.clone()),
            artifacts: Arc::new(self.store.clone()),
            attachments: Arc::new(self.store.clone()),
            turn: TurnId::from_uuid(Uuid::now_v7()),
            call_id: "call_1".to_owned(),
            now: self.env.now(),
            said: String::new(),
            progress,
            drafts: None,
        })
    }
}
