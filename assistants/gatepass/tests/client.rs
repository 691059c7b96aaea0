//! The client against a real socket that responds correctly, slowly, wrongly or not at all.

use std::sync::{Arc, OnceLock};

use frontdesk_core::env::Env;
use frontdesk_core::tool::{ToolError, ToolErrorKind};
use serde_json::{Value, json};

use super::bench::{Bench, CallOutcome, admin, plain_tokens};
use super::env::TestEnv;
use super::upstream::{Act, Upstream, json as answer};

pub(super) fn a_pass() -> Value {
    json!({ "id": "a1", "pass_number": "GP-2026-0007", "person_name": "Ali Khan", "status": "approved" })
}

pub(super) fn info(error: &ToolError) -> &Value {
    error.details.as_ref().unwrap()
}

pub(super) async fn show(bench: &Bench) -> CallOutcome {
    let talk = bench.talk(admin()).await;
    bench
        .call(
            &talk,
            "get_gate_pass_by_number",
            json!({ "pass_number": "GP-2026-0007" }),
        )
        .await
}

pub(super) async fn approve(bench: &Bench) -> CallOutcome {
    let mut talk = bench.talk(admin()).await;
    talk.words.push("approve GP-2026-0007".to_owned());
    bench
        .call(
            &talk,
            "approve_gate_pass",
            json!({ "pass_number": "GP-2026-0007", "name": "Omar Farooq" }),
        )
        .await
}

/// Asserts that there are `count` requests and that all of them are identical.
pub(super) fn assert_same_requests(upstream: &Upstream, count: usize) {
    let seen = upstream.seen();
    assert_eq!(seen.len(), count);
    for request in &seen {
        assert_eq!(
            (&request.target, &request.body),
            (&seen[0].target, &seen[0].body)
        );
        assert_eq!(
            request.headers.get("idempotency-key"),
            seen[0].headers.get("idempotency-key")
        );
    }
}

// design: 003 GatePassAPIClient, GatePassAPIClient.request, network timeout
// design: 003 network errors retried, recovery network, unit client retries, unit client timeout
// design: 003 scenario timeout
#[tokio::test]
async fn timeouts_are_retried_after_2_4_and_8_seconds() {
    let (bench, upstream) = scripted(|_, env| silence(env, 1)).await;
    let error = show(&bench).await.failed();
    assert_eq!(bench.env.waits(), [2, 4, 8]);
    assert_same_requests(&upstream, 4);
    assert_eq!(error.kind, ToolErrorKind::Failed);
    assert_eq!(info(&error)["error_type"], "timeout");
    assert_eq!(info(&error)["retry_possible"], true);
    assert_eq!(
        *bench.progress.lock().unwrap(),
        [
            "The gate pass system does not answer; trying again in 2 s (1 of 3)",
            "The gate pass system does not answer; trying again in 4 s (2 of 3)",
            "The gate pass system does not answer; trying again in 8 s (3 of 3)",
        ]
    );
}

// design: 003 unit client timeout
#[tokio::test]
async fn silence_within_an_answer_counts_like_silence_before_it() {
    // The first timeout is for the head, the second for the body.
    let (bench, upstream) = scripted(|index, env| match index {
        0 => silence(env, 2),
        _ => answer(200, a_pass()),
    })
    .await;
    show(&bench).await.done();
    assert_eq!(bench.env.waits(), [2]);
    assert_same_requests(&upstream, 2);
}

// design: 003 API client, network errors retried, unit agent client
// design: promises gaps of the designs
#[tokio::test]
async fn a_write_is_repeated_under_its_key_and_ends_with_the_answer() {
    let (bench, upstream) = scripted(|index, env| match index {
        0 => silence(env, 1),
        1 => Act::HangUp,
        _ => answer(200, a_pass()),
    })
    .await;
    let output = approve(&bench).await.done();
    assert!(
        output
            .summary
            .starts_with("Approved gate pass **GP-2026-0007**."),
        "{}",
        output.summary
    );
    assert_same_requests(&upstream, 3);
    assert!(upstream.seen()[0].headers.contains_key("idempotency-key"));
}

#[tokio::test]
async fn an_unanswered_write_is_not_reported_as_failed() {
    let (bench, upstream) = scripted(|_, env| silence(env, 1)).await;
    let error = approve(&bench).await.failed();
    assert_same_requests(&upstream, 4);
    assert_eq!(error.kind, ToolErrorKind::Unknown);
    assert!(
        error.message.contains("not known whether"),
        "{}",
        error.message
    );
}

// design: 003 network refused, network errors after retries
#[tokio::test]
async fn a_system_that_is_not_running_changed_nothing() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let bench = Bench::new(&format!("http://{closed}")).await;
    let error = approve(&bench).await.failed();
    assert_eq!(bench.env.waits(), [2, 4, 8]);
    assert_eq!(
        error.kind,
        ToolErrorKind::Failed,
        "nobody was there to change anything"
    );
    assert_eq!(info(&error)["error_type"], "connection_refused");
    assert!(
        error.message.contains("Nothing was changed"),
        "{}",
        error.message
    );
}

// design: 003 network errors logged
#[tokio::test]
async fn every_retry_is_logged_with_its_time() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let bench = Bench::new(&format!("http://{closed}")).await;
    let log = Log::default();
    // The test runs on one thread, so a thread-local subscriber captures everything.
    let logging = log.capture();
    show(&bench).await.failed();
    drop(logging);
    let lines = log.text();
    let retries: Vec<&str> = lines
        .lines()
        .filter(|l| l.contains("trying again"))
        .collect();
    assert_eq!(retries.len(), 3, "{lines}");
    let today = chrono::Utc::now().format("%Y-%m-").to_string();
    for (line, number) in retries.iter().zip(1..) {
        assert!(line.starts_with(&today), "{line}");
        assert!(line.contains("nobody listens"), "{line}");
        assert!(line.contains(&format!("retry={number}")), "{line}");
    }
}

/// Captured log output.
#[derive(Clone, Default)]
pub(super) struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Log {
    /// Captures the log of this thread until the guard is dropped.
    pub(super) fn capture(&self) -> tracing::subscriber::DefaultGuard {
        let written = self.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || written.clone())
            .finish();
        tracing::subscriber::set_default(subscriber)
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

// design: 003 network DNS, network errors by kind
#[tokio::test]
async fn an_unresolvable_host_and_a_refused_connection_differ() {
    // No DNS label may be this long, so the lookup fails without a query.
    let host = "x".repeat(70);
    let bench = Bench::new(&format!("http://{host}.test/api")).await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "dns_failure");
    assert!(error.message.contains("API_BASE_URL"), "{}", error.message);
}

// design: 003 API error 500, simulated API, network errors after retries
#[tokio::test]
async fn an_internal_error_is_reported_and_the_next_call_works() {
    let (bench, upstream) = scripted(|index, _| match index {
        0 => answer(
            500,
            json!({ "error": { "code": "INTERNAL_ERROR", "message": "secret trace" } }),
        ),
        _ => answer(200, a_pass()),
    })
    .await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "server_error");
    assert_eq!(info(&error)["retry_possible"], true);
    assert!(!error.message.contains("secret") && !info(&error).to_string().contains("secret"));
    assert!(
        bench.env.waits().is_empty(),
        "only connection errors and timeouts are retried by themselves"
    );
    show(&bench).await.done();
    assert_eq!(upstream.seen().len(), 2);
}

fn busy(status: u16, retry_after: &str) -> Act {
    Act::Answer {
        status,
        headers: vec![("retry-after", retry_after.to_owned())],
        body: b"{}".to_vec(),
    }
}

#[tokio::test]
async fn retry_after_is_honoured() {
    let (bench, _upstream) = scripted(|index, _| match index {
        0 => busy(503, "5"),
        1 => busy(429, "Tue, 15 Sep 2026 10:00:12 GMT"),
        _ => answer(200, a_pass()),
    })
    .await;
    show(&bench).await.done();
    // The clock was at 10:00:05 when the date was parsed.
    assert_eq!(bench.env.waits(), [5, 7]);
    assert!(bench.progress.lock().unwrap()[0].contains("is busy; trying again in 5 s (1 of 3)"));
}

#[tokio::test]
async fn a_retry_after_beyond_the_limit_is_not_waited_for() {
    let (bench, upstream) = scripted(|_, _| busy(429, "9999")).await;
    let error = show(&bench).await.failed();
    assert_eq!(upstream.seen().len(), 1);
    assert_eq!(info(&error)["error_type"], "rate_limited");
    assert_eq!(info(&error)["related_context"]["retry_after_seconds"], 9999);
}

#[tokio::test]
async fn attempts_never_outlast_the_tool() {
    // Four attempts of 100 s do not fit; the second is cut short and no third is made.
    let slow = [("gatepass.api_timeout", "100")];
    let (bench, upstream) = with_settings(&slow, |_, env| silence(env, 1)).await;
    let began = bench.env.now();
    show(&bench).await.failed();
    let took = bench.env.now() - began;
    assert_eq!(upstream.seen().len(), 2);
    assert_eq!(took.num_seconds(), 165);
    let def = bench
        .assistant
        .toolbox
        .get("get_gate_pass_by_number")
        .unwrap();
    assert_eq!(def.spec.timeout.as_secs(), 170);
    assert!(def.spec.timeout < bench.assistant.limits.turn);
}

type SharedEnv = OnceLock<Arc<TestEnv>>;

/// No response; the client's timeout fires once it has started this many waits.
fn silence(env: &Arc<TestEnv>, begun: usize) -> Act {
    let env = Arc::clone(env);
    Act::Silence {
        head: begun > 1,
        meanwhile: Box::pin(async move { env.expire(begun).await }),
    }
}

/// A bench over a server that responds by the number of the request.
pub(super) async fn scripted(
    script: impl Fn(usize, &Arc<TestEnv>) -> Act + Send + Sync + 'static,
) -> (Bench, Upstream) {
    with_settings(&[], script).await
}

async fn with_settings(
    settings: &[(&str, &str)],
    script: impl Fn(usize, &Arc<TestEnv>) -> Act + Send + Sync + 'static,
) -> (Bench, Upstream) {
    let env = Arc::new(SharedEnv::new());
    let handle = Arc::clone(&env);
    let upstream = Upstream::start(move |_, index| script(index, handle.get().unwrap())).await;
    let bench = Bench::with(&upstream.url, settings, plain_tokens()).await;
    env.set(Arc::clone(&bench.env)).ok();
    (bench, upstream)
}
