//! The page that a scraper reads.

use super::*;

fn moment() -> ScrapeValues {
    ScrapeValues {
        turns_running: 2,
        database_round_trips: 7,
        pool: Pool {
            in_use: 3,
            idle: 4,
            most: 10,
        },
        model_retries: 5,
        traces: vec![("otlp", [8, 2, 1])],
        limits: vec![("connections", 100)],
    }
}

#[test]
fn every_limit_has_a_counter_before_it_is_hit() {
    let page = Metrics::default().render(&moment());
    for limit in Limit::ALL {
        let line = format!("frontdesk_limit_hits_total{{limit=\"{}\"}} 0", limit.name());
        assert!(page.contains(&line), "{line}\n{page}");
    }
    assert!(page.contains("frontdesk_limit{limit=\"connections\"} 100"));
    assert!(page.contains("frontdesk_turns_running 2"));
}

#[test]
fn every_measurement_is_on_the_page() {
    let metrics = Arc::new(Metrics::default());
    metrics.request("GET", "/api/v1/me", 200, Duration::from_millis(7));
    metrics.request("GET", "/api/v1/me", 200, Duration::from_secs(700));
    metrics.limit_hit(Limit::Rate);
    let usage = Usage {
        input_tokens: 900,
        output_tokens: 20,
        ..Usage::default()
    };
    let assistant = Arc::from("notes");
    metrics.turn_ended(&assistant, "answered", usage, Duration::from_millis(30));
    metrics.model_asked(
        Duration::from_millis(20),
        Some(Duration::from_millis(9)),
        true,
    );
    metrics.tool_ran(&Arc::from("add_note"), "ok", Duration::from_millis(2));
    let open = metrics.connection();
    let page = metrics.render(&moment());
    for line in [
        "frontdesk_http_requests_total{method=\"GET\",route=\"/api/v1/me\",status=\"200\"} 2",
        "frontdesk_http_request_duration_seconds_bucket{le=\"0.01\",route=\"/api/v1/me\"} 1",
        "frontdesk_http_request_duration_seconds_bucket{le=\"+Inf\",route=\"/api/v1/me\"} 2",
        "frontdesk_limit_hits_total{limit=\"rate\"} 1",
        "frontdesk_turns_ended_total{assistant=\"notes\",outcome=\"answered\"} 1",
        "frontdesk_turn_duration_seconds_bucket{le=\"0.05\",assistant=\"notes\"} 1",
        "frontdesk_model_duration_seconds_count{result=\"answered\"} 1",
        "frontdesk_model_first_token_seconds_bucket{le=\"0.01\"} 1",
        "frontdesk_tool_calls_total{tool=\"add_note\",result=\"ok\"} 1",
        "frontdesk_tool_duration_seconds_count{tool=\"add_note\"} 1",
        "frontdesk_model_retries_total 5",
        "frontdesk_database_connections{state=\"idle\"} 4",
        "frontdesk_trace_spans_total{collector=\"otlp\",result=\"dropped\"} 2",
        "frontdesk_trace_failures_total{collector=\"otlp\"} 1",
        "frontdesk_tokens_total{kind=\"input\"} 900",
        "frontdesk_prompt_tokens_bucket{le=\"1000.0\"} 1",
        "frontdesk_prompt_tokens_bucket{le=\"500.0\"} 0",
        "frontdesk_connections_open 1",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    drop(open);
    let page = metrics.render(&moment());
    assert!(page.contains("frontdesk_connections_open 0"));
}

/// A scraper wants each line to be a comment or `name{labels} number`.
#[test]
fn the_page_can_be_scraped() {
    let metrics = Metrics::default();
    metrics.request(
        "POST",
        "/api/v1/conversations",
        201,
        Duration::from_millis(1),
    );
    for line in metrics.render(&moment()).lines() {
        if ["# HELP ", "# TYPE ", "# EOF"]
            .iter()
            .any(|start| line.starts_with(start))
        {
            continue;
        }
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("frontdesk_"), "{line}");
        value.parse::<f64>().unwrap_or_else(|_| panic!("{line}"));
    }
}
