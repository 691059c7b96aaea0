//! A person, their conversation, and calls granted and run as in a turn.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use chrono::Utc;
use frontdesk_core::access::{Identity, Principal, Proof, Role};
use frontdesk_core::conversation::{Conversation, Progress};
use frontdesk_core::grant::{self, Grounds, Verdict};
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{Artifacts, Attachments};
use frontdesk_core::tool::{Drafts, ToolContext, ToolSetting};
use frontdesk_core::toolbox::Toolbox;
use serde_json::{Map, Value};
use uuid::Uuid;

pub fn install_crypto() {
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

pub fn person(roles: impl IntoIterator<Item = Role>) -> Principal {
    let id = Uuid::from_u128(7);
    let identity = Identity {
        subject: id,
        profile: ProfileId::from_uuid(id),
        name: "Bench".to_owned(),
        email: None,
        roles: roles.into_iter().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Persona)
}

pub fn conversation(owner: ProfileId) -> Conversation {
    let now = Utc::now();
    Conversation {
        id: ConversationId::from_uuid(Uuid::from_u128(1)),
        user_id: owner,
        company_id: None,
        assistant: "bench".to_owned(),
        subject: None,
        title: String::new(),
        phase: Phase::DEFAULT,
        metadata: Map::new(),
        progress: Progress::default(),
        message_count: 0,
        last_message_at: None,
        created_at: now,
        updated_at: now,
    }
}

pub fn tool_context<S: Artifacts + Attachments + 'static>(
    who: &Principal,
    store: Arc<S>,
    drafts: Option<Drafts>,
) -> ToolContext {
    ToolContext::new(ToolSetting {
        principal: Arc::new(who.clone()),
        conversation: Arc::new(conversation(who.profile())),
        handles: Arc::new(Handles::default()),
        artifacts: store.clone(),
        attachments: store,
        turn: TurnId::from_uuid(Uuid::now_v7()),
        call_id: "call_1".to_owned(),
        now: Utc::now(),
        said: String::new(),
        progress: None,
        drafts,
    })
}

/// Grants and runs a call; returns its result.
pub async fn run_call<S: Artifacts + Attachments + 'static>(
    toolbox: &Toolbox,
    who: &Principal,
    store: Arc<S>,
    tool: &str,
    arguments: &Value,
) -> Result<Value> {
    let call = ToolCall {
        id: "call_1".to_owned(),
        name: tool.to_owned(),
        arguments: arguments.to_string(),
    };
    let grounds = Grounds {
        toolbox,
        principal: who,
        phase: &Phase::DEFAULT,
        progress: &Progress::default(),
        handles: &Handles::default(),
        message: &String::new,
        own_form: true,
        foreign_text: false,
        untrusted_text: false,
        may_write: true,
    };
    let verdict = grant::decide(&call, &grounds);
    let Verdict::Run(granted) = verdict else {
        bail!("the call is not granted: {verdict:?}");
    };
    let ran = toolbox.run(tool_context(who, store, None), granted).await;
    Ok(ran.map_err(|error| anyhow!(error.message))?.result)
}
