//! CPU cost of drafting besides the model's own time: a 20 KB document from 20 KB of notes,
//! with a model that answers instantly. The goal is at most 2 ms of CPU.

#[path = "memory.rs"]
mod memory;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use async_trait::async_trait;
use chrono::Utc;
use frontdesk_core::access::{Identity, Principal, Proof};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::draft::{Draft, Quote};
use frontdesk_core::grounding::SourceText;
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, ModelSettings, Reply};
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{Drafts, ToolContext, ToolSetting};
use rustix::time::{ClockId, clock_gettime};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use uuid::Uuid;

const DRAFTS: u32 = 200;
const POINTS: usize = 110;
const GOAL_MS: f64 = 2.0;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Points {
    points: Vec<Point>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only how long it takes to read matters")]
struct Point {
    text: String,
    evidence: Quote,
}

/// Streams the same answer in token-sized pieces.
struct InstantModel(String);

#[async_trait]
impl Model for InstantModel {
    async fn reply(&self, _: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let mut rest = self.0.as_str();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(4.min(rest.len())));
            sink.text(piece);
            rest = after;
        }
        Ok(Reply {
            text: self.0.clone(),
            ..Reply::default()
        })
    }
}

fn notes() -> String {
    let line = |n| {
        format!(
            "Point {n}: she must have run the payroll of {n} people on her own for {n} years, and know it well."
        )
    };
    (1..=POINTS).map(line).collect::<Vec<_>>().join("\n")
}

fn answer() -> String {
    let point = |n| {
        json!({
            "text": format!("Has run the payroll of {n} people on her own for {n} years and knows it well"),
            "evidence": { "quote": format!("run the payroll of {n} people on her own"), "source": "notes" }
        })
    };
    json!({ "points": (1..=POINTS).map(point).collect::<Vec<_>>() }).to_string()
}

fn context(
    model: Arc<dyn Model>,
    signals: mpsc::UnboundedSender<frontdesk_core::draft::DraftSignal>,
) -> ToolContext {
    let now = Utc::now();
    let who = Principal::authenticated(
        Identity {
            subject: Uuid::from_u128(1),
            profile: ProfileId::from_uuid(Uuid::from_u128(1)),
            name: "Bench".to_owned(),
            email: None,
            roles: Default::default(),
            companies: Vec::new(),
            expires: None,
        },
        Proof::Persona,
    );
    let conversation = Conversation {
        id: ConversationId::from_uuid(Uuid::from_u128(1)),
        user_id: who.profile(),
        company_id: None,
        assistant: "bench".to_owned(),
        subject: None,
        title: String::new(),
        phase: Phase::DEFAULT,
        metadata: serde_json::Map::new(),
        progress: Default::default(),
        message_count: 0,
        last_message_at: None,
        created_at: now,
        updated_at: now,
    };
    ToolContext::new(ToolSetting {
        principal: Arc::new(who),
        conversation: Arc::new(conversation),
        handles: Arc::new(Handles::default()),
        artifacts: Arc::new(memory::NullStore),
        attachments: Arc::new(memory::NullStore),
        turn: TurnId::from_uuid(Uuid::now_v7()),
        call_id: "call_1".to_owned(),
        now,
        said: String::new(),
        progress: None,
        drafts: Some(Drafts {
            model,
            assistant: "bench".to_owned(),
            settings: ModelSettings {
                model: "bench".to_owned(),
                temperature: None,
                max_tokens: None,
            },
            tokens: u64::MAX,
            signals,
        }),
    })
}

fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let answer = answer();
    let bytes = answer.len();
    let model: Arc<dyn Model> = Arc::new(InstantModel(answer));
    let source = notes();
    let mut spent = 0.0;
    for round in 0..=DRAFTS {
        let (signals, mut seen) = mpsc::unbounded_channel();
        let ctx = context(Arc::clone(&model), signals);
        let draft = Draft {
            instructions: "List the points.".to_owned(),
            sources: vec![SourceText::new("notes", source.as_str())],
            ..Draft::default()
        };
        let before = cpu_ms();
        let drafted = ctx
            .draft::<Points>(draft)
            .await
            .map_err(|error| anyhow!(error))?;
        while seen.try_recv().is_ok() {}
        // The first round warms up.
        if round > 0 {
            spent += cpu_ms() - before;
        }
        if drafted.content.points.len() != POINTS {
            return Err(anyhow!("points were left out: {:?}", drafted.left_out));
        }
    }
    let each = spent / f64::from(DRAFTS);
    println!(
        "draft of {bytes} bytes from {} bytes: {each:.2} ms CPU (goal: {GOAL_MS} ms)",
        source.len()
    );
    Ok(if each <= GOAL_MS {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
