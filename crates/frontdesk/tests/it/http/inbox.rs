//! `/inbox`: cards, work that assistants report with the counts of their boards, and recent
//! decisions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use frontdesk_bundle::{BoxError, Bundle, InboxSource, SetupContext, SetupError, WaitingWork};
use frontdesk_core::access::Principal;
use frontdesk_testkit::model_server::{call, say};
use serde_json::{Value, json};

use crate::harness::{self, Backing};
use crate::server::{Person, TestServer};

async fn inbox(server: &TestServer, who: &Person) -> Value {
    let answer = server.get(who, "/inbox").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// The report of one assistant.
fn work<'a>(inbox: &'a Value, assistant: &str) -> Option<&'a Value> {
    let all = inbox["work"].as_array().unwrap();
    all.iter().find(|work| work["assistant"] == assistant)
}

/// The admin asks for a deletion, which waits for approval.
async fn ask_to_delete(server: &TestServer, who: &Person, number: &str) -> (String, Value) {
    let arguments = json!({ "pass_number": number });
    server.model.script([call("delete_gate_pass", arguments)]);
    let new = json!({ "assistant": "gatepass" });
    let made = server.post(who, "/conversations", new).await;
    let id = made.body["id"].as_str().unwrap().to_owned();
    let path = format!("/conversations/{id}/messages");
    let body = json!({ "content": format!("Delete {number}") });
    let asked = server.post(who, &path, body).await;
    assert_eq!(asked.status, 202, "{asked:?}");
    (id, asked.body["turn"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_to_decide_are_counted_as_the_board_counts_them() {
    for server in TestServer::on_both().await {
        let (admin, hr) = (server.sign_in("admin"), server.sign_in("hr"));
        let found = inbox(&server, &admin).await;
        let board = server.get(&admin, "/gatepass/counts").await.body;
        let passes = work(&found, "gatepass").unwrap();
        assert_eq!(passes["count"], board["pending"]);
        assert_eq!(found["count"], board["pending"]);
        let listed = server
            .get(&admin, "/gatepass/passes?status=pending")
            .await
            .body;
        let items = passes["items"].as_array().unwrap().iter();
        let titles: Vec<&str> = items.map(|item| item["title"].as_str().unwrap()).collect();
        let rows = listed["items"].as_array().unwrap().iter();
        let expected: Vec<String> = rows.map(titled).collect();
        assert_eq!(titles, expected);
        // People who request passes decide none.
        let asks = inbox(&server, &hr).await;
        assert_eq!((&asks["count"], work(&asks, "gatepass")), (&json!(0), None));
        server.stop().await;
    }
}

/// A pass that one admin decides leaves the others' work, but not without a trace.
#[tokio::test(flavor = "multi_thread")]
async fn a_decided_pass_stays_with_who_and_when_for_every_admin() {
    for server in TestServer::on_both().await {
        let admin = server.sign_in("admin");
        let delegate = server.token_with("admin", |claims| {
            claims["sub"] = json!("00000000-0000-4000-8000-0000000000a2");
        });
        let path = "/gatepass/passes?status=pending";
        let pending = server.get(&admin, path).await.body;
        let pass = &pending["items"][0];
        let number = pass["pass_number"].as_str().unwrap();
        let new = json!({ "assistant": "gatepass" });
        let made = server.post(&admin, "/conversations", new).await;
        let path = format!("/conversations/{}", made.body["id"].as_str().unwrap());
        let form = json!({ "tool": "reject_gate_pass", "arguments": { "pass_number": number } });
        let asked = server.post(&admin, &format!("{path}/forms"), form).await;
        let turn = asked.body["turn"]["id"].as_str().unwrap();
        let call = asked.body["turn"]["approvals"][0]["call_id"].as_str();
        let card = format!("{path}/turns/{turn}/approvals/{}", call.unwrap());
        let decided = server
            .post(&admin, &card, json!({ "decision": "approve" }))
            .await;
        assert_eq!(decided.status, 200, "{decided:?}");
        let events = format!("{path}/turns/{turn}/events");
        let request = server.request(reqwest::Method::GET, &events, Some(&admin));
        request.send().await.unwrap().text().await.unwrap();

        let me = server.get(&admin, "/me").await.body;
        let found = inbox(&server, &delegate).await;
        let passes = work(&found, "gatepass").unwrap();
        let kept = &passes["decided"][0];
        assert_eq!(
            (&kept["title"], &kept["state"], &kept["by"]),
            (&json!(titled(pass)), &json!("rejected"), &me["name"])
        );
        assert!(kept["at"].as_str().is_some(), "{kept}");
        let waiting = passes["items"].to_string();
        assert!(!waiting.contains(number), "{waiting}");
        server.stop().await;
    }
}

fn titled(pass: &Value) -> String {
    let text = |key: &str| pass[key].as_str().unwrap().to_owned();
    format!("{} · {}", text("pass_number"), text("person_name"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decided_card_shows_who_decided_and_when() {
    for server in TestServer::on_both().await {
        let admin = server.sign_in("admin");
        let me = server.get(&admin, "/me").await.body;
        let before = inbox(&server, &admin).await["count"].as_u64().unwrap();
        let (id, turn) = ask_to_delete(&server, &admin, "GP-2026-0001").await;
        let waiting = inbox(&server, &admin).await;
        assert_eq!(waiting["count"], before + 1);
        assert_eq!(waiting["cards"].as_array().unwrap().len(), 1);
        assert_eq!(waiting["decided"], json!([]));

        let card = &turn["approvals"][0];
        let (turn, call) = (turn["id"].as_str().unwrap(), card["call_id"].as_str());
        let path = format!(
            "/conversations/{id}/turns/{turn}/approvals/{}",
            call.unwrap()
        );
        server.model.script([say("It stays.")]);
        let body = json!({ "decision": "reject", "reason": "Still needed" });
        let decided = server.post(&admin, &path, body).await;
        assert_eq!(decided.status, 200, "{decided:?}");
        let after = inbox(&server, &admin).await;
        assert_eq!(
            (&after["count"], &after["cards"]),
            (&json!(before), &json!([]))
        );
        let kept = &after["decided"][0];
        assert_eq!(kept["decision"], "rejected");
        assert_eq!(kept["reason"], "Still needed");
        assert_eq!(kept["card"]["title"], card["title"]);
        let by = json!({ "id": me["id"], "name": me["name"] });
        assert_eq!(kept["decided_by"], by);
        assert!(kept["decided_at"].as_str().is_some());
        // Others do not see it.
        let stranger = inbox(&server, &server.sign_in("reader")).await;
        assert_eq!(stranger["decided"], json!([]));
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn decided_cards_leave_after_two_weeks() {
    let server = TestServer::start(Backing::Sqlite).await;
    let admin = server.sign_in("admin");
    let (id, turn) = ask_to_delete(&server, &admin, "GP-2026-0001").await;
    let cancel = format!(
        "/conversations/{id}/turns/{}/cancel",
        turn["id"].as_str().unwrap()
    );
    server.post(&admin, &cancel, json!({})).await;
    let decided = async || inbox(&server, &late(&server)).await["decided"].clone();
    assert_eq!(decided().await.as_array().unwrap().len(), 1);
    server.clock.advance(Duration::from_secs(15 * 24 * 3600));
    assert_eq!(decided().await, json!([]));
    server.stop().await;
}

/// The admin with a token that is valid for a month.
fn late(server: &TestServer) -> Person {
    server.brief_token("admin", Duration::from_secs(30 * 24 * 3600))
}

/// A source that fails, and one that hangs.
struct FailingSource;
struct HangingSource;

#[async_trait]
impl InboxSource for FailingSource {
    async fn waiting(&self, _: &Principal) -> Result<Option<WaitingWork>, BoxError> {
        Err("its database is away".into())
    }
}

#[async_trait]
impl InboxSource for HangingSource {
    async fn waiting(&self, _: &Principal) -> Result<Option<WaitingWork>, BoxError> {
        std::future::pending().await
    }
}

fn with_broken(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    let mut bundles = harness::assistants(ctx)?;
    for bundle in &mut bundles {
        match bundle.assistant.name.as_ref() {
            "notes" => bundle.inbox = Some(Arc::new(FailingSource)),
            "docs" => bundle.inbox = Some(Arc::new(HangingSource)),
            _ => {}
        }
    }
    Ok(bundles)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_or_hanging_assistant_leaves_the_rest_of_the_inbox() {
    let server = TestServer::of(Backing::Sqlite, with_broken).await;
    let who = server.sign_in("reader");
    let began = Instant::now();
    let found = inbox(&server, &who).await;
    assert!(began.elapsed() < Duration::from_secs(10));
    let problem = |name| work(&found, name).unwrap()["problem"].as_str().unwrap();
    assert!(problem("notes").ends_with("cannot be reached at the moment."));
    assert!(problem("docs").ends_with("did not answer in time."));
    assert!(!found.to_string().contains("database"));
    assert_eq!((&found["count"], &found["cards"]), (&json!(0), &json!([])));
    server.stop().await;
}
