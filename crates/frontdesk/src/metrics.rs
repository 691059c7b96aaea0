//! Figures about this process, in Prometheus' text format. Labels come from closed lists of
//! ours (routes, methods, codes), never from what people write.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_core::model::Usage;
use frontdesk_core::outcome::Outcome;

/// A limit that was in somebody's way.
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

/// Upper bounds in seconds; the last bucket is everything.
const SECONDS: [f64; 9] = [0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];
/// Upper bounds in tokens.
const TOKENS: [f64; 7] = [
    500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0, 16_000.0, 24_000.0,
];

#[derive(Default)]
pub struct Metrics {
    /// By method, route and status.
    requests: Mutex<BTreeMap<(&'static str, String, u16), u64>>,
    durations: Mutex<BTreeMap<String, Histogram<9>>>,
    limits: Mutex<BTreeMap<Limit, u64>>,
    turns: Mutex<BTreeMap<&'static str, u64>>,
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

/// Counts something that is there, for as long as it is.
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

/// What only somebody else knows at the moment of asking.
pub struct Moment {
    pub turns_running: usize,
    pub database_round_trips: u64,
    /// Name and value of each limit that is set.
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

    pub fn turn_ended(&self, outcome: &Outcome, usage: Usage) {
        *lock(&self.turns).entry(outcome.as_str()).or_default() += 1;
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

    /// Everything, as a scraper reads it.
    pub fn render(&self, moment: &Moment) -> String {
        let mut page = Page::default();
        page.head("frontdesk_build_info", "gauge", "Which release this is.");
        page.line(
            "frontdesk_build_info",
            &[("version", env!("CARGO_PKG_VERSION"))],
            1,
        );
        self.render_http(&mut page);
        self.render_turns(&mut page, moment);
        page.head(
            "frontdesk_limit_hits_total",
            "counter",
            "How often a limit was in somebody's way.",
        );
        let hits = lock(&self.limits).clone();
        for limit in Limit::ALL {
            let count = hits.get(&limit).copied().unwrap_or_default();
            page.line(
                "frontdesk_limit_hits_total",
                &[("limit", limit.name())],
                count,
            );
        }
        page.head("frontdesk_limit", "gauge", "The limits as they are set.");
        for (name, value) in &moment.limits {
            page.line("frontdesk_limit", &[("limit", name)], *value);
        }
        page.head(
            "frontdesk_database_round_trips_total",
            "counter",
            "How often we waited for the database.",
        );
        page.line(
            "frontdesk_database_round_trips_total",
            &[],
            moment.database_round_trips,
        );
        page.0
    }

    fn render_http(&self, page: &mut Page) {
        page.head(
            "frontdesk_http_requests_total",
            "counter",
            "Requests that were answered.",
        );
        for ((method, route, status), count) in lock(&self.requests).iter() {
            let status = status.to_string();
            let labels = [("method", *method), ("route", route), ("status", &status)];
            page.line("frontdesk_http_requests_total", &labels, *count);
        }
        page.head(
            "frontdesk_http_request_duration_seconds",
            "histogram",
            "Until the head of the answer.",
        );
        for (route, histogram) in lock(&self.durations).iter() {
            let labels = [("route", route.as_str())];
            page.histogram(
                "frontdesk_http_request_duration_seconds",
                &labels,
                histogram,
                &SECONDS,
            );
        }
        page.head(
            "frontdesk_connections_open",
            "gauge",
            "Connections at this moment.",
        );
        page.line(
            "frontdesk_connections_open",
            &[],
            self.connections.load(Ordering::Relaxed),
        );
        page.head(
            "frontdesk_streams_open",
            "gauge",
            "Event streams at this moment.",
        );
        page.line(
            "frontdesk_streams_open",
            &[],
            self.streams.load(Ordering::Relaxed),
        );
    }

    fn render_turns(&self, page: &mut Page, moment: &Moment) {
        page.head(
            "frontdesk_turns_running",
            "gauge",
            "Turns that this process works on.",
        );
        page.line("frontdesk_turns_running", &[], moment.turns_running);
        page.head(
            "frontdesk_turns_ended_total",
            "counter",
            "Turns that ended here, by outcome.",
        );
        for (outcome, count) in lock(&self.turns).iter() {
            page.line(
                "frontdesk_turns_ended_total",
                &[("outcome", outcome)],
                *count,
            );
        }
        page.head(
            "frontdesk_prompt_tokens",
            "histogram",
            "Tokens that models were sent, by turn.",
        );
        page.histogram(
            "frontdesk_prompt_tokens",
            &[],
            &lock(&self.prompts),
            &TOKENS,
        );
        page.head(
            "frontdesk_tokens_total",
            "counter",
            "Tokens of turns that ended here.",
        );
        for (kind, counter) in [
            ("input", &self.input_tokens),
            ("output", &self.output_tokens),
            ("cached", &self.cached_tokens),
        ] {
            let tokens = counter.load(Ordering::Relaxed);
            page.line("frontdesk_tokens_total", &[("kind", kind)], tokens);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Text as it grows. Writing to a String cannot fail.
#[derive(Default)]
struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, labels: &[(&str, &str)], value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name}{} {value}", written(labels));
    }

    fn histogram<const N: usize>(
        &mut self,
        name: &str,
        labels: &[(&str, &str)],
        histogram: &Histogram<N>,
        bounds: &[f64; N],
    ) {
        let bucket = format!("{name}_bucket");
        for (count, bound) in histogram.buckets.iter().zip(bounds) {
            let bound = bound.to_string();
            let labels: Vec<_> = labels
                .iter()
                .copied()
                .chain([("le", bound.as_str())])
                .collect();
            self.line(&bucket, &labels, *count);
        }
        let all: Vec<_> = labels.iter().copied().chain([("le", "+Inf")]).collect();
        self.line(&bucket, &all, histogram.count);
        self.line(&format!("{name}_sum"), labels, histogram.sum);
        self.line(&format!("{name}_count"), labels, histogram.count);
    }
}

fn written(labels: &[(&str, &str)]) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let all: Vec<String> = labels
        .iter()
        .map(|(name, value)| format!("{name}={value:?}"))
        .collect();
    format!("{{{}}}", all.join(","))
}

#[cfg(test)]
#[path = "metrics_tests.rs"]
mod metrics_tests;
