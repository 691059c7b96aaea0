//! Faults of the foreign API, and its refusals.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::tool::ToolErrorKind;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::super::client::Log;
use super::site::{Site, site};

// design: 003 APIResponse.success
#[tokio::test]
async fn a_success_status_with_a_refusal_is_no_success() {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    let bodies = [
        json!({ "success": false, "message": "The site is closed" }),
        json!({ "ok": false }),
        json!({ "status": "error", "message": "The site is closed" }),
        json!({ "errors": ["The site is closed"] }),
        json!({ "success": false, "errors": [{ "field": "name", "message": "is blocked" }] }),
        json!({ "status_code": 409, "error": "The site is closed" }),
    ];
    for body in bodies {
        site.api.reset(json!({})).await;
        site.create("Ali Khan").await.done();
        let fault = |path: &str| json!({ "faults": [{ "match": path, "kind": "raw", "n": 1, "body": body.to_string() }] });
        for what in ["approve", "reject", "delete"] {
            site.api.set(fault(what)).await;
            let error = site.decide(what, 1).await.failed();
            assert!(
                matches!(error.kind, ToolErrorKind::Refused | ToolErrorKind::Invalid),
                "{body}: {error:?}"
            );
        }
        site.api.set(fault("create")).await;
        site.create("Sara Ahmed").await.failed();
        assert_eq!(
            site.api.passes().await,
            [("Ali Khan".to_owned(), "pending".to_owned())]
        );
    }
}

/// Fires the timeout of each request that hangs.
fn end_waits(site: &Site) -> JoinHandle<()> {
    let (env, http) = (Arc::clone(&site.bench.env), site.api.http.clone());
    let state = format!("{}/control/state", site.api.url);
    tokio::spawn(async move {
        let mut ended = 0;
        loop {
            let answer = http.get(&state).send().await.unwrap();
            let hanging = answer.json::<Value>().await.unwrap()["hanging"]
                .as_u64()
                .unwrap();
            if hanging > ended {
                ended = hanging;
                env.expire(0).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
}

#[tokio::test]
async fn a_write_without_an_answer_is_sent_once_and_told_as_unknown() {
    for (kind, acted) in [
        ("hang", false),
        ("drop", false),
        ("acthang", true),
        ("status", false),
    ] {
        let site = site(&[("gatepass.api_auth", "none")]).await;
        site.create("Ali Khan").await.done();
        let ending = end_waits(&site);
        let fault = |path: &str| json!({ "faults": [{ "match": path, "kind": kind, "n": 1, "code": 502 }] });
        site.api.set(fault("create")).await;
        let error = site.create("Once Only").await.failed();
        assert_eq!(
            error.kind,
            ToolErrorKind::Unknown,
            "{kind}: {}",
            error.message
        );
        assert_eq!(
            site.api.passes().await.len(),
            if acted { 2 } else { 1 },
            "{kind}"
        );

        site.api.set(fault("approve")).await;
        let error = site.decide("approve", 1).await.failed();
        assert_eq!(
            error.kind,
            ToolErrorKind::Unknown,
            "{kind}: {}",
            error.message
        );
        let now = if acted { "approved" } else { "pending" };
        let sentence = format!("GP-2026-0001 is now {now}.");
        assert!(
            error.message.ends_with(&sentence),
            "{kind}: {}",
            error.message
        );
        assert!(!error.message.contains("SELECT"), "{}", error.message);
        ending.abort();
    }
}

#[tokio::test]
async fn a_read_without_an_answer_is_repeated() {
    for kind in ["hang", "drop"] {
        let site = site(&[("gatepass.api_auth", "none")]).await;
        site.create("Ali Khan").await.done();
        let ending = end_waits(&site);
        site.api
            .set(json!({ "faults": [{ "match": "/list", "kind": kind, "n": 2 }] }))
            .await;
        let list = site.read(&site.desk, "list_gate_passes", json!({})).await;
        assert_eq!(list.result["count"], 1, "{kind}");
        assert_eq!(site.bench.env.waits(), [2, 4], "{kind}");
        ending.abort();
    }
}

#[tokio::test]
async fn the_apis_own_text_never_reaches_people() {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    for code in [400, 403, 405, 409, 418, 422, 500] {
        let fault =
            json!({ "faults": [{ "match": "/list", "kind": "status", "n": 1, "code": code }] });
        site.api.set(fault).await;
        let error = site
            .bench
            .call(&site.desk, "list_gate_passes", json!({}))
            .await
            .failed();
        let told = format!("{} {:?}", error.message, error.details);
        assert!(
            !told.contains("SELECT") && !told.contains("views.py"),
            "{code}: {told}"
        );
    }
}

#[tokio::test]
async fn a_list_that_an_api_does_not_have_is_no_missing_pass() {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    let fault = json!({ "faults": [{ "match": "/list", "kind": "status", "n": 1, "code": 404 }] });
    site.api.set(fault).await;
    let error = site
        .bench
        .call(&site.desk, "list_gate_passes", json!({}))
        .await
        .failed();
    assert!(
        error
            .message
            .starts_with("The gate pass system does not know this request."),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn an_api_with_a_key_is_signed_in_to() {
    let need = json!({ "need_auth": ["x-api-key", "hunter2"] });
    let settings = [
        ("gatepass.api_auth", "api_key"),
        ("gatepass.api_secret", "hunter2"),
    ];
    let site = site(&settings).await;
    site.api.set(need.clone()).await;
    site.create("Ali Khan").await.done();

    let wrong = [
        ("gatepass.api_auth", "api_key"),
        ("gatepass.api_secret", "wrong-key"),
    ];
    let site = super::site::site(&wrong).await;
    site.api.set(need).await;
    let error = site.create("Ali Khan").await.failed();
    assert!(
        error.message.contains("did not accept the sign-in"),
        "{}",
        error.message
    );
    assert!(!format!("{error:?}").contains("wrong-key"), "{error:?}");
}

// design: 003 API errors logged
#[tokio::test]
async fn a_refusal_is_logged_once_with_status_and_request_id() {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    let log = Log::default();
    let logging = log.capture();
    let missing = json!({ "pass_number": "GP-2026-0099" });
    let call = site.bench.call(&site.gate, "get_gate_pass_photos", missing);
    call.await.failed();
    drop(logging);
    let text = log.text();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("refused a request"))
        .collect();
    let [line] = lines.as_slice() else {
        panic!("one line: {text}")
    };
    assert!(
        line.contains("status=404") && line.contains("req-4711"),
        "{line}"
    );
    assert!(
        !line.contains("GP-2026-0099"),
        "values stay out of the log: {line}"
    );
}
