//! The output of `chat -m … --json`: the docs design's AgentResponse, identical for all assistants.

use chrono::{DateTime, Utc};
use frontdesk_core::event::Event;
use frontdesk_core::search;
use serde_json::{Map, Value, json};

use crate::cli::remote::{Remote, text};
use crate::eval::sandbox::cited;

/// The response to the message of a turn that ended or waits.
pub(crate) async fn agent_response(
    remote: &Remote,
    conversation: &str,
    turn: &Value,
    seen: TurnSummary,
) -> anyhow::Result<Value> {
    let path = format!("/conversations/{conversation}");
    let now = remote.get(&path).await?;
    let newest = format!("{path}/messages?order=newest&limit=2");
    let messages = remote.list(&newest).await?;
    let answer = messages.iter().find(|message| {
        message["role"] == "assistant" && message["metadata"]["turn_id"] == turn["id"]
    });
    let metadata = answer.and_then(|message| message["metadata"].as_object());
    // Each turn has one user message and at most one answer.
    let count = now["message_count"].as_u64().unwrap_or_default();
    let turn_number = (count + u64::from(answer.is_none())).div_ceil(2);
    let time = |name: &str| turn[name].as_str()?.parse::<DateTime<Utc>>().ok();
    let took = match (time("started_at"), time("ended_at")) {
        (Some(from), Some(to)) => (to - from).num_milliseconds().max(0),
        _ => 0,
    };
    let outcome = [&turn["outcome"], &turn["state"]];
    let mut response = json!({
        "content": answer.map_or_else(String::new, |message| text(&message["content"])),
        "session_id": conversation,
        "turn_number": turn_number,
        "retrieval_performed": seen.retrieved,
        "retrieved_sources": metadata.and_then(cited).unwrap_or_default(),
        "tokens_used": seen.tokens,
        "execution_time_seconds": (took as f64) / 1000.0,
        "error": seen.notice,
        "outcome": outcome.into_iter().find_map(Value::as_str),
        "quick_replies": seen.quick_replies,
        "tool_calls": seen.calls,
    });
    if let Some(files) = metadata.and_then(|metadata| metadata.get("files")) {
        response["files"] = files.clone();
    }
    Ok(response)
}

#[derive(Default)]
pub(in crate::cli) struct TurnSummary {
    calls: Vec<Value>,
    arguments: Map<String, Value>,
    retrieved: bool,
    tokens: u64,
    notice: Option<String>,
    quick_replies: Vec<String>,
}

impl TurnSummary {
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::ToolStarted {
                call_id, arguments, ..
            } => {
                self.arguments.insert(call_id.clone(), arguments.clone());
            }
            Event::ToolFinished(finished) => {
                self.retrieved |= search::is_retrieval(&finished.result);
                self.calls.push(json!({
                    "name": finished.name,
                    "arguments": self.arguments.get(&finished.call_id),
                    "ok": finished.ok,
                    "summary": finished.summary,
                }));
            }
            Event::ApprovalRequested { card } => self.calls.push(json!({
                "name": card.tool,
                "arguments": card.arguments,
                "ok": false,
                "summary": "waiting for approval",
                "approval": card,
            })),
            Event::ApprovalDecided {
                call_id, arguments, ..
            } => {
                if let Some(changed) = arguments {
                    let changed = Value::Object(changed.clone());
                    self.arguments.insert(call_id.clone(), changed);
                }
            }
            Event::SourceCited { .. } => self.retrieved = true,
            Event::Snapshot(snapshot) => {
                for event in &snapshot.events {
                    self.take(event);
                }
            }
            Event::TurnCompleted(ended)
            | Event::TurnFailed(ended)
            | Event::TurnCancelled(ended)
            | Event::TurnInterrupted(ended) => {
                self.tokens = ended.usage.total();
                self.notice.clone_from(&ended.notice);
                self.quick_replies.clone_from(&ended.quick_replies);
            }
            Event::TurnStarted { .. }
            | Event::ModelReplied { .. }
            | Event::TextDelta { .. }
            | Event::TextReset { .. }
            | Event::ToolProgress { .. }
            | Event::DraftDelta { .. }
            | Event::ArtifactSaved { .. }
            | Event::PhaseChanged(_) => {}
        }
    }
}
