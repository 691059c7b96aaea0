//! Attack group G and the races of memberships: twins, other people's keys, two tabs.

use frontdesk_testkit::model_server::{Gate, call, say};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{company, somebody};
use crate::server::{SseEvent, TestServer, answer, events as events_of};

/// G1, G2, G4: one key is one effect, for one person and one body.
// design: promises P2, G1
#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_one_effect_of_one_person() {
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
// design: promises P2, G3
#[tokio::test(flavor = "multi_thread")]
async fn keys_are_visible_ascii_of_at_most_255() {
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
// design: promises G5
#[tokio::test(flavor = "multi_thread")]
async fn two_tabs_and_a_reset_in_the_middle() {
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

/// G7: whoever decides at the same instant as somebody else, one decision counts, and one
/// effect follows from it or none.
// design: promises G7
#[tokio::test(flavor = "multi_thread")]
async fn approve_and_reject_at_the_same_instant_have_one_winner() {
    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        for round in 0..6 {
            server
                .model
                .script([call("publish_plan", json!({})), say("Done.")]);
            let new = json!({ "assistant": "planner" });
            let made = server.post(&paula, "/conversations", new).await;
            let id = made.body["id"].as_str().unwrap().to_owned();
            let path = format!("/conversations/{id}/messages");
            let asked = server
                .post(&paula, &path, json!({ "content": "Publish" }))
                .await;
            assert_eq!(asked.status, 202, "{asked:?}");
            let turn = asked.body["turn"]["id"].as_str().unwrap();
            let card = asked.body["turn"]["approvals"][0]["call_id"].as_str();
            let path = format!(
                "/conversations/{id}/turns/{turn}/approvals/{}",
                card.unwrap()
            );
            let mut tabs = JoinSet::new();
            for number in 0..8 {
                let decision = ["approve", "reject"][(number + round) % 2];
                let request = server
                    .request(Method::POST, &path, Some(&paula))
                    .json(&json!({ "decision": decision }));
                tabs.spawn(async move { (decision, answer(request).await) });
            }
            let mut won = Vec::new();
            for (decision, decided) in tabs.join_all().await {
                match decided.status.as_u16() {
                    200 => won.push(decision),
                    409 => assert_eq!(decided.body["error"]["code"], "CONFLICT"),
                    other => panic!("{other}: {decided:?}"),
                }
            }
            assert_eq!(won.len(), 1, "{won:?}");
            let events = format!("/conversations/{id}/turns/{turn}/events");
            let seen = events_of(server.request(Method::GET, &events, Some(&paula))).await;
            let decided: Vec<&Value> = seen
                .iter()
                .filter(|event| event.name == "approval.decided")
                .map(|event| &event.data["decision"])
                .collect();
            let expected = if won[0] == "approve" {
                "approved"
            } else {
                "rejected"
            };
            assert_eq!(decided, [expected], "{seen:?}");
            let executed = seen
                .iter()
                .filter(|event| event.name == "tool.started")
                .count();
            assert_eq!(executed, usize::from(won[0] == "approve"), "{seen:?}");
            assert_eq!(ends(&seen), 1, "{seen:?}");
            server.model.abandon_script();
        }
        server.stop().await;
    }
}

/// How many of these events are the end of a turn.
fn ends(seen: &[SseEvent]) -> usize {
    let end = [
        "turn.completed",
        "turn.failed",
        "turn.cancelled",
        "turn.interrupted",
    ];
    seen.iter()
        .filter(|event| end.contains(&event.name.as_str()))
        .count()
}

/// G8: a turn that is stopped at the moment at which it is done has one end, and everybody is
/// told the same one.
// design: promises G8
#[tokio::test(flavor = "multi_thread")]
async fn cancel_and_completion_at_once_have_one_end() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let mut how = std::collections::BTreeSet::new();
        for _ in 0..8 {
            let gate = Gate::shut();
            server
                .model
                .script([say("Begun").then_wait(&gate).then_say(" and done.")]);
            let id = server.conversation(&ann).await;
            let path = format!("/conversations/{id}/messages");
            let request = server
                .request(Method::POST, &path, Some(&ann))
                .header("accept", "text/event-stream")
                .json(&json!({ "content": "Hello" }));
            let mut stream = request.send().await.unwrap();
            let first = crate::server::read_until(&mut stream, "Begun").await;
            let turn = first[0].data["turn"].as_str().unwrap().to_owned();
            let turn = format!("/conversations/{id}/turns/{turn}");
            let cancel = server
                .request(Method::POST, &format!("{turn}/cancel"), Some(&ann))
                .json(&json!({}));
            let cancel = tokio::spawn(answer(cancel));
            gate.open();
            let cancelled = cancel.await.unwrap();
            assert_eq!(cancelled.status, 200, "{cancelled:?}");
            let seen =
                events_of(server.request(Method::GET, &format!("{turn}/events"), Some(&ann))).await;
            assert_eq!(ends(&seen), 1, "{seen:?}");
            let end = seen.last().unwrap().name.clone();
            assert!(stream.text().await.unwrap().contains(&end));
            let state = server.get(&ann, &turn).await.body["state"].clone();
            assert_eq!(format!("turn.{}", state.as_str().unwrap()), end);
            let history = server.get(&ann, &path).await.body;
            let stored = history["items"][1]["content"].as_str();
            match end.as_str() {
                "turn.completed" => assert_eq!(stored, Some("Begun and done.")),
                "turn.cancelled" => {
                    assert!("Begun and done.".starts_with(stored.unwrap_or_default()));
                }
                other => panic!("{other}: {seen:?}"),
            }
            how.insert(end);
        }
        assert!(!how.is_empty());
        server.stop().await;
    }
}
