//! The output of `chat -m … --json`: the docs design's AgentResponse, identical for all assistants.

use frontdesk_core::access::Principal;
use frontdesk_core::citation::Review;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::event::Event;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::search;
use frontdesk_core::store::{Conversations, TurnStatus, TurnViews};
use frontdesk_core::tool::Source;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::app::App;

#[derive(Serialize)]
pub(in crate::cli) struct AgentResponse {
    pub(in crate::cli) content: String,
    pub(in crate::cli) session_id: String,
    pub(in crate::cli) turn_number: u64,
    pub(in crate::cli) retrieval_performed: bool,
    pub(in crate::cli) retrieved_sources: Vec<String>,
    pub(in crate::cli) tokens_used: u64,
    pub(in crate::cli) execution_time_seconds: f64,
    pub(in crate::cli) error: Option<String>,
    pub(in crate::cli) outcome: String,
    pub(in crate::cli) quick_replies: Vec<String>,
    pub(in crate::cli) tool_calls: Vec<Value>,
    /// Files that the tools created: id, name, media type and URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) files: Option<Value>,
}

pub(super) async fn agent_response(
    app: &App,
    who: &Principal,
    conversation: &Conversation,
    status: &TurnStatus,
) -> anyhow::Result<AgentResponse> {
    let store = app.runtime.store();
    let entries = store.entries(who, conversation.id, status.id, 0).await?;
    let now = store.get(who, conversation.id).await?;
    let mut seen = TurnSummary::default();
    for entry in &entries {
        seen.take(&entry.event);
    }
    let ended_at = status.ended_at.unwrap_or_else(|| app.env.now());
    let took = (ended_at - status.started_at).num_milliseconds().max(0);
    let answer = status.agent_message.as_ref();
    let answered_turns = answered_turns(now.message_count, answer.is_some());
    Ok(AgentResponse {
        content: answer.map_or_else(String::new, |message| message.content.clone()),
        session_id: conversation.id.to_string(),
        turn_number: answered_turns,
        retrieval_performed: seen.retrieved,
        retrieved_sources: answer
            .and_then(|message| cited(&message.metadata))
            .unwrap_or_default(),
        tokens_used: seen.tokens,
        execution_time_seconds: (took as f64) / 1000.0,
        error: seen.notice,
        outcome: match (&status.outcome, status.state) {
            (Some(outcome), _) => outcome.as_str().to_owned(),
            (
                None,
                state @ (TurnState::Running
                | TurnState::AwaitingApproval
                | TurnState::Completed
                | TurnState::Failed
                | TurnState::Cancelled
                | TurnState::Interrupted),
            ) => state.as_str().to_owned(),
        },
        quick_replies: seen.quick_replies,
        tool_calls: seen.calls,
        files: answer.and_then(|message| message.metadata.get("files").cloned()),
    })
}

/// The addresses that the answer cites, as verified by the citation check.
pub(in crate::cli) fn cited(metadata: &Map<String, Value>) -> Option<Vec<String>> {
    let sources: Vec<Source> = serde_json::from_value(metadata.get("sources")?.clone()).ok()?;
    let review: Review = serde_json::from_value(metadata.get("citations")?.clone()).ok()?;
    Some(review.addresses(&sources))
}

/// The number of this turn: each turn has one user message and at most one answer.
fn answered_turns(message_count: i64, answered: bool) -> u64 {
    let messages = u64::try_from(message_count).unwrap_or(0);
    (messages + u64::from(!answered)).div_ceil(2)
}

#[derive(Default)]
pub(in crate::cli) struct TurnSummary {
    pub(in crate::cli) calls: Vec<Value>,
    arguments: Map<String, Value>,
    pub(in crate::cli) retrieved: bool,
    pub(in crate::cli) tokens: u64,
    pub(in crate::cli) notice: Option<String>,
    pub(in crate::cli) quick_replies: Vec<String>,
}

impl TurnSummary {
    pub(in crate::cli) fn take(&mut self, event: &Event) {
        match event {
            Event::ModelReplied { calls, .. } => {
                for call in calls {
                    let arguments = match call.parse_arguments() {
                        Ok(arguments) => Value::Object(arguments),
                        Err(_) => Value::String(call.arguments.clone()),
                    };
                    self.arguments.insert(call.id.clone(), arguments);
                }
            }
            // A server does not send the model's raw reply.
            Event::ToolStarted {
                call_id, arguments, ..
            } => {
                self.arguments
                    .entry(call_id.clone())
                    .or_insert_with(|| arguments.clone());
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
            | Event::TextDelta { .. }
            | Event::TextReset { .. }
            | Event::ToolProgress { .. }
            | Event::DraftDelta { .. }
            | Event::ArtifactSaved { .. }
            | Event::PhaseChanged(_) => {}
        }
    }
}
