//! Two members write in one company conversation: everyone sees who wrote what, and so does the
//! model.

use frontdesk_testkit::model_server::say;
use reqwest::Method;
use serde_json::{Value, json};

use super::{company, join, profile, shared_conversation, somebody};
use crate::server::{SseEvent, TestServer, events};

fn started(events: &[SseEvent]) -> &Value {
    let first = events.iter().find(|event| event.name == "turn.started");
    &first.unwrap().data
}

#[tokio::test(flavor = "multi_thread")]
async fn two_members_of_a_company_see_who_wrote_what() {
    for server in TestServer::on_both().await {
        server
            .model
            .script([say("Noted."), say("Noted again."), say("Yes.")]);
        let owner = somebody(&server, "olga");
        let acme = company(&server, &owner).await;
        let member = join(&server, &owner, &acme, "max").await;
        let id = shared_conversation(&server, &owner, &acme).await;
        let path = format!("/conversations/{id}/messages");
        let olga = json!({ "id": profile(&server, &owner).await, "name": "olga" });
        let max = json!({ "id": profile(&server, &member).await, "name": "max" });

        let sent = server
            .post(&owner, &path, json!({ "content": "Milk" }))
            .await;
        assert_eq!(sent.body["user_message"]["author"], olga);
        assert_eq!(sent.body["agent_message"]["author"], Value::Null);
        let request = server.request(Method::POST, &path, Some(&member));
        let live = events(request.json(&json!({ "content": "Bread" }))).await;
        assert_eq!(started(&live)["author"], max);
        let turn = started(&live)["turn"].as_str().unwrap();
        let watch = format!("/conversations/{id}/turns/{turn}/events");
        let later = events(server.request(Method::GET, &watch, Some(&owner))).await;
        assert_eq!(started(&later)["author"], max);

        for reader in [&owner, &member] {
            let page = server.get(reader, &path).await.body;
            let items = page["items"].as_array().unwrap();
            let authors: Vec<&Value> = items.iter().map(|item| &item["author"]).collect();
            assert_eq!(authors, [&olga, &Value::Null, &max, &Value::Null]);
        }
        check_authors_in_requests(&server, &owner, &path).await;
        server.stop().await;
    }
}

/// Requests to the model name the authors, and their earlier part stays unchanged.
async fn check_authors_in_requests(server: &TestServer, owner: &crate::server::Person, path: &str) {
    server.post(owner, path, json!({ "content": "Eggs" })).await;
    let sent = |number: usize| server.model.request(number).json()["messages"].clone();
    let (second, third) = (sent(1), sent(2));
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let told = third.as_array().unwrap();
    let lines: Vec<String> = told.iter().skip(1).map(text).collect();
    assert_eq!(
        lines,
        [
            "Milk",
            "Noted.",
            "The messages that follow were written by max.",
            "Bread",
            "Noted again.",
            "The messages that follow were written by olga.",
            "Eggs",
        ]
    );
    let before = second.as_array().unwrap();
    assert_eq!(&told[..before.len()], before.as_slice());
}
