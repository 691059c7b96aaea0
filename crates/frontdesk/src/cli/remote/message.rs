//! Sends a message or a call, shows its turn, and asks about its approval cards.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use frontdesk_core::access::Role;
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::{Event, FileRef, Finished};
use frontdesk_core::id::ProfileId;
use frontdesk_core::preview::Preview;
use frontdesk_core::store::NewDecision;
use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::{Events, Remote, ServerRefusal, text};
use crate::cli::card::{CardAnswer, CardPrompt};
use crate::cli::chat::{TurnSummary, agent_response};
use crate::cli::screen::{Screen, Show, print_waiting_cards};
use crate::cli::{Exit, print_json};

pub(in crate::cli) struct ChatRequest<'a> {
    pub(in crate::cli) assistant: &'a str,
    pub(in crate::cli) conversation: Option<String>,
    pub(in crate::cli) attach: &'a [PathBuf],
}

/// A turn that ended or waits, with the events received.
pub(in crate::cli) struct FinishedTurn {
    turn: Value,
    seen: TurnSummary,
    events: Vec<Event>,
}

impl FinishedTurn {
    pub(crate) fn files(self) -> Vec<FileRef> {
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
pub(crate) async fn chat_once(
    remote: &Remote,
    request: ChatRequest<'_>,
    message: &str,
    as_json: bool,
) -> anyhow::Result<Exit> {
    let id = conversation(remote, &request).await?;
    let attachments = attach_all(remote, &id, request.attach).await?;
    let show = if as_json { Show::Nothing } else { Show::All };
    let body = json!({ "content": message, "attachments": attachments });
    let path = format!("/conversations/{id}/messages");
    let events = remote.post_for_events(&path, &body).await?;
    let rested = follow(remote, &id, events, show, Decide::Leave).await?;
    if as_json {
        let response = agent_response(remote, &id, &rested.turn, rested.seen).await?;
        print_json(&response)?;
    } else {
        eprintln!("conversation {id}");
    }
    Ok(exit_for(&rested.turn))
}

pub(crate) async fn call(
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

pub(crate) async fn conversation(
    remote: &Remote,
    request: &ChatRequest<'_>,
) -> anyhow::Result<String> {
    let found = match &request.conversation {
        Some(id) => remote.get(&format!("/conversations/{id}")).await?,
        None => {
            let body = json!({ "assistant": request.assistant });
            remote.post("/conversations", &body).await?
        }
    };
    let id = text(&found["id"]);
    if found["assistant"] != request.assistant {
        anyhow::bail!(
            "conversation {id} is with {}, not {}",
            text(&found["assistant"]),
            request.assistant
        );
    }
    Ok(id)
}

pub(crate) async fn attach_all(
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

pub(crate) async fn attach(remote: &Remote, id: &str, path: &Path) -> anyhow::Result<String> {
    let bytes = tokio::fs::read(path)
        .await
        .with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let uploaded = remote.upload(id, name.into_owned(), bytes).await;
    uploaded.with_context(|| format!("{} cannot be attached", path.display()))
}

/// Poll interval after all cards are decided, until a worker resumes the turn.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Decide {
    Prompt,
    Leave,
}

enum CardOutcome {
    Decided,
    Stop,
    Later,
}

#[derive(Deserialize)]
struct Me {
    id: ProfileId,
    roles: BTreeSet<Role>,
}

/// Follows a turn until it ends or waits for another person.
pub(crate) async fn follow(
    remote: &Remote,
    id: &str,
    mut events: Events,
    show: Show,
    decide: Decide,
) -> anyhow::Result<FinishedTurn> {
    let mut turn = TurnFollower {
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
        let cards: Vec<ApprovalCard> = serde_json::from_value(status["approvals"].clone())?;
        let waits = status["state"] == "awaiting_approval";
        if waits && decide == Decide::Prompt && decide_cards(remote, &turn.path, &cards).await? {
            turn.position = status["position"].as_u64().unwrap_or_default();
        } else if status["state"] != "running" {
            if waits && decide == Decide::Leave && show == Show::All {
                print_waiting_cards(&text(&status["id"]), &cards);
            }
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

struct TurnFollower<'a> {
    remote: &'a Remote,
    conversation: &'a str,
    path: String,
    position: u64,
    seen: TurnSummary,
    events: Vec<Event>,
    screen: Screen,
}

impl TurnFollower<'_> {
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

/// Asks about each card that is this person's to decide. Returns `false` if the turn still waits.
async fn decide_cards(remote: &Remote, path: &str, cards: &[ApprovalCard]) -> anyhow::Result<bool> {
    if cards.is_empty() {
        tokio::time::sleep(LOOK_AGAIN).await;
        return Ok(true);
    }
    let me: Me = serde_json::from_value(remote.get("/me").await?)?;
    let mut all = true;
    for card in cards {
        let decided = match card.is_decided_by(me.id, &me.roles) {
            Ok(()) => decide_card(remote, path, card).await,
            Err(reason) => Err(reason.into()),
        };
        match decided {
            Ok(CardOutcome::Decided) => {}
            Ok(CardOutcome::Stop) => {
                remote.post(&format!("{path}/cancel"), &json!({})).await?;
                return Ok(true);
            }
            Ok(CardOutcome::Later) => return Ok(false),
            Err(error) => {
                println!("  Waiting: {error}.");
                all = false;
            }
        }
    }
    Ok(all)
}

/// Asks again until the decision passes validation.
async fn decide_card(
    remote: &Remote,
    path: &str,
    card: &ApprovalCard,
) -> anyhow::Result<CardOutcome> {
    let path = format!("{path}/approvals/{}", card.call_id);
    let mut prompt = CardPrompt::new(card, load_preview(remote, &path, card).await);
    loop {
        let decision = match prompt.ask().await? {
            CardAnswer::Decided(decision) => decision,
            CardAnswer::Stop => return Ok(CardOutcome::Stop),
            CardAnswer::Later => return Ok(CardOutcome::Later),
        };
        match remote.post(&path, &decision_body(decision)).await {
            Ok(_) => return Ok(CardOutcome::Decided),
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
pub(crate) async fn load_preview(
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

pub(crate) fn decision_body(decision: NewDecision) -> Value {
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

fn exit_for(turn: &Value) -> Exit {
    match (turn["outcome"].as_str(), turn["state"].as_str()) {
        (Some("model_failed"), _) => Exit::ModelFailed,
        (_, Some("failed" | "interrupted")) => Exit::Failed,
        _ => Exit::Done,
    }
}
