//! The audit in readable sentences: who asked for what, about which object, and who decided; one
//! row per fact, readable after the conversation is deleted.

use frontdesk_testkit::model_server::{call, say};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::server::{Person, TestServer};

/// Asks for the deletion of a pass, decides its card, and deletes the conversation.
async fn decide(server: &TestServer, who: &Person, pass: &str, decision: &str) {
    server.model.script([
        call("delete_gate_pass", json!({ "pass_number": pass })),
        say("As you wish."),
    ]);
    let new = json!({ "assistant": "gatepass" });
    let made = server.post(who, "/conversations", new).await;
    let conversation = made.body["id"].as_str().unwrap().to_owned();
    let path = format!("/conversations/{conversation}");
    let said = json!({ "content": format!("Delete {pass}") });
    let asked = server.post(who, &format!("{path}/messages"), said).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{asked:?}");
    let turn = asked.body["turn"]["id"].as_str().unwrap();
    let card = asked.body["turn"]["approvals"][0]["call_id"].as_str();
    let decided = server
        .post(
            who,
            &format!("{path}/turns/{turn}/approvals/{}", card.unwrap()),
            json!({ "decision": decision }),
        )
        .await;
    assert_eq!(decided.status, StatusCode::OK, "{decided:?}");
    let events = format!("{path}/turns/{turn}/events");
    let request = server.request(Method::GET, &events, Some(who));
    request.send().await.unwrap().text().await.unwrap();
    let gone = server.send(Method::DELETE, &path, Some(who), None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{gone:?}");
}

/// The rows about a pass, oldest first.
async fn rows(server: &TestServer, who: &Person, pass: &str) -> Vec<Value> {
    let page = server.get(who, "/audit?limit=100").await.body;
    let mut rows: Vec<Value> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["target"] == pass)
        .cloned()
        .collect();
    rows.reverse();
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fact_is_one_row_in_words_that_outlives_the_conversation() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("admin");
        let me = server.get(&who, "/me").await.body;
        let passes = server
            .get(&who, "/gatepass/passes?status=pending")
            .await
            .body;
        let number = |index: usize| passes["items"][index]["pass_number"].as_str().unwrap();
        for (pass, decision, expected) in [
            (number(0), "reject", vec!["approval_requested", "rejected"]),
            (
                number(1),
                "approve",
                vec!["approval_requested", "approved", "executed"],
            ),
        ] {
            decide(&server, &who, pass, decision).await;
            let found = rows(&server, &who, pass).await;
            let outcomes: Vec<&str> = found
                .iter()
                .map(|row| row["outcome"].as_str().unwrap())
                .collect();
            assert_eq!(outcomes, expected, "{found:#?}");
            for (at, row) in found.iter().enumerate() {
                assert_eq!(row["tool"], "delete_gate_pass");
                assert_eq!(row["profile"], me["id"]);
                assert_eq!(row["profile_name"], me["name"]);
                let decided = if at == 0 { &Value::Null } else { &me["name"] };
                assert_eq!(&row["approver_name"], decided, "{row}");
                assert!(row.get("arguments_hash").is_none());
            }
        }
        server.stop().await;
    }
}
