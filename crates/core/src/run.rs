//! The driver: executes the steps of a [`Turn`] and journals the results.
//!
//! An event is journalled before it counts. Watchers may see text and read calls slightly earlier;
//! a write is journalled before it starts and again when it ends.

mod ask;
mod calls;
mod recorder;
mod relay;
mod wake_gated;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::{Either, select};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::approval::Decision;
use crate::assistant::Assistant;
use crate::citation;
use crate::env::Env;
use crate::event::{Ended, Event, Finished, TurnObserver};
use crate::grant::RefusalReason;
use crate::id::MessageId;
use crate::message::{Message, ToolCall};
use crate::model::{Finish, Model, ModelError, Usage};
use crate::outcome::{Outcome, TurnState};
use crate::reply::Extras;
use crate::store::{
    Answer, Artifacts, Attachments, AuditOutcome, FinishTurn, Lease, NewAudit, Opened, Record,
    StoreError, Turns,
};
use crate::transcript::{Line, LineKind};
use crate::turn::{Step, Turn};
use crate::untrusted;

use recorder::Recorder;
use wake_gated::WakeGated;

/// The dependencies of every turn.
pub struct Engine {
    pub turns: Arc<dyn Turns>,
    pub artifacts: Arc<dyn Artifacts>,
    pub attachments: Arc<dyn Attachments>,
    pub env: Arc<dyn Env>,
    pub observer: Arc<dyn TurnObserver>,
    /// Lifetime of a lease; renewed after a third of it.
    pub lease_for: Duration,
    /// Token limit for showing a message's pasted and attached texts in full.
    pub text_tokens: u32,
}

/// How a driver left a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    Over(Outcome),
    AwaitingApproval,
}

/// Cancels a running turn. Clones share the flag; cancelling is idempotent.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<watch::Sender<bool>>);

impl Default for Cancel {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Cancel {
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    async fn cancelled(&self) {
        let mut watch = self.0.subscribe();
        // The sender lives in `self`, so waiting cannot fail.
        let _ = watch.wait_for(|set| *set).await;
    }
}

/// Drives a turn until it ends or waits for a person. An error means that this worker could not
/// continue; the turn stays in the journal for another worker.
pub async fn run_turn(
    engine: &Engine,
    assistant: Arc<Assistant>,
    model: Arc<dyn Model>,
    opened: Opened,
    cancel: Cancel,
) -> Result<Ending, StoreError> {
    let lease = opened.lease.clone();
    if lease.epoch > 0 {
        // The turn may have been cancelled while no worker ran it.
        renew(engine, &lease, &cancel).await?;
    }
    let driver = Driver::new(engine, assistant, model, opened, cancel.clone());
    let drive = std::pin::pin!(driver.drive());
    let keep = std::pin::pin!(keep_lease(engine, &lease, &cancel));
    match select(drive, WakeGated::new(keep)).await {
        Either::Left((ending, _)) => ending,
        Either::Right((lost, _)) => Err(lost),
    }
}

/// The notice for a turn whose assistant was uninstalled.
const ASSISTANT_GONE: &str = "This assistant is not installed any more, so this could not be finished. Start a new conversation with another one.";

/// Ends a turn whose assistant was uninstalled. Open calls get answers, a started write becomes
/// unknown, and nothing runs.
pub async fn end_without_assistant(
    engine: &Engine,
    model: Arc<dyn Model>,
    opened: Opened,
) -> Result<Ending, StoreError> {
    let absent = Arc::new(Assistant::absent());
    let mut driver = Driver::new(engine, absent, model, opened, Cancel::default());
    driver.notice = Some(ASSISTANT_GONE);
    driver.void_unfinished_text();
    driver.stop(Outcome::Interrupted).await
}

/// Renews the lease until that fails.
async fn keep_lease(engine: &Engine, lease: &Lease, cancel: &Cancel) -> StoreError {
    loop {
        engine.env.sleep(engine.lease_for / 3).await;
        if let Err(lost) = renew(engine, lease, cancel).await {
            return lost;
        }
    }
}

/// Renews the lease once; forwards a cancellation that another node received.
async fn renew(engine: &Engine, lease: &Lease, cancel: &Cancel) -> Result<(), StoreError> {
    let lease_for =
        chrono::Duration::from_std(engine.lease_for).unwrap_or_else(|_| chrono::Duration::zero());
    let until = engine.env.now() + lease_for;
    match engine.turns.renew(lease, until).await {
        Ok(wish_to_cancel) => {
            if wish_to_cancel {
                cancel.cancel();
            }
            Ok(())
        }
        Err(StoreError::Unavailable(problem)) => {
            tracing::warn!(turn.id = %lease.turn, problem, "lease not renewed, trying again");
            Ok(())
        }
        Err(lost) => Err(lost),
    }
}

struct Driver<'a> {
    engine: &'a Engine,
    model: Arc<dyn Model>,
    cancel: Cancel,
    deadline: DateTime<Utc>,
    started: DateTime<Utc>,
    turn: Turn,
    recorder: Recorder<'a>,
    quick_replies: Vec<String>,
    /// Replaces the outcome's own notice, unless a write is unknown.
    notice: Option<&'static str>,
}

impl<'a> Driver<'a> {
    fn new(
        engine: &'a Engine,
        assistant: Arc<Assistant>,
        model: Arc<dyn Model>,
        opened: Opened,
        cancel: Cancel,
    ) -> Self {
        let deadline = opened.deadline;
        let started = opened.user_message.created_at;
        let recorder = Recorder::new(engine, opened.lease.clone(), &opened.entries);
        let mut turn = Turn::new(assistant, opened);
        if model.can_draft() {
            turn.show_texts(engine.text_tokens);
        }
        Self {
            engine,
            model,
            cancel,
            deadline,
            started,
            recorder,
            turn,
            quick_replies: Vec::new(),
            notice: None,
        }
    }

    async fn drive(mut self) -> Result<Ending, StoreError> {
        self.void_unfinished_text();
        loop {
            if let Some(outcome) = self.stop_reason() {
                return self.stop(outcome).await;
            }
            match self.turn.next(self.engine.env.now()) {
                Step::AskModel => {
                    if let Err(outcome) = self.ask_model().await? {
                        return self.stop(outcome).await;
                    }
                }
                Step::TakeForm(call) => self.take_reply(String::new(), vec![call]),
                Step::Say(text) => {
                    self.emit(Event::TextDelta { text: text.clone() });
                    self.take_reply(text, Vec::new());
                }
                Step::FetchTexts(numbers) => {
                    let found = self
                        .engine
                        .turns
                        .texts(&self.recorder.lease, &numbers)
                        .await?;
                    self.turn.supply(&numbers, found);
                }
                Step::Refuse(refusals) => self.refuse(refusals),
                Step::Run(starts) => {
                    if let Err(outcome) = self.run_calls(starts).await? {
                        return self.stop(outcome).await;
                    }
                }
                Step::RequestApproval(cards) => {
                    let events = cards
                        .iter()
                        .map(|card| Event::ApprovalRequested { card: card.clone() })
                        .collect();
                    let audit = cards
                        .iter()
                        .map(|card| NewAudit {
                            call_id: card.call_id.clone(),
                            tool: card.tool.clone(),
                            target: self.turn.target_of(&card.tool, &card.arguments),
                            outcome: AuditOutcome::ApprovalRequested,
                            approver: None,
                        })
                        .collect();
                    self.recorder
                        .commit(
                            events,
                            Record {
                                awaiting: cards,
                                audit,
                                ..Record::default()
                            },
                        )
                        .await?;
                    return Ok(Ending::AwaitingApproval);
                }
                Step::Wait => return Ok(Ending::AwaitingApproval),
                Step::End(outcome) => return self.stop(outcome).await,
            }
        }
    }

    /// After a crash, the text of an unfinished reply is void.
    fn void_unfinished_text(&mut self) {
        let Some(after) = self.recorder.resumed_after_crash() else {
            return;
        };
        let settled = self.turn.settled_text().to_owned();
        self.emit(Event::TextReset { after });
        if !settled.is_empty() {
            self.emit(Event::TextDelta { text: settled });
        }
    }

    fn stop_reason(&self) -> Option<Outcome> {
        if self.cancel.is_set() {
            Some(Outcome::Cancelled)
        } else if self.engine.env.now() >= self.deadline {
            Some(Outcome::TimedOut)
        } else {
            None
        }
    }

    /// Resolves when the turn must stop.
    async fn stopped(&self) -> Outcome {
        let cancelled = std::pin::pin!(self.cancel.cancelled());
        match select(cancelled, self.engine.env.sleep(self.time_left())).await {
            Either::Left(_) => Outcome::Cancelled,
            Either::Right(_) => Outcome::TimedOut,
        }
    }

    fn time_left(&self) -> Duration {
        (self.deadline - self.engine.env.now())
            .to_std()
            .unwrap_or_default()
    }

    /// Shows and queues an event, and applies it to the turn.
    fn emit(&mut self, event: Event) {
        self.turn.apply(&event);
        self.recorder.say(event);
    }

    fn take_reply(&mut self, text: String, calls: Vec<ToolCall>) {
        self.emit(Event::ModelReplied {
            text,
            calls,
            finish: Finish::Stop,
            usage: Usage::default(),
            model: None,
            duration_ms: 0,
            extras: Extras::default(),
            proposes: false,
        });
    }

    fn refuse(&mut self, refusals: Vec<Finished>) {
        for finished in refusals {
            self.note_refusal(&finished);
            self.keep_incomplete(&finished);
            self.emit(Event::ToolFinished(finished));
        }
    }

    /// Writes one audit row per refusal. The decider already recorded rejections and expiries.
    fn note_refusal(&mut self, finished: &Finished) {
        if matches!(
            self.turn.decision_of(&finished.call_id),
            Some(Decision::Rejected | Decision::Expired)
        ) {
            return;
        }
        let arguments = self.turn.arguments_of(&finished.call_id);
        let arguments = serde_json::from_str(arguments).unwrap_or(Value::Null);
        self.recorder.audit(NewAudit {
            call_id: finished.call_id.clone(),
            tool: finished.name.clone(),
            target: self.turn.target_of(&finished.name, &arguments),
            outcome: match finished.refused {
                Some(RefusalReason::Expired) => AuditOutcome::Expired,
                Some(
                    RefusalReason::Declined
                    | RefusalReason::UnknownTool
                    | RefusalReason::Role
                    | RefusalReason::Phase
                    | RefusalReason::Needs
                    | RefusalReason::InvalidArguments
                    | RefusalReason::Limit
                    | RefusalReason::CutOff
                    | RefusalReason::Stopped,
                ) => AuditOutcome::Denied,
                None => AuditOutcome::Unknown,
            },
            approver: None,
        });
    }

    /// Keeps the known arguments of an incomplete call until the person supplies the rest.
    fn keep_incomplete(&mut self, finished: &Finished) {
        if finished.refused != Some(RefusalReason::InvalidArguments) {
            return;
        }
        let raw = self.turn.arguments_of(&finished.call_id);
        let Ok(arguments) = serde_json::from_str::<Map<String, Value>>(raw) else {
            return;
        };
        let assistant = Arc::clone(self.turn.assistant());
        for loader in &assistant.context {
            let metadata = loader.incomplete(self.turn.conversation(), &finished.name, &arguments);
            self.turn.remember(&metadata, None);
            self.recorder.save(|saves| saves.metadata.extend(metadata));
        }
    }

    /// Ends a turn that may be unfinished: open calls get answers.
    async fn stop(mut self, outcome: Outcome) -> Result<Ending, StoreError> {
        let open = self.turn.stopped_calls();
        self.refuse(open);
        // An unknown write takes precedence over every other outcome.
        let outcome = if self.turn.has_unknown() {
            Outcome::Interrupted
        } else {
            outcome
        };
        self.finish(outcome).await
    }

    async fn finish(mut self, outcome: Outcome) -> Result<Ending, StoreError> {
        let content = self.turn.visible_text().to_owned();
        let has_answer = match outcome {
            Outcome::Answered => true,
            // Text from before a cancellation stays.
            Outcome::Cancelled => !untrusted::is_blank(&content),
            Outcome::Refused
            | Outcome::OutOfRounds
            | Outcome::OutOfBudget
            | Outcome::TimedOut
            | Outcome::EmptyAnswer
            | Outcome::CutOff
            | Outcome::ModelFailed { .. }
            | Outcome::Interrupted => false,
        };
        // Read from the journal, so that a resumed answer has them too.
        let suggested = self.turn.extras().quick_replies.clone();
        self.suggest(suggested);
        if self.quick_replies.is_empty() {
            self.quick_replies = self.own_suggestions();
        }
        let mut lines = self.turn.lines().to_vec();
        let cut_off = self.turn.partial_text().trim();
        if outcome == Outcome::Cancelled && !untrusted::is_blank(cut_off) {
            lines.push(Line::new(LineKind::Answer, &Message::assistant(cut_off)));
        }
        let answer = has_answer.then(|| Answer {
            id: MessageId::from_uuid(self.engine.env.id()),
            content,
            metadata: self.answer_metadata(&outcome),
        });
        let notice = match self.notice {
            Some(notice) if !self.turn.has_unknown() => Some(notice),
            Some(_) | None => outcome.notice(),
        };
        let ended = Ended {
            outcome: outcome.clone(),
            message: answer.as_ref().map(|answer| answer.id),
            notice: notice.map(str::to_owned),
            quick_replies: self.quick_replies.clone(),
            usage: self.turn.usage(),
        };
        let event = match outcome.state() {
            TurnState::Completed => Event::TurnCompleted(ended),
            TurnState::Failed => Event::TurnFailed(ended),
            TurnState::Cancelled => Event::TurnCancelled(ended),
            TurnState::Interrupted | TurnState::Running | TurnState::AwaitingApproval => {
                Event::TurnInterrupted(ended)
            }
        };
        self.recorder
            .finish(
                event,
                FinishTurn {
                    record: Record::default(),
                    outcome: outcome.clone(),
                    answer,
                    lines,
                    usage: self.turn.usage(),
                },
            )
            .await?;
        Ok(Ending::Over(outcome))
    }

    /// The assistant's own suggestions for this state of the conversation.
    fn own_suggestions(&self) -> Vec<String> {
        let conversation = self.turn.conversation();
        let loaders = self.turn.assistant().context.iter();
        loaders
            .flat_map(|loader| loader.suggest(conversation))
            .collect()
    }

    fn answer_metadata(&self, outcome: &Outcome) -> Map<String, Value> {
        // The model's fields come first, so that they cannot replace ours.
        let mut metadata = self.turn.extras().fields.clone();
        metadata.insert("turn_id".into(), json!(self.turn.id()));
        metadata.insert("outcome".into(), json!(outcome.as_str()));
        metadata.insert("tokens_used".into(), json!(self.turn.usage().total()));
        let latency = (self.engine.env.now() - self.started).num_milliseconds();
        metadata.insert("latency_ms".into(), json!(latency.max(0)));
        let calls: Vec<Value> = self
            .turn
            .summaries()
            .iter()
            .map(|call| json!({ "id": call.call_id, "name": call.name, "ok": call.ok, "summary": call.summary }))
            .collect();
        if !calls.is_empty() {
            metadata.insert("tool_calls".into(), Value::Array(calls));
        }
        if !self.turn.sources().is_empty() {
            let sources = self.turn.sources();
            let checked = citation::review(self.turn.visible_text(), sources);
            metadata.insert("sources".into(), json!(sources));
            metadata.insert("citations".into(), json!(checked));
        }
        let files: Vec<Value> = self.turn.files().iter().map(|file| {
            json!({ "id": file.id, "name": file.name, "media_type": file.media_type, "url": file.url() })
        }).collect();
        if !files.is_empty() {
            metadata.insert("files".into(), Value::Array(files));
        }
        if !self.quick_replies.is_empty() {
            metadata.insert("quick_replies".into(), json!(self.quick_replies));
        }
        metadata
    }
}

fn model_failed(error: &ModelError) -> Outcome {
    Outcome::ModelFailed {
        kind: error.kind,
        retry_after_seconds: error.retry_after.map(whole_seconds),
    }
}

/// Rounds up, so that a client that waits this long does not retry too early.
fn whole_seconds(wait: Duration) -> u64 {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod run_tests;
