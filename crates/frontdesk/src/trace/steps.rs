//! One turn as it is worked on: what has begun, and the spans of what is over.
//!
//! Moments are taken from a clock that never goes back, counted from when the worker began:
//! a system clock that jumps moves a whole trace, and makes no part of it negative.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use frontdesk_core::approval::{APPROVAL_SECONDS, ApprovalCard, Decision};
use frontdesk_core::event::{Ended, Entry, Event, Finished};
use frontdesk_core::grant::RefusalReason;
use frontdesk_core::id::TurnId;
use frontdesk_core::model::{Finish, ModelError, Usage};
use frontdesk_core::search::is_retrieval;
use frontdesk_core::tool::{Effect, ToolErrorKind};
use serde_json::{Value, json};

use super::names;
use super::span::{Attribute, Kind, Span, SpanId, span_id, trace_id};

/// What every span of a turn says.
pub(super) type Common = Vec<(std::borrow::Cow<'static, str>, Attribute)>;

/// What a turn starts from.
pub(super) struct Beginning {
    pub(super) turn: TurnId,
    /// Above 0 for whoever goes on with it.
    pub(super) epoch: i64,
    pub(super) assistant: String,
    pub(super) provider: &'static str,
    pub(super) common: Common,
    /// When the person's message was taken.
    pub(super) since: DateTime<Utc>,
    pub(super) now: DateTime<Utc>,
    /// The person's words, where content may be told.
    pub(super) input: Option<String>,
}

pub(super) struct Steps {
    begun: Beginning,
    at: Instant,
    model: Option<Asking>,
    tools: BTreeMap<String, Using>,
    approvals: BTreeMap<String, ApprovalCard>,
    /// Passages of the call that is being told: how many, and the best score.
    sources: (u64, f64),
    failure: Option<String>,
    output: String,
    asked: u32,
    pub(super) spans: Vec<Span>,
    /// What was measured, for the figures.
    pub(super) measures: Vec<Measure>,
}

/// Something that took time, for the figures.
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

struct Asking {
    at: Instant,
    first: Option<Instant>,
    model: String,
}

struct Using {
    at: Instant,
    name: String,
    effect: Effect,
    arguments: Option<Value>,
}

impl Steps {
    /// `journal` is what happened before this worker came.
    pub(super) fn new(begun: Beginning, journal: &[Entry]) -> Self {
        let mut steps = Self {
            begun,
            at: Instant::now(),
            model: None,
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

    /// What is known of those who worked on it before. One that stopped to wait for people has
    /// told its part; one that died has told nothing, and its steps are laid end to end.
    fn catch_up(&mut self, journal: &[Entry]) {
        let waited = matches!(
            journal.last().map(|entry| &entry.event),
            Some(Event::ApprovalRequested { .. } | Event::ApprovalDecided { .. })
        );
        let mut at = nanos(self.begun.since);
        for entry in journal {
            match &entry.event {
                Event::ModelReplied {
                    finish,
                    usage,
                    model,
                    duration_ms,
                    ..
                } => {
                    self.asked += 1;
                    if !waited {
                        let part = format!("model {}", self.asked);
                        let end = at.saturating_add(millis(*duration_ms));
                        let name = model.clone().unwrap_or_default();
                        let mut span = self.span(&part, format!("chat {name}"), at, end);
                        span.put(names::REPLAYED, Attribute::Flag(true));
                        self.tell_reply(&mut span, finish, *usage, model.as_deref());
                        self.spans.push(span);
                        at = end;
                    }
                }
                Event::ToolFinished(finished) if !waited => {
                    let part = format!("tool {}", finished.call_id);
                    let end = at.saturating_add(millis(finished.duration_ms));
                    let name = format!("execute_tool {}", self.tool_name(finished));
                    let mut span = self.span(&part, name, at, end);
                    span.put(names::REPLAYED, Attribute::Flag(true));
                    self.tell_tool(&mut span, finished);
                    self.spans.push(span);
                    at = end;
                }
                Event::ApprovalRequested { card } => {
                    self.approvals.insert(card.call_id.clone(), card.clone());
                }
                Event::ApprovalDecided {
                    call_id, decision, ..
                } => self.decided(call_id, *decision),
                Event::ToolFinished(_)
                | Event::TurnStarted { .. }
                | Event::TextDelta { .. }
                | Event::TextReset { .. }
                | Event::ToolStarted { .. }
                | Event::ToolProgress { .. }
                | Event::ArtifactSaved { .. }
                | Event::PhaseChanged(_)
                | Event::SourceCited { .. }
                | Event::TurnCompleted(_)
                | Event::TurnFailed(_)
                | Event::TurnCancelled(_)
                | Event::TurnInterrupted(_)
                | Event::Snapshot(_) => {}
            }
        }
    }

    pub(super) fn asked(&mut self, model: &str) {
        self.asked += 1;
        self.model = Some(Asking {
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

    /// The model did not come to an end.
    fn leave_model(&mut self, why: &str) {
        let Some(asking) = self.model.take() else {
            return;
        };
        let now = Instant::now();
        let mut span = self.model_span(&asking, now);
        fail(&mut span, why);
        self.spans.push(span);
        self.measures.push(Measure::Model {
            took: now - asking.at,
            first_token: asking.first.map(|first| first - asking.at),
            ok: false,
        });
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
                    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
                    json!([{ "role": "assistant", "content": text, "tool_calls": names }])
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
                let using = Using {
                    at: Instant::now(),
                    name: name.clone(),
                    effect: *effect,
                    arguments: self.says_content().then(|| arguments.clone()),
                };
                self.tools.insert(call_id.clone(), using);
            }
            Event::SourceCited { source } => {
                // Calls are told one after the other, each with its sources before its end.
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
            | Event::ArtifactSaved { .. }
            | Event::PhaseChanged(_)
            | Event::Snapshot(_) => {}
        }
    }

    fn replied(&mut self, finish: &Finish, usage: Usage, model: Option<&str>, says: Option<Value>) {
        // A form is taken like a reply, and nobody was asked.
        let Some(asking) = self.model.take() else {
            return;
        };
        let now = Instant::now();
        let mut span = self.model_span(&asking, now);
        self.tell_reply(&mut span, finish, usage, model);
        if let (Some(says), Some(input)) = (says, &self.begun.input) {
            let asked = json!([{ "role": "user", "content": input }]);
            span.text(names::INPUT_MESSAGES, asked.to_string());
            span.text(names::OUTPUT_MESSAGES, says.to_string());
            span.text(names::LANGFUSE_INPUT, asked.to_string());
            span.text(names::LANGFUSE_OUTPUT, says.to_string());
        }
        self.spans.push(span);
        self.measures.push(Measure::Model {
            took: now - asking.at,
            first_token: asking.first.map(|first| first - asking.at),
            ok: true,
        });
    }

    fn model_span(&self, asking: &Asking, now: Instant) -> Span {
        let part = format!("model {}", self.asked);
        let name = format!("chat {}", asking.model);
        let mut span = self.span(&part, name, self.moment(asking.at), self.moment(now));
        span.kind = Kind::Client;
        span.text(names::OPERATION, "chat");
        span.text(names::PROVIDER, self.begun.provider);
        span.text(names::REQUEST_MODEL, &asking.model);
        span.text(names::LANGFUSE_MODEL, &asking.model);
        span.text(names::KIND, "LLM");
        span.text(names::LANGFUSE_TYPE, "generation");
        if let Some(first) = asking.first {
            let waited = (first - asking.at).as_secs_f64();
            span.put(names::FIRST_TOKEN, Attribute::Number(waited));
            let at = self.begun.now + (first - self.at);
            let at = at.to_rfc3339_opts(SecondsFormat::Micros, true);
            // Langfuse reads this one as JSON.
            span.text(names::LANGFUSE_FIRST_TOKEN, json!(at).to_string());
        }
        span
    }

    fn tell_reply(&self, span: &mut Span, finish: &Finish, usage: Usage, model: Option<&str>) {
        let reason = match finish {
            Finish::Stop => "stop",
            Finish::ToolCalls => "tool_calls",
            Finish::Length => "length",
            Finish::ContentFilter => "content_filter",
            Finish::Other(other) => other.as_str(),
        };
        let reasons = vec![reason.to_owned()];
        span.put(names::FINISH_REASONS, Attribute::Texts(reasons));
        tell_usage(span, usage);
        if let Some(model) = model {
            span.text(names::RESPONSE_MODEL, model);
        }
    }

    fn finished(&mut self, finished: &Finished) {
        let using = self.tools.remove(&finished.call_id);
        let sources = std::mem::take(&mut self.sources);
        let now = Instant::now();
        let began = using.as_ref().map_or(now, |using| using.at);
        let (start, end) = (self.moment(began), self.moment(now));
        let part = format!("tool {}", finished.call_id);
        let name = format!("execute_tool {}", self.tool_name(finished));
        let mut span = self.span(&part, name, start, end);
        self.tell_tool(&mut span, finished);
        if let Some(using) = &using {
            let effect = json!(using.effect);
            span.text(names::EFFECT, effect.as_str().unwrap_or_default());
            if let Some(arguments) = &using.arguments {
                span.text(names::TOOL_ARGUMENTS, arguments.to_string());
                span.text(names::LANGFUSE_INPUT, arguments.to_string());
                span.text(names::TOOL_RESULT, &finished.told);
                span.text(names::LANGFUSE_OUTPUT, &finished.told);
            }
            if is_retrieval(&finished.result) {
                let retrieval = self.retrieval(finished, sources, (start, end), span.id);
                self.spans.push(retrieval);
            }
        }
        self.spans.push(span);
        self.measures.push(Measure::Tool {
            // Only what is in the toolbox runs; a name that a model made up is no label.
            name: match &using {
                Some(using) => using.name.as_str().into(),
                None => "refused".into(),
            },
            result: tool_result(finished),
            took: now - began,
        });
    }

    fn retrieval(
        &self,
        call: &Finished,
        (found, best): (u64, f64),
        times: (u64, u64),
        tool: SpanId,
    ) -> Span {
        let part = format!("retrieval {}", call.call_id);
        let mut span = self.span(&part, "retrieval".to_owned(), times.0, times.1);
        span.parent = Some(tool);
        span.text(names::OPERATION, "retrieval");
        span.text(names::KIND, "RETRIEVER");
        span.text(names::LANGFUSE_TYPE, "retriever");
        span.whole(names::DOCUMENTS, found);
        span.put(names::BEST_SCORE, Attribute::Number(best));
        span
    }

    /// A name that a model made up is its words, like any other.
    fn tool_name<'f>(&self, finished: &'f Finished) -> &'f str {
        match finished.refused {
            Some(RefusalReason::UnknownTool) if !self.says_content() => "(unknown)",
            Some(_) | None => &finished.name,
        }
    }

    fn tell_tool(&self, span: &mut Span, finished: &Finished) {
        span.text(names::OPERATION, "execute_tool");
        span.text(names::TOOL, self.tool_name(finished));
        span.text(names::TOOL_CALL, &finished.call_id);
        span.text(names::KIND, "TOOL");
        span.text(names::LANGFUSE_TYPE, "tool");
        if !finished.ok {
            fail(span, tool_result(finished));
        }
    }

    fn decided(&mut self, call_id: &str, decision: Decision) {
        let Some(card) = self.approvals.remove(call_id) else {
            return;
        };
        let asked = card.expires_at - TimeDelta::seconds(APPROVAL_SECONDS);
        let start = nanos(asked);
        // The clock of whoever asked may not be ours.
        let end = self.moment(Instant::now()).max(start);
        let part = format!("approval {call_id}");
        let mut span = self.span(&part, format!("approval {}", card.tool), start, end);
        span.text(names::OPERATION, "approval");
        span.text(names::TOOL, &card.tool);
        span.text(names::TOOL_CALL, call_id);
        span.text(names::KIND, "CHAIN");
        span.text(names::LANGFUSE_TYPE, "span");
        let decision = json!(decision);
        span.text(names::DECISION, decision.as_str().unwrap_or_default());
        self.spans.push(span);
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
        let name = format!("invoke_agent {}", self.begun.assistant);
        let mut span = self.span(ROOT, name, start, end);
        span.parent = None;
        span.text(names::OPERATION, "invoke_agent");
        span.text(names::KIND, "AGENT");
        span.text(names::LANGFUSE_TYPE, "agent");
        span.text(names::OUTCOME, ended.outcome.as_str());
        span.put(names::RESUMED, Attribute::Flag(resumed));
        tell_usage(&mut span, ended.usage);
        if let Some(input) = &self.begun.input {
            span.text(names::LANGFUSE_TRACE_INPUT, input);
            span.text(names::LANGFUSE_TRACE_OUTPUT, &self.output);
            span.text(names::LANGFUSE_INPUT, input);
            span.text(names::LANGFUSE_OUTPUT, &self.output);
        }
        if ended.message.is_none() {
            let why = match &self.failure {
                Some(kind) => format!("{}: {kind}", ended.outcome.as_str()),
                None => ended.outcome.as_str().to_owned(),
            };
            fail(&mut span, &why);
        }
        self.spans.push(span);
        self.measures.push(Measure::Ended {
            outcome: ended.outcome.as_str(),
            usage: ended.usage,
            took: Duration::from_nanos(end - start),
        });
    }

    fn span(&self, part: &str, name: String, start: u64, end: u64) -> Span {
        let turn = self.begun.turn;
        Span {
            trace: trace_id(turn),
            id: span_id(turn, part),
            parent: Some(span_id(turn, ROOT)),
            name,
            kind: Kind::Internal,
            start,
            end,
            attributes: self.begun.common.clone(),
            error: None,
        }
    }

    fn moment(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.at);
        nanos(self.begun.now).saturating_add(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }
}

/// The span of the turn itself.
const ROOT: &str = "turn";

fn nanos(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_nanos_opt().unwrap_or_default()).unwrap_or_default()
}

fn millis(millis: u64) -> u64 {
    millis.saturating_mul(1_000_000)
}

fn fail(span: &mut Span, why: &str) {
    span.text(names::ERROR, why);
    span.text(names::LANGFUSE_LEVEL, "ERROR");
    span.text(names::LANGFUSE_STATUS, why);
    span.error = Some(why.to_owned());
}

fn tell_usage(span: &mut Span, usage: Usage) {
    span.whole(names::INPUT_TOKENS, usage.input_tokens);
    span.whole(names::OUTPUT_TOKENS, usage.output_tokens);
    span.whole(names::CACHED_TOKENS, usage.cached_tokens);
    span.put(names::ESTIMATED, Attribute::Flag(usage.estimated));
    let fresh = usage.input_tokens.saturating_sub(usage.cached_tokens);
    let details = json!({
        "input": fresh,
        "input_cached_tokens": usage.cached_tokens,
        "output": usage.output_tokens,
    });
    span.text(names::LANGFUSE_USAGE, details.to_string());
}

/// How a call went, in a word.
fn tool_result(finished: &Finished) -> &'static str {
    match (finished.ok, finished.refused, finished.error) {
        (true, _, _) => "ok",
        (false, Some(reason), _) => match reason {
            RefusalReason::UnknownTool => "unknown_tool",
            RefusalReason::Role => "role",
            RefusalReason::Phase => "phase",
            RefusalReason::Needs => "needs",
            RefusalReason::InvalidArguments => "invalid_arguments",
            RefusalReason::Limit => "limit",
            RefusalReason::Declined => "declined",
            RefusalReason::Expired => "expired",
            RefusalReason::Stopped => "stopped",
        },
        (false, None, Some(kind)) => match kind {
            ToolErrorKind::Refused => "refused",
            ToolErrorKind::Invalid => "invalid",
            ToolErrorKind::Failed => "failed",
            ToolErrorKind::Unknown => "unknown",
        },
        (false, None, None) => "failed",
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod steps_tests;
