//! The client against a real socket that behaves well, slowly, wrongly or not at all.

use std::sync::{Arc, OnceLock};

use frontdesk_core::tool::{ToolError, ToolErrorKind};
use frontdesk_core::world::World;
use serde_json::{Value, json};

use super::bench::{Bench, Called, admin, guard, hr, plain_tokens};
use super::upstream::{Act, Upstream, json as answer};
use super::world::TestWorld;

fn a_pass() -> Value {
    json!({ "id": "a1", "pass_number": "GP-2026-0007", "person_name": "Ali Khan", "status": "approved" })
}

fn info(error: &ToolError) -> &Value {
    error.details.as_ref().unwrap()
}

async fn show(bench: &Bench) -> Called {
    let talk = bench.talk(admin()).await;
    bench.call(&talk, "get_gate_pass_by_number", json!({ "pass_number": "GP-2026-0007" })).await
}

async fn approve(bench: &Bench) -> Called {
    let mut talk = bench.talk(admin()).await;
    talk.words.push("approve GP-2026-0007".to_owned());
    bench.call(&talk, "approve_gate_pass", json!({ "pass_number": "GP-2026-0007", "name": "Omar Farooq" })).await
}

/// One request more than the script has failures; everything is the same in each.
fn assert_same_requests(upstream: &Upstream, count: usize) {
    let seen = upstream.seen();
    assert_eq!(seen.len(), count);
    for request in &seen {
        assert_eq!((&request.target, &request.body), (&seen[0].target, &seen[0].body));
        assert_eq!(request.headers.get("idempotency-key"), seen[0].headers.get("idempotency-key"));
    }
}

#[tokio::test]
async fn a_silent_system_is_asked_again_after_2_4_and_8_seconds() {
    let (bench, upstream) = scripted(|_, world| silence(world, 1)).await;
    let error = show(&bench).await.failed();
    assert_eq!(bench.world.waits(), [2, 4, 8]);
    assert_same_requests(&upstream, 4);
    assert_eq!(error.kind, ToolErrorKind::Failed);
    assert_eq!(info(&error)["error_type"], "timeout");
    assert_eq!(info(&error)["retry_possible"], true);
    assert_eq!(
        *bench.told.lock().unwrap(),
        [
            "The gate pass system does not answer; trying again in 2 s (1 of 3)",
            "The gate pass system does not answer; trying again in 4 s (2 of 3)",
            "The gate pass system does not answer; trying again in 8 s (3 of 3)",
        ]
    );
}

#[tokio::test]
async fn silence_within_an_answer_counts_like_silence_before_it() {
    // The first wait is for the head, the second for what should follow it.
    let (bench, upstream) = scripted(|index, world| match index {
        0 => silence(world, 2),
        _ => answer(200, a_pass()),
    })
    .await;
    show(&bench).await.done();
    assert_eq!(bench.world.waits(), [2]);
    assert_same_requests(&upstream, 2);
}

#[tokio::test]
async fn a_write_is_repeated_under_its_key_and_ends_with_the_answer() {
    let (bench, upstream) = scripted(|index, world| match index {
        0 => silence(world, 1),
        1 => Act::HangUp,
        _ => answer(200, a_pass()),
    })
    .await;
    let output = approve(&bench).await.done();
    assert!(output.summary.starts_with("Approved gate pass **GP-2026-0007**."), "{}", output.summary);
    assert_same_requests(&upstream, 3);
    assert!(upstream.seen()[0].headers.contains_key("idempotency-key"));
}

#[tokio::test]
async fn a_write_that_was_never_answered_is_not_said_to_have_failed() {
    let (bench, upstream) = scripted(|_, world| silence(world, 1)).await;
    let error = approve(&bench).await.failed();
    assert_same_requests(&upstream, 4);
    assert_eq!(error.kind, ToolErrorKind::Unknown);
    assert!(error.message.contains("not known whether"), "{}", error.message);
}

#[tokio::test]
async fn a_system_that_is_not_running_changed_nothing() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let bench = Bench::new(&format!("http://{closed}")).await;
    let error = approve(&bench).await.failed();
    assert_eq!(bench.world.waits(), [2, 4, 8]);
    assert_eq!(error.kind, ToolErrorKind::Failed, "nobody was there to change anything");
    assert_eq!(info(&error)["error_type"], "connection_refused");
    assert!(error.message.contains("Nothing was changed"), "{}", error.message);
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_told_from_a_system_that_is_down() {
    // No label of a name may be this long, so nobody has to be asked.
    let host = "x".repeat(70);
    let bench = Bench::new(&format!("http://{host}.test/api")).await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "dns_failure");
    assert!(error.message.contains("API_BASE_URL"), "{}", error.message);
}

#[tokio::test]
async fn an_internal_error_is_told_and_the_next_try_works() {
    let (bench, upstream) = scripted(|index, _| match index {
        0 => answer(500, json!({ "error": { "code": "INTERNAL_ERROR", "message": "secret trace" } })),
        _ => answer(200, a_pass()),
    })
    .await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "server_error");
    assert_eq!(info(&error)["retry_possible"], true);
    assert!(!error.message.contains("secret") && !info(&error).to_string().contains("secret"));
    assert!(bench.world.waits().is_empty(), "only connection errors and timeouts are retried by themselves");
    show(&bench).await.done();
    assert_eq!(upstream.seen().len(), 2);
}

#[tokio::test]
async fn html_is_no_answer() {
    for status in [200, 502] {
        let (bench, _upstream) = scripted(move |_, _| Act::Answer {
            status,
            headers: vec![("content-type", "text/html".to_owned())],
            body: b"<html><script>alert(1)</script><h1>Bad gateway</h1></html>".to_vec(),
        })
        .await;
        let error = show(&bench).await.failed();
        assert_eq!(error.kind, ToolErrorKind::Failed);
        assert!(!info(&error).to_string().contains("<"), "{error:?}");
        // A write may have happened behind such an answer.
        let error = approve(&bench).await.failed();
        assert_eq!(error.kind, ToolErrorKind::Unknown, "{status}");
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_asked_for_again() {
    let (bench, upstream) = scripted(|index, _| match index {
        0 => Act::CutBody { declared: 500, sent: b"{\"id\":\"a1\",\"pass_n".to_vec() },
        _ => answer(200, a_pass()),
    })
    .await;
    show(&bench).await.done();
    assert_same_requests(&upstream, 2);

    let (bench, upstream) = scripted(|_, _| Act::CutBody { declared: 500, sent: b"{\"id\"".to_vec() }).await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "connection_lost");
    assert_same_requests(&upstream, 4);
}

#[tokio::test]
async fn a_picture_that_breaks_off_is_never_handed_on() {
    let (bench, _upstream) = scripted(|_, _| super::upstream::bytes("image/png", b"\x89PNG\r\n\x1a\nhalf".as_slice())).await;
    let talk = bench.talk(hr()).await;
    let error = bench.call(&talk, "get_qr_code", json!({ "pass_number": "GP-2026-0007" })).await.failed();
    assert_eq!(info(&error)["error_type"], "invalid_response");
    let error = bench.call(&talk, "print_gate_pass", json!({ "pass_number": "GP-2026-0007" })).await.failed();
    assert_eq!(info(&error)["error_type"], "invalid_response");
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let (bench, _upstream) = scripted(|_, _| super::upstream::bytes("application/json", vec![b' '; 17 * 1024 * 1024])).await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "invalid_response");
}

fn busy(status: u16, retry_after: &str) -> Act {
    Act::Answer {
        status,
        headers: vec![("retry-after", retry_after.to_owned())],
        body: b"{}".to_vec(),
    }
}

#[tokio::test]
async fn a_busy_system_is_given_the_time_it_asks_for() {
    let (bench, _upstream) = scripted(|index, _| match index {
        0 => busy(503, "5"),
        1 => busy(429, "Tue, 15 Sep 2026 10:00:12 GMT"),
        _ => answer(200, a_pass()),
    })
    .await;
    show(&bench).await.done();
    // The clock stood at 10:00:05 when the date was read.
    assert_eq!(bench.world.waits(), [5, 7]);
    assert!(bench.told.lock().unwrap()[0].contains("is busy; trying again in 5 s (1 of 3)"));
}

#[tokio::test]
async fn a_system_that_wants_more_patience_than_a_turn_has_is_left_alone() {
    let (bench, upstream) = scripted(|_, _| busy(429, "9999")).await;
    let error = show(&bench).await.failed();
    assert_eq!(upstream.seen().len(), 1);
    assert_eq!(info(&error)["error_type"], "rate_limited");
    assert_eq!(info(&error)["related_context"]["retry_after_seconds"], 9999);
}

#[tokio::test]
async fn attempts_never_outlast_the_tool() {
    // Four attempts of 100 s do not fit; the second is cut and no third is made.
    let slow = [("gatepass.api_timeout", "100")];
    let (bench, upstream) = with_settings(&slow, |_, world| silence(world, 1)).await;
    let began = bench.world.now();
    show(&bench).await.failed();
    let took = bench.world.now() - began;
    assert_eq!(upstream.seen().len(), 2);
    assert_eq!(took.num_seconds(), 165);
    let def = bench.assistant.toolbox.get("get_gate_pass_by_number").unwrap();
    assert_eq!(def.spec.timeout.as_secs(), 170);
    assert!(def.spec.timeout < bench.assistant.limits.turn);
}

#[tokio::test]
async fn a_failing_token_never_becomes_a_request() {
    let upstream = Upstream::start(|_, _| answer(200, a_pass())).await;
    let bench = Bench::with(&upstream.url, &[], Arc::new(|_, _| Err("no key".into()))).await;
    let error = show(&bench).await.failed();
    assert_eq!(error.kind, ToolErrorKind::Failed);
    assert!(!error.message.contains("no key"), "the cause is the operator's");
    assert!(upstream.seen().is_empty());
}

#[tokio::test]
async fn redirects_are_not_followed_with_the_token() {
    let elsewhere = Upstream::start(|_, _| answer(200, a_pass())).await;
    let target = elsewhere.url.clone();
    let upstream = Upstream::start(move |_, _| Act::Answer {
        status: 302,
        headers: vec![("location", target.clone())],
        body: Vec::new(),
    })
    .await;
    let bench = Bench::new(&upstream.url).await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "invalid_response");
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn pages_of_a_list_are_followed_and_counted_together() {
    let page = |from: usize, to: usize, cursor: Option<&str>| {
        let items: Vec<Value> = (from..to)
            .map(|n| json!({ "id": format!("a{n}"), "pass_number": format!("GP-2026-{n:04}"), "status": "pending" }))
            .collect();
        answer(200, json!({ "items": items, "cursor": cursor, "has_more": cursor.is_some() }))
    };
    let (bench, upstream) = scripted(move |index, _| match index {
        0 => page(0, 50, Some("next one")),
        _ => page(50, 60, None),
    })
    .await;
    let talk = bench.talk(hr()).await;
    let output = bench.call(&talk, "list_gate_passes", json!({ "status": "pending" })).await.done();
    assert_eq!(output.result["count"], 60);
    assert!(output.summary.starts_with("60 pending gate passes."), "{}", output.summary);
    let targets: Vec<String> = upstream.seen().into_iter().map(|seen| seen.target).collect();
    assert_eq!(targets, ["/base/hr/gatepass/list?status=pending", "/base/hr/gatepass/list?status=pending&cursor=next+one"]);
}

#[tokio::test]
async fn photos_are_fetched_from_the_same_system_only() {
    let (bench, upstream) = scripted(|index, _| match index {
        0 => answer(200, json!({ "pass_number": "GP-2026-0007", "total": 3, "photos": [
            { "type": "exit", "file_url": "/media/photo/p1", "captured_at": "2026-09-15T09:00:00Z", "captured_by": "Bilal" },
            { "type": "return", "file_url": "http://evil.example/x" },
            { "type": "return", "file_url": "/media/../admin" },
        ] })),
        _ => super::upstream::bytes("image/jpeg", b"\xFF\xD8\xFF\xE0 picture".as_slice()),
    })
    .await;
    let talk = bench.talk(guard()).await;
    let output = bench.call(&talk, "get_gate_pass_photos", json!({ "pass_number": "GP-2026-0007" })).await.done();
    let targets: Vec<String> = upstream.seen().into_iter().map(|seen| seen.target).collect();
    assert_eq!(targets, ["/base/gate/photos/GP-2026-0007", "/base/media/photo/p1"]);
    assert_eq!(output.outbox.files.len(), 1);
    assert_eq!(&output.outbox.files[0].bytes[..], b"\xFF\xD8\xFF\xE0 picture");
}

type Worlds = OnceLock<Arc<TestWorld>>;

/// Nothing, and the client's patience ends once it has begun to wait so often.
fn silence(world: &Arc<TestWorld>, begun: usize) -> Act {
    let world = Arc::clone(world);
    Act::Silence {
        head: begun > 1,
        meanwhile: Box::pin(async move { world.expire(begun).await }),
    }
}

/// A bench over a server that answers by the number of the request.
async fn scripted(
    script: impl Fn(usize, &Arc<TestWorld>) -> Act + Send + Sync + 'static,
) -> (Bench, Upstream) {
    with_settings(&[], script).await
}

async fn with_settings(
    settings: &[(&str, &str)],
    script: impl Fn(usize, &Arc<TestWorld>) -> Act + Send + Sync + 'static,
) -> (Bench, Upstream) {
    let world = Arc::new(Worlds::new());
    let handle = Arc::clone(&world);
    let upstream = Upstream::start(move |_, index| script(index, handle.get().unwrap())).await;
    let bench = Bench::with(&upstream.url, settings, plain_tokens()).await;
    world.set(Arc::clone(&bench.world)).ok();
    (bench, upstream)
}
