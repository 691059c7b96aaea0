//! Metrics of this process in Prometheus' text format. Labels come from closed sets (routes,
//! methods, codes), never from user input.

mod render;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_core::model::Usage;
use frontdesk_db::Pool;

/// A limit that can be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    BodySize,
    MessageLength,
    Rate,
    TurnsInFlight,
    TokenBudget,
    Connections,
    Streams,
    Storage,
    SlowBody,
}

impl Limit {
    pub const ALL: [Limit; 9] = [
        Limit::BodySize,
        Limit::MessageLength,
        Limit::Rate,
        Limit::TurnsInFlight,
        Limit::TokenBudget,
        Limit::Connections,
        Limit::Streams,
        Limit::Storage,
        Limit::SlowBody,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Limit::BodySize => "body_size",
            Limit::MessageLength => "message_length",
            Limit::Rate => "rate",
            Limit::TurnsInFlight => "turns_in_flight",
            Limit::TokenBudget => "token_budget",
            Limit::Connections => "connections",
            Limit::Streams => "streams",
            Limit::Storage => "storage",
            Limit::SlowBody => "slow_body",
        }
    }
}

/// Bucket bounds in seconds; the last bucket is unbounded.
const SECONDS: [f64; 9] = [0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];
/// Bucket bounds in tokens.
const TOKENS: [f64; 7] = [
    500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0, 16_000.0, 24_000.0,
];

#[derive(Default)]
pub struct Metrics {
    /// By method, route and status.
    requests: Mutex<BTreeMap<(&'static str, String, u16), u64>>,
    durations: Mutex<BTreeMap<String, Histogram<9>>>,
    limits: Mutex<BTreeMap<Limit, u64>>,
    /// By assistant and outcome.
    turns: Mutex<BTreeMap<(Arc<str>, &'static str), u64>>,
    turn_durations: Mutex<BTreeMap<Arc<str>, Histogram<9>>>,
    /// By success.
    model_durations: Mutex<BTreeMap<&'static str, Histogram<9>>>,
    first_tokens: Mutex<Histogram<9>>,
    /// By tool and result.
    tools: Mutex<BTreeMap<(Arc<str>, &'static str), u64>>,
    tool_durations: Mutex<BTreeMap<Arc<str>, Histogram<9>>>,
    prompts: Mutex<Histogram<7>>,
    input_tokens: AtomicU64,
    output_tokens: AtomicU64,
    cached_tokens: AtomicU64,
    connections: AtomicI64,
    streams: AtomicI64,
}

#[derive(Clone, Copy)]
struct Histogram<const N: usize> {
    buckets: [u64; N],
    count: u64,
    sum: f64,
}

impl<const N: usize> Default for Histogram<N> {
    fn default() -> Self {
        Self {
            buckets: [0; N],
            count: 0,
            sum: 0.0,
        }
    }
}

impl<const N: usize> Histogram<N> {
    fn note(&mut self, value: f64, bounds: &[f64; N]) {
        for (bucket, bound) in self.buckets.iter_mut().zip(bounds) {
            if value <= *bound {
                *bucket += 1;
            }
        }
        self.count += 1;
        self.sum += value;
    }
}

/// A gauge: counts an object as long as it exists.
pub struct Present {
    metrics: Arc<Metrics>,
    gauge: fn(&Metrics) -> &AtomicI64,
}

impl Present {
    fn new(metrics: &Arc<Metrics>, gauge: fn(&Metrics) -> &AtomicI64) -> Self {
        gauge(metrics).fetch_add(1, Ordering::Relaxed);
        Self {
            metrics: Arc::clone(metrics),
            gauge,
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        (self.gauge)(&self.metrics).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Values read from other parts at the time of a scrape.
pub struct Moment {
    pub turns_running: usize,
    pub database_round_trips: u64,
    pub pool: Pool,
    pub model_retries: u64,
    /// Spans sent, spans dropped and failed requests, by collector.
    pub traces: Vec<(&'static str, [u64; 3])>,
    /// Name and value of each configured limit.
    pub limits: Vec<(&'static str, u64)>,
}

impl Metrics {
    pub fn request(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        *lock(&self.requests)
            .entry((method, route.to_owned(), status))
            .or_default() += 1;
        lock(&self.durations)
            .entry(route.to_owned())
            .or_default()
            .note(took.as_secs_f64(), &SECONDS);
    }

    pub fn limit_hit(&self, limit: Limit) {
        *lock(&self.limits).entry(limit).or_default() += 1;
    }

    pub fn model_asked(&self, took: Duration, first_token: Option<Duration>, ok: bool) {
        let result = if ok { "answered" } else { "failed" };
        lock(&self.model_durations)
            .entry(result)
            .or_default()
            .note(took.as_secs_f64(), &SECONDS);
        if let Some(waited) = first_token {
            lock(&self.first_tokens).note(waited.as_secs_f64(), &SECONDS);
        }
    }

    pub fn tool_ran(&self, tool: &Arc<str>, result: &'static str, took: Duration) {
        *lock(&self.tools)
            .entry((Arc::clone(tool), result))
            .or_default() += 1;
        lock(&self.tool_durations)
            .entry(Arc::clone(tool))
            .or_default()
            .note(took.as_secs_f64(), &SECONDS);
    }

    pub fn turn_ended(
        &self,
        assistant: &Arc<str>,
        outcome: &'static str,
        usage: Usage,
        took: Duration,
    ) {
        *lock(&self.turns)
            .entry((Arc::clone(assistant), outcome))
            .or_default() += 1;
        lock(&self.turn_durations)
            .entry(Arc::clone(assistant))
            .or_default()
            .note(took.as_secs_f64(), &SECONDS);
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts are far below 2^52"
        )]
        lock(&self.prompts).note(usage.input_tokens as f64, &TOKENS);
        for (counter, tokens) in [
            (&self.input_tokens, usage.input_tokens),
            (&self.output_tokens, usage.output_tokens),
            (&self.cached_tokens, usage.cached_tokens),
        ] {
            counter.fetch_add(tokens, Ordering::Relaxed);
        }
    }

    pub fn connection(self: &Arc<Self>) -> Present {
        Present::new(self, |metrics| &metrics.connections)
    }

    pub fn stream(self: &Arc<Self>) -> Present {
        Present::new(self, |metrics| &metrics.streams)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "metrics_tests.rs"]
mod metrics_tests;
