//! Observes the turns on this node, updates metrics and exports spans.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frontdesk_bundle::TraceNames;
use frontdesk_core::draft::DraftSignal;
use frontdesk_core::env::Env;
use frontdesk_core::event::Entry;
use frontdesk_core::id::TurnId;
use frontdesk_core::model::ModelError;
use frontdesk_core::store::{Opened, Opening};

use super::export::Exporter;
use super::span::{KeyValue, text};
use super::steps::{Measure, Steps, TurnStart};
use crate::metrics::Metrics;

#[derive(Default)]
pub struct Tracing {
    /// Each exporter gets all spans.
    pub exporters: Vec<Exporter>,
    /// Whether spans include the text of people and models.
    pub content: bool,
    /// The model provider, as named by the conventions.
    pub provider: &'static str,
    pub names: BTreeMap<String, TraceNames>,
}

pub struct Tracer {
    tracing: Tracing,
    metrics: Arc<Metrics>,
    env: Arc<dyn Env>,
    running: Mutex<HashMap<TurnId, Running>>,
}

struct Running {
    epoch: i64,
    assistant: Arc<str>,
    steps: Steps,
}

impl Tracer {
    pub fn new(tracing: Tracing, metrics: Arc<Metrics>, env: Arc<dyn Env>) -> Self {
        Self {
            tracing,
            metrics,
            env,
            running: Mutex::default(),
        }
    }

    /// A worker of this node starts or resumes a turn.
    pub fn begin(&self, opened: &Opened) {
        let conversation = &opened.conversation;
        let input = &opened.user_message.content;
        let collected = !self.tracing.exporters.is_empty();
        let beginning = TurnStart {
            turn: opened.lease.turn,
            epoch: opened.lease.epoch,
            assistant: conversation.assistant.clone(),
            provider: self.tracing.provider,
            common: match collected {
                true => self.common(opened),
                false => Vec::new(),
            },
            since: opened.user_message.created_at,
            now: self.env.now(),
            input: self.tracing.content.then(|| input.clone()),
            collected,
        };
        let running = Running {
            epoch: opened.lease.epoch,
            assistant: conversation.assistant.as_str().into(),
            steps: Steps::new(beginning, &opened.entries),
        };
        self.running().insert(opened.lease.turn, running);
    }

    /// Attributes that identify the person and the conversation.
    fn common(&self, opened: &Opened) -> Vec<KeyValue> {
        let conversation = &opened.conversation;
        let called = self.tracing.names.get(conversation.assistant.as_str());
        let called = called.copied().unwrap_or_default();
        let user = opened.principal.profile().to_string();
        let session = conversation.id.to_string();
        let kind = match &opened.opening {
            Opening::Message { .. } => "message",
            Opening::Form { .. } => "form",
            Opening::Retry { .. } => "retry",
        };
        let trace_name = called.name.unwrap_or(&conversation.assistant);
        let company = conversation.company_id.map(|id| id.to_string());
        let mut common = vec![
            text("gen_ai.agent.name", &conversation.assistant),
            text("gen_ai.conversation.id", &session),
            text("frontdesk.turn.id", opened.lease.turn.to_string()),
            text("user.id", &user),
            text("session.id", &session),
            text("langfuse.trace.name", trace_name),
            text("langfuse.user.id", &user),
            text("langfuse.session.id", &session),
        ];
        common.extend(company.as_ref().map(|id| text("frontdesk.company.id", id)));
        let metadata = [
            ("assistant", Some(conversation.assistant.as_str())),
            ("messageType", Some(kind)),
            (called.user, Some(user.as_str())),
            (called.company, company.as_deref()),
            (called.subject, conversation.subject.as_deref()),
        ];
        common.extend(metadata.into_iter().filter_map(|(key, value)| {
            let name = format!("langfuse.trace.metadata.{key}");
            Some(text(&name, value?))
        }));
        common
    }

    pub fn on_entry(&self, turn: TurnId, entry: &Entry) {
        self.with(turn, |steps| steps.see(&entry.event));
    }

    pub fn on_request(&self, turn: TurnId, model: &str) {
        self.with(turn, |steps| steps.asked(model));
    }

    pub fn on_failure(&self, turn: TurnId, error: &ModelError) {
        self.with(turn, |steps| steps.unanswered(error));
    }

    pub fn on_draft(&self, turn: TurnId, call_id: &str, signal: &DraftSignal) {
        self.with(turn, |steps| steps.drafts(call_id, signal));
    }

    fn with(&self, turn: TurnId, change: impl FnOnce(&mut Steps)) {
        let (assistant, measures) = {
            let mut running = self.running();
            let Some(running) = running.get_mut(&turn) else {
                return;
            };
            change(&mut running.steps);
            if running.steps.measures.is_empty() {
                return;
            }
            let measures = std::mem::take(&mut running.steps.measures);
            (Arc::clone(&running.assistant), measures)
        };
        for measure in &measures {
            self.measure(&assistant, measure);
        }
    }

    /// Exports the spans of a worker that has left, unless a newer worker on this node has taken
    /// over.
    pub fn leave(&self, turn: TurnId, epoch: i64) {
        let left = {
            let mut running = self.running();
            match running.get(&turn) {
                Some(one) if one.epoch == epoch => running.remove(&turn),
                Some(_) | None => None,
            }
        };
        let Some(Running { steps, .. }) = left else {
            return;
        };
        if steps.spans.is_empty() {
            return;
        }
        for exporter in &self.tracing.exporters {
            exporter.offer(steps.spans.clone());
        }
    }

    fn measure(&self, assistant: &Arc<str>, measure: &Measure) {
        let metrics = &self.metrics;
        match measure {
            Measure::Model {
                took,
                first_token,
                ok,
            } => metrics.model_asked(*took, *first_token, *ok),
            Measure::Tool { name, result, took } => metrics.tool_ran(name, result, *took),
            Measure::Ended {
                outcome,
                usage,
                took,
            } => metrics.turn_ended(assistant, outcome, *usage, *took),
        }
    }

    /// Spans sent, spans dropped and failed requests, by collector.
    pub fn tallies(&self) -> Vec<(&'static str, [u64; 3])> {
        let exporters = self.tracing.exporters.iter();
        exporters.map(Exporter::tally).collect()
    }

    /// Sends all queued spans, waiting at most this long.
    pub async fn flush(&self, at_most: Duration) {
        for exporter in &self.tracing.exporters {
            exporter.flush(at_most).await;
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<TurnId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
