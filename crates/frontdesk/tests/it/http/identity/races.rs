//! Attack group G and the races of memberships: twins, other people's keys, two tabs.

use frontdesk_testkit::model_server::{Gate, say};
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinSet;

use super::{company, somebody};
use crate::server::{TestServer, answer};

/// G1, G2, G4: one key is one effect, for one person and one body.
#[tokio::test(flavor = "multi_thread")]
async fn g01_g02_g04_a_key_is_one_effect_of_one_person() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let id = server.conversation(&ann).await;
        let path = format!("/conversations/{id}/messages");
        server.model.script([say("Once.")]);
        let mut twins = JoinSet::new();
        for _ in 0..16 {
            let request = server
                .request(Method::POST, &path, Some(&ann))
                .header("idempotency-key", "one")
                .json(&json!({ "content": "Hello" }));
            twins.spawn(answer(request));
        }
        let answers = twins.join_all().await;
        for twin in &answers {
            assert_eq!(twin.status, 201, "{twin:?}");
            assert_eq!(twin.body["agent_message"]["content"], "Once.");
        }
        let history = server.get(&ann, &path).await;
        assert_eq!(history.body["items"].as_array().unwrap().len(), 2);
        let other = server
            .request(Method::POST, &path, Some(&ann))
            .header("idempotency-key", "one")
            .json(&json!({ "content": "Other" }));
        assert_eq!(answer(other).await.status, 422);
        // The same key of somebody else is another key.
        let bob = somebody(&server, "bob");
        let own = server.conversation(&bob).await;
        server.model.script([say("Bob's.")]);
        let request = server
            .request(
                Method::POST,
                &format!("/conversations/{own}/messages"),
                Some(&bob),
            )
            .header("idempotency-key", "one")
            .json(&json!({ "content": "Hello" }));
        let bobs = answer(request).await;
        assert_eq!(bobs.body["agent_message"]["content"], "Bob's.", "{bobs:?}");
        server.stop().await;
    }
}

/// G3: keys that are none.
#[tokio::test(flavor = "multi_thread")]
async fn g03_keys_are_visible_ascii_of_at_most_255() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let id = server.conversation(&ann).await;
        for key in ["", &"k".repeat(256), "schlüssel", "two words"] {
            let request = server
                .request(
                    Method::POST,
                    &format!("/conversations/{id}/messages"),
                    Some(&ann),
                )
                .header(
                    "idempotency-key",
                    reqwest::header::HeaderValue::from_bytes(key.as_bytes()).unwrap(),
                )
                .json(&json!({ "content": "Hello" }));
            assert_eq!(answer(request).await.status, 400, "{key:?}");
        }
        server.stop().await;
    }
}

/// G5, G6: two tabs, and clearing while an answer is being written.
#[tokio::test(flavor = "multi_thread")]
async fn g05_g06_two_tabs_and_a_reset_in_the_middle() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let id = server.conversation(&ann).await;
        let path = format!("/conversations/{id}/messages");
        let gate = Gate::shut();
        server
            .model
            .script([say("Begun").then_wait(&gate).then_say(" and done.")]);
        let request = server
            .request(Method::POST, &path, Some(&ann))
            .header("accept", "text/event-stream")
            .json(&json!({ "content": "First" }));
        let mut stream = request.send().await.unwrap();
        stream.chunk().await.unwrap().unwrap();
        let second = server
            .post(&ann, &path, json!({ "content": "Second" }))
            .await;
        assert_eq!(second.status, 409);
        assert_eq!(second.body["error"]["code"], "TURN_IN_PROGRESS");
        let cleared = server
            .post(&ann, &format!("/conversations/{id}/reset"), json!({}))
            .await;
        assert_eq!(cleared.status, 200, "{cleared:?}");
        assert_eq!(cleared.body["message_count"], 0);
        gate.open();
        let rest = stream.text().await.unwrap();
        assert!(!rest.contains("turn.completed"), "{rest}");
        let history = server.get(&ann, &path).await;
        assert_eq!(history.body["items"], json!([]), "nothing reappears");
        server.stop().await;
    }
}

/// Two who accept one invitation at once, and an invitation that is revoked at that moment.
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_answered_once_however_many_tabs_there_are() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = somebody(&server, "bob");
        let path = format!("/companies/{acme}/invitations");
        let made = server
            .post(&ann, &path, json!({ "email": "bob@example.com" }))
            .await;
        let id = made.body["id"].as_str().unwrap();
        let mut tabs = JoinSet::new();
        for word in ["accept", "decline", "accept", "decline", "accept", "accept"] {
            let path = format!("/invitations/{id}/{word}");
            let request = server
                .request(Method::POST, &path, Some(&bob))
                .json(&json!({}));
            tabs.spawn(async move { answer(request).await.status.as_u16() });
        }
        let mut statuses = tabs.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
        server.stop().await;
    }
}
