//! Malformed responses, and responses with further pages or links.

use std::sync::Arc;

use frontdesk_core::tool::ToolErrorKind;
use serde_json::{Value, json};

use super::bench::{Bench, guard, hr};
use super::client::{a_pass, approve, assert_same_requests, info, scripted, show};
use super::upstream::{self, Act, Upstream, json as answer};

// design: 003 unit edge cases, simulated API
#[tokio::test]
async fn an_html_response_is_rejected() {
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
        // A write may have happened before such a response.
        let error = approve(&bench).await.failed();
        assert_eq!(error.kind, ToolErrorKind::Unknown, "{status}");
    }
}

#[tokio::test]
async fn an_empty_response_does_not_claim_a_decision() {
    for (status, body) in [(200, ""), (200, "null"), (201, " "), (204, "")] {
        let (bench, _upstream) = scripted(move |index, _| match index {
            0 => Act::Answer {
                status,
                headers: vec![("content-type", "application/json".to_owned())],
                body: body.into(),
            },
            _ => answer(200, a_pass()),
        })
        .await;
        let outcome = approve(&bench).await;
        if status == 204 {
            outcome.done();
        } else {
            assert_eq!(outcome.failed().kind, ToolErrorKind::Unknown, "{status}");
        }
    }
}

#[tokio::test]
async fn a_truncated_response_is_retried() {
    let (bench, upstream) = scripted(|index, _| match index {
        0 => Act::CutBody {
            declared: 500,
            sent: b"{\"id\":\"a1\",\"pass_n".to_vec(),
        },
        _ => answer(200, a_pass()),
    })
    .await;
    show(&bench).await.done();
    assert_same_requests(&upstream, 2);

    let (bench, upstream) = scripted(|_, _| Act::CutBody {
        declared: 500,
        sent: b"{\"id\"".to_vec(),
    })
    .await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "connection_lost");
    assert_same_requests(&upstream, 4);
}

#[tokio::test]
async fn a_truncated_picture_is_never_returned() {
    let (bench, _upstream) =
        scripted(|_, _| upstream::bytes("image/png", b"\x89PNG\r\n\x1a\nhalf".as_slice())).await;
    let talk = bench.talk(hr()).await;
    let error = bench
        .call(
            &talk,
            "get_qr_code",
            json!({ "pass_number": "GP-2026-0007" }),
        )
        .await
        .failed();
    assert_eq!(info(&error)["error_type"], "invalid_response");
    let error = bench
        .call(
            &talk,
            "print_gate_pass",
            json!({ "pass_number": "GP-2026-0007" }),
        )
        .await
        .failed();
    assert_eq!(info(&error)["error_type"], "invalid_response");
}

#[tokio::test]
async fn an_endless_response_is_cut_off() {
    let (bench, _upstream) =
        scripted(|_, _| upstream::bytes("application/json", vec![b' '; 17 * 1024 * 1024])).await;
    let error = show(&bench).await.failed();
    assert_eq!(info(&error)["error_type"], "invalid_response");
}

#[tokio::test]
async fn a_failing_token_never_becomes_a_request() {
    let upstream = Upstream::start(|_, _| answer(200, a_pass())).await;
    let bench = Bench::with(&upstream.url, &[], Arc::new(|_, _| Err("no key".into()))).await;
    let error = show(&bench).await.failed();
    assert_eq!(error.kind, ToolErrorKind::Failed);
    assert!(
        !error.message.contains("no key"),
        "the cause is the operator's"
    );
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
        answer(
            200,
            json!({ "items": items, "cursor": cursor, "has_more": cursor.is_some() }),
        )
    };
    let (bench, upstream) = scripted(move |index, _| match index {
        0 => page(0, 50, Some("next one")),
        _ => page(50, 60, None),
    })
    .await;
    let talk = bench.talk(hr()).await;
    let output = bench
        .call(&talk, "list_gate_passes", json!({ "status": "pending" }))
        .await
        .done();
    assert_eq!(output.result["count"], 60);
    assert!(
        output.summary.starts_with("60 pending gate passes."),
        "{}",
        output.summary
    );
    let targets: Vec<String> = upstream
        .seen()
        .into_iter()
        .map(|seen| seen.target)
        .collect();
    assert_eq!(
        targets,
        [
            "/base/hr/gatepass/list?status=pending",
            "/base/hr/gatepass/list?status=pending&cursor=next+one"
        ]
    );
}

#[tokio::test]
async fn a_link_to_the_next_page_is_followed_on_the_same_host_only() {
    let page = |numbers: std::ops::Range<usize>, next: &str| {
        let items: Vec<Value> = numbers
            .map(|n| json!({ "id": n, "pass_number": format!("GP-2026-{n:04}"), "status": "pending" }))
            .collect();
        answer(200, json!({ "results": items, "links": { "next": next } }))
    };
    let (bench, upstream) = scripted(move |index, _| match index {
        0 => page(0..2, "/base/hr/gatepass/list?page=2"),
        _ => page(2..3, "https://elsewhere.example/list?page=3"),
    })
    .await;
    let talk = bench.talk(hr()).await;
    let list = bench.call(&talk, "list_gate_passes", json!({})).await;
    let output = list.done();
    assert_eq!(upstream.seen()[1].target, "/base/hr/gatepass/list?page=2");
    let counted = (&output.result["count"], &output.result["has_more"]);
    assert_eq!(counted, (&json!(3), &json!(true)));
    assert_eq!(upstream.seen().len(), 2);
}

#[tokio::test]
async fn photos_are_fetched_from_the_same_system_only() {
    let (bench, upstream) = scripted(|index, _| match index {
        0 => answer(200, json!({ "pass_number": "GP-2026-0007", "total": 3, "photos": [
            { "type": "exit", "file_url": "/media/photo/p1", "captured_at": "2026-09-15T09:00:00Z", "captured_by": "Bilal" },
            { "type": "return", "file_url": "http://evil.example/x" },
            { "type": "return", "file_url": "/media/../admin" },
        ] })),
        _ => upstream::bytes("image/jpeg", b"\xFF\xD8\xFF\xE0 picture".as_slice()),
    })
    .await;
    let talk = bench.talk(guard()).await;
    let output = bench
        .call(
            &talk,
            "get_gate_pass_photos",
            json!({ "pass_number": "GP-2026-0007" }),
        )
        .await
        .done();
    let targets: Vec<String> = upstream
        .seen()
        .into_iter()
        .map(|seen| seen.target)
        .collect();
    assert_eq!(
        targets,
        ["/base/gate/photos/GP-2026-0007", "/base/media/photo/p1"]
    );
    assert_eq!(output.outbox.files.len(), 1);
    assert_eq!(
        &output.outbox.files[0].bytes[..],
        b"\xFF\xD8\xFF\xE0 picture"
    );
}
