//! Messages over HTTP: stored first, answered by a worker, never duplicated.

use frontdesk_testkit::model_server::{call, say, status};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::server::{Person, TestServer, answer};

async fn messages(server: &TestServer, who: &Person, id: &str) -> Vec<(String, String)> {
    let page = server
        .get(who, &format!("/conversations/{id}/messages"))
        .await;
    page.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| {
            let text = |key: &str| message[key].as_str().unwrap().to_owned();
            (text("role"), text("content"))
        })
        .collect()
}

fn said(role: &str, content: &str) -> (String, String) {
    (role.to_owned(), content.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_stored_and_answered() {
    for server in TestServer::on_both().await {
        server.model.script([
            call("add_note", json!({ "text": "buy milk" })),
            say("I wrote it down."),
        ]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/messages");
        let sent = server
            .post(&who, &path, json!({ "content": "Note: buy milk" }))
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
        let (user, agent) = (&sent.body["user_message"], &sent.body["agent_message"]);
        assert_eq!(user["role"], "user");
        assert_eq!(user["content"], "Note: buy milk");
        assert_eq!(agent["role"], "assistant");
        assert_eq!(agent["content"], "I wrote it down.");
        assert_eq!(user["metadata"]["turn_id"], agent["metadata"]["turn_id"]);
        assert_eq!(agent["metadata"]["tool_calls"][0]["name"], "add_note");

        let conversation = server.get(&who, &format!("/conversations/{id}")).await.body;
        assert_eq!(conversation["message_count"], 2);
        assert_eq!(conversation["last_message_at"], agent["created_at"]);
        assert_eq!(
            messages(&server, &who, &id).await,
            [
                said("user", "Note: buy milk"),
                said("assistant", "I wrote it down.")
            ]
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_context_is_rebuilt_from_the_history() {
    for server in TestServer::on_both().await {
        server
            .model
            .script([say("Hello Ann."), say("You are Ann.")]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/messages");
        server
            .post(&who, &path, json!({ "content": "I am Ann." }))
            .await;
        server
            .post(&who, &path, json!({ "content": "Who am I?" }))
            .await;
        let sent: Vec<(String, String)> = server.model.request(1).json()["messages"]
            .as_array()
            .unwrap()
            .iter()
            .skip(1)
            .map(|m| {
                let text = |key: &str| m[key].as_str().unwrap().to_owned();
                (text("role"), text("content"))
            })
            .collect();
        assert_eq!(
            sent,
            [
                said("user", "I am Ann."),
                said("assistant", "Hello Ann."),
                said("user", "Who am I?"),
            ]
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_model_keeps_the_message_and_retry_answers_it() {
    for server in TestServer::on_both().await {
        server.model.script([status(400), say("Here I am.")]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let failed = server
            .post(
                &who,
                &format!("/conversations/{id}/messages"),
                json!({ "content": "Hello?" }),
            )
            .await;
        assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(failed.body["error"]["code"], "AGENT_ERROR");
        assert_eq!(
            failed.body["error"]["message"],
            "Unable to generate response, please try again"
        );
        assert_eq!(messages(&server, &who, &id).await, [said("user", "Hello?")]);

        let page = server
            .get(&who, &format!("/conversations/{id}/messages"))
            .await;
        let turn = page.body["items"][0]["metadata"]["turn_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let retried = server
            .post(
                &who,
                &format!("/conversations/{id}/turns/{turn}/retry"),
                json!({}),
            )
            .await;
        assert_eq!(retried.status, StatusCode::CREATED, "{retried:?}");
        assert_eq!(
            messages(&server, &who, &id).await,
            [said("user", "Hello?"), said("assistant", "Here I am.")]
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_providers_rate_limit_is_reported_with_retry_after() {
    for server in TestServer::on_both().await {
        server.model.script([status(429).retry_after("120")]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let limited = server
            .post(
                &who,
                &format!("/conversations/{id}/messages"),
                json!({ "content": "Hello?" }),
            )
            .await;
        assert_eq!(limited.status, StatusCode::TOO_MANY_REQUESTS, "{limited:?}");
        assert_eq!(limited.body["error"]["code"], "RATE_LIMITED");
        assert_eq!(limited.headers["retry-after"], "120");
        server.stop().await;
    }
}

// design: promises P2
#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_has_one_effect() {
    for server in TestServer::on_both().await {
        server.model.script([say("Once.")]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/messages");
        let send = |content: &str| {
            server
                .request(Method::POST, &path, Some(&who))
                .header("idempotency-key", "k1")
                .json(&json!({ "content": content }))
        };
        let first = answer(send("Hello")).await;
        let again = answer(send("Hello")).await;
        assert_eq!(first.status, StatusCode::CREATED);
        assert_eq!(again.status, StatusCode::CREATED);
        assert_eq!(first.body, again.body);
        assert_eq!(again.headers["idempotent-replayed"], "true");
        let other = answer(send("Something else")).await;
        assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(messages(&server, &who, &id).await.len(), 2);
        server.stop().await;
    }
}

/// A form that is sent again because its response was lost does not run twice.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_fills_a_form_once() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/forms");
        let send = |text: &str, key: &'static str| {
            let body = json!({ "tool": "add_note", "arguments": { "text": text } });
            let request = server.request(Method::POST, &path, Some(&who));
            request.header("idempotency-key", key).json(&body)
        };
        let first = answer(send("buy milk", "scan-1")).await;
        let again = answer(send("buy milk", "scan-1")).await;
        assert_eq!(first.status, StatusCode::CREATED, "{first:?}");
        assert_eq!(first.body, again.body);
        assert_eq!(again.headers["idempotent-replayed"], "true");
        let other = answer(send("buy bread", "scan-1")).await;
        assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(messages(&server, &who, &id).await.len(), 2);
        let next = answer(send("buy milk", "scan-2")).await;
        assert_eq!(next.status, StatusCode::CREATED);
        assert_eq!(messages(&server, &who, &id).await.len(), 4);
        server.stop().await;
    }
}

// design: promises K1
#[tokio::test(flavor = "multi_thread")]
async fn the_21st_message_in_a_minute_is_refused() {
    for server in TestServer::on_both().await {
        server.model.otherwise(say("Yes."));
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/messages");
        for number in 1..=20 {
            let sent = server
                .post(&who, &path, json!({ "content": format!("{number}") }))
                .await;
            assert_eq!(sent.status, StatusCode::CREATED, "{number}: {sent:?}");
        }
        let refused = server.post(&who, &path, json!({ "content": "21" })).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(
            refused.body["error"]["message"],
            "Too many requests, please wait"
        );
        let wait: u64 = refused.headers["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(messages(&server, &who, &id).await.len(), 40);
        server.stop().await;
    }
}
