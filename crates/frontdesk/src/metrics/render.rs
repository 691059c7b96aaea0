//! Renders metrics in Prometheus' text format.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use super::{Histogram, Limit, Metrics, Moment, SECONDS, TOKENS, lock};

impl Metrics {
    pub fn render(&self, moment: &Moment) -> String {
        let mut page = Page::default();
        page.head("frontdesk_build_info", "gauge", "Release of this server.");
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
            "Number of times a limit was exceeded.",
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
        page.head("frontdesk_limit", "gauge", "Configured limits.");
        for (name, value) in &moment.limits {
            page.line("frontdesk_limit", &[("limit", name)], *value);
        }
        page.head(
            "frontdesk_database_round_trips_total",
            "counter",
            "Number of database round trips.",
        );
        page.line(
            "frontdesk_database_round_trips_total",
            &[],
            moment.database_round_trips,
        );
        render_moment(&mut page, moment);
        page.0
    }

    fn render_http(&self, page: &mut Page) {
        page.head(
            "frontdesk_http_requests_total",
            "counter",
            "Answered requests.",
        );
        for ((method, route, status), count) in lock(&self.requests).iter() {
            let status = status.to_string();
            let labels = [("method", *method), ("route", route), ("status", &status)];
            page.line("frontdesk_http_requests_total", &labels, *count);
        }
        page.head(
            "frontdesk_http_request_duration_seconds",
            "histogram",
            "Seconds until the response headers.",
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
        page.head("frontdesk_connections_open", "gauge", "Open connections.");
        page.line(
            "frontdesk_connections_open",
            &[],
            self.connections.load(Ordering::Relaxed),
        );
        page.head("frontdesk_streams_open", "gauge", "Open event streams.");
        page.line(
            "frontdesk_streams_open",
            &[],
            self.streams.load(Ordering::Relaxed),
        );
    }

    fn render_work(&self, page: &mut Page) {
        const MODEL: &str = "frontdesk_model_duration_seconds";
        page.head(MODEL, "histogram", "Seconds of model requests, by result.");
        for (result, histogram) in lock(&self.model_durations).iter() {
            page.histogram(MODEL, &[("result", result)], histogram, &SECONDS);
        }
        const FIRST: &str = "frontdesk_model_first_token_seconds";
        page.head(
            FIRST,
            "histogram",
            "Seconds until the first token of a model.",
        );
        page.histogram(FIRST, &[], &lock(&self.first_tokens), &SECONDS);
        const TOOLS: &str = "frontdesk_tool_calls_total";
        page.head(TOOLS, "counter", "Tool calls, by tool and result.");
        for ((tool, result), count) in lock(&self.tools).iter() {
            let labels = [("tool", &**tool), ("result", *result)];
            page.line(TOOLS, &labels, *count);
        }
        const TOOK: &str = "frontdesk_tool_duration_seconds";
        page.head(TOOK, "histogram", "Seconds of tool calls, by tool.");
        for (tool, histogram) in lock(&self.tool_durations).iter() {
            page.histogram(TOOK, &[("tool", &**tool)], histogram, &SECONDS);
        }
    }

    fn render_turns(&self, page: &mut Page, moment: &Moment) {
        page.head(
            "frontdesk_turns_running",
            "gauge",
            "Turns that run in this process.",
        );
        page.line("frontdesk_turns_running", &[], moment.turns_running);
        page.head(
            "frontdesk_turns_ended_total",
            "counter",
            "Turns ended in this process, by assistant and outcome.",
        );
        for ((assistant, outcome), count) in lock(&self.turns).iter() {
            let labels = [("assistant", &**assistant), ("outcome", *outcome)];
            page.line("frontdesk_turns_ended_total", &labels, *count);
        }
        page.head(
            "frontdesk_turn_duration_seconds",
            "histogram",
            "Seconds from the message to the end of its turn, by assistant.",
        );
        for (assistant, histogram) in lock(&self.turn_durations).iter() {
            let labels = [("assistant", &**assistant)];
            let name = "frontdesk_turn_duration_seconds";
            page.histogram(name, &labels, histogram, &SECONDS);
        }
        self.render_work(page);
        page.head(
            "frontdesk_prompt_tokens",
            "histogram",
            "Input tokens per turn.",
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
            "Tokens of turns ended in this process.",
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

/// Values that are counted elsewhere.
fn render_moment(page: &mut Page, moment: &Moment) {
    const RETRIES: &str = "frontdesk_model_retries_total";
    page.head(RETRIES, "counter", "Retried model requests.");
    page.line(RETRIES, &[], moment.model_retries);
    const POOL: &str = "frontdesk_database_connections";
    page.head(
        POOL,
        "gauge",
        "Connections to PostgreSQL; none with SQLite.",
    );
    for (state, count) in [
        ("in_use", moment.pool.in_use),
        ("idle", moment.pool.idle),
        ("most", moment.pool.most),
    ] {
        page.line(POOL, &[("state", state)], count);
    }
    const SPANS: &str = "frontdesk_trace_spans_total";
    page.head(SPANS, "counter", "Trace spans, by result.");
    for (collector, [sent, dropped, _]) in &moment.traces {
        for (result, count) in [("sent", sent), ("dropped", dropped)] {
            page.line(
                SPANS,
                &[("collector", collector), ("result", result)],
                count,
            );
        }
    }
    const FAILURES: &str = "frontdesk_trace_failures_total";
    page.head(FAILURES, "counter", "Failed requests to a collector.");
    for (collector, [.., failed]) in &moment.traces {
        page.line(FAILURES, &[("collector", collector)], failed);
    }
}

/// The output. Writing to a String cannot fail.
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
