//! The same turn in the engine: granted, validated, journalled in memory, without
//! subscribers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::{Identity, Principal, Proof, Role};
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::conversation::{Conversation, Progress};
use frontdesk_core::env::Env;
use frontdesk_core::event::{Entry, Event, TurnObserver};
use frontdesk_core::id::{ConversationId, MessageId, ProfileId, TurnId};
use frontdesk_core::model::{Model, ModelSettings};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::phase::Phase;
use frontdesk_core::run::{Cancel, Ending, Engine, run_turn};
use frontdesk_core::store::{Lease, Opened, Opening, Speaker, StoredMessage};
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::{RunByData, Toolbox};
use frontdesk_core::transcript::{Line, Transcript, Window};
use frontdesk_models::openai::{OpenAi, OpenAiSettings};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::measure::Turns;
use crate::memory::NullStore;
use crate::scene::{QUESTION, SYSTEM, Scene};

struct Tool;

#[async_trait::async_trait]
impl RunByData for Tool {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Ok((json!({ "status": "shipped" }), "Shipped.".to_owned()))
    }
}

fn tool_defs(count: usize) -> impl Iterator<Item = ToolDef> {
    (0..count).map(|number| ToolDef {
        name: format!("tool_{number}").into(),
        parameters: json!({
            "type": "object",
            "properties": { "order": { "type": "string", "description": "The number of the order." } },
            "required": ["order"],
            "additionalProperties": false,
        }),
        spec: ToolSpec::read(format!("Look up part {number} of an order by its number."))
            .roles([Role::BUYER]),
    })
}

/// The `tools` array that both sides send.
pub fn tools_json(count: usize) -> String {
    let tools: Vec<Value> = tool_defs(count).map(|def| def.to_openai_format()).collect();
    Value::Array(tools).to_string()
}

struct Clock;

impl Env for Clock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

struct NullObserver;

impl TurnObserver for NullObserver {
    fn on_entry(&self, _: TurnId, _: &Entry) {}
}

pub struct Ours {
    engine: Engine,
    assistant: Arc<Assistant>,
    model: Arc<dyn Model>,
    /// Kept warm, as in an active conversation.
    history: Transcript,
    principal: Principal,
    conversation: Conversation,
}

impl Ours {
    pub fn new(url: &str, scene: &Scene) -> Result<Self> {
        let mut toolbox = Toolbox::builder();
        let runner = Arc::new(Tool);
        for def in tool_defs(scene.tools) {
            toolbox = toolbox.data_tool(def, runner.clone());
        }
        let store = Arc::new(NullStore);
        let profile = ProfileId::from_uuid(Uuid::now_v7());
        Ok(Self {
            engine: Engine {
                turns: store.clone(),
                artifacts: store.clone(),
                attachments: store,
                env: Arc::new(Clock),
                observer: Arc::new(NullObserver),
                lease_for: Duration::from_secs(20),
                text_tokens: 24_000,
            },
            assistant: Arc::new(assistant(toolbox.build()?)),
            model: Arc::new(OpenAi::new(OpenAiSettings {
                base_url: url.to_owned(),
                ..OpenAiSettings::default()
            })?),
            history: scene.transcript(),
            principal: buyer(profile),
            conversation: conversation(profile),
        })
    }

    fn opened(&self) -> Opened {
        let turn = TurnId::from_uuid(Uuid::now_v7());
        let message = MessageId::from_uuid(Uuid::now_v7());
        let now = Utc::now();
        Opened {
            rate: None,
            allowance: None,
            lease: Lease {
                turn,
                conversation: self.conversation.id,
                node: String::new(),
                epoch: 0,
            },
            principal: self.principal.clone(),
            conversation: self.conversation.clone(),
            opening: Opening::Message {
                id: message,
                content: QUESTION.to_owned(),
                metadata: Map::new(),
                attachments: Vec::new(),
            },
            user_message: StoredMessage {
                id: message,
                conversation_id: self.conversation.id,
                role: Speaker::User,
                author: None,
                content: QUESTION.to_owned(),
                metadata: Map::new(),
                created_at: now,
                rating: None,
                versions: Vec::new(),
            },
            history: self.history.clone(),
            tail: vec![Line::user(QUESTION)],
            handles: Default::default(),
            text_count: 0,
            entries: vec![Entry {
                position: 1,
                event: Event::TurnStarted {
                    turn,
                    conversation: self.conversation.id,
                    message,
                    assistant: "bench".to_owned(),
                    author: None,
                },
            }],
            deadline: now + TimeDelta::seconds(120),
        }
    }
}

impl Turns for Ours {
    async fn turn(&self) -> Result<()> {
        let ending = run_turn(
            &self.engine,
            Arc::clone(&self.assistant),
            Arc::clone(&self.model),
            self.opened(),
            Cancel::default(),
        )
        .await?;
        if ending != Ending::Over(Outcome::Answered) {
            bail!("the turn ended {ending:?}");
        }
        Ok(())
    }
}

fn assistant(toolbox: Toolbox) -> Assistant {
    Assistant {
        name: "bench".into(),
        title: "Bench".into(),
        description: "Measured, not used.".into(),
        roles: Vec::new(),
        instructions: SYSTEM.into(),
        phases: Vec::new(),
        toolbox,
        context: Vec::new(),
        reply_schema: None,
        model: ModelSettings {
            model: "bench".to_owned(),
            temperature: None,
            max_tokens: None,
        },
        limits: Limits {
            window: Window {
                max_messages: 10_000,
                max_tokens: 10_000_000,
                last_texts: None,
            },
            ..Limits::default()
        },
        greeting: "".into(),
        suggestions: Vec::new(),
    }
}

fn buyer(profile: ProfileId) -> Principal {
    Principal::authenticated(
        Identity {
            subject: Uuid::now_v7(),
            profile,
            name: "Bench".to_owned(),
            email: None,
            roles: [Role::BUYER].into(),
            companies: Vec::new(),
            expires: None,
        },
        Proof::LocalShell,
    )
}

fn conversation(owner: ProfileId) -> Conversation {
    let now = Utc::now();
    Conversation {
        id: ConversationId::from_uuid(Uuid::now_v7()),
        user_id: owner,
        company_id: None,
        assistant: "bench".to_owned(),
        subject: None,
        title: "Bench".to_owned(),
        phase: Phase::DEFAULT,
        metadata: Map::new(),
        progress: Progress::default(),
        message_count: 0,
        last_message_at: None,
        created_at: now,
        updated_at: now,
    }
}
