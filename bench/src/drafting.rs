//! CPU cost of drafting besides the model's own time: a 20 KB document from 20 KB of notes,
//! with a model that answers instantly. The goal is at most 2 ms of CPU.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use async_trait::async_trait;
use frontdesk_bench::fixture::{person, tool_context};
use frontdesk_bench::null_store::NullStore;
use frontdesk_bench::stats::cpu;
use frontdesk_core::draft::{Draft, Quote};
use frontdesk_core::grounding::SourceText;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, ModelSettings, Reply};
use frontdesk_core::tool::{Drafts, ToolContext};
use rustix::time::ClockId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

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
    let drafts = Drafts {
        model,
        assistant: "bench".to_owned(),
        settings: ModelSettings {
            model: "bench".to_owned(),
            temperature: None,
            max_tokens: None,
        },
        tokens: u64::MAX,
        signals,
    };
    tool_context(&person([]), Arc::new(NullStore), Some(drafts))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let answer = answer();
    let bytes = answer.len();
    let model: Arc<dyn Model> = Arc::new(InstantModel(answer));
    let source = notes();
    let mut spent = Duration::ZERO;
    for round in 0..=DRAFTS {
        let (signals, mut seen) = mpsc::unbounded_channel();
        let ctx = context(Arc::clone(&model), signals);
        let draft = Draft {
            instructions: "List the points.".to_owned(),
            sources: vec![SourceText::new("notes", source.as_str())],
            ..Draft::default()
        };
        let before = cpu(ClockId::ProcessCPUTime);
        let drafted = ctx
            .draft::<Points>(draft)
            .await
            .map_err(|error| anyhow!(error))?;
        while seen.try_recv().is_ok() {}
        // The first round warms up.
        if round > 0 {
            spent += cpu(ClockId::ProcessCPUTime) - before;
        }
        if drafted.content.points.len() != POINTS {
            return Err(anyhow!("points were left out: {:?}", drafted.left_out));
        }
    }
    let each = (spent / DRAFTS).as_secs_f64() * 1e3;
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
