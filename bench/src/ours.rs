//! The same turn in the engine: granted, validated, journalled in memory, without
//! subscribers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use chrono::{TimeDelta, Utc};
use frontdesk::system_env::SystemEnv;
use frontdesk_bench::fixture;
use frontdesk_bench::null_store::NullStore;
use frontdesk_bench::scene::{self, ASSISTANT, QUESTION, Scene};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::assistant::{Assistant, Limits};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::event::{Entry, Event, TurnObserver};
use frontdesk_core::id::{MessageId, TurnId};
use frontdesk_core::model::Model;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::{Cancel, Ending, Engine, run_turn};
use frontdesk_core::store::{Lease, Opened, Opening, Speaker, StoredMessage};
use frontdesk_core::transcript::{Line, Transcript, Window};
use frontdesk_models::openai::{OpenAi, OpenAiSettings};
use serde_json::Map;
use uuid::Uuid;

use crate::measure::Turns;

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
        let store = Arc::new(NullStore);
        let principal = fixture::person([Role::BUYER]);
        let limits = Limits {
            window: Window {
                max_messages: 10_000,
                max_tokens: 10_000_000,
                last_texts: None,
            },
            ..Limits::default()
        };
        Ok(Self {
            engine: Engine {
                turns: store.clone(),
                artifacts: store.clone(),
                attachments: store,
                env: Arc::new(SystemEnv),
                observer: Arc::new(NullObserver),
                lease_for: Duration::from_secs(20),
                text_tokens: 24_000,
            },
            assistant: Arc::new(scene::assistant(scene.tools, limits)?),
            model: Arc::new(OpenAi::new(OpenAiSettings {
                base_url: url.to_owned(),
                ..OpenAiSettings::default()
            })?),
            history: scene.transcript(),
            conversation: fixture::conversation(principal.profile()),
            principal,
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
                    assistant: ASSISTANT.to_owned(),
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
