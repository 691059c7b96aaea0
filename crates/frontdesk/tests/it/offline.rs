//! The offline model end to end over HTTP: as the fallback of a failing model, and behind the
//! OpenAI client on a real socket.

use std::sync::Arc;

use frontdesk_models::Fallback;
use frontdesk_offline::OfflineModel;
use frontdesk_testkit::model_server::{say, status};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{Backing, TestApp};
use crate::server::{Person, TestServer, events};

const WITH_FALLBACK: &[(&str, &str)] = &[("model.fallback", "offline")];

async fn conversation(server: &TestServer, who: &Person) -> String {
    let created = server
        .post(who, "/conversations", json!({ "assistant": "gatepass" }))
        .await;
    assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
    created.body["id"].as_str().unwrap().to_owned()
}

async fn say_to(server: &TestServer, who: &Person, id: &str, content: &str) -> Value {
    let path = format!("/conversations/{id}/messages");
    let said = server.post(who, &path, json!({ "content": content })).await;
    assert_eq!(said.status, StatusCode::CREATED, "{said:?}");
    said.body
}

fn content(answer: &Value) -> &str {
    answer["agent_message"]["content"].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn in_an_outage_the_fallback_answers_and_says_so() {
    let server = TestServer::start_with(Backing::Sqlite, WITH_FALLBACK).await;
    // The model is down; `Retry-After: 0` keeps the retries short.
    server.model.otherwise(status(503).retry_after("0"));
    let who = server.sign_in("hr");
    let id = conversation(&server, &who).await;

    let listed = say_to(&server, &who, &id, "Which passes are pending?").await;
    assert!(
        content(&listed).starts_with(Fallback::NOTE.trim()),
        "{listed}"
    );
    assert!(content(&listed).contains("GP-2026-0012"), "{listed}");
    let calls = &listed["agent_message"]["metadata"]["tool_calls"];
    assert_eq!(calls[0]["name"], "list_gate_passes", "{listed}");

    // A follow-up to the fallback is answered by the fallback.
    let asked = say_to(&server, &who, &id, "Print a pass for me please").await;
    assert!(content(&asked).contains("“Print a gate pass”"), "{asked}");
    let printed = say_to(&server, &who, &id, "GP-2026-0011").await;
    let calls = &printed["agent_message"]["metadata"]["tool_calls"];
    assert_eq!(calls[0]["name"], "print_gate_pass", "{printed}");

    // The stream marks the fallback from its first event.
    let path = format!("/conversations/{id}/messages");
    let request = server
        .request(Method::POST, &path, Some(&who))
        .json(&json!({ "content": "thanks" }));
    let seen = events(request).await;
    let first = seen
        .iter()
        .find(|event| event.name == "text.delta")
        .unwrap();
    assert!(
        first.data["text"]
            .as_str()
            .unwrap()
            .starts_with("(The language model"),
        "{first:?}"
    );

    // The model is back: it answers, and nothing mentions a fallback.
    server.model.otherwise(say("I am back."));
    let back = say_to(&server, &who, &id, "Which passes are pending?").await;
    assert_eq!(content(&back), "I am back.");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_fallback_an_outage_is_an_outage() {
    let server = TestServer::start(Backing::Sqlite).await;
    server.model.otherwise(status(503).retry_after("0"));
    let who = server.sign_in("hr");
    let id = conversation(&server, &who).await;
    let path = format!("/conversations/{id}/messages");
    let failed = server
        .post(
            &who,
            &path,
            json!({ "content": "Which passes are pending?" }),
        )
        .await;
    assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE, "{failed:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_key_is_an_error_and_not_answered_by_the_fallback() {
    let server = TestServer::start_with(Backing::Sqlite, WITH_FALLBACK).await;
    server.model.otherwise(status(401));
    let who = server.sign_in("hr");
    let id = conversation(&server, &who).await;
    let path = format!("/conversations/{id}/messages");
    let failed = server
        .post(&who, &path, json!({ "content": "hello" }))
        .await;
    assert!(failed.status.is_server_error(), "{failed:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_the_openai_client_it_decides_as_in_process() {
    let server = TestServer::start(Backing::Sqlite).await;
    let app = TestApp::start(Backing::Sqlite, "http://127.0.0.1:9/v1").await;
    let assistants = app.app.runtime.assistants();
    let tools = assistants
        .iter()
        .flat_map(|assistant| assistant.toolbox.defs().cloned().collect::<Vec<_>>())
        .collect();
    let model = Arc::new(OfflineModel::default());
    server.model.answer_with_model(model, tools);

    let who = server.sign_in("admin");
    let id = conversation(&server, &who).await;
    let listed = say_to(
        &server,
        &who,
        &id,
        "show the gate passes that wait for approval",
    )
    .await;
    let calls = |answer: &Value| answer["agent_message"]["metadata"]["tool_calls"].clone();
    assert_eq!(
        calls(&listed)[0]["name"],
        "list_pending_gate_passes",
        "{listed}"
    );
    assert!(content(&listed).contains("GP-2026-0012"), "{listed}");
    let shown = say_to(&server, &who, &id, "Show me gate pass GP-2026-0012").await;
    assert_eq!(
        calls(&shown)[0]["name"],
        "get_gate_pass_by_number",
        "{shown}"
    );
    let nothing = say_to(&server, &who, &id, "what is the capital of France?").await;
    assert_eq!(calls(&nothing), Value::Null, "{nothing}");

    // Deltas are shown as they arrive; here they may be merged, so only their sum is certain.
    let path = format!("/conversations/{id}/messages");
    let request = server
        .request(Method::POST, &path, Some(&who))
        .json(&json!({ "content": "what can you do?" }));
    let pieces = events(request).await;
    let pieces = pieces.iter().filter(|event| event.name == "text.delta");
    let shown: String = pieces
        .map(|event| event.data["text"].as_str().unwrap())
        .collect();
    assert!(shown.split(' ').count() > 10, "{shown}");
    let kept = server.get(&who, &path).await.body;
    assert_eq!(
        kept["items"].as_array().unwrap().last().unwrap()["content"],
        shown
    );
    server.stop().await;
}
