//! A request that creates something, sent twice with one key, creates it once. The list of routes
//! is the OpenAPI document's: a route that returns 201 and accepts no key fails the test.

use frontdesk_testkit::model_server::{say, status};
use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::server::{Answer, Person, TestServer, answer};

/// Operations that this file and `messages.rs` (messages, forms) replay. An assistant's own
/// messages use the same route.
const REPLAYED: [&str; 11] = [
    "/api/v1/attachments",
    "/api/v1/companies",
    "/api/v1/companies/{id}/invitations",
    "/api/v1/conversations",
    "/api/v1/conversations/{id}/forms",
    "/api/v1/conversations/{id}/messages",
    "/api/v1/conversations/{id}/messages/{message}/versions",
    "/api/v1/conversations/{id}/shares",
    "/api/v1/conversations/{id}/turns/{turn}/retry",
    "/api/v1/gigs",
    "/api/v1/me/tokens",
];

/// Operations without a second effect: a document is stored by its address or name, a product by
/// its number, and signing in only creates a token.
const NO_SECOND_EFFECT: [&str; 5] = [
    "/api/v1/collections/{name}/documents",
    "/api/v1/collections/{name}/files",
    "/api/v1/demo/sign-in",
    "/api/v1/products",
    "/api/v1/sign-in",
];

#[test]
fn every_creating_operation_accepts_a_key() {
    let document = frontdesk::http::openapi();
    let mut making = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        let operation = &verbs["post"];
        if operation["responses"]["201"].is_null() || NO_SECOND_EFFECT.contains(&path.as_str()) {
            continue;
        }
        let parameters = operation["parameters"].as_array().cloned();
        let takes_key = parameters
            .unwrap_or_default()
            .iter()
            .any(|parameter| parameter["name"] == "Idempotency-Key");
        assert!(takes_key, "POST {path} makes something and takes no key");
        making.push(path.as_str());
    }
    assert_eq!(making, REPLAYED);
}

fn keyed(server: &TestServer, who: &Person, path: &str, key: &str) -> RequestBuilder {
    let request = server.request(Method::POST, path, Some(who));
    request.header("idempotency-key", key)
}

/// Sends the request twice, then another body under the same key. Returns the first response.
pub(crate) async fn replay(server: &TestServer, who: &Person, path: &str, body: Value) -> Value {
    let other = {
        let mut other = body.clone();
        let field = other.as_object_mut().unwrap().values_mut().next().unwrap();
        *field = json!(format!("{}x", field.as_str().unwrap()));
        other
    };
    let send = |body: &Value| answer(keyed(server, who, path, "k1").json(body));
    let first = send(&body).await;
    check_first(path, &first);
    let second = send(&body).await;
    check_replay(path, &first, &second);
    let refused = send(&other).await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{refused:?}"
    );
    // Without the key, or with another one, it is a new request.
    let another = answer(keyed(server, who, path, "k2").json(&body)).await;
    assert_eq!(another.status, StatusCode::CREATED, "{another:?}");
    assert_ne!(another.body["id"], first.body["id"], "{path}");
    first.body
}

fn check_first(path: &str, first: &Answer) {
    assert_eq!(first.status, StatusCode::CREATED, "{path}: {first:?}");
    assert!(!first.headers.contains_key("idempotent-replayed"), "{path}");
}

fn check_replay(path: &str, first: &Answer, second: &Answer) {
    assert_eq!(second.status, StatusCode::CREATED, "{path}: {second:?}");
    assert_eq!(second.body, first.body, "{path}");
    assert_eq!(second.headers["idempotent-replayed"], "true", "{path}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_request_creates_nothing() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let title = json!({ "title": "Once", "assistant": "notes" });
        let made = replay(&server, &who, "/conversations", title.clone()).await;
        let listed = server.get(&who, "/conversations").await.body;
        let titled = listed["items"].as_array().unwrap().iter();
        assert_eq!(titled.filter(|one| one["title"] == "Once").count(), 2);
        // The key refers to a deleted object, and creates no replacement.
        let conversation = format!("/conversations/{}", made["id"].as_str().unwrap());
        let gone = server
            .send(Method::DELETE, &conversation, Some(&who), None)
            .await;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
        let late = answer(keyed(&server, &who, "/conversations", "k1").json(&title)).await;
        assert_eq!(late.status, StatusCode::NOT_FOUND, "{late:?}");
        // Keys are per person.
        let other = server.sign_in("hr");
        let theirs = json!({ "title": "Once", "assistant": "gatepass" });
        let theirs = answer(keyed(&server, &other, "/conversations", "k1").json(&theirs)).await;
        check_first("/conversations", &theirs);

        let company = replay(&server, &who, "/companies", json!({ "name": "Acme" })).await;
        assert_eq!(server.list(&who, "/companies").await.len(), 2);
        let path = format!("/companies/{}/invitations", company["id"].as_str().unwrap());
        let invited = json!({ "email": "new@example.com" });
        let send = |key| answer(keyed(&server, &who, &path, key).json(&invited));
        let first = send("k1").await;
        check_first(&path, &first);
        check_replay(&path, &first, &send("k1").await);
        // The link in the first response is valid, whoever repeated the request.
        assert_eq!(server.list(&who, &path).await.len(), 1);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_a_link_and_a_token_are_made_once() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let company = server
            .post(&who, "/companies", json!({ "name": "Acme" }))
            .await;
        let id = server.conversation(&who).await;
        let said = format!("/conversations/{id}/messages");
        server.model.script([say("First."), say("Second.")]);
        let first = server
            .post(&who, &said, json!({ "content": "Hello" }))
            .await;
        let message = first.body["user_message"]["id"].as_str().unwrap();
        let versions = format!("{said}/{message}/versions");
        let shares = format!("/conversations/{id}/shares");
        let audience = json!({ "audience": { "company": company.body["id"] } });
        for (path, body) in [(&versions, json!({ "content": "Hi" })), (&shares, audience)] {
            let send = || answer(keyed(&server, &who, path, "k1").json(&body));
            let first = send().await;
            check_first(path, &first);
            check_replay(path, &first, &send().await);
        }
        // The secret of a token is shown once, so a repeated request gets no second one.
        let body = json!({ "name": "Script" });
        let send = || answer(keyed(&server, &who, "/me/tokens", "k1").json(&body));
        check_first("/me/tokens", &send().await);
        assert_eq!(send().await.status, StatusCode::CONFLICT);
        assert_eq!(server.list(&who, "/me/tokens").await.len(), 1);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_concurrent_requests_create_one_object() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let body = json!({ "name": "Acme" });
        let send = || answer(keyed(&server, &who, "/companies", "k1").json(&body));
        let all = futures_util::future::join_all((0..8).map(|_| send())).await;
        for one in &all {
            assert_eq!(one.status, StatusCode::CREATED, "{one:?}");
            assert_eq!(one.body, all[0].body);
        }
        let made = all.iter();
        let made = made.filter(|one| !one.headers.contains_key("idempotent-replayed"));
        assert_eq!(made.count(), 1);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_attached_once() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let conversation = server.conversation(&who).await;
        let send = |bytes: &'static str| {
            let form = Form::new()
                .text("conversation_id", conversation.clone())
                .part("file", Part::bytes(bytes.as_bytes()).file_name("a.txt"));
            answer(keyed(&server, &who, "/attachments", "k1").multipart(form))
        };
        let first = send("plain").await;
        check_first("/attachments", &first);
        check_replay("/attachments", &first, &send("plain").await);
        let refused = send("other").await;
        assert_eq!(
            refused.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{refused:?}"
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_turn_is_tried_again_once() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let conversation = server.conversation(&who).await;
        server.model.script([status(400), say("Good day.")]);
        let messages = format!("/conversations/{conversation}/messages");
        let failed = server
            .post(&who, &messages, json!({ "content": "Hello" }))
            .await;
        let turn = failed.body["turn"]["id"].as_str();
        let turn = match turn {
            Some(turn) => turn.to_owned(),
            None => last_turn(&server, &who, &messages).await,
        };
        let path = format!("/conversations/{conversation}/turns/{turn}/retry");
        let first = answer(keyed(&server, &who, &path, "k1")).await;
        check_first(&path, &first);
        check_replay(
            &path,
            &first,
            &answer(keyed(&server, &who, &path, "k1")).await,
        );
        server.stop().await;
    }
}

async fn last_turn(server: &TestServer, who: &Person, messages: &str) -> String {
    let page = server.get(who, messages).await.body;
    let turn = page["items"][0]["metadata"]["turn_id"].as_str();
    turn.unwrap().to_owned()
}
