//! Metrics of this process in the OpenMetrics text format. Labels come from closed lists (routes,
//! methods, codes), never from people's input.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use frontdesk_core::model::Usage;
use frontdesk_db::Pool;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

/// A limit that a request ran into.
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

const PREFIX: &str = "frontdesk";

/// Upper bounds in seconds.
const SECONDS: [f64; 9] = [0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];
/// Upper bounds in tokens.
const TOKENS: [f64; 7] = [
    500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0, 16_000.0, 24_000.0,
];

type Labels<const N: usize> = [(&'static str, Arc<str>); N];
type Counters<const N: usize> = Family<Labels<N>, Counter>;
type Timings<const N: usize> = Family<Labels<N>, Histogram, InSeconds>;

#[derive(Clone)]
struct InSeconds;

impl MetricConstructor<Histogram> for InSeconds {
    fn new_metric(&self) -> Histogram {
        Histogram::new(SECONDS)
    }
}

pub struct Metrics {
    registry: Registry,
    requests: Counters<3>,
    request_durations: Timings<1>,
    limit_hits: Counters<1>,
    turns: Counters<2>,
    turn_durations: Timings<1>,
    model_durations: Timings<1>,
    first_tokens: Histogram,
    tools: Counters<2>,
    tool_durations: Timings<1>,
    prompts: Histogram,
    tokens: Counters<1>,
    connections: Gauge,
    streams: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix(PREFIX),
            requests: Family::default(),
            request_durations: Family::new_with_constructor(InSeconds),
            limit_hits: Family::default(),
            turns: Family::default(),
            turn_durations: Family::new_with_constructor(InSeconds),
            model_durations: Family::new_with_constructor(InSeconds),
            first_tokens: Histogram::new(SECONDS),
            tools: Family::default(),
            tool_durations: Family::new_with_constructor(InSeconds),
            prompts: Histogram::new(TOKENS),
            tokens: Family::default(),
            connections: Gauge::default(),
            streams: Gauge::default(),
        };
        metrics.register();
        for limit in Limit::ALL {
            let labels = [("limit", limit.name().into())];
            metrics.limit_hits.get_or_create_owned(&labels);
        }
        metrics
    }
}

/// Decrements its gauge when dropped.
pub struct GaugeGuard(Gauge);

impl GaugeGuard {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Values that other parts of the process hold, read for one scrape.
pub struct ScrapeValues {
    pub turns_running: usize,
    pub database_round_trips: u64,
    pub pool: Pool,
    /// Repeated requests to the model.
    pub model_retries: u64,
    /// By collector: spans sent, spans dropped, failed requests.
    pub traces: Vec<(&'static str, [u64; 3])>,
    /// Name and value of each configured limit.
    pub limits: Vec<(&'static str, u64)>,
}

impl Metrics {
    fn register(&mut self) {
        let registry = &mut self.registry;
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The release", build);
        let name = "http_requests";
        registry.register(name, "Answered requests", self.requests.clone());
        let name = "http_request_duration_seconds";
        let help = "Time until the head of the response";
        registry.register(name, help, self.request_durations.clone());
        registry.register(
            "connections_open",
            "Open connections",
            self.connections.clone(),
        );
        registry.register("streams_open", "Open event streams", self.streams.clone());
        registry.register(
            "limit_hits",
            "Requests that hit a limit",
            self.limit_hits.clone(),
        );
        let help = "Turns that ended in this process, by assistant and outcome";
        registry.register("turns_ended", help, self.turns.clone());
        let help = "Time from the message to the end of its turn, by assistant";
        registry.register("turn_duration_seconds", help, self.turn_durations.clone());
        let help = "Duration of model requests, by result";
        registry.register("model_duration_seconds", help, self.model_durations.clone());
        let help = "Time until the first token of a model";
        registry.register("model_first_token_seconds", help, self.first_tokens.clone());
        registry.register(
            "tool_calls",
            "Tool calls, by tool and result",
            self.tools.clone(),
        );
        let help = "Duration of tool calls, by tool";
        registry.register("tool_duration_seconds", help, self.tool_durations.clone());
        let help = "Tokens sent to models, by turn";
        registry.register("prompt_tokens", help, self.prompts.clone());
        let help = "Tokens of turns that ended in this process";
        registry.register("tokens", help, self.tokens.clone());
    }

    pub fn render(&self, moment: &ScrapeValues) -> String {
        let mut page = String::new();
        // Writing to a String cannot fail.
        let _ = encode_registry(&mut page, &self.registry);
        let _ = encode_registry(&mut page, &moment.registry());
        let _ = encode_eof(&mut page);
        page
    }

    pub fn request(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let route: Arc<str> = route.into();
        let labels = [
            ("method", method.into()),
            ("route", Arc::clone(&route)),
            ("status", status.to_string().into()),
        ];
        self.requests.get_or_create(&labels).inc();
        self.request_durations
            .get_or_create(&[("route", route)])
            .observe(took.as_secs_f64());
    }

    pub fn limit_hit(&self, limit: Limit) {
        let labels = [("limit", limit.name().into())];
        self.limit_hits.get_or_create(&labels).inc();
    }

    pub fn model_asked(&self, took: Duration, first_token: Option<Duration>, ok: bool) {
        let result = if ok { "answered" } else { "failed" };
        self.model_durations
            .get_or_create(&[("result", result.into())])
            .observe(took.as_secs_f64());
        if let Some(waited) = first_token {
            self.first_tokens.observe(waited.as_secs_f64());
        }
    }

    pub fn tool_ran(&self, tool: &Arc<str>, result: &'static str, took: Duration) {
        let tool = ("tool", Arc::clone(tool));
        let labels = [tool.clone(), ("result", result.into())];
        self.tools.get_or_create(&labels).inc();
        self.tool_durations
            .get_or_create(&[tool])
            .observe(took.as_secs_f64());
    }

    pub fn turn_ended(
        &self,
        assistant: &Arc<str>,
        outcome: &'static str,
        usage: Usage,
        took: Duration,
    ) {
        let assistant = ("assistant", Arc::clone(assistant));
        let labels = [assistant.clone(), ("outcome", outcome.into())];
        self.turns.get_or_create(&labels).inc();
        self.turn_durations
            .get_or_create(&[assistant])
            .observe(took.as_secs_f64());
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts are far below 2^52"
        )]
        self.prompts.observe(usage.input_tokens as f64);
        for (kind, tokens) in [
            ("input", usage.input_tokens),
            ("output", usage.output_tokens),
            ("cached", usage.cached_tokens),
        ] {
            let labels = [("kind", kind.into())];
            self.tokens.get_or_create(&labels).inc_by(tokens);
        }
    }

    pub fn connection(&self) -> GaugeGuard {
        GaugeGuard::new(&self.connections)
    }

    pub fn stream(&self) -> GaugeGuard {
        GaugeGuard::new(&self.streams)
    }
}

impl ScrapeValues {
    fn registry(&self) -> Registry {
        let mut registry = Registry::with_prefix(PREFIX);
        let running = ConstGauge::new(self.turns_running as u64);
        registry.register("turns_running", "Turns that this process runs", running);
        let round_trips = ConstCounter::new(self.database_round_trips);
        let help = "Round trips to the database";
        registry.register("database_round_trips", help, round_trips);
        let retries = ConstCounter::new(self.model_retries);
        registry.register("model_retries", "Repeated requests to the model", retries);
        let limits = Family::<Labels<1>, Gauge<u64, AtomicU64>>::default();
        for (name, value) in &self.limits {
            limits
                .get_or_create(&[("limit", (*name).into())])
                .set(*value);
        }
        registry.register("limit", "Configured limits", limits);
        let pool = Family::<Labels<1>, Gauge<u64, AtomicU64>>::default();
        for (state, count) in [
            ("in_use", self.pool.in_use),
            ("idle", self.pool.idle),
            ("most", self.pool.most),
        ] {
            pool.get_or_create(&[("state", state.into())])
                .set(count as u64);
        }
        let help = "Connections to PostgreSQL; none with SQLite";
        registry.register("database_connections", help, pool);
        let (spans, failures) = (Counters::<2>::default(), Counters::<1>::default());
        for (collector, [sent, dropped, failed]) in &self.traces {
            let collector = ("collector", Arc::<str>::from(*collector));
            for (result, count) in [("sent", sent), ("dropped", dropped)] {
                let labels = [collector.clone(), ("result", result.into())];
                spans.get_or_create(&labels).inc_by(*count);
            }
            failures.get_or_create(&[collector]).inc_by(*failed);
        }
        registry.register("trace_spans", "Spans of traces, by result", spans);
        let help = "Requests that a collector refused";
        registry.register("trace_failures", help, failures);
        registry
    }
}

#[cfg(test)]
#[path = "metrics_tests.rs"]
mod metrics_tests;
