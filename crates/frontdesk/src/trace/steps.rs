//! Tracks a running turn and creates the spans of its steps.
//!
//! Times come from a monotonic clock, relative to the worker's start. A jump of the system clock
//! shifts a whole trace but never makes a duration negative.

mod before;
mod drafts;
mod spans;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::approval::{APPROVAL_SECONDS, ApprovalCard, Decision};
use frontdesk_core::event::{Ended, Entry, Event, Finished};
use frontdesk_core::id::TurnId;
use frontdesk_core::model::{Finish, ModelError, Usage};
use frontdesk_core::search::is_retrieval;
use frontdesk_core::tool::Effect;
use serde_json::{Value, json};

use super::span::{KeyValue, Span, content, fail, flag, text, types};
use spans::{ROOT, nanos, tool_result};

pub(super) struct TurnStart {
    pub(super) turn: TurnId,
    /// Above 0 for a resumed turn.
    pub(super) epoch: i64,
    pub(super) assistant: String,
    pub(super) provider: &'static str,
    /// Attributes of every span.
    pub(super) common: Vec<KeyValue>,
    /// Time at which the person's message was accepted.
    pub(super) since: DateTime<Utc>,
    pub(super) now: DateTime<Utc>,
    /// The person's message, if traces include content.
    pub(super) input: Option<String>,
    /// False if there is no collector; then no spans are created.
    pub(super) collected: bool,
}

pub(super) struct Steps {
    begun: TurnStart,
    at: Instant,
    model: Option<ModelRequest>,
    /// Drafts in progress, by call.
    drafting: BTreeMap<String, ModelRequest>,
    tools: BTreeMap<String, ToolRun>,
    approvals: BTreeMap<String, ApprovalCard>,
    /// Passages of the current call: their number and best score.
    sources: (u64, f64),
    failure: Option<String>,
    output: String,
    asked: u32,
    pub(super) spans: Vec<Span>,
    pub(super) measures: Vec<Measure>,
}

pub(super) enum Measure {
    Model {
        took: Duration,
        first_token: Option<Duration>,
        ok: bool,
    },
    Tool {
        name: Arc<str>,
        result: &'static str,
        took: Duration,
    },
    Ended {
        outcome: &'static str,
        usage: Usage,
        took: Duration,
    },
}

struct ModelRequest {
    at: Instant,
    first: Option<Instant>,
    model: String,
}

struct ToolRun {
    at: Instant,
    name: String,
    effect: Effect,
    arguments: Option<Value>,
}

impl Steps {
    /// `journal` has the events before this worker started.
    pub(super) fn new(begun: TurnStart, journal: &[Entry]) -> Self {
        let mut steps = Self {
            begun,
            at: Instant::now(),
            model: None,
            drafting: BTreeMap::new(),
            tools: BTreeMap::new(),
            approvals: BTreeMap::new(),
            sources: (0, 0.0),
            failure: None,
            output: String::new(),
            asked: 0,
            spans: Vec::new(),
            measures: Vec::new(),
        };
        if steps.begun.epoch > 0 {
            steps.catch_up(journal);
        }
        steps
    }

    fn says_content(&self) -> bool {
        self.begun.input.is_some()
    }

    pub(super) fn asked(&mut self, model: &str) {
        self.asked += 1;
        self.model = Some(ModelRequest {
            at: Instant::now(),
            first: None,
            model: model.to_owned(),
        });
    }

    pub(super) fn unanswered(&mut self, error: &ModelError) {
        let kind = json!(error.kind).as_str().unwrap_or("error").to_owned();
        self.failure = Some(kind.clone());
        self.leave_model(&kind);
    }

    /// Ends the span of a model request that failed or was abandoned.
    fn leave_model(&mut self, why: &str) {
        let Some(asking) = self.model.take() else {
            return;
        };
        self.keep_request(&asking, false, |_, span| fail(span, why));
    }

    /// Ends a model request: measures it, and adds its span after `describe` completed that.
    fn keep_request(
        &mut self,
        asking: &ModelRequest,
        ok: bool,
        describe: impl FnOnce(&Self, &mut Span),
    ) {
        let now = Instant::now();
        self.keep(|steps| {
            let mut span = steps.model_span(asking, now);
            describe(steps, &mut span);
            span
        });
        self.measures.push(Measure::Model {
            took: now - asking.at,
            first_token: asking.first.map(|first| first - asking.at),
            ok,
        });
    }

    fn keep(&mut self, span: impl FnOnce(&Self) -> Span) {
        if self.begun.collected {
            let span = span(self);
            self.spans.push(span);
        }
    }

    pub(super) fn see(&mut self, event: &Event) {
        match event {
            Event::TextDelta { .. } => {
                if let Some(asking) = &mut self.model {
                    asking.first.get_or_insert_with(Instant::now);
                }
            }
            Event::ModelReplied {
                text,
                calls,
                finish,
                usage,
                model,
                ..
            } => {
                let says = self.says_content().then(|| {
                    let text =
                        (!text.is_empty()).then(|| json!({ "type": "text", "content": text }));
                    let calls = calls.iter().map(
                        |call| json!({ "type": "tool_call", "id": call.id, "name": call.name }),
                    );
                    let parts: Vec<Value> = text.into_iter().chain(calls).collect();
                    json!([{ "role": "assistant", "parts": parts }])
                });
                self.output.clone_from(text);
                self.replied(finish, *usage, model.as_deref(), says);
            }
            Event::ToolStarted {
                call_id,
                name,
                arguments,
                effect,
                ..
            } => {
                let using = ToolRun {
                    at: Instant::now(),
                    name: name.clone(),
                    effect: *effect,
                    arguments: self.says_content().then(|| arguments.clone()),
                };
                self.tools.insert(call_id.clone(), using);
            }
            Event::SourceCited { source } => {
                // Events of calls are sequential, each with its sources before its end.
                self.sources.0 += 1;
                self.sources.1 = self.sources.1.max(source.score);
            }
            Event::ToolFinished(finished) => self.finished(finished),
            Event::ApprovalRequested { card } => {
                self.approvals.insert(card.call_id.clone(), card.clone());
            }
            Event::ApprovalDecided {
                call_id, decision, ..
            } => self.decided(call_id, *decision),
            Event::TurnCompleted(ended)
            | Event::TurnFailed(ended)
            | Event::TurnCancelled(ended)
            | Event::TurnInterrupted(ended) => {
                self.end(ended);
            }
            Event::TurnStarted { .. }
            | Event::TextReset { .. }
            | Event::ToolProgress { .. }
            | Event::DraftDelta { .. }
            | Event::ArtifactSaved { .. }
            | Event::PhaseChanged(_)
            | Event::Snapshot(_) => {}
        }
    }

    fn replied(&mut self, finish: &Finish, usage: Usage, model: Option<&str>, says: Option<Value>) {
        // A form arrives like a reply, but without a model request.
        let Some(asking) = self.model.take() else {
            return;
        };
        self.keep_request(&asking, true, |steps, span| {
            steps.tell_reply(span, finish, usage, model);
            if let (Some(says), Some(input)) = (says, &steps.begun.input) {
                let asked =
                    json!([{ "role": "user", "parts": [{ "type": "text", "content": input }] }]);
                let (asked, says) = (asked.to_string(), says.to_string());
                span.attributes.extend([
                    text("gen_ai.input.messages", &asked),
                    text("gen_ai.output.messages", &says),
                ]);
                span.attributes.extend(content(asked, says));
            }
        });
    }

    fn finished(&mut self, finished: &Finished) {
        let using = self.tools.remove(&finished.call_id);
        let sources = std::mem::take(&mut self.sources);
        let now = Instant::now();
        let began = using.as_ref().map_or(now, |using| using.at);
        self.keep_call(finished, using.as_ref(), sources, (began, now));
        self.measures.push(Measure::Tool {
            // Only tools of the toolbox run; a made-up name must not become a label.
            name: match &using {
                Some(using) => using.name.as_str().into(),
                None => "refused".into(),
            },
            result: tool_result(finished),
            took: now - began,
        });
    }

    fn keep_call(
        &mut self,
        finished: &Finished,
        using: Option<&ToolRun>,
        sources: (u64, f64),
        (began, now): (Instant, Instant),
    ) {
        if !self.begun.collected {
            return;
        }
        let (start, end) = (self.moment(began), self.moment(now));
        let part = format!("tool {}", finished.call_id);
        let name = format!("execute_tool {}", self.tool_name(finished));
        let mut span = self.span(&part, name, start, end);
        self.tell_tool(&mut span, finished);
        if let Some(using) = using {
            let effect = json!(using.effect);
            let effect = effect.as_str().unwrap_or_default();
            span.attributes.push(text("frontdesk.tool.effect", effect));
            if let Some(arguments) = &using.arguments {
                let arguments = arguments.to_string();
                span.attributes.extend([
                    text("gen_ai.tool.call.arguments", &arguments),
                    text("gen_ai.tool.call.result", &finished.told),
                ]);
                span.attributes.extend(content(arguments, &finished.told));
            }
            if is_retrieval(&finished.result) {
                let tool = span.span_id.clone();
                let retrieval = self.retrieval(finished, sources, (start, end), tool);
                self.spans.push(retrieval);
            }
        }
        self.spans.push(span);
    }

    fn decided(&mut self, call_id: &str, decision: Decision) {
        let Some(card) = self.approvals.remove(call_id) else {
            return;
        };
        let asked = card.expires_at - TimeDelta::seconds(APPROVAL_SECONDS);
        let start = nanos(asked);
        // The requester's clock may be ahead of ours.
        let end = self.moment(Instant::now()).max(start);
        self.keep(|steps| {
            let part = format!("approval {call_id}");
            let mut span = steps.span(&part, format!("approval {}", card.tool), start, end);
            let decision = json!(decision);
            let decision = decision.as_str().unwrap_or_default();
            span.attributes.extend(types("approval", "CHAIN", "span"));
            span.attributes.extend([
                text("gen_ai.tool.name", &card.tool),
                text("gen_ai.tool.call.id", call_id),
                text("frontdesk.approval.decision", decision),
            ]);
            span
        });
    }

    fn end(&mut self, ended: &Ended) {
        self.leave_model(ended.outcome.as_str());
        let now = Instant::now();
        let resumed = self.begun.epoch > 0;
        let start = if resumed {
            nanos(self.begun.since)
        } else {
            self.moment(self.at)
        };
        let end = self.moment(now).max(start);
        self.keep(|steps| {
            let name = format!("invoke_agent {}", steps.begun.assistant);
            let mut span = steps.span(ROOT, name, start, end);
            span.parent_span_id.clear();
            // Backends add up the usage of a trace's spans; only model calls carry it.
            span.attributes
                .extend(types("invoke_agent", "AGENT", "agent"));
            span.attributes.extend([
                text("frontdesk.turn.outcome", ended.outcome.as_str()),
                flag("frontdesk.turn.resumed", resumed),
            ]);
            if let Some(input) = &steps.begun.input {
                span.attributes.extend([
                    text("langfuse.trace.input", input),
                    text("langfuse.trace.output", &steps.output),
                ]);
                span.attributes.extend(content(input, &steps.output));
            }
            if ended.message.is_none() {
                let why = match &steps.failure {
                    Some(kind) => format!("{}: {kind}", ended.outcome.as_str()),
                    None => ended.outcome.as_str().to_owned(),
                };
                fail(&mut span, &why);
            }
            span
        });
        self.measures.push(Measure::Ended {
            outcome: ended.outcome.as_str(),
            usage: ended.usage,
            took: Duration::from_nanos(end - start),
        });
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod steps_tests;
