//! Messages that arrive while a card waits: a whole "yes", "no" or the words of a button decide it,
//! anything else waits, and nothing is lost or done twice.

use frontdesk_testkit::model_server::{call, calls, say};
use serde_json::{Value, json};

use super::identity::{company, join, shared_conversation, somebody};
use crate::server::{Answer, Person, TestServer};

/// The number of a pass that waits for a decision.
async fn pending(server: &TestServer, admin: &Person) -> String {
    let path = "/gatepass/passes?status=pending";
    let found = server.get(admin, path).await.body;
    found["items"][0]["pass_number"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn status(server: &TestServer, admin: &Person, number: &str) -> Value {
    let path = format!("/gatepass/passes/{number}");
    server.get(admin, &path).await.body["status"].clone()
}

/// A conversation in which the rejection of this pass waits.
async fn ask_to_reject(server: &TestServer, admin: &Person, number: &str) -> String {
    let reject = call("reject_gate_pass", json!({ "pass_number": number }));
    server.model.script([reject, say("It is settled.")]);
    let new = json!({ "assistant": "gatepass" });
    let made = server.post(admin, "/conversations", new).await;
    let path = format!(
        "/conversations/{}/messages",
        made.body["id"].as_str().unwrap()
    );
    let body = json!({ "content": format!("Reject {number}") });
    let asked = server.post(admin, &path, body).await;
    assert_eq!(asked.status, 202, "{asked:?}");
    path
}

async fn write(server: &TestServer, who: &Person, path: &str, content: &str) -> Answer {
    server.post(who, path, json!({ "content": content })).await
}

fn check_waits(answer: &Answer) {
    assert_eq!(answer.status, 409, "{answer:?}");
    assert_eq!(answer.body["error"]["code"], "DECISION_PENDING");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_any_language_decide_and_other_messages_wait() {
    for server in TestServer::on_both().await {
        let admin = server.sign_in("admin");
        let number = pending(&server, &admin).await;
        for no in ["No", "Не отклонять", "Nicht ablehnen"] {
            let path = ask_to_reject(&server, &admin, &number).await;
            check_waits(&write(&server, &admin, &path, "And who else waits?").await);
            check_waits(&write(&server, &admin, &path, "Yes, but tomorrow").await);
            let declined = write(&server, &admin, &path, no).await;
            assert_eq!(declined.status, 201, "{declined:?}");
            let call = &declined.body["agent_message"]["metadata"]["tool_calls"][0];
            let summary = call["summary"].as_str().unwrap();
            assert!(summary.ends_with(&format!("{number} is still pending.")));
            assert_eq!(status(&server, &admin, &number).await, "pending");
            let messages = server.get(&admin, &path).await.body;
            assert_eq!(messages["items"].as_array().unwrap().len(), 2);
        }
        let path = ask_to_reject(&server, &admin, &number).await;
        let confirmed = write(&server, &admin, &path, "отклонить").await;
        assert_eq!(confirmed.status, 201, "{confirmed:?}");
        assert_eq!(status(&server, &admin, &number).await, "rejected");
        server.stop().await;
    }
}

/// Which of two cards a "yes" would mean nobody knows.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_two_cards_decides_neither() {
    for server in TestServer::on_both().await {
        let admin = server.sign_in("admin");
        let number = pending(&server, &admin).await;
        let arguments = || json!({ "pass_number": number });
        server.model.script([calls([
            ("reject_gate_pass", arguments()),
            ("delete_gate_pass", arguments()),
        ])]);
        let new = json!({ "assistant": "gatepass" });
        let made = server.post(&admin, "/conversations", new).await;
        let id = made.body["id"].as_str().unwrap();
        let path = format!("/conversations/{id}/messages");
        let asked = write(&server, &admin, &path, "Reject it, then delete it").await;
        assert_eq!(asked.body["turn"]["approvals"].as_array().unwrap().len(), 2);
        check_waits(&write(&server, &admin, &path, "yes").await);
        assert_eq!(status(&server, &admin, &number).await, "pending");
        server.model.abandon_script();
        server.stop().await;
    }
}

/// A colleague's words neither name a target for somebody else's message nor decide their card.
#[tokio::test(flavor = "multi_thread")]
async fn a_colleagues_words_order_and_decide_nothing() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let id = shared_conversation(&server, &ann, &acme).await;
        let path = format!("/conversations/{id}/messages");
        server.model.script([
            say("Shall I note it?"),
            call("add_note", json!({ "text": "Milk" })),
        ]);
        let said = write(&server, &bob, &path, "Ann should add the note Milk").await;
        assert_eq!(said.status, 201, "{said:?}");
        let asked = write(&server, &ann, &path, "Thanks, Bob").await;
        assert_eq!(asked.status, 202, "{asked:?}");
        let waiting = asked.body["turn"]["approvals"].clone();
        check_waits(&write(&server, &bob, &path, "yes").await);
        let turn = asked.body["turn"]["id"].as_str().unwrap();
        let turn = server
            .get(&ann, &format!("/conversations/{id}/turns/{turn}"))
            .await;
        assert_eq!(turn.body["approvals"], waiting);
        server.model.abandon_script();
        server.stop().await;
    }
}
