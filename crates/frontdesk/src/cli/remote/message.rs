//! Sends a message or a call to a running server and shows it as a local one.

use std::path::{Path, PathBuf};

use anyhow::Context;
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::{Event, FileRef, Finished};
use frontdesk_core::preview::Preview;
use frontdesk_core::store::NewDecision;
use reqwest::StatusCode;
use serde_json::{Map, Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::{Events, Remote, ServerRefusal, text};
use crate::cli::Exit;
use crate::cli::ask::{Decide, LOOK_AGAIN, Rest, Screen, Show};
use crate::cli::card::{Answer, CardPrompt};
use crate::cli::chat::{AgentResponse, TurnSummary, cited};

pub(in crate::cli) struct Saying<'a> {
    pub(in crate::cli) assistant: &'a str,
    pub(in crate::cli) conversation: Option<String>,
    pub(in crate::cli) attach: &'a [PathBuf],
}

/// A turn that ended or waits, with the events received.
pub(super) struct FinishedTurn {
    turn: Value,
    seen: TurnSummary,
    events: Vec<Event>,
}

impl FinishedTurn {
    pub(super) fn files(self) -> Vec<FileRef> {
        let made = self.events.into_iter().filter_map(|event| {
            let Event::ToolFinished(finished) = event else {
                return None;
            };
            Some(finished.files)
        });
        made.flatten().collect()
    }
}

/// Sends one message and prints its answer as text or as one JSON object.
pub(in crate::cli) async fn chat_once(
    remote: &Remote,
    saying: Saying<'_>,
    message: &str,
    as_json: bool,
) -> anyhow::Result<Exit> {
    let id = conversation(remote, &saying).await?;
    let attachments = attach_all(remote, &id, saying.attach).await?;
    let show = if as_json { Show::Nothing } else { Show::All };
    let body = json!({ "content": message, "attachments": attachments });
    let path = format!("/conversations/{id}/messages");
    let events = remote.post_for_events(&path, &body).await?;
    let rested = follow(remote, &id, events, show, Decide::Leave).await?;
    let exit = exit_for(&rested.turn);
    if as_json {
        let response = agent_response(remote, &id, rested).await?;
        println!("{}", serde_json::to_string_pretty(&response)?);
    } else {
        eprintln!("conversation {id}");
    }
    Ok(exit)
}

pub(in crate::cli) async fn call(
    remote: &Remote,
    assistant: &str,
    tool: &str,
    arguments: &Map<String, Value>,
) -> anyhow::Result<(Vec<Value>, Option<Finished>)> {
    let body = json!({ "assistant": assistant, "title": format!("/{tool}") });
    let made = remote.post("/conversations", &body).await?;
    let id = text(&made["id"]);
    let body = json!({ "tool": tool, "arguments": arguments });
    let path = format!("/conversations/{id}/forms");
    let events = remote.post_for_events(&path, &body).await?;
    let rested = follow(remote, &id, events, Show::Nothing, Decide::Leave).await?;
    let cards = rested.turn["approvals"].as_array().cloned();
    let finished = rested.events.into_iter().find_map(|event| {
        let Event::ToolFinished(finished) = event else {
            return None;
        };
        Some(finished)
    });
    Ok((cards.unwrap_or_default(), finished))
}

pub(super) async fn conversation(remote: &Remote, saying: &Saying<'_>) -> anyhow::Result<String> {
    let found = match &saying.conversation {
        Some(id) => remote.get(&format!("/conversations/{id}")).await?,
        None => {
            let body = json!({ "assistant": saying.assistant });
            remote.post("/conversations", &body).await?
        }
    };
    let id = text(&found["id"]);
    if found["assistant"] != saying.assistant {
        anyhow::bail!(
            "conversation {id} is with {}, not {}",
            text(&found["assistant"]),
            saying.assistant
        );
    }
    Ok(id)
}

pub(super) async fn attach_all(
    remote: &Remote,
    id: &str,
    files: &[PathBuf],
) -> anyhow::Result<Vec<String>> {
    let mut ids = Vec::new();
    for path in files {
        ids.push(attach(remote, id, path).await?);
    }
    Ok(ids)
}

pub(super) async fn attach(remote: &Remote, id: &str, path: &Path) -> anyhow::Result<String> {
    let bytes = tokio::fs::read(path)
        .await
        .with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let uploaded = remote.upload(id, name.into_owned(), bytes).await;
    uploaded.with_context(|| format!("{} cannot be attached", path.display()))
}

/// Follows a turn until it ends or waits for another person.
pub(super) async fn follow(
    remote: &Remote,
    id: &str,
    mut events: Events,
    show: Show,
    decide: Decide,
) -> anyhow::Result<FinishedTurn> {
    let mut turn = Following {
        remote,
        conversation: id,
        path: String::new(),
        position: 0,
        seen: TurnSummary::default(),
        events: Vec::new(),
        screen: Screen::new(show),
    };
    loop {
        turn.show(&mut events).await?;
        let status = remote.get(&turn.path).await?;
        let waits = status["state"] == "awaiting_approval" && decide == Decide::Prompt;
        if waits && decide_cards(remote, &turn.path, &status).await? {
            turn.position = status["position"].as_u64().unwrap_or_default();
        } else if status["state"] != "running" {
            return Ok(FinishedTurn {
                turn: status,
                seen: turn.seen,
                events: turn.events,
            });
        }
        // The cards were decided, or the connection was lost: resume from the last position.
        let path = format!("{}/events", turn.path);
        events = remote.events_after(&path, turn.position).await?;
    }
}

struct Following<'a> {
    remote: &'a Remote,
    conversation: &'a str,
    path: String,
    position: u64,
    seen: TurnSummary,
    events: Vec<Event>,
    screen: Screen,
}

impl Following<'_> {
    /// Shows events until the stream ends. Ctrl-C cancels the turn.
    async fn show(&mut self, events: &mut Events) -> anyhow::Result<()> {
        // One listener for the whole answer, so that a Ctrl-C between two events is not lost.
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut cancelled = false;
        loop {
            let received = tokio::select! {
                received = events.next() => received?,
                _ = interrupt.recv(), if !cancelled && !self.path.is_empty() => {
                    cancelled = true;
                    self.remote.post(&format!("{}/cancel", self.path), &json!({})).await?;
                    continue;
                }
            };
            let Some(received) = received else {
                self.screen.end();
                return Ok(());
            };
            if let Event::TurnStarted { turn, .. } = &received.event {
                self.path = format!("/conversations/{}/turns/{turn}", self.conversation);
            }
            self.position = received.position;
            self.screen.show(&received.event);
            self.seen.take(&received.event);
            self.events.push(received.event);
        }
    }
}

/// Asks about each card. Returns `false` if the turn still waits.
async fn decide_cards(remote: &Remote, path: &str, turn: &Value) -> anyhow::Result<bool> {
    let cards: Vec<ApprovalCard> = serde_json::from_value(turn["approvals"].clone())?;
    if cards.is_empty() {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let mut all = true;
    for card in cards {
        match decide_card(remote, path, &card).await {
            Ok(Rest::Decided) => {}
            Ok(Rest::Stop) => {
                remote.post(&format!("{path}/cancel"), &json!({})).await?;
                return Ok(true);
            }
            Ok(Rest::Later) => return Ok(false),
            Err(error) => {
                println!("  Waiting: {error}.");
                all = false;
            }
        }
    }
    Ok(all)
}

/// Asks again until the decision passes validation.
async fn decide_card(remote: &Remote, path: &str, card: &ApprovalCard) -> anyhow::Result<Rest> {
    let path = format!("{path}/approvals/{}", card.call_id);
    let mut prompt = CardPrompt::new(card, load_preview(remote, &path, card).await);
    loop {
        let decision = match prompt.ask().await? {
            Answer::Decided(decision) => decision,
            Answer::Stop => return Ok(Rest::Stop),
            Answer::Later => return Ok(Rest::Later),
        };
        match remote.post(&path, &decision_body(decision)).await {
            Ok(_) => return Ok(Rest::Decided),
            Err(error) => match error.downcast_ref::<ServerRefusal>() {
                Some(refused) if refused.status == StatusCode::UNPROCESSABLE_ENTITY => {
                    prompt.complain(&refused.message);
                }
                Some(_) | None => return Err(error),
            },
        }
    }
}

/// The object of a card, if it can be loaded; `path` is the card's path.
pub(in crate::cli) async fn load_preview(
    remote: &Remote,
    path: &str,
    card: &ApprovalCard,
) -> Option<Preview> {
    if !card.preview {
        return None;
    }
    let loaded = remote.get(&format!("{path}/preview")).await.ok()?;
    serde_json::from_value(loaded).ok()
}

pub(in crate::cli) fn decision_body(decision: NewDecision) -> Value {
    let word = match decision.decision {
        Decision::Approved => "approve",
        Decision::Rejected | Decision::Expired => "reject",
    };
    let mut body = json!({ "decision": word, "reason": decision.reason });
    if let Some(arguments) = decision.arguments {
        body["arguments"] = Value::Object(arguments);
    }
    body
}

/// The same JSON object as a local chat prints.
async fn agent_response(
    remote: &Remote,
    id: &str,
    rested: FinishedTurn,
) -> anyhow::Result<AgentResponse> {
    let turn = text(&rested.turn["id"]);
    let conversation = remote.get(&format!("/conversations/{id}")).await?;
    let page = remote
        .get(&format!(
            "/conversations/{id}/messages?order=newest&limit=2"
        ))
        .await?;
    let answer = page["items"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|message| {
            message["role"] == "assistant" && message["metadata"]["turn_id"] == turn.as_str()
        });
    let messages = conversation["message_count"].as_u64().unwrap_or_default();
    let outcome = match rested.turn["outcome"].as_str() {
        Some(outcome) => outcome.to_owned(),
        None => text(&rested.turn["state"]),
    };
    let moment = |name: &str| {
        text(&rested.turn[name])
            .parse::<chrono::DateTime<chrono::Utc>>()
            .ok()
    };
    let took = match (moment("started_at"), moment("ended_at")) {
        (Some(from), Some(to)) => (to - from).num_milliseconds().max(0),
        _ => 0,
    };
    let seen = rested.seen;
    Ok(AgentResponse {
        content: answer.map_or_else(String::new, |message| text(&message["content"])),
        session_id: id.to_owned(),
        turn_number: (messages + u64::from(answer.is_none())).div_ceil(2),
        retrieval_performed: seen.retrieved,
        retrieved_sources: answer
            .and_then(|message| cited(message["metadata"].as_object()?))
            .unwrap_or_default(),
        tokens_used: seen.tokens,
        execution_time_seconds: (took as f64) / 1000.0,
        error: seen.notice,
        outcome,
        quick_replies: seen.quick_replies,
        tool_calls: seen.calls,
        files: answer.and_then(|message| message["metadata"].get("files").cloned()),
    })
}

fn exit_for(turn: &Value) -> Exit {
    match (turn["outcome"].as_str(), turn["state"].as_str()) {
        (Some("model_failed"), _) => Exit::ModelFailed,
        (_, Some("failed" | "interrupted")) => Exit::Failed,
        _ => Exit::Done,
    }
}
